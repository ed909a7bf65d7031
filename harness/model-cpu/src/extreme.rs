//! Max and Min: which of two elements a slot keeps.
//!
//! Two rules take part, and only floats tell their choices apart: what a NaN
//! settles on its own (MSCATTER-GAP-03), and by what the rest is ordered
//! (MSCATTER-GAP-04).

use std::marker::PhantomData;

use crate::combine::{Number, Operation};

/// The element that `S` prefers in order `O`, unless `P` settles it; on a tie
/// the slot keeps what it has.
pub(crate) struct Extreme<S, P, O>(PhantomData<(S, P, O)>);

impl<S: Side, P: Nans, O: Order> Operation for Extreme<S, P, O> {
    const BRIEF: bool = false;

    #[inline]
    fn apply<const W: usize, N: Number<W>>(old: N, new: N) -> N {
        match P::settled(old, new) {
            Some(settled) => settled,
            None if S::prefers::<O, W, N>(new, old) => new,
            None => old,
        }
    }
}

/// The end of the order that is wanted.
pub(crate) trait Side {
    /// Whether `new` is nearer to it than `old`.
    fn prefers<O: Order, const W: usize, N: Number<W>>(new: N, old: N) -> bool;
}

/// The upper end.
pub(crate) struct Max;
/// The lower end.
pub(crate) struct Min;

impl Side for Max {
    #[inline]
    fn prefers<O: Order, const W: usize, N: Number<W>>(new: N, old: N) -> bool {
        O::below(old, new)
    }
}

impl Side for Min {
    #[inline]
    fn prefers<O: Order, const W: usize, N: Number<W>>(new: N, old: N) -> bool {
        O::below(new, old)
    }
}

/// What comes before what.
pub(crate) trait Order {
    /// Whether `a` is strictly below `b`.
    fn below<const W: usize, N: Number<W>>(a: N, b: N) -> bool;
}

/// As numbers: zeros tie, and a NaN is neither below nor above anything.
pub(crate) struct ByValue;
/// As signed-magnitude integers, so that -0.0 is below +0.0.
pub(crate) struct ByBits;

impl Order for ByValue {
    #[inline]
    fn below<const W: usize, N: Number<W>>(a: N, b: N) -> bool {
        a < b
    }
}

impl Order for ByBits {
    #[inline]
    fn below<const W: usize, N: Number<W>>(a: N, b: N) -> bool {
        a.below_by_bits(b)
    }
}

/// What a NaN does.
pub(crate) trait Nans {
    /// What stays because one of the two is NaN; `None` leaves it to the order.
    fn settled<const W: usize, N: Number<W>>(old: N, new: N) -> Option<N>;
}

/// Nothing of its own.
pub(crate) struct Unsettled;
/// It gives way to a number.
pub(crate) struct Ignored;
/// It stays, the first one of all.
pub(crate) struct PassedOn;

impl Nans for Unsettled {
    #[inline]
    fn settled<const W: usize, N: Number<W>>(_old: N, _new: N) -> Option<N> {
        None
    }
}

impl Nans for Ignored {
    #[inline]
    fn settled<const W: usize, N: Number<W>>(old: N, new: N) -> Option<N> {
        if new.is_nan() {
            Some(old)
        } else {
            old.is_nan().then_some(new)
        }
    }
}

impl Nans for PassedOn {
    #[inline]
    fn settled<const W: usize, N: Number<W>>(old: N, new: N) -> Option<N> {
        if old.is_nan() {
            Some(old)
        } else {
            new.is_nan().then_some(new)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combine::{Combine, Fold};

    type Plain<S> = Extreme<S, Unsettled, ByValue>;

    #[test]
    fn signedness_decides_the_greater_one() {
        let (one, high) = (1_u32.to_le_bytes(), 0x8000_0000_u32.to_le_bytes());
        assert_eq!(Fold::<Plain<Max>, u32>::combine(one, high), high);
        assert_eq!(Fold::<Plain<Max>, i32>::combine(one, high), one);
        assert_eq!(Fold::<Plain<Min>, u32>::combine(one, high), one);
        assert_eq!(Fold::<Plain<Min>, i32>::combine(one, high), high);
    }

    #[test]
    fn on_a_tie_the_slot_keeps_its_zero() {
        let (plus, minus) = (0.0_f32.to_le_bytes(), (-0.0_f32).to_le_bytes());
        assert_eq!(Fold::<Plain<Max>, f32>::combine(minus, plus), minus);
        assert_eq!(Fold::<Plain<Min>, f32>::combine(plus, minus), plus);
    }

    // Where nothing is promised, the slot stays as it is.
    #[test]
    fn unsettled_a_nan_compares_with_nothing() {
        let (nan, one) = (0x7FC0_0001_u32.to_le_bytes(), 1.0_f32.to_le_bytes());
        for (old, new) in [(nan, one), (one, nan)] {
            assert_eq!(Fold::<Plain<Max>, f32>::combine(old, new), old);
            assert_eq!(Fold::<Plain<Min>, f32>::combine(old, new), old);
        }
    }
}
