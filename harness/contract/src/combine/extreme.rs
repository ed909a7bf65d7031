//! Max and Min of floating-point elements.

use std::marker::PhantomData;

use ptodiff_isa::{Clause, MaxMinNan, MaxMinZero};

use crate::{
    arithmetic::Arithmetic,
    combine::{Accumulator, Combine, Contribution, Settled, decided},
    float::{Format, Rounding},
    runs::Why,
};

/// The gap of elements that are NaN.
const NANS: &str = "MSCATTER-GAP-03";
/// A NaN of which nothing is said.
const NAN: Why = Why::open(Clause(NANS));
/// The gap of zeros of two signs.
const ZEROS: &str = "MSCATTER-GAP-04";

/// Floating-point Max or Min.
pub(crate) struct FloatExtreme<F, const MAX: bool>(PhantomData<F>);

impl<F: Format, const MAX: bool> Combine for FloatExtreme<F, MAX> {
    const SIZE: usize = F::SIZE;

    fn settle(
        accumulator: &mut Accumulator,
        old: u32,
        contributions: impl ExactSizeIterator<Item = Contribution> + Clone,
        how: &Arithmetic,
    ) -> Settled {
        let patterns = || {
            let new = contributions.clone().map(|c| c.bits);
            std::iter::once(old).chain(new)
        };
        if how.nan == MaxMinNan::ByBits {
            return Self::by_bits(patterns(), how);
        }
        let (mut best, mut nan) = (f64::NAN, false);
        let (mut plus, mut minus) = (false, false);
        patterns().map(F::decode).for_each(|x| {
            nan |= x.is_nan();
            if x == 0.0 {
                plus |= x.is_sign_positive();
                minus |= x.is_sign_negative();
            }
            if best.is_nan() || (if MAX { x > best } else { x < best }) {
                best = x;
            }
        });
        if nan && how.nan == MaxMinNan::Anything {
            return Settled::Anything(NAN);
        }
        if best.is_nan() || (nan && how.nan == MaxMinNan::PassedOn) {
            return one_of_the_nans::<F>(accumulator, patterns(), how);
        }
        if best == 0.0 && plus && minus {
            let bits = |x: f64| F::encode(x, Rounding::Nearest);
            let (plus, minus) = (bits(0.0), bits(-0.0));
            if how.zero == MaxMinZero::Either {
                accumulator.hold(F::SIZE, [plus, minus]);
                return Settled::OneOf(Why::open(Clause(ZEROS)));
            }
            return decided(if MAX { plus } else { minus }, ZEROS, how);
        }
        let best = F::encode(best, Rounding::Nearest);
        if nan {
            decided(best, NANS, how)
        } else {
            Settled::Exactly(best, how.clauses.one)
        }
    }
}

impl<F: Format, const MAX: bool> FloatExtreme<F, MAX> {
    /// The largest or smallest of the patterns as signed magnitudes.
    fn by_bits(patterns: impl Iterator<Item = u32> + Clone, how: &Arithmetic) -> Settled {
        let sign = 1_u32 << (8 * F::SIZE - 1);
        // A zero, and what is flushed to one, is its sign.
        let ranks = patterns.clone().map(|bits| {
            let bits = if F::decode(bits) == 0.0 {
                bits & sign
            } else {
                bits
            };
            let magnitude = i64::from(bits & !sign);
            let rank = if bits & sign == 0 {
                magnitude
            } else {
                !magnitude
            };
            (rank, bits)
        });
        let best = if MAX { ranks.max() } else { ranks.min() };
        let best = best.map_or(0, |(_, bits)| bits);
        // Zeros of two signs are told apart for the same reason.
        let mut decides = patterns.map(F::decode).map(|x| {
            let other = (x.is_sign_negative() != (best & sign != 0)) && x == 0.0;
            x.is_nan() || (other && best & !sign == 0)
        });
        if decides.any(|so| so) {
            decided(best, NANS, how)
        } else {
            Settled::Exactly(best, how.clauses.one)
        }
    }
}

/// One of the NaNs among the patterns, bit for bit.
fn one_of_the_nans<F: Format>(
    accumulator: &mut Accumulator,
    patterns: impl Iterator<Item = u32>,
    how: &Arithmetic,
) -> Settled {
    let mut nans = std::mem::take(&mut accumulator.patterns);
    nans.clear();
    nans.extend(patterns.filter(|&bits| F::decode(bits).is_nan()));
    nans.sort_unstable();
    nans.dedup();
    accumulator.hold(F::SIZE, nans.iter().copied());
    let settled = match nans[..] {
        [one] => decided(one, NANS, how),
        _ => Settled::OneOf(NAN),
    };
    accumulator.patterns = nans;
    settled
}
