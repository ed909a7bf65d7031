//! TSCATTER (002): by index, which names a slot, or under TSCATTER-GAP-22 a row; and by mask.

use std::collections::BTreeSet;

use crate::common::*;
use ptodiff_isa::MaskPattern::*;

pub(crate) fn call(dst: Tile, src: Tile, idx: Tile) -> TscatterIndex {
    TscatterIndex { dst, src, idx }
}

/// The destination after an accepted call without out-of-bounds accesses.
pub(crate) fn scattered<T: Item, I: Item>(
    call: &TscatterIndex,
    how: How,
    dst: &[T],
    src: &[T],
    idx: &[I],
) -> Vec<T> {
    let operands = [
        (Role::Source, bytes(src)),
        (Role::Index, bytes(idx)),
        (Role::Destination, bytes(dst)),
    ];
    let call = Call::TscatterIndex(*call);
    items(&clean_but(call, how, &operands, &[Role::Destination])[0])
}

fn by_row() -> How {
    reading(|readings| readings.tscatter_index = ScatterIndex::Row)
}

#[test]
fn conf_02_the_schedule_decides_who_survives() {
    let src = tile(Int32, 2, 40);
    let flat = call(tile(Int32, 1, 8), src, src);
    let values = count_from(0, 80);
    let run = |schedule| scattered(&flat, how(schedule), &[-1; 8], &values, &[3; 80])[3];
    assert_eq!((run(Schedule::InOrder), run(Schedule::Reversed)), (79, 0));
    let survivors: BTreeSet<i32> = (0..40).map(|seed| run(Schedule::Shuffled(seed))).collect();
    assert!(survivors.len() > 10);
    // Without collisions nothing depends on it.
    let back: Vec<i32> = (0..80).rev().collect();
    for schedule in SCHEDULES {
        let call = TscatterIndex { dst: src, ..flat };
        let got = scattered(&call, how(schedule), &[-1; 80], &values, &back);
        assert_eq!(got, back);
    }
    // By row only those of one column meet; column 1 has no collision.
    let data = tile(Int32, 2, 3);
    let rows = call(data, data, data);
    let run = |schedule| {
        let how = by_row().with(|how| how.schedule = schedule);
        scattered(&rows, how, &[0; 6], &count_from(1, 6), &[1, 0, 0, 1, 1, 0])
    };
    assert_eq!(run(Schedule::InOrder), [0, 2, 6, 4, 5, 0]);
    assert_eq!(run(Schedule::Reversed), [0, 2, 3, 1, 5, 0]);
    let drawn: BTreeSet<Vec<i32>> = (0..40).map(|seed| run(Schedule::Shuffled(seed))).collect();
    assert_eq!(drawn.len(), 4);
}

#[test]
fn gap_02_and_03_unaddressed_slots_and_whose_extent_counts() {
    let (src, idx) = (valid(Int32, 2, 8, 2, 2), valid(Int32, 2, 8, 1, 3));
    let call = call(valid(Int32, 2, 4, 1, 2), src, idx);
    let indices = [0, 1, 1, 7, 7, 7, 7, 7, 1, 0, 7, 7, 7, 7, 7, 7];
    let run = |mut how: How, extent, unaddressed| {
        how.readings.tscatter_extent = extent;
        how.readings.tscatter_unaddressed = unaddressed;
        scattered(&call, how, &[5; 8], &count_from(1, 16), &indices)
    };
    for (how, source, index) in [
        (
            How::default(),
            [10, 9, 5, 5, 5, 5, 5, 5],
            [1, 3, 5, 5, 5, 5, 5, 5],
        ),
        (
            by_row(),
            [1, 10, 5, 5, 9, 2, 5, 5],
            [1, 5, 5, 5, 5, 2, 3, 5],
        ),
    ] {
        for unaddressed in [Unaddressed::Kept, Unaddressed::Undefined, Unaddressed::Zero] {
            // The whole allocation, padding included.
            let rest = if unaddressed == Unaddressed::Zero {
                0
            } else {
                5
            };
            let expected = |slots: [i32; 8]| slots.map(|v| if v == 5 { rest } else { v });
            let got = run(how, ScatterExtent::Source, unaddressed);
            assert_eq!(got, expected(source));
            assert_eq!(run(how, ScatterExtent::Index, unaddressed), expected(index));
        }
    }
}

/// The destination after an accepted call without out-of-bounds accesses.
fn expanded<T: Item>(call: &TscatterMask, how: How, dst: &[T], src: &[T]) -> Vec<T> {
    let operands = [(Role::Source, bytes(src)), (Role::Destination, bytes(dst))];
    let call = Call::TscatterMask(*call);
    items(&clean_but(call, how, &operands, &[Role::Destination])[0])
}

#[test]
fn mask_01_to_09_each_pattern_has_its_lane() {
    for (pattern, factor, lane) in [
        (P1111, 1, 0),
        (P0101, 2, 0),
        (P1010, 2, 1),
        (P0001, 4, 0),
        (P0010, 4, 1),
        (P0100, 4, 2),
        (P1000, 4, 3),
    ] {
        for schedule in SCHEDULES {
            // Three of eight source columns are valid.
            let src = valid(Int32, 2, 8, 2, 3);
            let dst = valid(Int32, 3, 16, 2, 3 * factor);
            let call = masked(pattern, dst, src);
            let values: Vec<i32> = (1..17).collect();
            let after = expanded(&call, how(schedule), &[-1; 48], &values);
            // MASK-11: the rest of the allocation is zero.
            let mut expected = [0; 48];
            for (row, values) in [[1, 2, 3], [9, 10, 11]].iter().enumerate() {
                for (col, value) in values.iter().enumerate() {
                    expected[16 * row + factor as usize * col + lane] = *value;
                }
            }
            assert_eq!(after, expected, "{pattern}");
        }
    }
}

#[test]
fn gap_13_padding_after_p1111() {
    let part = valid(Int32, 1, 8, 1, 2);
    let run = |pattern, padding| {
        let dst = if pattern == P1111 {
            part
        } else {
            valid(Int32, 1, 8, 1, 4)
        };
        let how = reading(|readings| readings.mask_p1111_padding = padding);
        let src = [1, 2, 3, 4, 5, 6, 7, 8];
        expanded(&masked(pattern, dst, part), how, &[9; 8], &src)
    };
    let (zero, kept) = (MaskPadding::Zero, MaskPadding::Kept);
    assert_eq!(run(P1111, zero), [1, 2, 0, 0, 0, 0, 0, 0]);
    assert_eq!(run(P1111, kept), [1, 2, 9, 9, 9, 9, 9, 9]);
    // Every other pattern zeroes whatever the reading.
    assert_eq!(run(P1010, kept), [0, 1, 0, 2, 0, 0, 0, 0]);
}
