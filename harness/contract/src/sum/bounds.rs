//! Bounds on floating-point sums of many terms.

use crate::{
    float::{Format, power_of_two},
    sum::Term,
};

/// Bounds on the sum over every order of rounding: what the finite ones lie between, and
/// after these two -inf, +inf and NaN, those that it may be. Where no sum is finite, the
/// first of those stands twice. There is no NaN among the values, and no infinities of
/// both signs.
///
/// Let s_k be the exact sum of the first k terms in some order, e_k the error
/// of the computed one, u = 2^-p. With P the sum of the positive values and N
/// that of the magnitudes of the negative ones, -N <= s_k <= P. An addition
/// without overflow errs by at most u times its exact result, so with M = max(P, N)
/// e_(k+1) <= e_k + u (M + e_k), and e_n <= M ((1+u)^n - 1). None overflows
/// upward if P (1+u)^n is finite in the format, none downward if N (1+u)^n is.
/// `f64` sums here obey the same bound with u = 2^-53; every further step
/// rounds outward.
///
/// Where results below m are flushed, such an addition errs by less than m and
/// the others as before: e_(k+1) <= e_k + u (M + e_k) + m, which is the same
/// with M + m/u in place of M. Values of one sign sum to nothing below m, since
/// they are not themselves, so they are spared. A computed sum is never between
/// 0 and m, so a bound that is may itself be flushed.
pub(super) fn bounded(format: Format, old: f64, terms: &[Term]) -> Vec<f64> {
    let values = || std::iter::once(old).chain(terms.iter().map(|t| t.value));
    let up = |x: f64| x.next_up();
    let finite = values().filter(|x| x.is_finite());
    let (mut positive, mut negative, mut total) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for x in finite {
        if x > 0.0 {
            positive = up(positive + x);
        } else if x < 0.0 {
            negative = up(negative - x);
        }
        total += x;
        lowest = lowest.min(x);
        highest = highest.max(x);
    }
    let mut partial = positive.max(negative);
    if format.least() > 0.0 && positive > 0.0 && negative > 0.0 {
        partial = up(partial + format.least() * power_of_two(format.precision() as i32));
    }
    let n = terms.len();
    let growth = power_up(1.0 + power_of_two(-(format.precision() as i32)), n);
    // Differences that are flushed take no sum beyond those of one sign.
    let [under, over] = [negative, positive].map(|side| up(side * growth) > format.largest());
    if let Some(infinity) = values().find(|x| x.is_infinite()) {
        // A finite sum may overflow to the other side first.
        let nan = if infinity > 0.0 { under } else { over };
        return listed(None, [infinity < 0.0, infinity > 0.0, nan]);
    }
    let error = |growth: f64| up(partial * up(growth - 1.0));
    let own = error(power_up(1.0 + f64::EPSILON, n + 1));
    let error = up(error(growth) + own);
    let (mut low, mut high) = ((total - error).next_down(), up(total + error));
    // Rounding is monotone, so terms of one sign never lead back.
    if negative == 0.0 {
        low = low.max(highest);
    }
    if positive == 0.0 {
        high = high.min(lowest);
    }
    let within = low <= format.largest() && high >= -format.largest();
    let low = format.at_most(low.max(-format.largest()));
    let high = -format.at_most(-high.min(format.largest()));
    listed(within.then_some([low, high]), [under, over, false])
}

fn listed(finite: Option<[f64; 2]>, specials: [bool; 3]) -> Vec<f64> {
    let each = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN].into_iter();
    let each = each.zip(specials);
    let mut specials = each.filter_map(|(x, may_be)| may_be.then_some(x));
    let ends = finite.unwrap_or_else(|| [specials.next().unwrap_or(f64::NAN); 2]);
    ends.into_iter().chain(specials).collect()
}

/// An upper bound of x^n, for x above 1.
fn power_up(x: f64, n: usize) -> f64 {
    let (mut result, mut square, mut n) = (1.0_f64, x, n);
    while n > 0 {
        if n & 1 == 1 {
            result = (result * square).next_up();
        }
        square = (square * square).next_up();
        n >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{float::HALF, sum::terms};

    /// The ends of sums that may be finite.
    fn finite(format: Format, old: f64, terms: &[Term]) -> [f64; 2] {
        let ends = [0, 1].map(|end| bounded(format, old, terms)[end]);
        assert!(ends.iter().all(|x| x.is_finite()), "{ends:?}");
        ends
    }

    /// Tries some orders of sums in `F` of halves under `mask`. The bounds may
    /// be `slack` apart, and 15% of all magnitudes.
    fn hold_shuffled_orders(format: Format, mask: u32, old: f64, slack: f64) {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u32
        };
        for _ in 0..200 {
            let n = 5 + random() as usize % 60;
            let values = (0..n).map(|_| format.decode(random() & mask));
            let mut t = terms(&values.collect::<Vec<_>>());
            let [low, high] = finite(format, old, &t);
            for _ in 0..50 {
                for i in (1..n).rev() {
                    t.swap(i, random() as usize % (i + 1));
                }
                let sum = t.iter().fold(old, |s, t| format.add(s, t.value));
                assert!(low <= sum && sum <= high, "{low} {sum} {high}");
            }
            let magnitude: f64 = t.iter().map(|t| t.value.abs()).sum();
            assert!(high - low <= 0.15 * magnitude + slack);
        }
    }

    #[test]
    fn bounds_hold_shuffled_orders_and_are_narrow() {
        hold_shuffled_orders(HALF, 0xBBFF, 0.25, 1.0);
    }

    #[test]
    fn bounds_hold_what_is_flushed() {
        // MSCATTER-GAP-80: exponents 0 to 3, so that differences are subnormal
        // time and again; each of at most 64 additions loses less than one.
        hold_shuffled_orders(HALF.flushed(), 0x8FFF, HALF.normal(), 140.0 * HALF.normal());
    }

    #[test]
    fn bounds_hold_what_every_pair_loses() {
        // In units of the smallest normal number: 1.5 - 1 leaves nothing, eight
        // times over; all positive ones first leave 12 - 8.
        let unit = HALF.normal();
        let t = terms(&[1.5 * unit, -unit].repeat(8));
        let [low, high] = finite(HALF.flushed(), 0.0, &t);
        assert!(low <= 0.0 && high >= 4.0 * unit, "{low} {high}");
        // Sixteen additions, each off by less than one.
        assert!(low >= -13.0 * unit && high <= 21.0 * unit, "{low} {high}");
    }

    #[test]
    fn overflow_opens_the_side_it_can_reach() {
        let t = terms(&[60000.0, 60000.0, 0.1, 0.1, 0.1]);
        // Every order overflows.
        assert_eq!(bounded(HALF, 0.0, &t), [f64::INFINITY; 2]);
        // Some do, and to either side.
        let t = terms(&[60000.0, 60000.0, -60000.0, -60000.0]);
        let both = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(bounded(HALF, 0.1, &t)[2..], both);
        let [low, high] = finite(HALF, 0.1, &t);
        assert!(low > -400.0 && high < 400.0, "{low} {high}");
        // The other side makes a NaN of what is infinite.
        let infinite = |terms| bounded(HALF, f64::INFINITY, terms);
        assert!(matches!(infinite(&t)[..], [f64::INFINITY, f64::INFINITY, nan] if nan.is_nan()));
        assert_eq!(infinite(&t[..3]), [f64::INFINITY; 2]);
    }

    #[test]
    fn terms_of_one_sign_never_lead_back() {
        // 2048 and five times 0.25, in half: no sum is nearer to 0 than 2048.
        for sign in [1.0, -1.0] {
            let values = [2048.0, 0.25, 0.25, 0.25, 0.25, 0.25];
            let terms = terms(&values.map(|v| sign * v));
            let [low, high] = finite(HALF, 0.0, &terms);
            let nearest = if sign > 0.0 { low } else { high };
            assert_eq!(nearest, sign * 2048.0);
        }
    }

    #[test]
    fn sums_of_one_sign_are_not_flushed() {
        let unit = HALF.normal() / 1024.0;
        for sign in [1.0, -1.0] {
            let values = [1025.0, 1027.0, 1029.0, 1031.0, 1033.0, 1035.0];
            let terms = terms(&values.map(|v| sign * v * unit));
            let flushed = bounded(HALF.flushed(), 0.0, &terms);
            assert_eq!(flushed, bounded(HALF, 0.0, &terms));
        }
    }

    #[test]
    fn sums_at_the_edge_of_overflow_are_finite_or_not() {
        // 65400, of which six roundings may make more than 65504.
        let terms = terms(&[60000.0, 1080.0, 1080.0, 1080.0, 1080.0, 1080.0]);
        let [low, high] = finite(HALF, 0.0, &terms);
        assert!(low > 65000.0 && high == HALF.largest(), "{low}");
        assert_eq!(bounded(HALF, 0.0, &terms)[2..], [f64::INFINITY]);
    }

    #[test]
    fn powers_are_bounded_from_above() {
        for n in 0..20 {
            let power = 1.5_f64.powi(n);
            let bound = power_up(1.5, n as usize);
            assert!(power <= bound && bound < power * 1.000_001, "{n}");
        }
    }
}
