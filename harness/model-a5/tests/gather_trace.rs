//! What a gather issues (MGATHER-LAUNCH, MGATHER-OOB-15).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

#[test]
fn gather_launches() {
    let elem = |rows, cols| {
        let call = mgather(
            Elem,
            flat(Float, 8),
            tile(Float, rows, cols),
            tile(Int32, rows, cols),
        );
        let events = gathered(call, &vec![0; (rows * cols) as usize]);
        // LAUNCH-05: lanes beyond the elements do nothing.
        assert_eq!(count(&events, is_gm_load), (rows * cols) as usize);
        assert_eq!(events.len(), 1 + 3 * (rows * cols) as usize);
        events
    };
    assert_eq!(
        elem(3, 7)[0],
        launch("simt_mgather_elem_kernel", Elem, 1, 1)
    );
    assert_eq!(
        elem(8, 32)[0],
        launch("simt_mgather_elem_kernel", Elem, 8, 1)
    );
    let events = elem(33, 32);
    assert_eq!(events[0], launch("simt_mgather_elem_kernel", Elem, 32, 2));
    let row = |count, cols| {
        let call = mgather(
            Row,
            rows(Float, 2, cols),
            tile(Float, count, cols),
            tile(Int32, 1, count),
        );
        gathered(call, &vec![0; count as usize]).swap_remove(0)
    };
    assert_eq!(row(4, 100), row_launch("simt_mgather_row_kernel", 4, 4, 1));
    assert_eq!(row(5, 256), row_launch("simt_mgather_row_kernel", 5, 6, 1));
    assert_eq!(
        row(64, 256),
        row_launch("simt_mgather_row_kernel", 32, 1, 2)
    );
}

#[test]
fn gather_oob_15_zero_is_stored_lane_by_lane() {
    let call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(Row, rows(Float, 4, 8), tile(Float, 4, 8), tile(Int32, 1, 4))
    };
    let events = gathered(call, &[0, 9, 1, 2]);
    assert_eq!(count(&events, is_launch), 1);
    let is_store = |event: &Event| {
        matches!(
            event,
            Event::Store {
                role: Role::Destination,
                ..
            }
        )
    };
    assert_eq!(count(&events, is_store), 32);
    assert_eq!(count(&events, is_gm_load), 24);
}
