//! Values of the index operand, in logical order.

use std::iter::zip;

use ptodiff_case::IndexPattern;
use ptodiff_isa::DType;

use crate::buffers::Numbers;
use crate::element::of_width;
use crate::fill::literal;
use crate::slots::Slots;
use crate::stream::Stream;

/// Fills `out` with indices of `dtype` into `slots`, little-endian, the
/// operand's rows `width` of them long; how many bytes of it it wrote, which
/// are all of them but for a literal that is shorter.
///
/// Patterns count slots; what is stored is a slot's number times its unit. An
/// index that does not fit `dtype` is cut off to its low bits. Without slots
/// every drawn index is 0.
pub(crate) fn values(
    pattern: &IndexPattern,
    (dtype, width): (DType, u64),
    slots: &Slots,
    stream: &mut Stream,
    numbers: &mut Numbers,
    out: &mut [u8],
) -> usize {
    let size = dtype.size();
    let Slots { capacity, unit, .. } = *slots;
    let count = out.len() / size;
    // What they were before does not matter.
    numbers.indices.resize(count, 0);
    numbers.drawn.clear();
    let draw = Draw {
        slots,
        stream,
        numbers,
    };
    let bits = size.min(4) * 8;
    let sign = 1_u64 << (bits - 1);
    let fitting = |slot: u64| slot.min(slots.reach.saturating_sub(1));
    match pattern {
        IndexPattern::Random => draw.random(),
        IndexPattern::Same => draw.numbers.indices.fill(capacity / 2),
        IndexPattern::Seq => in_turn(&mut draw.numbers.indices, capacity),
        IndexPattern::Permutation => draw.permutation(),
        IndexPattern::OutOfBounds => draw.out_of_bounds(),
        IndexPattern::OutOfBoundsNoDup => draw.out_of_bounds_no_dup(),
        IndexPattern::AllOutOfBounds => beyond(slots, stream, &mut numbers.indices),
        IndexPattern::Hot { slots } => draw.hot(*slots),
        IndexPattern::TwoRows => draw.two_rows(width),
        IndexPattern::Edges => draw.every_other(&[
            0,
            capacity.saturating_sub(1),
            fitting(capacity),
            fitting(capacity.saturating_mul(2)),
            (sign - 1) / unit,
            sign / unit,
            (sign - 1 + sign) / unit,
        ]),
        IndexPattern::Negative => draw.every_other(&[
            1_u64.wrapping_neg(),
            2_u64.wrapping_neg(),
            capacity.wrapping_neg(),
            (sign / unit).wrapping_neg(),
        ]),
        IndexPattern::Literal(bytes) => return literal(bytes, size, out),
    }
    of_width!(size, store(out, &numbers.indices, unit));
    out.len()
}

fn store<const W: usize>(out: &mut [u8], indices: &[u64], unit: u64) {
    let places = out.as_chunks_mut::<W>().0;
    if unit == 1 {
        for (place, slot) in zip(places, indices) {
            place.copy_from_slice(&slot.to_le_bytes()[..W]);
        }
        return;
    }
    for (place, slot) in zip(places, indices) {
        place.copy_from_slice(&slot.wrapping_mul(unit).to_le_bytes()[..W]);
    }
}

/// 0, 1, 2, ... below `capacity`, and over again.
fn in_turn(indices: &mut [u64], capacity: u64) {
    let mut next = 0;
    for index in indices {
        *index = next;
        next += 1;
        if next >= capacity {
            next = 0;
        }
    }
}

/// From capacity to below twice that, as far as the index type reaches;
/// in range where it reaches nothing beyond or there is nothing to double.
fn beyond(slots: &Slots, stream: &mut Stream, indices: &mut [u64]) {
    let Slots {
        capacity, reach, ..
    } = *slots;
    match capacity.min(reach - capacity) {
        0 => stream.all_below(capacity, indices),
        room => {
            stream.all_below(room, indices);
            for index in indices {
                *index += capacity;
            }
        }
    }
}

/// What indices are drawn from, and where they go: as many as there are in
/// `numbers`, where nothing else is drawn.
struct Draw<'s> {
    slots: &'s Slots,
    stream: &'s mut Stream,
    numbers: &'s mut Numbers,
}

impl Draw<'_> {
    /// Slots that exist.
    fn random(self) {
        self.stream
            .all_below(self.slots.capacity, &mut self.numbers.indices);
    }

    fn permutation(self) {
        let Numbers {
            indices, shuffle, ..
        } = self.numbers;
        let count = indices.len();
        indices.clear();
        shuffle.permutation(count, self.slots.capacity, self.stream, indices);
    }

    /// Appends `count` different numbers below `bound` to the drawn ones.
    fn different(&mut self, count: usize, bound: u64) {
        let Numbers { drawn, shuffle, .. } = self.numbers;
        shuffle.permutation(count, bound, self.stream, drawn);
    }

    /// Each lane in its own column of row 0 or 1, as the suites scatter.
    fn two_rows(self, width: u64) {
        let Slots { capacity, row, .. } = *self.slots;
        let indices = &mut self.numbers.indices;
        self.stream.all_below(2, indices);
        let mut column = 0_u64;
        for index in indices {
            let slot = column.saturating_add(*index * row);
            *index = if slot < capacity {
                slot
            } else {
                slot.checked_rem(capacity).unwrap_or(0)
            };
            column += 1;
            if column >= width {
                column = 0;
            }
        }
    }

    /// Draws which places go out of bounds: `max(1, n / 2)` of them; how many those are.
    fn places_beyond(&mut self) -> usize {
        let count = self.numbers.indices.len();
        let places = (count / 2).max(1).min(count);
        self.different(places, count as u64);
        places
    }

    /// Draws what goes to the first `places` drawn ones.
    fn go_beyond(self, places: usize) {
        let Numbers { indices, drawn, .. } = self.numbers;
        // Where they go is drawn, and what goes there stands behind it.
        drawn.truncate(places);
        drawn.resize(2 * places, 0);
        let (places, values) = drawn.split_at_mut(places);
        beyond(self.slots, self.stream, values);
        for (place, value) in zip(places, values) {
            indices[*place as usize] = *value;
        }
    }

    fn out_of_bounds(mut self) {
        self.stream
            .all_below(self.slots.capacity, &mut self.numbers.indices);
        let places = self.places_beyond();
        self.go_beyond(places);
    }

    fn out_of_bounds_no_dup(mut self) {
        let places = self.places_beyond();
        let rest = self.numbers.indices.len() - places;
        self.different(rest, self.slots.capacity);
        let Numbers { indices, drawn, .. } = &mut *self.numbers;
        let (places_beyond, rest) = drawn.split_at(places);
        indices.fill(0);
        for &place in places_beyond {
            indices[place as usize] = 1;
        }
        // Marked ones are overwritten in the end.
        let mut rest = rest.iter();
        for index in indices.iter_mut().filter(|index| **index == 0) {
            *index = rest.next().copied().unwrap_or(0);
        }
        self.go_beyond(places);
    }

    /// Draws among a few slots; more slots than draws would not be noticed.
    fn hot(mut self, slots: u64) {
        let capacity = self.slots.capacity;
        let count = self.numbers.indices.len() as u64;
        let slots = slots.min(capacity).min(count).max(1);
        self.different(slots as usize, capacity);
        let Numbers { indices, drawn, .. } = self.numbers;
        self.stream.all_below(slots, indices);
        for index in indices {
            *index = drawn[*index as usize];
        }
    }

    /// `list` over and over in the even places, in-range draws between.
    fn every_other(self, list: &[u64]) {
        let Numbers { indices, drawn, .. } = self.numbers;
        drawn.resize(indices.len() / 2, 0);
        self.stream.all_below(self.slots.capacity, drawn);
        let mut listed = list.iter().cycle();
        for index in indices.iter_mut().step_by(2) {
            *index = listed.next().copied().unwrap_or(0);
        }
        for (index, drawn) in zip(indices.iter_mut().skip(1).step_by(2), drawn) {
            *index = *drawn;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn slots(capacity: u64, unit: u64, reach: u64) -> Slots {
        Slots {
            capacity,
            unit,
            row: 8,
            reach,
        }
    }

    /// Rows of five, the slots in rows of eight.
    fn bytes(pattern: &IndexPattern, dtype: DType, count: usize, slots: &Slots) -> Vec<u8> {
        bytes_for(0, pattern, dtype, count, slots)
    }

    fn bytes_for(
        seed: u64,
        pattern: &IndexPattern,
        dtype: DType,
        count: usize,
        slots: &Slots,
    ) -> Vec<u8> {
        let mut stream = Stream::seeded(seed);
        let mut numbers = Numbers::default();
        let mut out = vec![0xEE; count * dtype.size()];
        let of = (dtype, 5);
        let len = values(pattern, of, slots, &mut stream, &mut numbers, &mut out);
        assert_eq!(len, out.len());
        out
    }

    fn draw(pattern: &IndexPattern, count: usize, capacity: u64) -> Vec<u64> {
        let bytes = bytes(pattern, DType::Int64, count, &slots(capacity, 1, 1 << 63));
        let words = bytes.as_chunks().0.iter();
        words.map(|b| u64::from_le_bytes(*b)).collect()
    }

    fn halves(bytes: &[u8]) -> Vec<u16> {
        let words = bytes.as_chunks().0.iter();
        words.map(|b| u16::from_le_bytes(*b)).collect()
    }

    fn words(bytes: &[u8]) -> Vec<u32> {
        let words = bytes.as_chunks().0.iter();
        words.map(|b| u32::from_le_bytes(*b)).collect()
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
            let pattern = IndexPattern::OutOfBounds;
            let bytes = bytes_for(seed, &pattern, DType::Uint8, 32, &slots(16, 1, 256));
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
        let negative = IndexPattern::Negative;
        let drawn = words(&bytes(&negative, DType::Int32, 8, &slots(100, 1, 1 << 31)));
        let words: Vec<i32> = drawn.into_iter().map(u32::cast_signed).collect();
        assert_eq!(
            [words[0], words[2], words[4], words[6]],
            [-1, -2, -100, i32::MIN]
        );
        assert!([1, 3, 5, 7].iter().all(|&k| (0..100).contains(&words[k])));
    }

    /// The suites' TSCATTER pattern: b * Cols + j, b 0 or 1 for each entry.
    #[test]
    fn two_rows_keep_each_lane_in_its_column() {
        let indices = draw(&IndexPattern::TwoRows, 500, 100);
        for (k, &index) in indices.iter().enumerate() {
            assert!([k as u64 % 5, 8 + k as u64 % 5].contains(&index), "{k}");
        }
        let second = indices.iter().filter(|&&i| i >= 8).count();
        assert!((200..300).contains(&second), "{second}");
        // One row of five: what would fall into the second stays in range.
        assert!(draw(&IndexPattern::TwoRows, 50, 5).iter().all(|&i| i < 5));
    }

    #[test]
    fn indices_beyond_stay_within_their_type() {
        // 40000 slots, of which doubling would leave 16 bits.
        let some = slots(40_000, 1, 65_536);
        let all = IndexPattern::AllOutOfBounds;
        let drawn = halves(&bytes(&all, DType::Uint16, 1000, &some));
        assert!(drawn.iter().all(|&i| i >= 40_000));
        assert!(drawn.iter().any(|&i| i > 60_000));
        // No number beyond the slots is left.
        let full = slots(65_536, 1, 65_536);
        let drawn = halves(&bytes(&all, DType::Uint16, 1000, &full));
        assert!(drawn.into_iter().collect::<HashSet<_>>().len() > 900);
    }

    #[test]
    fn edges_of_sixteen_bits_are_those_of_the_type() {
        let some = slots(40_000, 1, 65_536);
        let edges = halves(&bytes(&IndexPattern::Edges, DType::Uint16, 14, &some));
        let even: Vec<u16> = edges.into_iter().step_by(2).collect();
        assert_eq!(even, [0, 39_999, 40_000, 65_535, 0x7FFF, 0x8000, 0xFFFF]);
        let few = slots(100, 1, 32_768);
        let drawn = halves(&bytes(&IndexPattern::Negative, DType::Int16, 8, &few));
        let even: Vec<i16> = drawn.into_iter().step_by(2).map(u16::cast_signed).collect();
        assert_eq!(even, [-1, -2, -100, i16::MIN]);
    }

    /// TGATHERB: byte offsets of elements of 4 bytes, or of blocks of 32.
    #[test]
    fn offsets_count_units() {
        let elements = slots(10, 4, 1 << 30);
        let seq = words(&bytes(&IndexPattern::Seq, DType::Uint32, 12, &elements));
        assert_eq!(seq, [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 0, 4]);
        let edges = words(&bytes(&IndexPattern::Edges, DType::Uint32, 14, &elements));
        let even: Vec<u32> = edges.into_iter().step_by(2).collect();
        assert_eq!(even, [0, 36, 40, 80, 0x7FFF_FFFC, 0x8000_0000, 0xFFFF_FFFC]);
        let blocks = slots(10, 32, 1 << 27);
        let seq = words(&bytes(&IndexPattern::Seq, DType::Uint32, 4, &blocks));
        assert_eq!(seq, [0, 32, 64, 96]);
        let two = words(&bytes(&IndexPattern::TwoRows, DType::Uint32, 50, &blocks));
        assert!(two.iter().all(|i| i % 32 == 0 && i / 32 < 10));
        let negative = words(&bytes(&IndexPattern::Negative, DType::Uint32, 8, &blocks));
        let even: Vec<u32> = negative.into_iter().step_by(2).collect();
        assert_eq!(even, [0xFFFF_FFE0, 0xFFFF_FFC0, 0xFFFF_FEC0, 0x8000_0000]);
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
            IndexPattern::TwoRows,
        ] {
            assert_eq!(draw(&pattern, 3, 0), [0, 0, 0], "{pattern:?}");
            assert!(draw(&pattern, 0, 5).is_empty(), "{pattern:?}");
        }
        assert_eq!(draw(&IndexPattern::Edges, 3, 0)[..1], [0]);
        assert_eq!(draw(&IndexPattern::Negative, 1, 0), [u64::MAX]);
    }
}
