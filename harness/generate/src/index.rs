//! Values of the index operand, in logical order.

use std::iter::zip;

use ptodiff_case::IndexPattern;
use ptodiff_isa::Operand;

use crate::element::pack;
use crate::fill::literal;
use crate::shuffle::permutation;
use crate::slots::Slots;
use crate::stream::Stream;

/// Fills `out` with indices of `operand` into `slots`, little-endian; how many
/// bytes of it it wrote, which are all of them but for a literal that is shorter.
///
/// Patterns count slots; what is stored is a slot's number times its unit. An
/// index that does not fit `dtype` is cut off to its low bits. Without slots
/// every drawn index is 0.
pub(crate) fn values(
    pattern: &IndexPattern,
    operand: Operand<'_>,
    slots: &Slots,
    stream: &mut Stream,
    out: &mut [u8],
) -> usize {
    let size = operand.dtype().size();
    let Slots { capacity, unit, .. } = *slots;
    let count = out.len() / size;
    let draw = Draw {
        slots,
        count,
        stream,
    };
    let bits = size.min(4) * 8;
    let sign = 1_u64 << (bits - 1);
    let fitting = |slot: u64| slot.min(slots.reach.saturating_sub(1));
    let indices = match pattern {
        IndexPattern::Random => stream.many_below(capacity, count),
        IndexPattern::Same => vec![capacity / 2; count],
        IndexPattern::Seq => (0..capacity.max(1)).cycle().take(count).collect(),
        IndexPattern::Permutation => permutation(count, capacity, stream),
        IndexPattern::OutOfBounds => draw.out_of_bounds(),
        IndexPattern::OutOfBoundsNoDup => draw.out_of_bounds_no_dup(),
        IndexPattern::AllOutOfBounds => beyond(slots, count, stream),
        IndexPattern::Hot { slots } => draw.hot(*slots),
        IndexPattern::TwoRows => draw.two_rows(operand),
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
    };
    let mut indices = indices.into_iter();
    pack(out, size, || indices.next().unwrap_or(0).wrapping_mul(unit));
    out.len()
}

/// From capacity to below twice that, as far as the index type reaches;
/// in range where it reaches nothing beyond or there is nothing to double.
fn beyond(slots: &Slots, count: usize, stream: &mut Stream) -> Vec<u64> {
    let Slots {
        capacity, reach, ..
    } = *slots;
    match capacity.min(reach - capacity) {
        0 => stream.many_below(capacity, count),
        room => {
            let drawn = stream.many_below(room, count).into_iter();
            drawn.map(|index| capacity + index).collect()
        }
    }
}

/// What indices are drawn from, and how many.
struct Draw<'s> {
    slots: &'s Slots,
    count: usize,
    stream: &'s mut Stream,
}

impl Draw<'_> {
    /// Each lane in its own column of row 0 or 1, as the suites scatter.
    fn two_rows(self, operand: Operand<'_>) -> Vec<u64> {
        let width = match operand {
            Operand::Tile(tile) => tile.valid_col.get(),
            Operand::Tensor(tensor) => tensor.shape[4].get(),
        };
        let Slots { capacity, row, .. } = *self.slots;
        let rows = self.stream.many_below(2, self.count);
        let columns = (0..width.max(1)).cycle();
        let slots = zip(rows, columns).map(|(r, column)| column.saturating_add(r * row));
        slots
            .map(|slot| slot.checked_rem(capacity).unwrap_or(0))
            .collect()
    }

    /// The places that go out of bounds: `max(1, n / 2)` of them.
    fn places_beyond(&mut self) -> Vec<u64> {
        let places = (self.count / 2).max(1).min(self.count);
        permutation(places, self.count as u64, self.stream)
    }

    /// `indices` with those at `places` out of bounds.
    fn with_beyond(self, places: &[u64], mut indices: Vec<u64>) -> Vec<u64> {
        for (place, index) in zip(places, beyond(self.slots, places.len(), self.stream)) {
            indices[*place as usize] = index;
        }
        indices
    }

    fn out_of_bounds(mut self) -> Vec<u64> {
        let indices = self.stream.many_below(self.slots.capacity, self.count);
        let places = self.places_beyond();
        self.with_beyond(&places, indices)
    }

    fn out_of_bounds_no_dup(mut self) -> Vec<u64> {
        let places = self.places_beyond();
        let rest = self.count - places.len();
        let mut rest = permutation(rest, self.slots.capacity, self.stream).into_iter();
        let mut within = vec![true; self.count];
        for place in &places {
            within[*place as usize] = false;
        }
        let index = |within| if within { rest.next() } else { None };
        let indices = within.into_iter().map(index);
        let indices = indices.map(Option::unwrap_or_default).collect();
        self.with_beyond(&places, indices)
    }

    /// Draws among a few slots; more slots than draws would not be noticed.
    fn hot(self, slots: u64) -> Vec<u64> {
        let capacity = self.slots.capacity;
        let slots = slots.min(capacity).min(self.count as u64).max(1);
        let hot = permutation(slots as usize, capacity, self.stream);
        let drawn = self.stream.many_below(slots, self.count).into_iter();
        drawn.map(|slot| hot[slot as usize]).collect()
    }

    /// `list` over and over in the even places, in-range draws between.
    fn every_other(self, list: &[u64]) -> Vec<u64> {
        let drawn = self.stream.many_below(self.slots.capacity, self.count / 2);
        let places = (0..self.count).map(|place| (place / 2, place % 2 == 0));
        places
            .map(|(at, even)| {
                if even {
                    list[at % list.len()]
                } else {
                    drawn[at]
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ptodiff_isa::{
        DType::{self, Int16, Int32, Int64, Uint8, Uint16, Uint32},
        Dim, GlobalTensor, Layout,
    };

    use super::*;

    /// Indices of `dtype`, without their sign, into `capacity` slots that are `unit` apart:
    /// in rows of five, where the slots lie in rows of eight.
    fn drawn(
        seed: u64,
        pattern: &IndexPattern,
        dtype: DType,
        count: usize,
        (capacity, unit): (u64, u64),
    ) -> Vec<u64> {
        let size = dtype.size();
        let slots = Slots {
            capacity,
            unit,
            row: 8,
            reach: (1 << (8 * size - usize::from(dtype.is_signed_integer()))) / unit,
        };
        let one = Dim::Static(1);
        let operand = GlobalTensor {
            dtype,
            shape: [one, one, one, one, Dim::Static(5)],
            stride: [one; 5],
            layout: Layout::ND,
        };
        let (operand, mut stream) = (Operand::Tensor(&operand), Stream::seeded(seed));
        let mut out = vec![0xEE; count * size];
        let len = values(pattern, operand, &slots, &mut stream, &mut out);
        assert_eq!(len, out.len());
        let wide = |element: &[u8]| {
            let mut word = [0; 8];
            word[..size].copy_from_slice(element);
            u64::from_le_bytes(word)
        };
        out.chunks(size).map(wide).collect()
    }

    fn draw(pattern: &IndexPattern, count: usize, capacity: u64) -> Vec<u64> {
        drawn(0, pattern, Int64, count, (capacity, 1))
    }

    fn distinct(values: impl IntoIterator<Item = u64>) -> usize {
        values.into_iter().collect::<HashSet<_>>().len()
    }

    #[test]
    fn same_is_the_middle_and_seq_counts() {
        assert_eq!(draw(&IndexPattern::Same, 3, 9), [4, 4, 4]);
        assert_eq!(draw(&IndexPattern::Seq, 5, 3), [0, 1, 2, 0, 1]);
        // TGATHERB: byte offsets of elements of 4 bytes, or of blocks of 32.
        let offsets = |unit| drawn(0, &IndexPattern::Seq, Uint32, 4, (3, unit));
        assert_eq!(
            (offsets(4), offsets(32)),
            (vec![0, 4, 8, 0], vec![0, 32, 64, 0])
        );
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
        let places = |seed| -> Vec<bool> {
            let indices = drawn(seed, &IndexPattern::OutOfBounds, Uint8, 32, (16, 1));
            indices.into_iter().map(|index| index >= 16).collect()
        };
        assert_ne!(places(0), places(1), "the places are drawn");
    }

    #[test]
    fn all_out_of_bounds_leaves_none_in_range() {
        let all = IndexPattern::AllOutOfBounds;
        let indices = draw(&all, 200, 7);
        assert!(indices.iter().all(|i| (7..14).contains(i)));
        assert_eq!(distinct(indices), 7);
        // 40000 slots, of which doubling would leave 16 bits.
        let indices = drawn(0, &all, Uint16, 1000, (40_000, 1));
        assert!(indices.iter().all(|&i| i >= 40_000));
        assert!(indices.iter().any(|&i| i > 60_000));
        // No number beyond the slots is left.
        assert!(distinct(drawn(0, &all, Uint16, 1000, (65_536, 1))) > 900);
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
        use IndexPattern::{Edges, Negative};
        let signed = |values: [i32; 4]| values.map(|value| u64::from(value.cast_unsigned()));
        for (pattern, dtype, slots, expected) in [
            (
                Edges,
                Int64,
                (100, 1),
                &[0, 99, 100, 200, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF][..],
            ),
            (
                Edges,
                Uint16,
                (40_000, 1),
                &[0, 39_999, 40_000, 65_535, 0x7FFF, 0x8000, 0xFFFF],
            ),
            (
                Edges,
                Uint32,
                (10, 4),
                &[0, 36, 40, 80, 0x7FFF_FFFC, 0x8000_0000, 0xFFFF_FFFC],
            ),
            (Negative, Int32, (100, 1), &signed([-1, -2, -100, i32::MIN])),
            (Negative, Int16, (100, 1), &[0xFFFF, 0xFFFE, 0xFF9C, 0x8000]),
            (
                Negative,
                Uint32,
                (10, 32),
                &signed([-32, -64, -320, i32::MIN]),
            ),
        ] {
            // The list begins anew, and between lie draws in range.
            let indices = drawn(0, &pattern, dtype, 4 * expected.len(), slots);
            let even = indices.iter().step_by(2).copied();
            assert!(
                even.eq([expected, expected].concat()),
                "{pattern:?} {dtype}: {indices:?}"
            );
            let range = slots.0 * slots.1;
            assert!(
                indices.iter().skip(1).step_by(2).all(|&i| i < range),
                "{pattern:?} {dtype}"
            );
        }
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
