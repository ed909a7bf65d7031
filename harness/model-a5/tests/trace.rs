//! What scatters and gathers issue (LAUNCH, SYNC, PERF, ATOM-20).

use crate::common::*;
use ptodiff_isa::ScatterConflict::{Default as Any, Last};

/// The trace of a scatter whose indices are all `idx`.
fn scattered(call: Mscatter, idx: i32) -> Vec<Event> {
    scattered_how(call, idx, How::default())
}

fn scattered_how(call: Mscatter, idx: i32, how: How) -> Vec<Event> {
    let idx = vec![idx; area(&call.idx) / 4];
    traced(Call::Mscatter(call), how, &idx)
}

fn elem(conflict: ScatterConflict, rows: u64, cols: u64, slots: u64) -> Mscatter {
    let data = tile(Int32, rows, cols);
    mscatter(Elem, flat(Int32, slots), data, data).with(|c| c.conflict = conflict)
}

fn row(conflict: ScatterConflict, count: u64, cols: u64, table_rows: u64) -> Mscatter {
    let (src, idx) = (tile(Int32, count, cols), tile(Int32, 1, count));
    mscatter(Row, rows(Int32, table_rows, cols), src, idx).with(|c| c.conflict = conflict)
}

/// Loads and stores of words.
fn read(space: Space, role: Role, offset: i64) -> Event {
    load(space, role, offset, 4)
}

fn write(space: Space, role: Role, offset: i64) -> Event {
    store(space, role, offset, 4)
}

#[test]
fn launch_02_05_and_06_elements() {
    for (rows, cols, warps, trips) in [
        (1, 9, 1, 1),
        (8, 32, 8, 1),
        (8, 33, 9, 1),
        (64, 32, 32, 2),
        (33, 32, 32, 2),
    ] {
        let lanes = (rows * cols) as usize;
        let events = scattered(elem(Any, rows, cols, 64), 0);
        let kernel = "simt_mscatter_elem_kernel";
        assert_eq!(events[0], launch(kernel, Elem, warps, trips));
        assert_eq!(count(&events, is_gm_store), lanes);
        let data = tile(Int32, rows, cols);
        let events = gathered(mgather(Elem, flat(Int32, 8), data, data), &vec![0; lanes]);
        let kernel = "simt_mgather_elem_kernel";
        assert_eq!(events[0], launch(kernel, Elem, warps, trips));
        // Lanes beyond the elements do nothing.
        assert_eq!(count(&events, is_gm_load), lanes);
        assert_eq!(events.len(), 1 + 3 * lanes);
        assert_eq!((count(&events, is_launch), count(&events, is_flag)), (1, 0));
    }
    let add = elem(Last, 8, 32, 64).with(|c| c.atomic = ScatterAtomicOp::Add);
    let kernel = "simt_mscatter_elem_kernel";
    assert_eq!(scattered(add, 0)[0], launch(kernel, Elem, 8, 1));
    // LAUNCH-08: by extents that are known at run time.
    let part = dynamic(valid(Int32, 8, 64, 1, 9));
    let call = mscatter(Elem, flat(Int32, 30), part, part).with(|c| c.conflict = Any);
    assert_eq!(scattered(call, 0)[0], launch(kernel, Elem, 1, 1));
    let none = dynamic(valid(Int32, 8, 8, 0, 8));
    let call = mscatter(Row, rows(Int32, 4, 8), none, none);
    assert_eq!(scattered(call, 0), []);
}

#[test]
fn launch_07_and_gap_50_the_last_kernels_are_sized_by_the_table() {
    let kernel = "simt_mscatter_row_last_kernel";
    for (table_rows, warps, trips) in [(65536, 32, 64), (64, 2, 1), (4, 1, 1)] {
        let events = scattered(row(Last, 8, 8, table_rows), 0);
        assert_eq!(events[0], launch(kernel, Row, warps, trips));
    }
    let kernel = "simt_mscatter_elem_last_kernel";
    for (slots, warps, trips) in [(33, 2, 1), (1025, 32, 2)] {
        let events = scattered(elem(Last, 1, 8, slots), 0);
        assert_eq!(events[0], launch(kernel, Elem, warps, trips));
    }
}

#[test]
fn atom_20_and_perf_13_lanes_use_atomics_only() {
    for (atomic, intrinsic) in [
        (ScatterAtomicOp::Add, "atomicAdd"),
        (ScatterAtomicOp::Max, "atomicMax"),
        (ScatterAtomicOp::Min, "atomicMin"),
    ] {
        for call in [elem(Last, 2, 8, 4), row(Last, 2, 8, 4)] {
            let events = scattered(Mscatter { atomic, ..call }, 0);
            let atomics = count(&events, |event| match event {
                Event::Atomic {
                    name, role, len, ..
                } => {
                    assert_eq!((*role, *len), (Role::Table, 4));
                    name == intrinsic
                }
                _ => false,
            });
            assert_eq!(atomics, 16);
            let got = (count(&events, is_gm_store), count(&events, is_gm_load));
            assert_eq!(got, (0, 0));
        }
    }
}

#[test]
fn perf_10_one_predicate_a_warp_and_row() {
    // 8 rows of 256 columns: 8 row warps, 4 warps a row.
    for schedule in SCHEDULES {
        let call = row(Any, 8, 256, 4).with(|c| c.oob = ScatterOob::Skip);
        let events = scattered_how(call, 9, how(schedule));
        assert_eq!(events[0], row_launch("simt_mscatter_row_kernel", 8, 4, 1));
        // OOB-04: skipped rows are not stored.
        assert_eq!((count(&events, is_index_load), events.len()), (32, 33));
    }
}

#[test]
fn launch_03_and_sync_11_the_scalar_path() {
    let one = valid(Int32, 1, 8, 1, 1);
    let call = mscatter(Elem, flat(Int32, 32), one, one);
    let pair = |from, to| [Event::SetFlag { from, to }, Event::WaitFlag { from, to }];
    let accesses = |accesses: &[Event]| {
        let (enter, leave) = (pair(Pipe::V, Pipe::S), pair(Pipe::S, Pipe::V));
        [&enter[..], accesses, &leave[..]].concat()
    };
    let index = read(Space::Ub, Role::Index, 0);
    let source = read(Space::Ub, Role::Source, 0);
    let [from_gm, to_gm] = [read, write].map(|access| access(Space::Gm, Role::Table, 20));
    let expected = accesses(&[index.clone(), source.clone(), to_gm.clone()]);
    assert_eq!(scattered(call, 5), expected);
    // GAP-35: run-time extents decide.
    let free = call.with(|c| (c.src, c.idx) = (dynamic(one), dynamic(one)));
    assert_eq!(scattered(free, 5), expected);
    let add = call.with(|c| c.atomic = ScatterAtomicOp::Add);
    let expected = accesses(&[index.clone(), source, from_gm.clone(), to_gm]);
    assert_eq!(scattered(add, 5), expected);
    // MGATHER-LAUNCH-07 and MGATHER-SYNC-09.
    let events = gathered(mgather(Elem, flat(Int32, 32), one, one), &[5; 8]);
    let to_ub = write(Space::Ub, Role::Destination, 0);
    assert_eq!(events, accesses(&[index, from_gm, to_ub]));

    // Rows of one element and pairs are launched.
    for call in [
        mscatter(Row, rows(Int32, 4, 1), one, one),
        elem(Last, 1, 2, 4),
    ] {
        let events = scattered(call, 2);
        assert_eq!((count(&events, is_launch), count(&events, is_flag)), (1, 0));
    }
    // MGATHER-LAUNCH-08.
    let events = gathered(mgather(Row, rows(Int32, 4, 1), one, one), &[2; 8]);
    assert_eq!(events[0], row_launch("simt_mgather_row_kernel", 1, 1, 1));
}

#[test]
fn gather_oob_15_zero_is_stored_lane_by_lane() {
    let call = mgather(Row, rows(Int32, 4, 8), tile(Int32, 4, 8), tile(Int32, 1, 4));
    let events = gathered(call.with(|c| c.oob = GatherOob::Zero), &[0, 9, 1, 2]);
    let stores =
        |event: &Event| matches!(event, Event::Store { role, .. } if *role == Role::Destination);
    let found = [
        count(&events, is_launch),
        count(&events, stores),
        count(&events, is_gm_load),
    ];
    assert_eq!(found, [1, 32, 24]);
}

/// TGATHERB-SEM-04.
#[test]
fn tgatherb_only_loads_and_stores_in_ub() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let call = Call::Tgatherb(Tgatherb {
        dst: one(Int32),
        src: tile(Int32, 1, 16),
        offset: one(Uint32),
    });
    for (how, len) in [(How::default(), 4), (blocks(), 32)] {
        let expected = [
            read(Space::Ub, Role::Index, 0),
            load(Space::Ub, Role::Source, 12, len),
            store(Space::Ub, Role::Destination, 0, len),
        ];
        assert_eq!(traced(call, how, &[12, 0, 0, 0, 0, 0, 0, 0]), expected);
    }
}

/// MSCATTER-GAP-38, MGATHER-GAP-26; MSCATTER-GAP-02: of an empty table lanes are idle; where
/// lanes own slots, there is none to launch. The scalar path looks at its index first.
#[test]
fn nothing_to_do() {
    let none = dynamic(valid(Int32, 8, 8, 0, 8));
    for how in [
        How::default(),
        reading(|r| r.empty_extent = EmptyExtent::NoOp),
    ] {
        let call = mgather(Elem, rows(Int32, 4, 8), none, none);
        let call = Call::Mgather(call.with(|c| c.oob = GatherOob::Zero));
        assert_eq!(traced(call, how, &[9; 64]), []);
    }
    let mut table = flat(Int32, 0);
    table.shape[4] = Dim::Dynamic(0);
    let events = |valid_col, conflict, dispatch| {
        let part = valid(Int32, 1, 8, 1, valid_col);
        let mut call = mscatter(Elem, table, part, part);
        (call.oob, call.conflict, call.launch.dispatch) = (ScatterOob::Skip, conflict, dispatch);
        scattered(call, 0)
    };
    let launched = events(2, Any, Dispatch::Standard);
    assert!(matches!(launched[..], [Event::Launch { .. }]));
    assert_eq!(events(2, Last, Dispatch::Standard), []);
    assert_eq!(events(2, Last, Dispatch::Direct), []);
    let scalar = events(1, Any, Dispatch::Standard);
    assert_eq!(count(&scalar, is_index_load), 1);
}
