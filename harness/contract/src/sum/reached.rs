//! The sums that some order of the additions reaches, one by one.

use crate::{
    float::{Format, Rounding},
    sum::{Sum, Term, one_of},
};

/// Most additions for one slot.
const ADDITIONS: usize = 1000;
/// Most different values of a step: more of them have more states than there are
/// additions.
const KINDS: usize = 9;

/// Memory for the sums of one slot; reused from slot to slot.
///
/// What a step has added so far is a state: how often each of its values. Equal
/// ones count together, so that 64 of them have 65 states. In the order of
/// their numbers, written with one digit a value, states come after those that
/// they are reached from.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    /// The different sums of one state after the other.
    sums: Vec<u32>,
    /// Where those of the first state begin, and those of each end.
    ends: Vec<usize>,
    /// The different values of the step at hand.
    kinds: Vec<Kind>,
}

/// A value of a step.
#[derive(Debug)]
struct Kind {
    value: f64,
    /// How often the step adds it.
    times: usize,
    /// How often the state at hand has.
    added: usize,
    /// States from one to that which has it once more.
    apart: usize,
}

impl Reached {
    /// What `old` with the terms added in any order of each step comes to;
    /// `None` if that takes too many additions.
    pub(super) fn sum<F: Format>(&mut self, old: f64, terms: &[Term]) -> Option<Sum> {
        // A term is added at least once.
        if terms.len() > ADDITIONS {
            return None;
        }
        let mut left = ADDITIONS;
        let mut nan = false;
        self.sums.clear();
        self.sums.push(F::encode(old, Rounding::Nearest));
        for step in terms.chunk_by(|a, b| a.step == b.step) {
            let states = self.begin(step)?;
            // Every state of each kind but the first costs at least one addition.
            let least = |kind: &Kind| states / (kind.times + 1) * kind.times;
            if self.kinds.iter().map(least).sum::<usize>() > left {
                return None;
            }
            nan |= self.add_step::<F>(states, &mut left)?;
        }
        self.sums.sort_unstable();
        Some(one_of::<F>(&self.sums, nan))
    }

    /// Finds the different values of `step`, and how many states they have;
    /// `None` if there are too many.
    fn begin(&mut self, step: &[Term]) -> Option<usize> {
        let kinds = &mut self.kinds;
        kinds.clear();
        for Term { value, .. } in step {
            let same = |kind: &Kind| kind.value.to_bits() == value.to_bits();
            match kinds.iter().position(same) {
                Some(at) => kinds[at].times += 1,
                None if kinds.len() == KINDS => return None,
                None => kinds.push(Kind::once(*value)),
            }
        }
        let mut states = 1;
        for kind in kinds {
            kind.apart = states;
            states *= kind.times + 1;
            if states > ADDITIONS + 1 {
                return None;
            }
        }
        Some(states)
    }

    /// Adds the step at hand to each of the sums; whether an order comes to NaN.
    fn add_step<F: Format>(&mut self, states: usize, left: &mut usize) -> Option<bool> {
        let Self { sums, ends, kinds } = self;
        ends.clear();
        ends.extend([0, sums.len()]);
        let mut nan = false;
        for state in 1..states {
            count_up(kinds);
            let start = sums.len();
            for kind in kinds.iter().filter(|kind| kind.added > 0) {
                let from = state - kind.apart;
                let [begin, end] = [ends[from], ends[from + 1]];
                *left = left.checked_sub(end - begin)?;
                for at in begin..end {
                    let sum = F::decode(sums[at]) + kind.value;
                    if sum.is_nan() {
                        nan = true;
                        continue;
                    }
                    let sum = F::encode(sum, Rounding::Nearest);
                    // Mostly there is one or none.
                    if sums.iter().skip(start).all(|known| *known != sum) {
                        sums.push(sum);
                    }
                }
            }
            ends.push(sums.len());
        }
        // The next step begins with what this one comes to.
        sums.drain(..ends[states - 1]);
        Some(nan)
    }
}

impl Kind {
    const fn once(value: f64) -> Self {
        Self {
            value,
            times: 1,
            added: 0,
            apart: 0,
        }
    }
}

/// Makes `kinds` those of the next state.
fn count_up(kinds: &mut [Kind]) {
    for kind in kinds {
        if kind.added < kind.times {
            kind.added += 1;
            return;
        }
        kind.added = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        float::{Bfloat16, Half, Single},
        flushed::Flushed,
        sum::in_any_order,
    };

    fn bits<F: Format>(x: f64) -> u32 {
        F::encode(x, Rounding::Nearest)
    }

    /// The terms of one step after the other.
    fn terms(steps: &[&[f64]]) -> Vec<Term> {
        let of_step = |(step, values): (u32, &&[f64])| {
            let term = |&value: &f64| Term { value, step };
            values.iter().map(term).collect::<Vec<_>>()
        };
        (0..).zip(steps).flat_map(of_step).collect()
    }

    fn sum<F: Format>(old: f64, steps: &[&[f64]]) -> Sum {
        in_any_order::<F>(&mut Reached::default(), old, &terms(steps))
    }

    fn some<F: Format>(values: &[f64]) -> Sum {
        let mut all = [0; 24];
        for (slot, &value) in all.iter_mut().zip(values) {
            *slot = bits::<F>(value);
        }
        Sum::Some(all, values.len())
    }

    #[test]
    fn only_what_an_order_reaches() {
        // MSCATTER-ATOM-22. bfloat16 has eight bits: 256 + 1 is 256 again.
        let one = Sum::One(bits::<Bfloat16>(256.0));
        assert_eq!(sum::<Bfloat16>(256.0, &[&[1.0; 5]]), one);
        assert_eq!(sum::<Bfloat16>(256.0, &[&[1.0; 64]]), one);
        // Half has eleven. 2049 is rounded to 2048, 2051 to 2052: two ones or
        // more before 2048 make 2052 in the end, fewer leave 2048.
        let ones_and_more = [1.0, 1.0, 1.0, 1.0, 2048.0];
        let expected = some::<Half>(&[2048.0, 2052.0]);
        assert_eq!(sum::<Half>(0.0, &[&ones_and_more]), expected);
        // One that comes first or between is lost beside 2048 or more, unless
        // what it meets has gone to 0.
        let opposite = [2048.0, 2048.0, -2048.0, -2048.0, 1.0];
        assert_eq!(sum::<Half>(0.0, &[&opposite]), some::<Half>(&[0.0, 1.0]));
        // 65504 is the largest: below 65520 sums go back to it.
        let many = [60000.0, 1.0, 1.0, 1.0, 1.0];
        assert_eq!(
            sum::<Half>(5504.0, &[&many]),
            Sum::One(bits::<Half>(65504.0))
        );
    }

    #[test]
    fn steps_come_one_after_the_other() {
        // 2048 first: every 1 is lost. Ones first: 2052.
        let ones: &[f64] = &[1.0; 4];
        let one = |x| Sum::One(bits::<Half>(x));
        assert_eq!(sum::<Half>(0.0, &[&[2048.0], ones]), one(2048.0));
        assert_eq!(sum::<Half>(0.0, &[ones, &[2048.0]]), one(2052.0));
        // 2048 and 2052 after the first step, and 3 more: 2051 is 2052, 2055 is 2056.
        let both: &[f64] = &[1.0, 1.0, 1.0, 1.0, 2048.0];
        let expected = some::<Half>(&[2052.0, 2056.0]);
        assert_eq!(sum::<Half>(0.0, &[both, &[3.0]]), expected);
    }

    #[test]
    fn too_much_is_left_to_bounds() {
        let reached = |old, values: &[f64]| {
            let terms = terms(&[values]);
            Reached::default().sum::<Half>(old, &terms)
        };
        let one = Some(Sum::One(bits::<Half>(2048.0)));
        assert_eq!(reached(2048.0, &[1.0; 1000]), one);
        assert_eq!(reached(2048.0, &[1.0; 1001]), None);
        // So many that 2 to that number of states are at most 1000.
        let different = |n: u32| {
            (0..n)
                .map(|i| 0.5 + f64::from(i) / 64.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(reached(2048.0, &different(7)), one);
        assert_eq!(reached(2048.0, &different(8)), None);
        assert_eq!(reached(2048.0, &different(10)), None);
        // 7 * 2^6 additions are too few where most states have many sums.
        let spread = [
            125.5, -93.75, -1.578125, 1.1015625, -100.5, -3.671875, 67.25,
        ];
        let sum = Reached::default().sum::<Bfloat16>(0.0, &terms(&[&spread]));
        assert_eq!(sum, None);
    }

    /// What every order comes to; whether one comes to NaN.
    fn orders<F: Format>(old: f64, terms: &[Term]) -> (Vec<u32>, bool) {
        let Some(first) = terms.first() else {
            return if old.is_nan() {
                (vec![], true)
            } else {
                (vec![bits::<F>(old)], false)
            };
        };
        let (mut all, mut nan) = (vec![], false);
        for at in 0..terms.len() {
            if terms[at].step == first.step {
                let mut rest = terms.to_vec();
                let term = rest.remove(at);
                let (more, not) = orders::<F>(F::add(old, term.value), &rest);
                all.extend(more);
                nan |= not;
            }
        }
        all.sort_unstable();
        all.dedup();
        (all, nan)
    }

    /// Whether the sum was found; then it is what every order comes to.
    fn agrees<F: Format>(reached: &mut Reached, old: f64, terms: &[Term]) -> bool {
        let Some(found) = reached.sum::<F>(old, terms) else {
            return false;
        };
        let (all, nan) = orders::<F>(old, terms);
        let mut values: Vec<f64> = all.iter().map(|&b| F::decode(b)).collect();
        let expected = match all[..] {
            [] => Sum::NotANumber,
            _ if nan => Sum::MaybeNotANumber,
            [one] => Sum::One(one),
            _ if all.len() <= 24 => some::<F>(&values),
            _ => {
                values.sort_by(f64::total_cmp);
                Sum::Between(bits::<F>(values[0]), bits::<F>(values[all.len() - 1]))
            }
        };
        assert_eq!(found, expected, "{old} {terms:?}");
        true
    }

    /// Random sums of values from `pool`, in memory used again.
    fn agree_with_every_order<F: Format>(pool: &[f64]) {
        let mut seed = 11_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let mut reached = Reached::default();
        let mut found = 0;
        for _ in 0..60 {
            let count = 2 + random(6);
            let mut terms: Vec<Term> = (0..count)
                .map(|_| Term {
                    value: pool[random(pool.len())],
                    step: random(4).saturating_sub(2) as u32,
                })
                .collect();
            terms.sort_by_key(|term| term.step);
            let old = pool[random(pool.len())];
            found += usize::from(agrees::<F>(&mut reached, old, &terms));
        }
        assert!(found >= 50, "{found}");
    }

    #[test]
    fn the_same_as_every_order_one_by_one() {
        let rough = |big: f64| [big, -big, 1.0, 3.0, -1.0, 0.5, big / 2.0 + 1.0, -0.0, 0.0];
        agree_with_every_order::<Half>(&rough(2048.0));
        agree_with_every_order::<Bfloat16>(&rough(256.0));
        agree_with_every_order::<Single>(&rough(16_777_216.0));
        // MSCATTER-GAP-80, in units of the smallest normal number.
        let small = [1.5, -1.0, 1.25, -2.5, 2.0, -0.0, 0.0, 3.0, -1.75];
        agree_with_every_order::<Flushed<Half>>(&small.map(|x| x * Half::NORMAL));
        agree_with_every_order::<Flushed<Bfloat16>>(&small.map(|x| x * Bfloat16::NORMAL));
        let large = [60000.0, -60000.0, -60000.0, f64::INFINITY, 1.0];
        agree_with_every_order::<Half>(&large);
        // More than 24 results.
        let many = terms(&[&[12.25, -10.8125, -5.40625, -16.25, -99.5, 116.0]]);
        assert!(agrees::<Bfloat16>(&mut Reached::default(), 0.0, &many));
        assert!(orders::<Bfloat16>(0.0, &many).0.len() > 24);
    }
}
