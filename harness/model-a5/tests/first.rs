//! MSCATTER, first revision (003): values, policies, atomics, launch, and its readings
//! (MSCATTER0-GAP).

use crate::common::*;
use ptodiff_isa::ScatterOob::{Clamp, Skip, Wrap};

/// The table after an accepted call without out-of-bounds accesses.
pub(crate) fn scattered<T: Item>(
    call: &MscatterFirst,
    how: How,
    table: &[T],
    src: &[T],
    idx: &[i32],
) -> Vec<T> {
    let operands = [
        (Role::Source, bytes(src)),
        (Role::Index, bytes(idx)),
        (Role::Table, bytes(table)),
    ];
    let call = Call::MscatterFirst(*call);
    items(&clean_but(call, how, &operands, &[Role::Table])[0])
}

/// One row of eight nines; where in the table it is afterwards.
fn row_taken(height: u64, oob: ScatterOob, how: How, index: i32) -> Option<usize> {
    let call = mscatter_first(rows(Int32, height, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
    let before = vec![0; 8 * height as usize];
    let call = MscatterFirst { oob, ..call };
    let table = scattered(&call, how, &before, &[9; 8], &[index]);
    table.chunks(8).position(|row| row == [9; 8])
}

#[test]
fn sem_01_rows_go_to_their_rows() {
    // [N, 1] indices of either layout stand one after the other (GAP-07).
    for idx in [tile(Int32, 4, 1), col_major(tile(Int32, 4, 1))] {
        let call = mscatter_first(rows(Int32, 6, 8), tile(Int32, 4, 8), idx);
        let src = count_from(1, 32);
        let table = scattered(&call, How::default(), &[0; 48], &src, &[4, 0, 5, 2]);
        assert_eq!((&table[32..40], &table[..8]), (&src[..8], &src[8..16]));
        assert_eq!((&table[40..], &table[16..24]), (&src[16..24], &src[24..]));
        assert_eq!((&table[8..16], &table[24..32]), (&[0; 8][..], &[0; 8][..]));
    }
}

#[test]
fn sem_02_elements_go_to_flat_slots_through_each_tiles_layout() {
    // Element (r, c) of the source stands at 8c + r, its index at 2c + r.
    let idx = col_major(tile(Int32, 2, 8));
    let call = mscatter_first(rows(Int32, 3, 8), tile(Int32, 2, 8), idx);
    let idx: Vec<i32> = (0..16).map(|k| 20 - k).collect();
    let table = scattered(&call, How::default(), &[0; 24], &count_from(1, 16), &idx);
    // (0, 0) to 20, (1, 0) to 19, (0, 1) to 18.
    assert_eq!(table[18..], [2, 9, 1, 0, 0, 0]);
    assert_eq!((table[5], &table[..5]), (16, &[0; 5][..]));
}

#[test]
fn cap_01_and_02_and_gap_05_policies() {
    let of = |oob| row_taken(5, oob, How::default(), 7);
    assert_eq!([of(Skip), of(Clamp), of(Wrap)], [None, Some(4), Some(2)]);
    // Two planes of 2 by 4: the capacity is 8, not 16 (GAP-04).
    for (oob, slot) in [(Skip, None), (Clamp, Some(7)), (Wrap, Some(1))] {
        let table = packed(Int32, [1, 1, 2, 2, 4]);
        let call = mscatter_first(table, tile(Int32, 1, 8), tile(Int32, 1, 8));
        let how = reading(|readings| readings.first_conflict = FirstConflict::Last);
        let (idx, src) = ([9, 0, 0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0, 0]);
        let table = scattered(&MscatterFirst { oob, ..call }, how, &[0; 16], &src, &idx);
        assert_eq!(table.iter().position(|slot| *slot == 5), slot);
    }
    // 4294967295 mod 10 is 5.
    for (negative, row) in [(NegativeIndex::Unsigned, 5), (NegativeIndex::Intended, 9)] {
        let how = reading(|readings| readings.negative_index = negative);
        assert_eq!(row_taken(10, Wrap, how, -1), Some(row));
    }
}

#[test]
fn atom_01_and_06_atomics_combine_with_the_slot() {
    use ScatterAtomicOp::{Add, Max, Min};
    for schedule in SCHEDULES {
        let run = |atomic, idx: Tile, indices: &[i32]| {
            let call = mscatter_first(rows(Int32, 2, 8), tile(Int32, 2, 8), idx);
            let call = MscatterFirst { atomic, ..call };
            scattered(&call, how(schedule), &[1; 16], &count_from(-8, 16), indices)
        };
        // Rows -8..-1 and 0..7 both onto row 1.
        for (atomic, row) in [
            (Add, [-7, -5, -3, -1, 1, 3, 5, 7]),
            (Max, [1, 1, 2, 3, 4, 5, 6, 7]),
            (Min, [-8, -7, -6, -5, -4, -3, -2, -1]),
        ] {
            let table = run(atomic, tile(Int32, 2, 1), &[1, 1]);
            assert_eq!((&table[..8], &table[8..]), (&[1; 8][..], &row[..]));
        }
        // All sixteen onto slot 3: -8 in sum.
        let table = run(Add, tile(Int32, 2, 8), &[3; 16]);
        assert_eq!(table[..5], [1, 1, 1, -7, 1]);
    }
}

/// The trace of a call whose indices are 0.
fn issued(call: MscatterFirst, how: How) -> Vec<Event> {
    let idx = vec![0; area(&call.idx) / 4];
    traced(Call::MscatterFirst(call), how, &idx)
}

#[test]
fn launch_01_always_1024_threads() {
    let kernel = "simt_mscatter_elem_kernel";
    // GAP-09: work beyond the launch in strides of the launch.
    for (rows, cols, trips) in [(1, 2, 1), (32, 32, 1), (33, 32, 2)] {
        let data = tile(Int32, rows, cols);
        let events = issued(mscatter_first(flat(Int32, 64), data, data), How::default());
        assert_eq!(events[0], launch(kernel, Elem, 32, trips));
    }
    let kernel = "simt_mscatter_row_kernel";
    // No scalar path for one element.
    for (rows, cols, trips) in [(1, 1, 1), (8, 64, 1), (40, 2, 2)] {
        let call = mscatter_first(
            flat(Int32, 64),
            tile(Int32, rows, cols),
            tile(Int32, rows, 1),
        );
        let events = issued(call, How::default());
        assert_eq!(events[0], launch(kernel, Row, 32, trips));
        assert_eq!((count(&events, is_launch), count(&events, is_flag)), (1, 0));
        assert_eq!(count(&events, is_gm_store), (rows * cols) as usize);
        // Warp 0 serves rows 0 and 32, then warp 1 row 1: indices at 0, 128, 4.
        if rows == 40 {
            let loads = events.iter().filter_map(|event| match event {
                Event::Load {
                    role: Role::Index,
                    offset,
                    ..
                } => Some(*offset),
                _ => None,
            });
            let loads: Vec<i64> = loads.collect();
            assert_eq!((&loads[..3], loads.len()), (&[0, 128, 4][..], 40));
        }
    }
}

/// Three rows of eight columns, all sent to row 1; row r holds r + 1.
fn contested() -> (MscatterFirst, Vec<i32>) {
    let call = mscatter_first(rows(Int32, 2, 8), tile(Int32, 3, 8), tile(Int32, 3, 1));
    (call, (0..24).map(|k| k / 8 + 1).collect())
}

#[test]
fn gap_02_any_writer_may_survive() {
    let (call, src) = contested();
    let run = |schedule| scattered(&call, how(schedule), &[0; 16], &src, &[1, 1, 1]);
    assert_eq!(run(Schedule::InOrder)[8..], [3; 8]);
    assert_eq!(run(Schedule::Reversed)[8..], [1; 8]);
    // GAP-13: a row may be torn.
    let mut torn = false;
    for seed in 0..20 {
        let table = run(Schedule::Shuffled(seed));
        assert_eq!(table[..8], [0; 8]);
        assert!(table[8..].iter().all(|value| (1..=3).contains(value)));
        torn |= table[8..].iter().any(|value| *value != table[8]);
    }
    assert!(torn);
}

#[test]
fn gap_02_under_last_the_largest_source_index_survives() {
    let (call, src) = contested();
    for schedule in SCHEDULES {
        let how = reading(|readings| readings.first_conflict = FirstConflict::Last)
            .with(|how| how.schedule = schedule);
        let table = scattered(&call, how, &[0; 16], &src, &[1, 1, 1]);
        assert_eq!(table, [[0; 8], [3; 8]].concat());
        let table = scattered(&call, how, &[0; 16], &src, &[1, 0, 1]);
        assert_eq!(table, [[2; 8], [3; 8]].concat());
        let elem = call.with(|c| c.idx = tile(Int32, 3, 8));
        let idx: Vec<i32> = (0..24).map(|k| k % 5).collect();
        // Slots 0 to 3 belong to elements 20 to 23, slot 4 to 19.
        let table = scattered(&elem, how, &[0; 16], &count_from(100, 24), &idx);
        assert_eq!(table[..6], [120, 121, 122, 123, 119, 0]);
    }
    // One full launch as well, in which each lane owns a table row, as in the Last
    // kernels of 000.
    let how = reading(|readings| readings.first_conflict = FirstConflict::Last);
    let events = issued(call, how);
    let owners = Event::Launch {
        kernel: "simt_mscatter_row_kernel".into(),
        mode: Row,
        dim3: (32, 32),
        row_warps: None,
        warps_per_row: None,
        serves: Serves::TableRow,
        stride: 1024,
        trips: 1,
    };
    assert_eq!((&events[0], count(&events, is_launch)), (&owners, 1));
}

#[test]
fn gap_01_one_column_is_a_row_or_an_element() {
    // Four rows of two: Row admits 0..3, Elem 0..7.
    let call = mscatter_first(rows(Int32, 4, 2), tile(Int32, 2, 1), tile(Int32, 2, 1));
    let call = MscatterFirst { oob: Skip, ..call };
    for (mode, expected) in [
        (FirstMode::Row, [0, 0, 0, 1, 0, 0, 0, 0]),
        (FirstMode::Elem, [0, 0, 0, 1, 0, 2, 0, 0]),
    ] {
        let how = reading(|readings| readings.first_mode = mode);
        assert_eq!(scattered(&call, how, &[0; 8], &[1, 2], &[3, 5]), expected);
    }
}

#[test]
fn gap_03_under_elements_a_row_may_leave_the_table() {
    // Sixteen elements: row 3 passes and lies 96 bytes in; 17 wraps to row 1.
    for (oob, index, offset) in [
        (Skip, 3, Some(96)),
        (Skip, 16, None),
        (Clamp, 99, Some(15 * 32)),
        (Wrap, 17, None),
    ] {
        let call = mscatter_first(rows(Int32, 2, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
        let call = Call::MscatterFirst(MscatterFirst { oob, ..call });
        let mut memory = memory(&[
            (Role::Table, vec![0; 64]),
            (Role::Source, bytes(&[7; 8])),
            (Role::Index, bytes(&[index])),
        ]);
        let elements = FirstRowCapacity::Elements;
        let how = reading(|readings| readings.first_row_capacity = elements);
        let log = execute(call, &mut memory, how);
        let first = log.oob_accesses.first.first();
        assert_eq!(first.map(|access| access.offset), offset, "{oob} {index}");
    }
}

#[test]
fn gap_06_and_08_padded_extents_drive_rows_and_pitch() {
    // A valid region of 1 by 4 in a tile of 2 by 8: all sixteen elements go.
    let src = valid(Int32, 2, 8, 1, 4);
    let mut call = mscatter_first(rows(Int32, 3, 8), src, tile(Int32, 2, 1));
    let src = count_from(1, 16);
    let table = scattered(&call, How::default(), &[0; 24], &src, &[2, 0]);
    assert_eq!((&table[16..], &table[..8]), (&src[..8], &src[8..]));
    // An empty table takes nothing.
    call.table.shape[3] = Dim::Dynamic(0);
    for first_conflict in [FirstConflict::Any, FirstConflict::Last] {
        let how = reading(|readings| readings.first_conflict = first_conflict);
        assert_eq!(scattered(&call, how, &[5; 24], &src, &[2, 0]), [5; 24]);
    }
}
