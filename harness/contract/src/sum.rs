//! Floating-point sums, in one order or in any.

use crate::float::{Format, power_of_two};

mod bounds;
mod reached;

use bounds::bounded;
pub(crate) use reached::reached;

/// What a slot may hold after its contributions were added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sum {
    /// This, or some NaN (MSCATTER-GAP-81).
    One(f64),
    /// One of these, increasing, at least two; the last may be every NaN.
    Listed(Vec<f64>),
    /// Between the first two of these, or one of those after them.
    Within(Vec<f64>),
}

/// One contribution: its value, and the call of a sequence that makes it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Term {
    /// What is added.
    pub(crate) value: f64,
    /// Number of the call.
    pub(crate) step: u32,
}

/// `old` with the terms added in any order that keeps the steps apart
/// (MSCATTER-ATOM-22): all that some order reaches, where that can be listed.
pub(crate) fn in_any_order(format: Format, old: f64, terms: &[Term]) -> Sum {
    let values = || std::iter::once(old).chain(terms.iter().map(|t| t.value));
    if let Some(sum) = exact(format, values()) {
        return Sum::One(sum);
    }
    // Once a sum is infinite, only the other infinity changes it, to NaN.
    let opposite = [f64::INFINITY, f64::NEG_INFINITY];
    if values().any(f64::is_nan) || opposite.iter().all(|all| values().any(|x| x == *all)) {
        return Sum::One(f64::NAN);
    }
    match reached(old, terms, |a, b| format.add(a, b)) {
        Some(sums) => match sums[..] {
            [sum] => Sum::One(sum),
            _ => Sum::Listed(sums),
        },
        None => Sum::Within(bounded(format, old, terms)),
    }
}

/// The sum, if it comes out the same and unrounded in every order; of infinities
/// and NaNs, which no total of magnitudes is below, it does not.
///
/// Let q be the largest power of two that divides all values. A partial sum is
/// a multiple of q; while the magnitudes together are at most 2^p q, it needs
/// no more than the p bits of the format, so no addition rounds. The `f64`
/// total is exact up to that limit and only grows, so the test does not err.
/// Nor is a partial sum flushed if q, the least that it can be, is not, or if
/// values of one sign let it only grow.
fn exact(format: Format, values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let mut quantum = i32::MAX;
    let mut total = 0.0;
    values.clone().filter(|x| *x != 0.0).for_each(|x| {
        let bits = x.to_bits();
        let significand = (bits & ((1 << 52) - 1)) | (1 << 52);
        let exponent = ((bits >> 52) & 0x7FF) as i32 - 1023 - 52;
        quantum = quantum.min(exponent + significand.trailing_zeros() as i32);
        total += x.abs();
    });
    if quantum == i32::MAX {
        // Zeros only: negative as long as no positive one came in.
        let negative = values.clone().all(f64::is_sign_negative);
        return Some(if negative { -0.0 } else { 0.0 });
    }
    let both_signs = || values.clone().any(|x| x > 0.0) && values.clone().any(|x| x < 0.0);
    if power_of_two(quantum) < format.least() && both_signs() {
        return None;
    }
    let limit = power_of_two(quantum + format.precision() as i32);
    // Opposite values leave a positive zero.
    (total <= limit && total <= format.largest()).then(|| values.sum())
}

/// The contributions of one call.
#[cfg(test)]
fn terms(values: &[f64]) -> Vec<Term> {
    let term = |&value| Term { value, step: 0 };
    values.iter().map(term).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::{HALF, SINGLE};

    fn bits(format: Format, sum: f64) -> u32 {
        format.encode(sum)
    }

    /// The bit patterns of the sums in any order, all listed.
    fn any(format: Format, old: f64, terms: &[Term]) -> Vec<u32> {
        match in_any_order(format, old, terms) {
            Sum::One(sum) => vec![bits(format, sum)],
            Sum::Listed(sums) => sums.iter().map(|&sum| bits(format, sum)).collect(),
            Sum::Within(bounds) => panic!("{bounds:?}"),
        }
    }

    fn single(x: f32) -> u32 {
        x.to_bits()
    }

    const NAN: u32 = SINGLE.nan();

    #[test]
    fn exact_sums_have_one_result_whatever_their_number() {
        let t = terms(&[0.5; 1000]);
        assert_eq!(any(SINGLE, 0.25, &t), [single(500.25)]);
        // 2^11 units of half are the most that eleven bits hold.
        let t = terms(&[1.0, 1.0, 1.0, 1.0, 2044.0]);
        assert_eq!(any(HALF, 0.0, &t), [0x6800]);
        let zeros = terms(&[-0.0; 7]);
        assert_eq!(any(SINGLE, -0.0, &zeros), [single(-0.0)]);
        assert_eq!(any(SINGLE, 0.0, &zeros), [single(0.0)]);
        let opposite = terms(&[1.0, -1.0, -0.0]);
        assert_eq!(any(SINGLE, -0.0, &opposite), [single(0.0)]);
    }

    /// More contributions than orders of them are followed.
    #[test]
    fn so_many_that_only_what_is_exact_is_known() {
        let of = |count, value: f64| terms(&vec![value; count]);
        let by_turns = |value: f64| {
            let values = [value, -value].into_iter().cycle();
            terms(&values.take(2000).collect::<Vec<_>>())
        };
        let half = |x: f64| [bits(HALF, x)];
        // Half holds 2^11 units of 2.
        assert_eq!(any(HALF, 0.0, &of(1500, 2.0)), half(3000.0));
        assert_eq!(any(HALF, 0.0, &of(2048, 2.0)), half(4096.0));
        assert_eq!(any(HALF, 3.0, &by_turns(1.0)), half(3.0));
        // MSCATTER-GAP-80: differences of whole units are no smaller than one.
        let unit = HALF.normal();
        assert_eq!(any(HALF.flushed(), unit, &by_turns(unit)), half(unit));
        // The largest half.
        assert_eq!(any(HALF, 0.0, &of(2047, 32.0)), half(65504.0));
        let mut both = of(1500, 1.0);
        both[3].value = f64::INFINITY;
        both[1100].value = f64::NEG_INFINITY;
        assert_eq!(any(HALF, 0.0, &both), [HALF.nan()]);
    }

    #[test]
    fn infinities() {
        let up = terms(&[f64::INFINITY, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(any(SINGLE, 0.0, &up), [single(f32::INFINITY)]);
        assert_eq!(any(SINGLE, f64::NEG_INFINITY, &up), [NAN]);
        // -inf and then +inf in one order, +inf in the others.
        let up_or_nan = [single(f32::INFINITY), NAN];
        for count in [2, 4, 40] {
            let mut down = terms(&vec![-3e38; count]);
            down[1].value = f64::INFINITY;
            assert_eq!(any(SINGLE, -3e38, &down), up_or_nan);
        }
        // Both are reached before the one that is added.
        let all = terms(&[60000.0, 60000.0, -60000.0, -60000.0, f64::NEG_INFINITY]);
        assert_eq!(any(HALF, 0.0, &all), [0xFC00, HALF.nan()]);
        let finite = any(HALF, 0.0, &all[..4]);
        assert_eq!(finite, [0xFC00, 0x0000, 0x7C00]);
    }

    #[test]
    fn nan_in_every_order() {
        // Whatever else there is, and however many.
        for count in 1..30 {
            let mut t = terms(&vec![3e38; count]);
            assert_eq!(any(SINGLE, f64::NAN, &t), [NAN]);
            t[count - 1].value = f64::NAN;
            assert_eq!(any(SINGLE, 0.0, &t), [NAN]);
            t[count - 1].value = f64::NEG_INFINITY;
            assert_eq!(any(SINGLE, f64::INFINITY, &t), [NAN]);
            t.push(Term {
                value: f64::INFINITY,
                step: 0,
            });
            assert_eq!(any(SINGLE, 0.0, &t), [NAN]);
        }
        // The first step overflows in every order.
        let mut t = terms(&[-3e38, -3e38, f64::INFINITY]);
        t[2].step = 1;
        assert_eq!(any(SINGLE, 0.0, &t), [NAN]);
        t.splice(2..2, terms(&[-3e38; 3]));
        assert_eq!(any(SINGLE, 0.0, &t), [NAN]);
    }
}
