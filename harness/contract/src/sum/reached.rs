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
    /// The different sums of one state after the other; of the last state alone,
    /// increasing, once all are listed.
    pub(crate) sums: Vec<f64>,
    /// Where those of the first state begin, and those of each end.
    ends: Vec<usize>,
    /// The different values of the step at hand.
    summands: Vec<Summand>,
    /// What the additions that lead to the state at hand come to.
    added: Vec<f64>,
    seen: SumSet,
}

/// A set of sums, open addressing.
#[derive(Debug, Default)]
struct SumSet {
    /// The bits of a sum, and the number of the set that it belongs to.
    table: Vec<(u64, u64)>,
    set: u64,
    /// Of a hash, how many bits its place in the table leaves out.
    unused: u32,
}

impl SumSet {
    /// Begins a set of at most so many sums; at least one.
    fn begin(&mut self, most: usize) {
        let places = (2 * most).next_power_of_two();
        if self.table.len() < places {
            self.table.resize(places, (0, 0));
        }
        self.unused = u64::BITS - places.trailing_zeros();
        self.set += 1;
    }

    /// Whether these bits were not in the set, where they are now.
    fn insert(&mut self, bits: u64) -> bool {
        let mask = (1 << (u64::BITS - self.unused)) - 1;
        // By the golden ratio: sums of one state mostly differ in a few bits.
        let mut at = (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.unused) as usize;
        loop {
            let place = &mut self.table[at];
            if place.1 != self.set {
                *place = (bits, self.set);
                return true;
            }
            if place.0 == bits {
                return false;
            }
            at = (at + 1) & mask;
        }
    }
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
        self.sums.sort_unstable_by(f64::total_cmp);
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
            seen,
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
            seen.begin(added.len());
            for &sum in &*added {
                // One is every NaN.
                let sum = if sum.is_nan() { f64::NAN } else { sum };
                if seen.insert(sum.to_bits()) {
                    sums.push(sum);
                }
            }
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
    use crate::float::{Format, Half};

    /// What 2048 with these values in any order comes to.
    fn sums(values: &[f64]) -> Option<Vec<f64>> {
        let terms: Vec<_> = values
            .iter()
            .map(|&value| Term { value, step: 0 })
            .collect();
        let mut reached = Reached::default();
        let sums = reached.list(2048.0, &terms, Half::add);
        sums.map(<[f64]>::to_vec)
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
