//! Floating-point sums, in one order or in any.

use crate::float::{Format, Rounding, power_of_two};

/// Most contributions whose orders are all tried.
const TRIED: usize = 4;
/// Orders of that many.
const ORDERS: usize = 24;

/// What a slot may hold after its contributions were added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sum {
    /// This bit pattern.
    One(u32),
    /// Any of these bit patterns, at least two, increasing.
    Some([u32; ORDERS], usize),
    /// Any value from the first to the second.
    Between(u32, u32),
    /// A NaN, of which no bit pattern is promised (MSCATTER-GAP-03).
    NotANumber,
}

/// One contribution: its value, and the call of a sequence that makes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    /// What is added.
    pub(crate) value: f64,
    /// Number of the call.
    pub(crate) step: u32,
}

/// `old` with the terms added one after the other, each sum rounded.
pub(crate) fn in_order<F: Format>(old: f64, terms: &[Term]) -> Sum {
    one::<F>(terms.iter().fold(old, |sum, t| F::add(sum, t.value)))
}

/// `old` with the terms added in any order that keeps the steps apart
/// (MSCATTER-ATOM-22).
pub(crate) fn in_any_order<F: Format>(old: f64, terms: &[Term]) -> Sum {
    if terms.len() < 2 {
        return in_order::<F>(old, terms);
    }
    let values = || std::iter::once(old).chain(terms.iter().map(|t| t.value));
    if values().all(f64::is_finite) {
        if let Some(sum) = exact::<F>(values()) {
            return one::<F>(sum);
        }
    } else if values().any(f64::is_nan) {
        return Sum::NotANumber;
    }
    if terms.len() <= TRIED {
        return tried::<F>(old, terms);
    }
    bounded::<F>(old, terms)
}

fn one<F: Format>(sum: f64) -> Sum {
    if sum.is_nan() {
        Sum::NotANumber
    } else {
        Sum::One(F::encode(sum, Rounding::Nearest))
    }
}

/// The sum, if it comes out the same and unrounded in every order.
///
/// Let q be the largest power of two that divides all values. A partial sum is
/// a multiple of q; while the magnitudes together are at most 2^p q, it needs
/// no more than the p bits of the format, so no addition rounds. The `f64`
/// total is exact up to that limit and only grows, so the test does not err.
fn exact<F: Format>(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let mut quantum = i32::MAX;
    let mut total = 0.0;
    for x in values.clone().filter(|x| *x != 0.0) {
        let bits = x.to_bits();
        let significand = (bits & ((1 << 52) - 1)) | (1 << 52);
        let exponent = ((bits >> 52) & 0x7FF) as i32 - 1023 - 52;
        quantum = quantum.min(exponent + significand.trailing_zeros() as i32);
        total += x.abs();
    }
    if quantum == i32::MAX {
        // Zeros only: negative as long as no positive one came in.
        let negative = values.clone().all(f64::is_sign_negative);
        return Some(if negative { -0.0 } else { 0.0 });
    }
    let limit = power_of_two(quantum + F::PRECISION as i32);
    (total <= limit && total <= F::LARGEST).then(|| {
        // Opposite values leave a positive zero.
        values.sum::<f64>() + 0.0
    })
}

/// Tries all orders of a few terms.
fn tried<F: Format>(old: f64, terms: &[Term]) -> Sum {
    let mut found = Found {
        bits: [0; ORDERS],
        count: 0,
        nan: false,
    };
    orders::<F>(old, terms, 0, &mut found);
    if found.nan {
        return Sum::NotANumber;
    }
    let found_bits = &mut found.bits[..found.count];
    found_bits.sort_unstable();
    match found.count {
        1 => Sum::One(found.bits[0]),
        n => Sum::Some(found.bits, n),
    }
}

struct Found {
    bits: [u32; ORDERS],
    count: usize,
    nan: bool,
}

impl Found {
    fn add(&mut self, bits: u32) {
        if !self.bits[..self.count].contains(&bits) {
            self.bits[self.count] = bits;
            self.count += 1;
        }
    }
}

fn orders<F: Format>(sum: f64, terms: &[Term], done: u32, found: &mut Found) {
    let left = || (0_u32..).zip(terms).filter(|(i, _)| done & (1 << i) == 0);
    let Some(step) = left().map(|(_, t)| t.step).min() else {
        if sum.is_nan() {
            found.nan = true;
        } else {
            found.add(F::encode(sum, Rounding::Nearest));
        }
        return;
    };
    for (i, term) in left().filter(|(_, t)| t.step == step) {
        orders::<F>(F::add(sum, term.value), terms, done | (1 << i), found);
    }
}

/// Bounds on the sum over every order of rounding.
///
/// Let s_k be the exact sum of the first k terms in some order, e_k the error
/// of the computed one, u = 2^-p. With P the sum of the positive values and N
/// that of the magnitudes of the negative ones, |s_k| <= M = max(P, N). An
/// addition without overflow errs by at most u times its exact result, so
/// e_(k+1) <= e_k + u (M + e_k), and e_n <= M ((1+u)^n - 1). No addition
/// overflows if M (1+u)^n is finite in the format. `f64` sums here obey the
/// same bound with u = 2^-53; every further step rounds outward.
fn bounded<F: Format>(old: f64, terms: &[Term]) -> Sum {
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
    let partial = positive.max(negative);
    let n = terms.len();
    let growth = power_up(1.0 + power_of_two(-(F::PRECISION as i32)), n);
    let overflows = up(partial * growth) > F::LARGEST;
    let infinite = |sign: f64| values().any(|x| x == f64::INFINITY * sign);
    match (infinite(1.0), infinite(-1.0)) {
        (true, true) => return Sum::NotANumber,
        // A finite sum may overflow to the other side first.
        (true, false) | (false, true) if overflows => return Sum::NotANumber,
        (true, false) => return one::<F>(f64::INFINITY),
        (false, true) => return one::<F>(f64::NEG_INFINITY),
        (false, false) => {}
    }
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    if !overflows {
        let error = |growth: f64| up(partial * up(growth - 1.0));
        let own = error(power_up(1.0 + f64::EPSILON, n + 1));
        let error = up(error(growth) + own);
        low = (total - error).next_down();
        high = up(total + error);
    }
    // Rounding is monotone, so terms of one sign never lead back.
    if negative == 0.0 {
        low = low.max(highest);
    }
    if positive == 0.0 {
        high = high.min(lowest);
    }
    Sum::Between(
        F::encode(low, Rounding::Down),
        F::encode(high, Rounding::Up),
    )
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
    use crate::float::{Half, Single};

    fn terms(values: &[f64]) -> Vec<Term> {
        values
            .iter()
            .map(|&value| Term { value, step: 0 })
            .collect()
    }

    fn bits(x: f32) -> u32 {
        x.to_bits()
    }

    #[test]
    fn the_register_sums() {
        // MSCATTER-ATOM-26: in order.
        let a = terms(&[1e8, 1.0, -1e8]);
        assert_eq!(in_order::<Single>(0.0, &a), Sum::One(bits(0.0)));
        let b = terms(&[1e8, -1e8, 1.0]);
        assert_eq!(in_order::<Single>(0.0, &b), Sum::One(bits(1.0)));
        // MSCATTER-ATOM-22: in any order, 0 and 1 and nothing else.
        let Sum::Some(found, 2) = in_any_order::<Single>(0.0, &a) else {
            panic!("two results");
        };
        assert_eq!(found[..2], [bits(0.0), bits(1.0)]);
        // MSCATTER-GAP-06: half 2048 and three times 1, rounded each time.
        let c = terms(&[1.0, 1.0, 1.0]);
        assert_eq!(in_order::<Half>(2048.0, &c), Sum::One(0x6800));
    }

    #[test]
    fn steps_are_not_mixed() {
        let mut t = terms(&[1e8, -1e8, 1.0]);
        t[2].step = 1;
        assert_eq!(in_any_order::<Single>(0.0, &t), Sum::One(bits(1.0)));
    }

    #[test]
    fn exact_sums_have_one_result_whatever_their_number() {
        let t = terms(&[0.5; 1000]);
        assert_eq!(in_any_order::<Single>(0.25, &t), Sum::One(bits(500.25)));
        let zeros = terms(&[-0.0; 7]);
        assert_eq!(in_any_order::<Single>(-0.0, &zeros), Sum::One(bits(-0.0)));
        assert_eq!(in_any_order::<Single>(0.0, &zeros), Sum::One(bits(0.0)));
        let opposite = terms(&[1.0, -1.0, -0.0]);
        assert_eq!(in_any_order::<Single>(-0.0, &opposite), Sum::One(bits(0.0)));
    }

    #[test]
    fn infinities() {
        let up = terms(&[f64::INFINITY, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(
            in_any_order::<Single>(0.0, &up),
            Sum::One(bits(f32::INFINITY))
        );
        assert_eq!(
            in_any_order::<Single>(f64::NEG_INFINITY, &up),
            Sum::NotANumber
        );
        let down = terms(&[f64::INFINITY, -3e38, -3e38]);
        // -inf and then +inf in one order, +inf in the others.
        assert_eq!(in_any_order::<Single>(0.0, &down), Sum::NotANumber);
    }

    #[test]
    fn bounds_hold_shuffled_orders_and_are_narrow() {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u32
        };
        for _ in 0..200 {
            let n = 5 + random() as usize % 60;
            let mut t: Vec<Term> = (0..n)
                .map(|_| Term {
                    value: Half::decode(random() & 0xBBFF),
                    step: 0,
                })
                .collect();
            let Sum::Between(low, high) = in_any_order::<Half>(0.25, &t) else {
                continue;
            };
            let (low, high) = (Half::decode(low), Half::decode(high));
            for _ in 0..50 {
                for i in (1..n).rev() {
                    t.swap(i, random() as usize % (i + 1));
                }
                let sum = t.iter().fold(0.25, |s, t| Half::add(s, t.value));
                let sum = Half::decode(Half::encode(sum, Rounding::Nearest));
                assert!(low <= sum && sum <= high, "{low} {sum} {high}");
            }
            let magnitude: f64 = t.iter().map(|t| t.value.abs()).sum();
            assert!(high - low <= 0.15 * magnitude + 1.0);
        }
    }

    #[test]
    fn overflow_opens_the_side_it_can_reach() {
        let t = terms(&[60000.0, 60000.0, 0.1, 0.1, 0.1]);
        let Sum::Between(low, high) = in_any_order::<Half>(0.0, &t) else {
            panic!("an interval");
        };
        assert_eq!(high, 0x7C00);
        assert_eq!(Half::decode(low), 60000.0);
    }
}
