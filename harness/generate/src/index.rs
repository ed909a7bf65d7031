//! Values of the index operand, in logical order.

use std::borrow::Cow;

use ptodiff_case::IndexPattern;
use ptodiff_isa::DType;

use crate::fill::pack;
use crate::stream::Stream;

/// `count` indices into `capacity` slots as little-endian elements of `dtype`.
///
/// An index that does not fit `dtype` is cut off to its low bits. With a
/// capacity of 0 every drawn index is 0.
pub(crate) fn values<'a>(
    pattern: &'a IndexPattern,
    dtype: DType,
    count: usize,
    capacity: u64,
    stream: &mut Stream,
) -> Cow<'a, [u8]> {
    let draw = Draw {
        count,
        capacity,
        stream,
    };
    let indices = match pattern {
        IndexPattern::Random => draw.random(),
        IndexPattern::Same => vec![capacity / 2; count],
        IndexPattern::Seq => (0..count as u64)
            .map(|k| k.checked_rem(capacity).unwrap_or(0))
            .collect(),
        IndexPattern::Permutation => draw.stream.permutation(count, capacity),
        IndexPattern::OutOfBounds => draw.out_of_bounds(),
        IndexPattern::OutOfBoundsNoDup => draw.out_of_bounds_no_dup(),
        IndexPattern::AllOutOfBounds => draw.all_out_of_bounds(),
        IndexPattern::Hot { slots } => draw.hot(*slots),
        IndexPattern::Edges => draw.every_other(&[
            0,
            capacity.saturating_sub(1),
            capacity,
            capacity.saturating_mul(2),
            (1 << 31) - 1,
            1 << 31,
            (1 << 32) - 1,
        ]),
        IndexPattern::Negative => draw.every_other(&[
            1_u64.wrapping_neg(),
            2_u64.wrapping_neg(),
            capacity.wrapping_neg(),
            (1_u64 << 31).wrapping_neg(),
        ]),
        IndexPattern::Literal(bytes) => return Cow::Borrowed(bytes),
    };
    Cow::Owned(pack(&indices, dtype.size()))
}

/// What indices are drawn from.
struct Draw<'s> {
    count: usize,
    capacity: u64,
    stream: &'s mut Stream,
}

impl Draw<'_> {
    fn random(self) -> Vec<u64> {
        (0..self.count)
            .map(|_| self.stream.below(self.capacity))
            .collect()
    }

    fn beyond(&mut self) -> u64 {
        // Nothing lies beyond an empty table: it has no size to draw from.
        if self.capacity == 0 {
            return 0;
        }
        self.capacity
            .saturating_add(self.stream.below(self.capacity))
    }

    /// Which places go out of bounds: `max(1, n / 2)` of them, without replacement.
    fn places_beyond(&mut self) -> Vec<usize> {
        let places = (self.count / 2).max(1).min(self.count);
        let drawn = self.stream.permutation(places, self.count as u64);
        drawn.into_iter().map(|p| p as usize).collect()
    }

    fn out_of_bounds(mut self) -> Vec<u64> {
        let mut indices: Vec<u64> = (0..self.count)
            .map(|_| self.stream.below(self.capacity))
            .collect();
        for place in self.places_beyond() {
            indices[place] = self.beyond();
        }
        indices
    }

    fn out_of_bounds_no_dup(mut self) -> Vec<u64> {
        let beyond = self.places_beyond();
        let mut in_range = vec![true; self.count];
        for &place in &beyond {
            in_range[place] = false;
        }
        let rest = self.count - beyond.len();
        let mut rest = self.stream.permutation(rest, self.capacity).into_iter();
        let mut indices: Vec<u64> = in_range
            .iter()
            .map(|&inside| if inside { rest.next().unwrap_or(0) } else { 0 })
            .collect();
        for place in beyond {
            indices[place] = self.beyond();
        }
        indices
    }

    fn all_out_of_bounds(mut self) -> Vec<u64> {
        (0..self.count).map(|_| self.beyond()).collect()
    }

    /// Draws among a few slots; more slots than draws would not be noticed.
    fn hot(self, slots: u64) -> Vec<u64> {
        let slots = slots.min(self.capacity).min(self.count as u64).max(1);
        let among = self.stream.permutation(slots as usize, self.capacity);
        (0..self.count)
            .map(|_| among[self.stream.below(slots) as usize])
            .collect()
    }

    /// `list` over and over in the even places, in-range draws between.
    fn every_other(self, list: &[u64]) -> Vec<u64> {
        (0..self.count)
            .map(|place| {
                if place % 2 == 0 {
                    list[place / 2 % list.len()]
                } else {
                    self.stream.below(self.capacity)
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Operand;

    fn draw(pattern: &IndexPattern, count: usize, capacity: u64) -> Vec<u64> {
        let mut stream = Stream::new(0, 0, "index", Operand::Index);
        let bytes = values(pattern, DType::Int64, count, capacity, &mut stream).into_owned();
        let words = bytes.as_chunks().0.iter();
        words.map(|b| u64::from_le_bytes(*b)).collect()
    }

    fn distinct(values: impl IntoIterator<Item = u64>) -> usize {
        values.into_iter().collect::<HashSet<_>>().len()
    }

    #[test]
    fn random_stays_in_range_and_repeats() {
        let indices = draw(&IndexPattern::Random, 1000, 30);
        assert!(indices.iter().all(|&i| i < 30));
        assert_eq!(distinct(indices), 30);
    }

    #[test]
    fn same_is_the_middle_and_seq_counts() {
        assert_eq!(draw(&IndexPattern::Same, 3, 9), [4, 4, 4]);
        assert_eq!(draw(&IndexPattern::Seq, 5, 3), [0, 1, 2, 0, 1]);
    }

    #[test]
    fn a_permutation_does_not_repeat() {
        let indices = draw(&IndexPattern::Permutation, 16, 16);
        assert_eq!(distinct(indices.clone()), 16);
        assert!(indices.iter().all(|&i| i < 16));
        assert_ne!(indices, (0..16).collect::<Vec<u64>>());
    }

    /// The suites: 4 of 9 too large, 1 of 3, 1 of 1; none 2 * capacity or more.
    #[test]
    fn out_of_bounds_counts_are_the_suites() {
        for (count, beyond) in [(9, 4), (8, 4), (3, 1), (1, 1), (0, 0)] {
            for pattern in [IndexPattern::OutOfBounds, IndexPattern::OutOfBoundsNoDup] {
                let indices = draw(&pattern, count, 30);
                assert_eq!(indices.len(), count);
                assert_eq!(indices.iter().filter(|&&i| i >= 30).count(), beyond);
                assert!(indices.iter().all(|&i| i < 60));
            }
        }
        let places = |seed: u64| {
            let mut stream = Stream::new(seed, 0, "index", Operand::Index);
            let pattern = IndexPattern::OutOfBounds;
            let bytes = values(&pattern, DType::Uint8, 32, 16, &mut stream).into_owned();
            bytes.iter().map(|&b| b >= 16).collect::<Vec<bool>>()
        };
        assert_ne!(places(0), places(1), "the places are drawn");
    }

    #[test]
    fn no_dup_holds_for_the_rest_in_range() {
        // 32 of 64 stay in range, in 32 slots: each exactly once.
        let indices = draw(&IndexPattern::OutOfBoundsNoDup, 64, 32);
        assert_eq!(distinct(indices.into_iter().filter(|&i| i < 32)), 32);
    }

    #[test]
    fn all_out_of_bounds_leaves_none_in_range() {
        let indices = draw(&IndexPattern::AllOutOfBounds, 200, 7);
        assert!(indices.iter().all(|i| (7..14).contains(i)));
        assert_eq!(distinct(indices), 7);
    }

    #[test]
    fn hot_meets_on_few_slots() {
        let hot = |slots| IndexPattern::Hot { slots };
        assert_eq!(distinct(draw(&hot(3), 200, 1 << 40)), 3);
        assert_eq!(distinct(draw(&hot(0), 20, 50)), 1);
        assert_eq!(distinct(draw(&hot(u64::MAX), 400, 5)), 5);
    }

    #[test]
    fn edges_and_negatives_stand_in_the_even_places() {
        let edges: Vec<u64> = draw(&IndexPattern::Edges, 16, 100)
            .into_iter()
            .step_by(2)
            .collect();
        assert_eq!(
            edges,
            [0, 99, 100, 200, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0]
        );
        let mut stream = Stream::new(0, 0, "index", Operand::Index);
        let pattern = IndexPattern::Negative;
        let bytes = values(&pattern, DType::Int32, 8, 100, &mut stream);
        let words: Vec<i32> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|b| i32::from_le_bytes(*b))
            .collect();
        assert_eq!(
            [words[0], words[2], words[4], words[6]],
            [-1, -2, -100, i32::MIN]
        );
        assert!([1, 3, 5, 7].iter().all(|&k| (0..100).contains(&words[k])));
    }

    #[test]
    fn an_empty_table_and_no_indices_are_no_trouble() {
        for pattern in [
            IndexPattern::Random,
            IndexPattern::Same,
            IndexPattern::Seq,
            IndexPattern::Permutation,
            IndexPattern::OutOfBounds,
            IndexPattern::OutOfBoundsNoDup,
            IndexPattern::AllOutOfBounds,
            IndexPattern::Hot { slots: 4 },
        ] {
            assert_eq!(draw(&pattern, 3, 0), [0, 0, 0], "{pattern:?}");
            assert!(draw(&pattern, 0, 5).is_empty(), "{pattern:?}");
        }
        assert_eq!(draw(&IndexPattern::Edges, 3, 0)[..1], [0]);
        assert_eq!(draw(&IndexPattern::Negative, 1, 0), [u64::MAX]);
    }
}
