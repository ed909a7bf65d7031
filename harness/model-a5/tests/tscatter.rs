//! TSCATTER by index (002), which names a slot, or under TSCATTER-GAP-22 a row.

use std::collections::BTreeSet;

use crate::common::*;

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

/// A call with accesses outside its operands: the destination, and where they begin.
fn strays<I: Item>(call: TscatterIndex, how: How, src: &[i32], idx: &[I]) -> (Vec<i32>, Vec<i64>) {
    let mut memory = memory(&[
        (Role::Source, bytes(src)),
        (Role::Index, bytes(idx)),
        (Role::Destination, vec![0; area(&call.dst)]),
    ]);
    let log = execute(Call::TscatterIndex(call), &mut memory, how);
    let offset = |access: &OobAccess| {
        assert!(access.write && access.role == Role::Destination);
        access.offset
    };
    let offsets = log.oob_accesses.first.iter().map(offset).collect();
    let dst = memory.get(Role::Destination).expect("a destination");
    (items(dst.body()), offsets)
}

#[test]
fn sem_01_and_04_and_gap_22_slots_and_rows_of_the_padded_destination() {
    // Width 8, valid 5: offset 11 is (1, 3), offset 6 is padding (GAP-05). GAP-02: what no
    // index addresses is kept.
    let dst = valid(Int32, 4, 8, 3, 5);
    let call = call(dst, valid(Int32, 2, 6, 2, 3), valid(Int32, 2, 4, 2, 3));
    for (how, idx, slots) in [
        (
            How::default(),
            [11, 0, 6, 31, 30, 7, 12, 31],
            [11, 0, 6, 30, 7, 12],
        ),
        // (2, 0), (0, 1), (3, 2), then (1, 0), (3, 1), (0, 2).
        (by_row(), [2, 0, 3, 9, 1, 3, 0, 9], [16, 1, 26, 8, 25, 2]),
    ] {
        let mut expected = [-1; 32];
        for (slot, value) in slots.into_iter().zip([1, 2, 3, 7, 8, 9]) {
            expected[slot] = value;
        }
        // Of what is out of range nothing is checked (OOB-01).
        for range in [ScatterRange::Storage, ScatterRange::Valid] {
            let how = how.with(|how| how.readings.tscatter_range = range);
            let after = scattered(&call, how, &[-1; 32], &count_from(1, 12), &idx);
            assert_eq!(after, expected, "{range}");
        }
    }
}

#[test]
fn gap_07_each_tile_has_its_own_layout() {
    // By slot, storage order of the destination whatever its layout. Source (r, c) at
    // 8c + r, index (r, c) at 2r + c: (0, 0) to 0, (0, 1) to 2, (1, 0) to 4, (7, 1) to 30.
    let (dst, src) = (col_major(tile(Int32, 4, 8)), col_major(tile(Int32, 8, 2)));
    let idx: Vec<i32> = (0..16).map(|k| 2 * k).collect();
    let flat = call(dst, src, tile(Int32, 8, 2));
    let after = scattered(&flat, How::default(), &[-1; 32], &count_from(0, 16), &idx);
    let got = (&after[..5], &after[30..]);
    assert_eq!(got, (&[0, -1, 8, -1, 1][..], &[15, -1][..]));
    // By row element (r, c) at 2c + r, its index at 3r + c, row i of column c at 4c + i.
    let (dst, src) = (col_major(tile(Int32, 4, 3)), col_major(tile(Int32, 2, 3)));
    let rows = call(dst, src, tile(Int32, 2, 3));
    let after = scattered(
        &rows,
        by_row(),
        &[0; 12],
        &count_from(1, 6),
        &[3, 1, 0, 0, 2, 3],
    );
    assert_eq!(after, [2, 0, 0, 1, 0, 3, 4, 0, 5, 0, 0, 6]);
}

#[test]
fn dtype_05_to_07_every_width() {
    let tiles = |data, index| {
        let src = tile(data, 1, 3);
        call(tile(data, 2, 3), src, tile(index, 1, 3))
    };
    for (how, idx, slots) in [
        (How::default(), [5, 0, 4], [5, 0, 4]),
        (by_row(), [1, 0, 1], [3, 1, 5]),
    ] {
        let expected = |k: usize| {
            slots
                .iter()
                .position(|slot| *slot == k)
                .map_or(0, |at| at + 1)
        };
        for index in [Int16, Uint16] {
            let idx = idx.map(|index| index as i16);
            let after = scattered(&tiles(Uint8, index), how, &[0_u8; 6], &[1, 2, 3], &idx);
            assert!(after.into_iter().map(usize::from).eq((0..6).map(expected)));
            let after = scattered(&tiles(Half, index), how, &[0_u16; 6], &[1, 2, 3], &idx);
            assert!(after.into_iter().map(usize::from).eq((0..6).map(expected)));
        }
        for index in [Int32, Uint32] {
            let after = scattered(&tiles(Float, index), how, &[0; 6], &[1, 2, 3], &idx);
            assert!(
                after
                    .into_iter()
                    .map(|v| v as usize)
                    .eq((0..6).map(expected))
            );
        }
    }
    // 64-bit elements in the suites' scope only.
    let how = reading(|readings| readings.scope = Scope::AsTheSuite);
    let wide = call(tile(Int64, 1, 3), tile(Int64, 1, 2), tile(Int32, 1, 2));
    let after = scattered(&wide, how, &[0; 6], &[1, 2, 3, 4], &[2, 0]);
    assert_eq!(after, [3, 4, 0, 0, 1, 2]);
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

#[test]
fn gap_06_a_negative_index_has_its_own_width() {
    use NegativeIndex::{Intended, Signed, Unsigned};
    let run = |base: How, dtype: DType, negative| {
        let (data, idx) = (tile(Int32, 1, 4), tile(dtype, 1, 4));
        let call = call(tile(Int32, 2, 4), data, idx);
        let how = base.with(|how| how.readings.negative_index = negative);
        // Slots 0, 1, -1, 3, or columns of rows 0, 1, -1, 1.
        let third = if base == How::default() { 3 } else { 1 };
        strays(call, how, &[1, 2, 3, 4], &[0, 1, -1, third])
    };
    for (base, others, far, before) in [
        (
            How::default(),
            [1, 2, 0, 4, 0, 0, 0, 0],
            4 * 4_294_967_295,
            -4,
        ),
        // Column 2 of row 2^32 - 1, or of the row before the first.
        (
            by_row(),
            [1, 0, 0, 0, 0, 2, 0, 4],
            4 * (4 * 4_294_967_295 + 2),
            -8,
        ),
    ] {
        for (dtype, negative, offset) in [
            (Int32, Unsigned, far),
            (Int32, Signed, before),
            (Int32, Intended, before),
            (Uint32, Signed, far),
        ] {
            assert_eq!(run(base, dtype, negative), (others.to_vec(), vec![offset]));
        }
    }
    // 16 bits: slot 65535, or row 65535 of four 2-byte columns.
    for (base, far, before) in [(How::default(), 131_070, -2), (by_row(), 524_280, -8)] {
        for (dtype, negative, offset) in [
            (Int16, Unsigned, far),
            (Int16, Signed, before),
            (Uint16, Signed, far),
        ] {
            let call = call(tile(Half, 2, 4), tile(Half, 1, 1), tile(dtype, 1, 1));
            let how = base.with(|how| how.readings.negative_index = negative);
            let (_, offsets) = strays(call, how, &[7], &[-1_i16]);
            assert_eq!(offsets, [offset]);
        }
    }
}

#[test]
fn gap_22_rows_and_columns_that_the_destination_has_not() {
    let src = tile(Int32, 1, 6);
    let across = call(tile(Int32, 2, 4), src, src);
    let down = across.with(|c| c.dst = col_major(across.dst));
    for (call, idx, dst, offsets) in [
        // Column 1 of row 2 is slot 9, column 3 of row 5 slot 23.
        (
            across,
            [0, 2, 1, 5, 9, 9],
            [1, 0, 0, 0, 0, 0, 3, 0],
            vec![36, 92, 160, 164],
        ),
        // Columns 4 and 5 of row 0 are slots 4 and 5; column 5 of row 1 is slot 9.
        (across, [0; 6], [1, 2, 3, 4, 5, 6, 0, 0], vec![]),
        (
            across,
            [0, 0, 0, 0, 0, 1],
            [1, 2, 3, 4, 5, 0, 0, 0],
            vec![36],
        ),
        // In columns of two, row 2 of column 1 is slot 4, row 5 of column 3 slot 11, and
        // column 4 is slots 8 and 9.
        (
            down,
            [0, 2, 1, 5, 0, 1],
            [1, 0, 0, 0, 2, 3, 0, 0],
            vec![44, 32, 44],
        ),
        (down, [0; 6], [1, 0, 2, 0, 3, 0, 4, 0], vec![32, 40]),
    ] {
        let found = strays(call, by_row(), &count_from(1, 6), &idx);
        assert_eq!(found, (dst.to_vec(), offsets), "{idx:?}");
    }
}

#[test]
fn sem_05_only_loads_and_stores_in_ub_lane_by_lane() {
    let load = |role, offset| load(Space::Ub, role, offset, 4);
    let store = |offset| store(Space::Ub, Role::Destination, offset, 4);
    // Tiles without padding and with some: lane k has column k % 8 of row k / 8.
    for (cols, base) in [(8, How::default()), (16, How::default()), (16, by_row())] {
        let src = valid(Int32, 2, cols as u64, 2, 8);
        let call = Call::TscatterIndex(call(tile(Int32, 4, 8), src, src));
        let places = [0..8, cols..cols + 8].into_iter().flatten();
        // Slot 2k + 1 is lane k's, or row 1 + k / 8 of its column.
        let (mut idx, mut lanes) = (vec![0; 2 * cols], Vec::new());
        for (k, place) in (0..16).zip(places) {
            let (index, slot) = match base.readings.tscatter_index {
                ScatterIndex::Flat => (2 * k + 1, 2 * k + 1),
                ScatterIndex::Row => (1 + k / 8, 8 + k),
            };
            idx[place] = index;
            let own = 4 * place as i64;
            let to = 4 * i64::from(slot);
            lanes.push([load(Role::Index, own), load(Role::Source, own), store(to)]);
        }
        let operands = [
            (Role::Source, vec![1; 8 * cols]),
            (Role::Index, bytes(&idx)),
            (Role::Destination, vec![0; 128]),
        ];
        let traced = |schedule, unaddressed| {
            let mut how = base;
            (how.schedule, how.readings.tscatter_unaddressed) = (schedule, unaddressed);
            let log = execute(call, &mut memory(&operands), how);
            log.trace.expect("a trace")
        };
        let kept = |schedule| traced(schedule, Unaddressed::Kept);
        assert_eq!(kept(Schedule::InOrder), lanes.concat());
        // Under the reading, the zero fill comes first.
        let zero = traced(Schedule::InOrder, Unaddressed::Zero);
        assert_eq!(zero[0], fill(None, Space::Ub, Role::Destination, 128));
        assert_eq!(zero[1..], lanes.concat());
        lanes.reverse();
        assert_eq!(kept(Schedule::Reversed), lanes.concat());
        // Each lane once and in one go, in an order that the seed draws.
        let shuffled = kept(Schedule::Shuffled(1));
        assert_eq!(shuffled.len(), 3 * 16);
        let runs = |lane: &[Event; 3]| shuffled.chunks(3).any(|seen| seen == lane);
        assert!(lanes.iter().all(runs));
        assert_ne!(shuffled, kept(Schedule::Shuffled(2)));
    }
}

#[test]
fn gap_21_run_time_extents_of_0_write_nothing() {
    let none = dynamic(valid(Int32, 1, 8, 0, 8));
    for how in [How::default(), by_row()] {
        let call = call(tile(Int32, 1, 8), none, none);
        assert_eq!(scattered(&call, how, &[5; 8], &[1; 8], &[0; 8]), [5; 8]);
    }
}
