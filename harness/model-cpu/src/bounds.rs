//! What an index selects, after its cast to `uint32_t`.

use std::num::{NonZeroU32, NonZeroU64};

use ptodiff_isa::{GatherOob, ScatterOob};

/// Turns an index into the slot it selects; `None` where it selects nothing.
pub(crate) trait Remap: Copy {
    /// The row or element number.
    fn slot(self, index: u32) -> Option<u32>;
}

/// Turns any index into a slot.
pub(crate) trait Total: Copy {
    /// The row or element number.
    fn chosen(self, index: u32) -> u32;
}

impl<T: Total> Remap for T {
    #[inline]
    fn slot(self, index: u32) -> Option<u32> {
        Some(self.chosen(index))
    }
}

/// No bounds at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unchecked;

impl Total for Unchecked {
    #[inline]
    fn chosen(self, index: u32) -> u32 {
        index
    }
}

/// Nothing at or above capacity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Below(u64);

impl Below {
    /// Those of `slots` that an index may select, if no index may select more.
    #[inline]
    pub(crate) fn among<S>(self, slots: &[S]) -> Option<&[S]> {
        slots.get(..usize::try_from(self.0).ok()?)
    }

    /// The same to be written.
    #[inline]
    pub(crate) fn among_mut<S>(self, slots: &mut [S]) -> Option<&mut [S]> {
        slots.get_mut(..usize::try_from(self.0).ok()?)
    }
}

impl Remap for Below {
    #[inline]
    fn slot(self, index: u32) -> Option<u32> {
        (u64::from(index) < self.0).then_some(index)
    }
}

/// At most the last slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clamped {
    last: u32,
}

impl Clamped {
    /// Those of `slots` that an index may select, if no index may select more.
    #[inline]
    pub(crate) fn among<S>(self, slots: &[S]) -> Option<&[S]> {
        slots.get(..=usize::try_from(self.last).ok()?)
    }
}

impl Total for Clamped {
    #[inline]
    fn chosen(self, index: u32) -> u32 {
        index.min(self.last)
    }
}

/// Modulo capacity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wrapped {
    capacity: NonZeroU32,
    /// A part of 2^64: one of as many as the capacity, rounded up. The one of
    /// capacity 1 is all of it, which is 0.
    part: u64,
}

impl Wrapped {
    fn new(capacity: NonZeroU32) -> Self {
        Self {
            capacity,
            part: (u64::MAX / NonZeroU64::from(capacity)).wrapping_add(1),
        }
    }
}

impl Total for Wrapped {
    /// The remainder of a division, by two products, which take a fraction of
    /// its time: `index` parts are a whole number and a fraction of 2^64, and the
    /// remainder is that fraction of the capacity. Of an index and a capacity of
    /// 32 bits, what is rounded up never adds to it.
    #[inline]
    fn chosen(self, index: u32) -> u32 {
        let fraction = self.part.wrapping_mul(index.into());
        let product = u128::from(fraction) * u128::from(self.capacity.get());
        (product >> 64) as u32
    }
}

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bounds {
    /// Undefined.
    Unchecked(Unchecked),
    /// Skip and Zero.
    Below(Below),
    /// Clamp.
    Clamped(Clamped),
    /// Wrap.
    Wrapped(Wrapped),
}

impl Bounds {
    pub(crate) const UNCHECKED: Self = Self::Unchecked(Unchecked);

    /// A scatter's policy over `capacity` slots.
    #[inline]
    pub(crate) fn scatter(oob: ScatterOob, capacity: impl FnOnce() -> u64) -> Self {
        match oob {
            ScatterOob::Undefined => Self::UNCHECKED,
            ScatterOob::Skip => Self::Below(Below(capacity())),
            ScatterOob::Clamp => Self::clamp(capacity()),
            ScatterOob::Wrap => Self::wrap(capacity()),
        }
    }

    /// A gather's policy over `capacity` slots.
    #[inline]
    pub(crate) fn gather(oob: GatherOob, capacity: impl FnOnce() -> u64) -> Self {
        match oob {
            GatherOob::Undefined => Self::UNCHECKED,
            GatherOob::Zero => Self::Below(Below(capacity())),
            GatherOob::Clamp => Self::clamp(capacity()),
            GatherOob::Wrap => Self::wrap(capacity()),
        }
    }

    /// An empty table has no last slot, so nothing is selected (MSCATTER-GAP-02).
    fn clamp(capacity: u64) -> Self {
        match capacity.checked_sub(1) {
            Some(last) => Self::Clamped(Clamped {
                last: u32::try_from(last).unwrap_or(u32::MAX),
            }),
            None => Self::Below(Below(0)),
        }
    }

    /// No index reaches a capacity beyond 32 bits.
    fn wrap(capacity: u64) -> Self {
        match u32::try_from(capacity).map(NonZeroU32::new) {
            Ok(Some(capacity)) => Self::Wrapped(Wrapped::new(capacity)),
            Ok(None) => Self::Below(Below(0)),
            Err(_) => Self::UNCHECKED,
        }
    }
}

impl Remap for Bounds {
    #[inline]
    fn slot(self, index: u32) -> Option<u32> {
        match self {
            Self::Unchecked(it) => it.slot(index),
            Self::Below(it) => it.slot(index),
            Self::Clamped(it) => it.slot(index),
            Self::Wrapped(it) => it.slot(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_table_selects_nothing_under_any_policy() {
        for oob in [ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap] {
            assert_eq!(Bounds::scatter(oob, || 0).slot(0), None, "{oob}");
        }
        for oob in [GatherOob::Zero, GatherOob::Clamp, GatherOob::Wrap] {
            assert_eq!(Bounds::gather(oob, || 0).slot(7), None, "{oob}");
        }
    }

    #[test]
    fn a_capacity_beyond_32_bits_bounds_nothing() {
        for oob in [ScatterOob::Skip, ScatterOob::Clamp, ScatterOob::Wrap] {
            for capacity in [1 << 32, 1 << 40] {
                let slot = Bounds::scatter(oob, || capacity).slot(u32::MAX);
                assert_eq!(slot, Some(u32::MAX), "{oob} {capacity}");
            }
        }
    }

    #[test]
    fn no_policy_moves_an_index_below_the_capacity() {
        let scatter = |oob| Bounds::scatter(oob, || 5);
        let gather = |oob| Bounds::gather(oob, || 5);
        for bounds in [
            scatter(ScatterOob::Skip),
            scatter(ScatterOob::Clamp),
            scatter(ScatterOob::Wrap),
            gather(GatherOob::Zero),
            gather(GatherOob::Clamp),
            gather(GatherOob::Wrap),
        ] {
            assert_eq!(bounds.slot(4), Some(4), "{bounds:?}");
            assert_ne!(bounds.slot(5), Some(5), "{bounds:?}");
        }
    }

    // With capacity 3, slots 3 and 4 are out of reach; with 6, slot 5 would
    // lie beyond them.
    #[test]
    fn an_index_may_select_slots_up_to_the_capacity() {
        let mut slots = [0, 1, 2, 3, 4];
        let clamped = |capacity: u32| Clamped { last: capacity - 1 };
        assert_eq!(Below(3).among(&slots), Some(&[0, 1, 2][..]));
        assert_eq!(clamped(3).among(&slots), Some(&[0, 1, 2][..]));
        assert_eq!(Below(5).among(&slots).map(<[_]>::len), Some(5));
        assert_eq!(clamped(5).among(&slots).map(<[_]>::len), Some(5));
        assert_eq!(Below(6).among(&slots), None);
        assert_eq!(clamped(6).among(&slots), None);
        assert_eq!(Below(3).among_mut(&mut slots), Some(&mut [0, 1, 2][..]));
        assert_eq!(Below(6).among_mut(&mut slots), None);
    }

    #[test]
    fn a_wrapped_index_is_the_remainder_of_a_division() {
        let ends = |number: u32| [number.wrapping_sub(1), number, number.wrapping_add(1)];
        let powers = (0..32).flat_map(|bit| ends(1 << bit));
        let numbers = || {
            powers
                .clone()
                .chain([3, 10, 27648, 0xAAAA_AAAB, u32::MAX - 1])
        };
        for capacity in numbers().filter_map(NonZeroU32::new) {
            let wrapped = Wrapped::new(capacity);
            let many = numbers().flat_map(|k| ends(capacity.get().wrapping_mul(k)));
            for index in numbers().chain(many) {
                let chosen = wrapped.chosen(index);
                assert_eq!(chosen, index % capacity, "{index} of {capacity}");
            }
        }
    }

    #[test]
    fn a_capacity_of_all_32_bits_leaves_one_index_outside() {
        let capacity = u64::from(u32::MAX);
        let slot = |oob| Bounds::scatter(oob, || capacity).slot(u32::MAX);
        assert_eq!(slot(ScatterOob::Skip), None);
        assert_eq!(slot(ScatterOob::Clamp), Some(u32::MAX - 1));
        assert_eq!(slot(ScatterOob::Wrap), Some(0));
    }
}
