//! The sums that some order of the additions reaches, one by one.

use crate::sum::Term;

/// Most additions that the sums of one slot are listed with: eight writers need
/// 110,000 at most, and twelve mostly.
const ADDITIONS: usize = 1 << 18;
/// Most sums that are listed.
const LISTED: usize = 1 << 12;
/// Most states of a step. Twelve different values have so many.
const STATES: usize = 1 << 12;

/// Memory for the sums of one slot; reused from slot to slot.
///
/// What a step has added so far is a state: how often each of its values. Equal
/// ones count together, so that 64 of them have 65 states. In the order of
/// their numbers, written with one digit a value, states come after those that
/// they are reached from.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    /// The different sums of one state after the other, those of each increasing; of
    /// the last state alone once all are listed.
    pub(crate) sums: Vec<f64>,
    /// Where those of the first state begin, and those of each end.
    ends: Vec<usize>,
    /// The different values of the step at hand.
    summands: Vec<Summand>,
    /// What the additions that lead to the state at hand come to.
    added: Vec<f64>,
}

/// A value of a step.
#[derive(Debug)]
struct Summand {
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
    pub(crate) fn list(
        &mut self,
        old: f64,
        terms: &[Term],
        add: impl Fn(f64, f64) -> f64,
    ) -> Option<&[f64]> {
        let mut left = ADDITIONS;
        self.sums.clear();
        self.sums.push(old);
        for step in terms.chunk_by(|a, b| a.step == b.step) {
            let states = self.begin(step)?;
            self.list_step(states, &mut left, &add)?;
        }
        (self.sums.len() <= LISTED).then_some(&self.sums)
    }

    /// Finds the different values of `step`, and how many states they have;
    /// `None` if there are too many.
    fn begin(&mut self, step: &[Term]) -> Option<usize> {
        let summands = &mut self.summands;
        summands.clear();
        for Term { value, .. } in step {
            let same = |summand: &Summand| summand.value.to_bits() == value.to_bits();
            match summands.iter().position(same) {
                Some(at) => summands[at].times += 1,
                None if 1 << summands.len() == STATES => return None,
                None => summands.push(Summand::once(*value)),
            }
        }
        let mut states = 1;
        for summand in summands {
            summand.apart = states;
            states *= summand.times + 1;
            if states > STATES {
                return None;
            }
        }
        Some(states)
    }

    /// Adds the step at hand to each of the sums.
    fn list_step(
        &mut self,
        states: usize,
        left: &mut usize,
        add: impl Fn(f64, f64) -> f64,
    ) -> Option<()> {
        let Self {
            sums,
            ends,
            summands,
            added,
        } = self;
        ends.clear();
        ends.extend([0, sums.len()]);
        for state in 1..states {
            count_up(summands);
            added.clear();
            for summand in summands.iter().filter(|summand| summand.added > 0) {
                let from = state - summand.apart;
                let before = &sums[ends[from]..ends[from + 1]];
                added.extend(before.iter().map(|&sum| add(sum, summand.value)));
            }
            *left = left.checked_sub(added.len())?;
            // One is every NaN.
            for sum in added.iter_mut().filter(|sum| sum.is_nan()) {
                *sum = f64::NAN;
            }
            added.sort_unstable_by(f64::total_cmp);
            added.dedup_by_key(|sum| sum.to_bits());
            sums.extend_from_slice(added);
            ends.push(sums.len());
        }
        // The next step begins with what this one comes to.
        sums.drain(..ends[states - 1]);
        Some(())
    }
}

impl Summand {
    const fn once(value: f64) -> Self {
        Self {
            value,
            times: 1,
            added: 0,
            apart: 0,
        }
    }
}

/// Makes `summands` those of the next state.
fn count_up(summands: &mut [Summand]) {
    for summand in summands {
        if summand.added < summand.times {
            summand.added += 1;
            return;
        }
        summand.added = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        float::{Bfloat16, Format, Half, Single},
        flushed::Flushed,
    };

    /// The terms of one step after the other.
    fn terms(steps: &[&[f64]]) -> Vec<Term> {
        let of_step = |(step, values): (u32, &&[f64])| {
            let term = |&value: &f64| Term { value, step };
            values.iter().map(term).collect::<Vec<_>>()
        };
        (0..).zip(steps).flat_map(of_step).collect()
    }

    /// All that some order comes to.
    fn sum<F: Format>(old: f64, steps: &[&[f64]]) -> Vec<f64> {
        let mut reached = Reached::default();
        let sums = reached.list(old, &terms(steps), F::add);
        sums.expect("few enough").to_vec()
    }

    /// So many different values.
    fn different(n: u32) -> Vec<f64> {
        (0..n).map(|i| 0.5 + f64::from(i) / 64.0).collect()
    }

    #[test]
    fn so_many_orders_are_followed() {
        // Each is lost beside 2048.
        assert_eq!(sum::<Half>(2048.0, &[&different(12)]), [2048.0]);
        assert_eq!(sum::<Half>(2048.0, &[&[0.75; 4095]]), [2048.0]);
        for values in [different(13), [different(1), vec![0.75; 2048]].concat()] {
            let mut reached = Reached::default();
            let terms = terms(&[&values]);
            assert_eq!(reached.list(2048.0, &terms, Half::add), None);
        }
    }

    /// What every order comes to.
    fn orders<F: Format>(old: f64, terms: &[Term], all: &mut Vec<f64>) {
        let Some(first) = terms.first() else {
            return all.push(if old.is_nan() { f64::NAN } else { old });
        };
        for at in 0..terms.len() {
            if terms[at].step == first.step {
                let mut rest = terms.to_vec();
                let term = rest.remove(at);
                orders::<F>(F::add(old, term.value), &rest, all);
            }
        }
    }

    /// The sums are what every order comes to: how many.
    fn agrees<F: Format>(reached: &mut Reached, old: f64, terms: &[Term]) -> usize {
        let mut all = Vec::new();
        orders::<F>(old, terms, &mut all);
        all.sort_unstable_by(f64::total_cmp);
        all.dedup_by_key(|sum| sum.to_bits());
        let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let found = reached.list(old, terms, F::add).map(bits);
        assert_eq!(found, Some(bits(&all)), "{old} {terms:?}");
        all.len()
    }

    /// Random sums of values from `pool`, in memory used again.
    fn agree_with_every_order<F: Format>(pool: &[f64]) {
        let mut seed = 11_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let mut reached = Reached::default();
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
            agrees::<F>(&mut reached, old, &terms);
        }
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
        agree_with_every_order::<Half>(&[60000.0, 6000.0, -60000.0, 8.0, -f64::INFINITY]);
        // Of one state many.
        let many = terms(&[&[12.25, -10.8125, -5.40625, -16.25, -99.5, 116.0]]);
        assert!(agrees::<Bfloat16>(&mut Reached::default(), 0.0, &many) > 24);
    }
}
