//! MSCATTER, first revision (003): values, policies, atomics, launch, and its readings
//! (MSCATTER0-GAP).

use crate::common::*;
use ptodiff_isa::ScatterOob::Skip;

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
