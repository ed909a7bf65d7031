//! Integer elements.

use ptodiff_isa::Clause;

use crate::{
    arithmetic::Arithmetic,
    combine::{Accumulator, Combine, Contribution, Settled, decided},
    runs::Why,
    sum::Term,
};

/// The gap of sums that leave the range of their type.
const OVERFLOW: &str = "MSCATTER-GAP-05";

/// The number in the low `N` bytes of `bits`.
const fn integer<const N: usize>(bits: u32, signed: bool) -> i64 {
    let shift = 64 - 8 * N as u32;
    let high = (bits as i64) << shift;
    if signed {
        high >> shift
    } else {
        (high.cast_unsigned() >> shift).cast_signed()
    }
}

/// The low bits of `x`. Two's complement, so the low bytes are the element.
const fn low_bits(x: i64) -> u32 {
    x.cast_unsigned() as u32
}

/// Integer Add, at most 4 bytes wide, that wraps (MSCATTER-GAP-05).
pub(crate) struct IntegerSum<const N: usize, const SIGNED: bool>;

impl<const N: usize, const SIGNED: bool> Combine for IntegerSum<N, SIGNED> {
    const SIZE: usize = N;

    fn settle(
        _: &mut Accumulator,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled {
        // Fewer than 2^32 terms of 32 bits cannot leave 64.
        let sum = contributions.fold(integer::<N>(old, SIGNED), |s, c| {
            s.wrapping_add(integer::<N>(c.bits, SIGNED))
        });
        if integer::<N>(low_bits(sum), SIGNED) == sum {
            Settled::Exactly(low_bits(sum), how.clauses.one)
        } else {
            decided(low_bits(sum), OVERFLOW, how)
        }
    }
}

/// Integer Add, at most 4 bytes wide, of which every addition saturates
/// (MSCATTER-GAP-05).
pub(crate) struct SaturatingSum<const N: usize, const SIGNED: bool>;

/// The least and the greatest sum so far.
struct Reach {
    low: i64,
    high: i64,
    /// Whether an addition left the range.
    saturated: bool,
}

impl<const N: usize, const SIGNED: bool> SaturatingSum<N, SIGNED> {
    const BITS: u32 = 8 * N as u32;
    const MIN: i64 = if SIGNED { -(1 << (Self::BITS - 1)) } else { 0 };
    const MAX: i64 = Self::MIN + ((1 << Self::BITS) - 1);

    fn add(sum: i64, x: i64, saturated: &mut bool) -> i64 {
        let wide = sum.saturating_add(x);
        let kept = wide.clamp(Self::MIN, Self::MAX);
        *saturated |= kept != wide;
        kept
    }

    /// In the order given.
    fn fold(old: i64, terms: impl Iterator<Item = (u32, i64)>) -> Reach {
        let mut saturated = false;
        let sum = terms.fold(old, |sum, (_, x)| Self::add(sum, x, &mut saturated));
        Reach {
            low: sum,
            high: sum,
            saturated,
        }
    }

    /// In any order that keeps the calls apart.
    ///
    /// A saturating addition never turns two sums around, and to swap a
    /// negative term with a positive one after it never raises the result. So
    /// the least sum has all positive terms of a call first, the greatest one
    /// all negative ones, and both start from the last call's.
    fn reach(old: i64, terms: impl Iterator<Item = (u32, i64)>) -> Reach {
        let mut reach = Reach {
            low: old,
            high: old,
            saturated: false,
        };
        let (mut up, mut down, mut step) = (0_i64, 0_i64, 0);
        for (s, x) in terms {
            if s != step {
                reach.call::<N, SIGNED>(up, down);
                (up, down, step) = (0, 0, s);
            }
            up = up.saturating_add(x.max(0));
            down = down.saturating_add(x.min(0));
        }
        reach.call::<N, SIGNED>(up, down);
        reach
    }
}

impl Reach {
    /// Adds what one call adds in all.
    fn call<const N: usize, const SIGNED: bool>(&mut self, up: i64, down: i64) {
        let add = SaturatingSum::<N, SIGNED>::add;
        let left = &mut self.saturated;
        self.low = add(add(self.low, up, left), down, left);
        self.high = add(add(self.high, down, left), up, left);
    }
}

impl<const N: usize, const SIGNED: bool> Combine for SaturatingSum<N, SIGNED> {
    const SIZE: usize = N;

    fn settle(
        accumulator: &mut Accumulator,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled {
        let old = integer::<N>(old, SIGNED);
        let terms = contributions.map(|c| (c.step, integer::<N>(c.bits, SIGNED)));
        let Accumulator {
            reached,
            terms: listed,
            ..
        } = accumulator;
        let reach = if how.open {
            Self::reach(old, terms.clone())
        } else {
            Self::fold(old, terms.clone())
        };
        if reach.low == reach.high {
            let why = if reach.saturated {
                // Other paths and targets wrap there.
                Why::open(Clause(OVERFLOW))
            } else {
                how.clauses.one
            };
            return Settled::Exactly(low_bits(reach.low), why);
        }
        let why = Why {
            clause: Clause(OVERFLOW),
            ..how.clauses.any_order
        };
        // All of these are `f64`s.
        listed.clear();
        listed.extend(terms.map(|(step, x)| Term {
            value: x as f64,
            step,
        }));
        let add = |a: f64, b: f64| (a + b).clamp(Self::MIN as f64, Self::MAX as f64);
        if reached.list(old as f64, listed, add).is_some() {
            accumulator.hold_sums(N, |sum| low_bits(sum as i64));
            return Settled::OneOf(why);
        }
        accumulator.hold(N, [low_bits(reach.low), low_bits(reach.high)]);
        Settled::Between(why, false)
    }
}

/// Integer Max or Min.
pub(crate) struct IntegerExtreme<const N: usize, const SIGNED: bool, const MAX: bool>;

impl<const N: usize, const SIGNED: bool, const MAX: bool> Combine
    for IntegerExtreme<N, SIGNED, MAX>
{
    const SIZE: usize = N;

    fn settle(
        _: &mut Accumulator,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled {
        let best = contributions.fold(integer::<N>(old, SIGNED), |best, c| {
            let x = integer::<N>(c.bits, SIGNED);
            if MAX { best.max(x) } else { best.min(x) }
        });
        Settled::Exactly(low_bits(best), how.clauses.one)
    }
}
