//! What the first revision of MSCATTER (003) issues.

use crate::common::*;

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
        let (src, idx) = (tile(Int32, rows, cols), tile(Int32, rows, 1));
        let events = issued(mscatter_first(flat(Int32, 64), src, idx), How::default());
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

/// MSCATTER0-GAP-02: under Last one full launch as well, in which each lane owns a table row,
/// as in the Last kernels of 000.
#[test]
fn gap_02_under_last_lanes_own_table_rows() {
    let call = mscatter_first(rows(Int32, 2, 8), tile(Int32, 3, 8), tile(Int32, 3, 1));
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
