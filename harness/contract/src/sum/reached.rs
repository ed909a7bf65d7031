//! The sums that some order of the additions reaches, one by one.

use crate::sum::Term;

/// Most additions that the sums of one slot are listed with: eight writers need
/// 110,000 at most, and twelve mostly.
const ADDITIONS: usize = 1 << 18;
/// Most sums that are listed.
const LISTED: usize = 1 << 12;
/// Most states of a step. Twelve different values have so many.
const STATES: usize = 1 << 12;

/// What `old` with the terms added in any order of each step comes to, increasing, one NaN for
/// all; `None` if that takes too many additions.
pub(crate) fn reached(old: f64, terms: &[Term], add: impl Fn(f64, f64) -> f64) -> Option<Vec<f64>> {
    let mut left = ADDITIONS;
    let mut sums = vec![old];
    for step in terms.chunk_by(|a, b| a.step == b.step) {
        sums = after_step(sums, step, &mut left, &add)?;
    }
    (sums.len() <= LISTED).then_some(sums)
}

/// What each of the sums with a step added comes to.
///
/// What the step has added so far is a state: how often each of its values. Equal ones count
/// together, so that 64 of them have 65 states. In the order of their numbers, written with one
/// digit a value, states come after those that they are reached from.
fn after_step(
    before: Vec<f64>,
    step: &[Term],
    left: &mut usize,
    add: impl Fn(f64, f64) -> f64,
) -> Option<Vec<f64>> {
    let mut values: Vec<f64> = step.iter().map(|term| term.value).collect();
    values.sort_by(f64::total_cmp);
    let summands = values.chunk_by(|a, b| a.to_bits() == b.to_bits());
    let summands: Vec<(f64, usize)> = summands.map(|same| (same[0], same.len())).collect();
    let mut number = summands.iter().map(|(_, times)| times + 1);
    let states = number.try_fold(1, |all: usize, times| {
        all.checked_mul(times).filter(|all| *all <= STATES)
    })?;
    // The sums of one state after the other, and where those of each begin.
    let (mut sums, mut begins) = (before, vec![0]);
    let mut digits = vec![0; summands.len()];
    let mut added = Vec::new();
    for state in 1..states {
        begins.push(sums.len());
        count_up(&mut digits, &summands);
        added.clear();
        // From one state to that which has the value once more.
        let mut apart = 1;
        for ((value, times), digit) in summands.iter().zip(&digits) {
            if *digit > 0 {
                let from = state - apart;
                let before = &sums[begins[from]..begins[from + 1]];
                *left = left.checked_sub(before.len())?;
                added.extend(before.iter().map(|&sum| match add(sum, *value) {
                    sum if sum.is_nan() => f64::NAN,
                    sum => sum,
                }));
                // Rounding turns none around: two that increase become one.
                added.sort_by(f64::total_cmp);
                added.dedup_by_key(|sum| sum.to_bits());
            }
            apart *= times + 1;
        }
        sums.append(&mut added);
    }
    // The next step begins with what this one comes to.
    Some(sums.split_off(begins[states - 1]))
}

/// The number of the next state.
fn count_up(digits: &mut [usize], summands: &[(f64, usize)]) {
    for (digit, (_, times)) in digits.iter_mut().zip(summands) {
        *digit = (*digit + 1) % (times + 1);
        if *digit > 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{float::HALF, sum::terms};

    /// What 2048 with these values in any order comes to.
    fn sums(values: &[f64]) -> Option<Vec<f64>> {
        reached(2048.0, &terms(values), |a, b| HALF.add(a, b))
    }

    /// So many different values.
    fn different(n: u32) -> Vec<f64> {
        (0..n).map(|i| 0.5 + f64::from(i) / 64.0).collect()
    }

    #[test]
    fn so_many_orders_are_followed() {
        // Each is lost beside 2048.
        let lost = Some(vec![2048.0]);
        assert_eq!(sums(&different(12)), lost);
        assert_eq!(sums(&[0.75; 4095]), lost);
        assert_eq!(sums(&different(13)), None);
        assert_eq!(sums(&[different(1), vec![0.75; 2048]].concat()), None);
    }
}
