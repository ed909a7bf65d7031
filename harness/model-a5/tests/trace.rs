//! What is issued (LAUNCH, SYNC, PERF, ATOM-20).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

/// The trace of a scatter whose indices are all `idx`.
fn scattered(call: Mscatter, idx: i32) -> Vec<Event> {
    scattered_how(call, idx, How::default())
}

fn scattered_how(call: Mscatter, idx: i32, how: How) -> Vec<Event> {
    let size = |tile: Tile| (tile.rows * tile.cols) as usize * tile.dtype.size();
    let slots: u64 = call.table.shape.iter().map(|dim| dim.get()).product();
    let idx = bytes(&vec![idx; size(call.idx) / 4]);
    let mut memory = memory(&[
        (
            Role::Table,
            vec![0; slots as usize * call.table.dtype.size()],
        ),
        (Role::Source, vec![0; size(call.src)]),
        (Role::Index, idx),
    ]);
    let log = execute(Call::Mscatter(call), &mut memory, how);
    assert_eq!(log.oob_accesses, OobAccesses::default());
    log.trace.expect("a trace")
}

fn elem(conflict: ScatterConflict, rows: u64, cols: u64, slots: u64) -> Mscatter {
    Mscatter {
        conflict,
        ..mscatter(
            Elem,
            flat(Float, slots),
            tile(Float, rows, cols),
            tile(Int32, rows, cols),
        )
    }
}

fn row(conflict: ScatterConflict, count: u64, cols: u64, table_rows: u64) -> Mscatter {
    Mscatter {
        conflict,
        ..mscatter(
            Row,
            rows(Float, table_rows, cols),
            tile(Float, count, cols),
            tile(Int32, 1, count),
        )
    }
}

#[test]
fn launch_02_and_06_elem_scatter() {
    use ScatterConflict::Default as Any;
    for (rows, cols, warps, trips) in [
        (1, 9, 1, 1),
        (8, 32, 8, 1),
        (8, 33, 9, 1),
        (64, 32, 32, 2),
        (33, 32, 32, 2),
    ] {
        let events = scattered(elem(Any, rows, cols, 64), 0);
        assert_eq!(
            events[0],
            launch("simt_mscatter_elem_kernel", Elem, warps, trips)
        );
        assert_eq!(count(&events, is_launch), 1);
        assert_eq!(count(&events, is_flag), 0);
        assert_eq!(count(&events, is_gm_store), (rows * cols) as usize);
    }
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..elem(ScatterConflict::Last, 8, 32, 64)
    };
    assert_eq!(
        scattered(add, 0)[0],
        launch("simt_mscatter_elem_kernel", Elem, 8, 1)
    );
}

#[test]
fn launch_04_and_05_row_scatter() {
    use ScatterConflict::Default as Any;
    for (count, cols, row_warps, warps_per_row, trips) in [
        (8, 64, 8, 2, 1),
        (1, 2048, 1, 32, 1),
        (12, 256, 12, 2, 1),
        (64, 64, 32, 1, 2),
        (40, 32, 32, 1, 2),
    ] {
        let events = scattered(row(Any, count, cols, 4), 0);
        let expected = row_launch("simt_mscatter_row_kernel", row_warps, warps_per_row, trips);
        assert_eq!(events[0], expected);
    }
}

#[test]
fn launch_07_and_gap_50_the_last_kernels_are_sized_by_the_table() {
    let last = ScatterConflict::Last;
    let rows = |table_rows| scattered(row(last, 8, 8, table_rows), 0).swap_remove(0);
    assert_eq!(
        rows(65536),
        launch("simt_mscatter_row_last_kernel", Row, 32, 64)
    );
    assert_eq!(rows(64), launch("simt_mscatter_row_last_kernel", Row, 2, 1));
    assert_eq!(rows(4), launch("simt_mscatter_row_last_kernel", Row, 1, 1));
    let slots = |slots| scattered(elem(last, 1, 8, slots), 0).swap_remove(0);
    assert_eq!(
        slots(33),
        launch("simt_mscatter_elem_last_kernel", Elem, 2, 1)
    );
    assert_eq!(
        slots(1025),
        launch("simt_mscatter_elem_last_kernel", Elem, 32, 2)
    );
}

#[test]
fn launch_08_follows_run_time_extents() {
    let part = |dtype| dynamic(valid(dtype, 8, 64, 1, 9));
    let call = Mscatter {
        conflict: ScatterConflict::Default,
        ..mscatter(Elem, flat(Float, 30), part(Float), part(Int32))
    };
    assert_eq!(
        scattered(call, 0)[0],
        launch("simt_mscatter_elem_kernel", Elem, 1, 1)
    );
}

#[test]
fn perf_12_thread_t_reads_flat_position_t() {
    let events = scattered(elem(ScatterConflict::Default, 8, 32, 256), 5);
    for t in 0..256 {
        let at = |space, role, offset| (space, role, offset);
        let seen: Vec<_> = events[1 + 3 * t..4 + 3 * t]
            .iter()
            .map(|event| match event {
                Event::Load {
                    space,
                    role,
                    offset,
                    len: 4,
                }
                | Event::Store {
                    space,
                    role,
                    offset,
                    len: 4,
                } => at(*space, *role, *offset),
                other => panic!("{other:?}"),
            })
            .collect();
        let own = 4 * t as i64;
        assert_eq!(
            seen,
            [
                at(Space::Ub, Role::Index, own),
                at(Space::Ub, Role::Source, own),
                at(Space::Gm, Role::Table, 20)
            ]
        );
    }
    assert_eq!(events.len(), 1 + 3 * 256);
}

#[test]
fn atom_20_and_perf_13_lanes_use_atomics_only() {
    for (atomic, intrinsic) in [
        (ScatterAtomicOp::Add, "atomicAdd"),
        (ScatterAtomicOp::Max, "atomicMax"),
        (ScatterAtomicOp::Min, "atomicMin"),
    ] {
        for call in [
            elem(ScatterConflict::Last, 2, 8, 4),
            row(ScatterConflict::Last, 2, 8, 4),
        ] {
            let events = scattered(Mscatter { atomic, ..call }, 0);
            let atomics = count(
                &events,
                |event| matches!(event, Event::Atomic { name, role: Role::Table, len: 4, .. } if name == intrinsic),
            );
            assert_eq!(atomics, 16);
            assert_eq!(count(&events, is_gm_store), 0);
            assert_eq!(count(&events, is_gm_load), 0);
        }
    }
}

#[test]
fn perf_08_the_owner_scan_reads_no_gm() {
    let events = scattered(row(ScatterConflict::Last, 8, 8, 4), 0);
    assert_eq!(count(&events, is_gm_load), 0);
    assert_eq!(count(&events, is_gm_store), 8);
    // Slot 0's scan ends at index 7.
    let found = Event::Load {
        space: Space::Ub,
        role: Role::Index,
        offset: 28,
        len: 4,
    };
    assert_eq!(events[1], found);
    assert_eq!(count(&events, is_index_load), 1);
}

#[test]
fn perf_10_one_predicate_a_warp_and_row() {
    // 8 rows of 256 columns: 8 row warps, 4 warps a row.
    for schedule in SCHEDULES {
        let call = Mscatter {
            oob: ScatterOob::Skip,
            ..row(ScatterConflict::Default, 8, 256, 4)
        };
        let events = scattered_how(call, 9, how(schedule));
        assert_eq!(events[0], row_launch("simt_mscatter_row_kernel", 8, 4, 1));
        assert_eq!(count(&events, is_index_load), 32);
        // OOB-04: skipped rows are not stored.
        assert_eq!(events.len(), 33);
    }
}

#[test]
fn launch_03_and_sync_11_the_scalar_path() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = mscatter(Elem, flat(Float, 32), one(Float), one(Int32));
    let (v, s) = (Pipe::V, Pipe::S);
    let load = |space, role, offset| Event::Load {
        space,
        role,
        offset,
        len: 4,
    };
    let store = |space, role, offset| Event::Store {
        space,
        role,
        offset,
        len: 4,
    };
    let expected = [
        Event::SetFlag { from: v, to: s },
        Event::WaitFlag { from: v, to: s },
        load(Space::Ub, Role::Index, 0),
        load(Space::Ub, Role::Source, 0),
        store(Space::Gm, Role::Table, 20),
        Event::SetFlag { from: s, to: v },
        Event::WaitFlag { from: s, to: v },
    ];
    assert_eq!(scattered(call, 5), expected);
    // GAP-35: run-time extents decide.
    let free = Mscatter {
        src: dynamic(call.src),
        idx: dynamic(call.idx),
        ..call
    };
    assert_eq!(scattered(free, 5), expected);
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    let events = scattered(add, 5);
    assert_eq!(events[4], load(Space::Gm, Role::Table, 20));
    assert_eq!(events[5], store(Space::Gm, Role::Table, 20));
    // MGATHER-LAUNCH-07 and MGATHER-SYNC-09.
    let call = mgather(Elem, flat(Float, 32), one(Float), one(Int32));
    let events = gathered(call, &[5; 8]);
    assert_eq!(
        events[2..5],
        [
            load(Space::Ub, Role::Index, 0),
            load(Space::Gm, Role::Table, 20),
            store(Space::Ub, Role::Destination, 0)
        ]
    );
    assert_eq!((count(&events, is_flag), count(&events, is_launch)), (4, 0));
}

#[test]
fn launch_03_one_by_one_rows_and_pairs_are_launched() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = mscatter(Row, rows(Float, 4, 1), one(Float), one(Int32));
    let events = scattered(call, 2);
    assert_eq!((count(&events, is_launch), count(&events, is_flag)), (1, 0));
    let events = scattered(elem(ScatterConflict::Last, 1, 2, 4), 2);
    assert_eq!((count(&events, is_launch), count(&events, is_flag)), (1, 0));
    // MGATHER-LAUNCH-08.
    let call = mgather(Row, rows(Float, 4, 1), one(Float), one(Int32));
    assert_eq!(
        gathered(call, &[2; 8])[0],
        row_launch("simt_mgather_row_kernel", 1, 1, 1)
    );
}

#[test]
fn a_run_time_extent_of_0_issues_nothing() {
    let none = |dtype| dynamic(valid(dtype, 8, 8, 0, 8));
    let call = mscatter(Row, rows(Float, 4, 8), none(Float), none(Int32));
    assert_eq!(scattered(call, 0), []);
}
