//! TSCATTER whose indices name rows (TSCATTER-GAP-22).

use crate::common::*;
use crate::tscatter::{call, scattered};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

fn by_row() -> How {
    reading(|readings| readings.tscatter_index = ScatterIndex::Row)
}

fn unaddressed(unaddressed: Unaddressed) -> How {
    let mut how = by_row();
    how.readings.tscatter_unaddressed = unaddressed;
    how
}

/// A call with accesses outside its operands: the destination, and where they begin.
fn strays<I: Item>(call: TscatterIndex, how: How, src: &[i32], idx: &[I]) -> (Vec<i32>, Vec<i64>) {
    let mut memory = memory(&[
        (Role::Source, bytes(src)),
        (Role::Index, bytes(idx)),
        (Role::Destination, vec![0; area(&call.dst)]),
    ]);
    let log = execute(Call::TscatterIndex(call), &mut memory, how);
    let accesses = log.oob_accesses.first.iter();
    let offset = |access: &OobAccess| {
        assert!(access.write && access.role == Role::Destination);
        access.offset
    };
    let offsets = accesses.map(offset).collect();
    let dst = memory.get(Role::Destination).expect("a destination");
    (items(dst.body()), offsets)
}

#[test]
fn gap_22_the_experiment() {
    let src = tile(Int32, 1, 8);
    let call = call(tile(Int32, 2, 8), src, src);
    let values = [1, 2, 3, 4, 5, 6, 7, 8];
    for schedule in SCHEDULES {
        let mut how = by_row();
        how.schedule = schedule;
        let after = scattered(&call, how, &[-1; 16], &values, &[1; 8]);
        assert_eq!(after, [[-1; 8], values].concat());
    }
    let after = scattered(&call, How::default(), &[-1; 16], &values, &[1; 8]);
    assert_eq!(after[2..], [-1; 14]);
}

#[test]
fn gap_22_each_element_keeps_its_column() {
    // Row 3 and column 5 on are padding, which a range of `valid` leaves out: of
    // what is out of range nothing is checked (OOB-01).
    let call = call(
        valid(Int32, 4, 8, 3, 5),
        valid(Int32, 2, 6, 2, 3),
        valid(Int32, 2, 4, 2, 3),
    );
    let values: Vec<i32> = (1..13).collect();
    let idx = [2, 0, 3, 9, 1, 3, 0, 9];
    let mut expected = [-1; 32];
    // (2, 0), (0, 1), (3, 2), then (1, 0), (3, 1), (0, 2).
    for (slot, value) in [(16, 1), (1, 2), (26, 3), (8, 7), (25, 8), (2, 9)] {
        expected[slot] = value;
    }
    for range in [ScatterRange::Storage, ScatterRange::Valid] {
        let mut how = by_row();
        how.readings.tscatter_range = range;
        let after = scattered(&call, how, &[-1; 32], &values, &idx);
        assert_eq!(after, expected, "{range}");
    }
}

#[test]
fn gap_22_each_tile_has_its_own_layout() {
    // Element (r, c) at 2c + r, its index at 3r + c, row i of column c at 4c + i.
    let call = call(
        col_major(tile(Int32, 4, 3)),
        col_major(tile(Int32, 2, 3)),
        tile(Int32, 2, 3),
    );
    let after = scattered(
        &call,
        by_row(),
        &[0; 12],
        &[1, 2, 3, 4, 5, 6],
        &[3, 1, 0, 0, 2, 3],
    );
    assert_eq!(after, [2, 0, 0, 1, 0, 3, 4, 0, 5, 0, 0, 6]);
}

#[test]
fn gap_22_every_element_size() {
    let tiles = |data, index| {
        let src = tile(data, 1, 3);
        call(tile(data, 2, 3), src, tile(index, 1, 3))
    };
    for index in [Int16, Uint16] {
        let after = scattered(
            &tiles(Uint8, index),
            by_row(),
            &[0_u8; 6],
            &[1, 2, 3],
            &[1_i16, 0, 1],
        );
        assert_eq!(after, [0, 2, 0, 1, 0, 3]);
        let after = scattered(
            &tiles(Half, index),
            by_row(),
            &[0_u16; 6],
            &[1, 2, 3],
            &[0_i16, 1, 1],
        );
        assert_eq!(after, [1, 0, 0, 0, 2, 3]);
    }
    for index in [Int32, Uint32] {
        let after = scattered(
            &tiles(Float, index),
            by_row(),
            &[0.0; 6],
            &[1.0, 2.0, 3.0],
            &[1, 1, 0],
        );
        assert_eq!(after, [0.0, 0.0, 3.0, 1.0, 2.0, 0.0]);
    }
}

#[test]
fn gap_22_unaddressed_slots() {
    let src = valid(Int32, 1, 4, 1, 2);
    let call = call(valid(Int32, 3, 4, 2, 2), src, src);
    let run = |how| scattered(&call, how, &[5; 12], &[8, 9, 0, 0], &[1, 0, 0, 0]);
    let kept = [5, 9, 5, 5, 8, 5, 5, 5, 5, 5, 5, 5];
    assert_eq!(run(unaddressed(Unaddressed::Kept)), kept);
    assert_eq!(run(unaddressed(Unaddressed::Undefined)), kept);
    // The whole allocation, padding included.
    let zero = [0, 9, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(run(unaddressed(Unaddressed::Zero)), zero);
}

#[test]
fn gap_22_a_row_out_of_range() {
    let src = tile(Int32, 1, 4);
    let call = call(tile(Int32, 2, 4), src, src);
    // Column 1 of row 2 is slot 9, column 3 of row 5 slot 23.
    for range in [ScatterRange::Storage, ScatterRange::Valid] {
        let mut how = by_row();
        how.readings.tscatter_range = range;
        let found = strays(call, how, &[1, 2, 3, 4], &[0, 2, 1, 5]);
        assert_eq!(found, (vec![1, 0, 0, 0, 0, 0, 3, 0], vec![36, 92]));
    }
    // In columns of two, row 2 of column 1 is slot 4; row 5 of column 3 is slot 11.
    let dst = col_major(call.dst);
    let call = TscatterIndex { dst, ..call };
    let found = strays(call, by_row(), &[1, 2, 3, 4], &[0, 2, 1, 5]);
    assert_eq!(found, (vec![1, 0, 0, 0, 2, 3, 0, 0], vec![44]));
}

#[test]
fn gap_22_and_06_a_negative_row_has_its_own_width() {
    let run = |dtype, negative| {
        let tiles = tile(Int32, 1, 4);
        let idx = Tile { dtype, ..tiles };
        let mut how = by_row();
        how.readings.negative_index = negative;
        let call = call(tile(Int32, 2, 4), tiles, idx);
        strays(call, how, &[1, 2, 3, 4], &[0, 1, -1, 1])
    };
    use NegativeIndex::{Intended, Signed, Unsigned};
    let others = vec![1, 0, 0, 0, 0, 2, 0, 4];
    // Column 2 of row 2^32 - 1, or of the row before the first.
    let far = (others.clone(), vec![4 * (4 * 4_294_967_295 + 2)]);
    let before = (others, vec![-8]);
    assert_eq!(run(Int32, Unsigned), far);
    assert_eq!(run(Int32, Signed), before);
    assert_eq!(run(Int32, Intended), before);
    assert_eq!(run(Uint32, Signed), far);
    // 16 bits: row 65535 of four 2-byte columns.
    let half = tile(Half, 1, 1);
    let idx = Tile {
        dtype: Int16,
        ..half
    };
    let call = call(tile(Half, 2, 4), half, idx);
    let mut memory = memory(&[
        (Role::Source, bytes(&[7_i16])),
        (Role::Index, bytes(&[-1_i16])),
        (Role::Destination, vec![0; 16]),
    ]);
    let log = execute(Call::TscatterIndex(call), &mut memory, by_row());
    assert_eq!(log.oob_accesses.first[0].offset, 524_280);
}

#[test]
fn gap_22_a_column_that_the_destination_has_not() {
    let src = tile(Int32, 1, 6);
    let wide = call(tile(Int32, 2, 4), src, src);
    // Columns 4 and 5 of row 0 are slots 4 and 5; column 5 of row 1 is slot 9.
    let after = strays(wide, by_row(), &[1, 2, 3, 4, 5, 6], &[0; 6]);
    assert_eq!(after, (vec![1, 2, 3, 4, 5, 6, 0, 0], vec![]));
    let after = strays(wide, by_row(), &[1, 2, 3, 4, 5, 6], &[0, 0, 0, 0, 0, 1]);
    assert_eq!(after, (vec![1, 2, 3, 4, 5, 0, 0, 0], vec![36]));
    // In columns of two, column 4 is slots 8 and 9.
    let dst = col_major(wide.dst);
    let call = TscatterIndex { dst, ..wide };
    let after = strays(call, by_row(), &[1, 2, 3, 4, 5, 6], &[0; 6]);
    assert_eq!(after, (vec![1, 0, 2, 0, 3, 0, 4, 0], vec![32, 40]));
}

#[test]
fn gap_22_of_two_lanes_in_one_slot_the_schedule_decides() {
    let src = tile(Int32, 2, 3);
    let call = call(tile(Int32, 2, 3), src, src);
    let run = |schedule| {
        let mut how = by_row();
        how.schedule = schedule;
        // Column 1 has no collision.
        scattered(
            &call,
            how,
            &[0; 6],
            &[1, 2, 3, 4, 5, 6],
            &[1, 0, 0, 1, 1, 0],
        )
    };
    assert_eq!(run(Schedule::InOrder), [0, 2, 6, 4, 5, 0]);
    assert_eq!(run(Schedule::Reversed), [0, 2, 3, 1, 5, 0]);
    let drawn: std::collections::BTreeSet<Vec<i32>> =
        (0..40).map(|seed| run(Schedule::Shuffled(seed))).collect();
    assert_eq!(drawn.len(), 4);
}

#[test]
fn gap_22_and_03_over_the_extent_of_the_index_tile() {
    let call = call(
        tile(Int32, 2, 4),
        valid(Int32, 2, 4, 2, 2),
        valid(Int32, 2, 4, 1, 3),
    );
    let run = |extent| {
        let mut how = by_row();
        how.readings.tscatter_extent = extent;
        let idx = [1, 0, 1, 9, 0, 1, 9, 9];
        scattered(&call, how, &[0; 8], &[1, 2, 3, 4, 5, 6, 7, 8], &idx)
    };
    assert_eq!(run(ScatterExtent::Source), [5, 2, 0, 0, 1, 6, 0, 0]);
    assert_eq!(run(ScatterExtent::Index), [0, 2, 0, 0, 1, 0, 3, 0]);
}

#[test]
fn gap_22_a_trace_shows_the_slot_of_the_row() {
    let one = valid(Int32, 1, 8, 1, 2);
    let call = Call::TscatterIndex(call(tile(Int32, 3, 8), one, one));
    let operands = [
        (Role::Source, vec![1; 32]),
        (Role::Index, bytes(&[2, 1, 0, 0, 0, 0, 0, 0])),
        (Role::Destination, vec![0; 96]),
    ];
    let log = execute(call, &mut memory(&operands), unaddressed(Unaddressed::Zero));
    let (space, len) = (Space::Ub, 4);
    let load = |role, offset| Event::Load {
        space,
        role,
        offset,
        len,
    };
    let store = |offset| Event::Store {
        space,
        role: Role::Destination,
        offset,
        len,
    };
    let expected = [
        fill(None, Space::Ub, Role::Destination, 96),
        load(Role::Index, 0),
        load(Role::Source, 0),
        store(64),
        load(Role::Index, 4),
        load(Role::Source, 4),
        store(36),
    ];
    assert_eq!(log.trace.expect("a trace"), expected);
}
