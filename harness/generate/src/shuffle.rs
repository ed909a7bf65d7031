//! Draws without replacement.

use std::mem;

use crate::stream::Stream;

/// A range of more than so many times the numbers drawn from it is not written out.
const SPARSE: u64 = 8;

/// Draws without replacement, and memory for them that is used again.
#[derive(Default)]
pub(crate) struct Shuffle {
    /// Places that hold another number than their own, and that number: a
    /// table with open addressing, a power of two long and at most half full.
    moved: Vec<(u64, u64)>,
}

/// No place: ranges end below it.
const FREE: u64 = u64::MAX;

impl Shuffle {
    /// Appends `count` values out of `[0, bound)` to `out`, drawn without
    /// replacement until the range is used up, then from the whole range
    /// again; zeros for an empty range.
    pub(crate) fn permutation(
        &mut self,
        count: usize,
        bound: u64,
        stream: &mut Stream,
        out: &mut Vec<u64>,
    ) {
        let end = out.len() + count;
        if bound == 0 {
            out.resize(end, 0);
        }
        while out.len() < end {
            let left = (end - out.len()) as u64;
            let take = bound.min(left);
            let written = if bound / SPARSE > take { take } else { bound };
            self.steps(take, written, bound, stream, out);
        }
    }

    /// The first `take` steps of Fisher and Yates. The first `written` numbers
    /// of the range, at least `take`, are written out; of the others only what
    /// moves is kept.
    fn steps(
        &mut self,
        take: u64,
        written: u64,
        bound: u64,
        stream: &mut Stream,
        out: &mut Vec<u64>,
    ) {
        let base = out.len();
        out.extend(0..written);
        if written < bound {
            self.forget(take as usize);
        }
        let pool = &mut out[base..];
        for i in 0..take {
            let j = i + stream.below(bound - i);
            if j < written {
                pool.swap(i as usize, j as usize);
            } else {
                let here = &mut pool[i as usize];
                *here = self.exchange(j, *here);
            }
        }
        out.truncate(base + take as usize);
    }

    /// Every number is at its own place again; up to `count` may move.
    fn forget(&mut self, count: usize) {
        self.moved.clear();
        let slots = (2 * count).next_power_of_two();
        self.moved.resize(slots, (FREE, 0));
    }

    /// Puts `number` at `place`, for the one that was there.
    fn exchange(&mut self, place: u64, number: u64) -> u64 {
        let mask = self.moved.len() - 1;
        // Places are drawn: their low bits are as good as a hash.
        let mut at = place as usize & mask;
        loop {
            let slot = &mut self.moved[at];
            if slot.0 == place {
                return mem::replace(&mut slot.1, number);
            }
            if slot.0 == FREE {
                *slot = (place, number);
                return place;
            }
            at = (at + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permutation(count: usize, bound: u64) -> Vec<u64> {
        let mut values = Vec::new();
        Shuffle::default().permutation(count, bound, &mut Stream::seeded(3), &mut values);
        values
    }

    #[test]
    fn a_range_is_used_up_before_it_repeats() {
        let values = permutation(25, 10);
        for whole in values[..20].chunks(10) {
            let mut sorted = whole.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<u64>>());
        }
        assert_eq!(permutation(3, 0), [0, 0, 0]);
        assert!(permutation(0, 4).is_empty());
        let big = permutation(4, u64::MAX);
        assert!(big.windows(2).all(|w| w[0] != w[1]));
    }

    /// Fisher and Yates as the books have it, the whole range written out.
    fn plain(take: u64, bound: u64) -> Vec<u64> {
        let mut stream = Stream::seeded(bound);
        let mut pool: Vec<u64> = (0..bound).collect();
        for i in 0..take {
            let j = i + stream.below(bound - i);
            pool.swap(i as usize, j as usize);
        }
        pool.truncate(take as usize);
        pool
    }

    #[test]
    fn both_ways_agree() {
        let mut shuffle = Shuffle::default();
        for bound in [1, 2, 9, 300, 5000] {
            for take in [0, 1, bound / 9, bound / 2, bound] {
                let expected = plain(take, bound);
                for written in [take, take.midpoint(bound), bound] {
                    let mut found = Vec::new();
                    shuffle.steps(take, written, bound, &mut Stream::seeded(bound), &mut found);
                    assert_eq!(found, expected, "{take} of {bound}, {written} written");
                }
            }
        }
    }

    #[test]
    fn places_that_meet_stay_apart() {
        let mut shuffle = Shuffle::default();
        shuffle.forget(4);
        let places = [7, 15, 23, 3];
        for place in places {
            assert_eq!(shuffle.exchange(place, place + 100), place);
        }
        for place in places {
            assert_eq!(shuffle.exchange(place, 0), place + 100);
        }
        shuffle.forget(4);
        assert_eq!(shuffle.exchange(15, 0), 15);
    }

    #[test]
    fn a_few_of_a_large_range_take_little_memory() {
        let mut values = Vec::new();
        let mut shuffle = Shuffle::default();
        shuffle.permutation(100, 1 << 40, &mut Stream::seeded(0), &mut values);
        assert!(values.capacity() < 1000 && shuffle.moved.capacity() < 1000);
        // Nor does a range just too large to be written out.
        let mut values = Vec::new();
        shuffle.permutation(100, 1000, &mut Stream::seeded(0), &mut values);
        assert!(values.capacity() < 1000);
    }
}
