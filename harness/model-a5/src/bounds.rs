//! From an index to a slot: capacity, OOB policy.

use ptodiff_isa::{DType, Fault, NegativeIndex};

use crate::numeral::{Bits, Numeral};

/// What a kernel does with an index at or above capacity
/// (000 and 001, Out-of-Bounds Behaviour).
pub(crate) trait Policy: Copy {
    /// The policy that selects, of the slots of indices of which none is negative,
    /// those that the table has.
    type Held: Policy;
    /// Whether an empty table still gives a value: Zero's.
    const FILLS: bool = false;
    /// Whether an index is a slot as it stands if the table has that slot, else
    /// selects nothing: Skip's and Zero's.
    const DROPS: bool = false;
    /// The slot of `index`; none where nothing is selected.
    fn slot(index: i64, bounds: &Bounds) -> Option<i64>;
}

/// Undefined: no remap.
#[derive(Clone, Copy)]
pub(crate) struct Pass;
/// A scatter's Skip and a gather's Zero: no slot.
#[derive(Clone, Copy)]
pub(crate) struct Drop;
/// Clamp: `min(idx, capacity - 1)`.
#[derive(Clone, Copy)]
pub(crate) struct Clamp;
/// Wrap: `idx % capacity`.
#[derive(Clone, Copy)]
pub(crate) struct Wrap;

impl Policy for Pass {
    type Held = Drop;
    #[inline(always)]
    fn slot(index: i64, _: &Bounds) -> Option<i64> {
        Some(index)
    }
}

impl Policy for Drop {
    type Held = Self;
    const FILLS: bool = true;
    const DROPS: bool = true;
    #[inline(always)]
    fn slot(index: i64, bounds: &Bounds) -> Option<i64> {
        (bounds.lowest <= index && index < bounds.capacity).then_some(index)
    }
}

impl Policy for Clamp {
    type Held = Self;
    #[inline(always)]
    fn slot(index: i64, bounds: &Bounds) -> Option<i64> {
        let last = bounds.capacity.saturating_sub(1);
        Some(index.max(bounds.lowest).min(last))
    }
}

impl Policy for Wrap {
    type Held = Self;
    #[inline(always)]
    fn slot(index: i64, bounds: &Bounds) -> Option<i64> {
        if bounds.holds(index) {
            Some(index)
        } else if bounds.lowest < 0 {
            index.checked_rem(bounds.capacity)
        } else {
            index.checked_rem_euclid(bounds.capacity)
        }
    }
}

/// How indices are read and what they are held against.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Slots or rows, exact below 2^63 and capped there: no index reaches so far.
    pub(crate) capacity: i64,
    numeral: Numeral,
    /// The lowest index that passes `idx < capacity`: 0, or under reading
    /// `signed` the lowest that there is.
    lowest: i64,
}

impl Bounds {
    /// For indices of `dtype` under a reading of negative ones.
    ///
    /// # Errors
    /// If `dtype` is none that the check lets pass.
    #[inline(always)]
    pub(crate) fn new(dtype: DType, capacity: i64, negative: NegativeIndex) -> Result<Self, Fault> {
        if !matches!(dtype, DType::Int32 | DType::Uint32) {
            return Err(no_index_type(dtype));
        }
        // No unsigned index is negative, and an empty table has no slot for any.
        let literal = negative == NegativeIndex::Signed && dtype == DType::Int32 && capacity > 0;
        Ok(Self {
            capacity,
            numeral: Numeral::new(dtype, negative),
            lowest: if literal { i32::MIN.into() } else { 0 },
        })
    }

    /// The slot or row that the index with these bits selects.
    #[inline(always)]
    pub(crate) fn slot<P: Policy>(&self, bits: [u8; 4]) -> Option<i64> {
        P::slot(self.numeral.of(bits), self)
    }

    /// The same for `indices` of which none is negative, so that their bits are
    /// numbers under every reading; none where one is.
    #[inline(always)]
    pub(crate) fn plain(self, indices: &[[u8; 4]]) -> Option<Plain> {
        let capacity = self.capacity;
        self.numeral.is_plain(indices).then_some(Plain { capacity })
    }

    /// Whether a gather has no value to give: the table is empty
    /// (MGATHER-GAP-03) and the policy has no substitute.
    pub(crate) fn gives_nothing<P: Policy>(&self) -> bool {
        self.capacity == 0 && !P::FILLS
    }

    /// Whether there is such a slot.
    #[inline(always)]
    pub(crate) fn holds(&self, slot: i64) -> bool {
        // One comparison: what is negative becomes huge.
        (slot as u64) < self.capacity as u64
    }
}

/// What indices of which none is negative are held against: a type of its own,
/// lest a loop see to a sign that it does not know to be none.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    /// Slots or rows.
    pub(crate) capacity: i64,
}

impl Plain {
    /// The slot or row that the index with these bits selects.
    #[inline(always)]
    pub(crate) fn slot<P: Policy>(self, bits: [u8; 4]) -> Option<i64> {
        P::slot(bits.unsigned(), &self.bounds())
    }

    #[inline(always)]
    fn bounds(self) -> Bounds {
        Bounds {
            capacity: self.capacity,
            numeral: Numeral::UNSIGNED,
            lowest: 0,
        }
    }
}

#[cold]
#[inline(never)]
fn no_index_type(dtype: DType) -> Fault {
    Fault(format!("{dtype} is no index type of A5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(dtype: DType, capacity: i64, negative: NegativeIndex, index: i32) -> [Option<i64>; 4] {
        let bounds = Bounds::new(dtype, capacity, negative).unwrap();
        let bits = index.to_le_bytes();
        [
            bounds.slot::<Pass>(bits),
            bounds.slot::<Drop>(bits),
            bounds.slot::<Clamp>(bits),
            bounds.slot::<Wrap>(bits),
        ]
    }

    #[test]
    fn a_negative_index_follows_the_reading() {
        let of = |negative| slots(DType::Int32, 10, negative, -1);
        let far = 4_294_967_295;
        assert_eq!(
            of(NegativeIndex::Unsigned),
            [Some(far), None, Some(9), Some(5)]
        );
        assert_eq!(of(NegativeIndex::Signed), [Some(-1); 4]);
        assert_eq!(
            of(NegativeIndex::Intended),
            [Some(-1), None, Some(0), Some(9)]
        );
    }

    #[test]
    fn the_remainder_of_reading_signed_keeps_its_sign() {
        assert_eq!(
            slots(DType::Int32, 10, NegativeIndex::Signed, -23)[3],
            Some(-3)
        );
        assert_eq!(
            slots(DType::Int32, 10, NegativeIndex::Intended, -23)[3],
            Some(7)
        );
    }

    #[test]
    fn indices_of_which_none_is_negative_are_plain() {
        let bytes = |indices: [i32; 3]| indices.map(i32::to_le_bytes);
        let (from_zero, negative) = (bytes([0, 1, i32::MAX]), bytes([0, 3, -1]));
        for reading in [NegativeIndex::Signed, NegativeIndex::Intended] {
            let bounds = Bounds::new(DType::Int32, 10, reading).unwrap();
            let plain = bounds.plain(&from_zero).expect("none is negative");
            assert_eq!(plain.slot::<Wrap>(from_zero[2]), Some(2_147_483_647 % 10));
            assert_eq!(plain.slot::<Clamp>(from_zero[0]), Some(0));
            assert!(bounds.plain(&negative).is_none());
        }
        // Without a sign all are.
        let bounds = Bounds::new(DType::Int32, 10, NegativeIndex::Unsigned).unwrap();
        let plain = bounds.plain(&negative).expect("no number has a sign");
        assert_eq!(plain.slot::<Pass>(negative[2]), Some(4_294_967_295));
    }

    #[test]
    fn an_unsigned_index_is_never_negative() {
        for negative in [
            NegativeIndex::Unsigned,
            NegativeIndex::Signed,
            NegativeIndex::Intended,
        ] {
            let got = slots(DType::Uint32, 10, negative, -1);
            assert_eq!(got, [Some(4_294_967_295), None, Some(9), Some(5)]);
        }
    }
}
