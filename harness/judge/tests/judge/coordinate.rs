//! Where slots stand, worked out by hand.

use ptodiff_isa::{BLayout, Call, Coalesce, DType, Dim, Layout, Role, SLayout, ScatterAtomicOp};
use ptodiff_judge::{Coordinate, Spot, locate};

use crate::fixture::{gather, nz_tile, scatter, table, tile};

fn spot(coordinate: Coordinate, valid: bool) -> Spot {
    let coordinate = Some(coordinate);
    Spot { coordinate, valid }
}

const NOWHERE: Spot = Spot {
    coordinate: None,
    valid: false,
};

#[test]
fn five_dimensions_and_column_major_follow_the_strides() {
    let mut call = scatter(DType::Int32, ScatterAtomicOp::None);
    call.table = table(DType::Int32, [2, 1, 3, 2, 4], [24, 24, 8, 4, 1]);
    let at = |element| locate(&Call::Mscatter(call), Role::Table, element);
    // 1*24 + 2*8 + 1*4 + 3
    assert_eq!(at(47), spot(Coordinate::Table([1, 0, 2, 1, 3]), true));
    assert_eq!(at(48), NOWHERE);
    // The stride of a dimension of one element does not matter.
    call.table = table(DType::Int32, [1, 1, 1, 2, 3], [0, 0, 1, 1, 2]);
    call.table.layout = Layout::DN;
    let at = locate(&Call::Mscatter(call), Role::Table, 5);
    assert_eq!(at, spot(Coordinate::Table([0, 0, 0, 1, 2]), true));
}

#[test]
fn slots_between_the_rows_of_an_elem_table_may_count() {
    // The experiment of MSCATTER-GAP-18: index 8 of a 4x8 table of pitch 16 is slot 8.
    let mut call = scatter(DType::Int32, ScatterAtomicOp::None);
    call.table = table(DType::Int32, [1, 1, 1, 4, 8], [64, 64, 64, 16, 1]);
    for (mode, valid) in [(Coalesce::Elem, true), (Coalesce::Row, false)] {
        call.mode = mode;
        let at = |element| locate(&Call::Mscatter(call), Role::Table, element);
        let between = Spot {
            coordinate: None,
            valid,
        };
        assert_eq!(at(8), between);
        assert_eq!(at(31), between);
        assert_eq!(at(40), NOWHERE);
        assert_eq!(at(16), spot(Coordinate::Table([0, 0, 0, 1, 0]), true));
        assert_eq!(at(55), spot(Coordinate::Table([0, 0, 0, 3, 7]), true));
    }
}

#[test]
fn an_nz_table_is_a_matrix_of_blocks() {
    // float Shape<2,3,4,16,8>: 64 rows, 48 columns (MSCATTER-NZ-03).
    let mut call = scatter(DType::Float, ScatterAtomicOp::None);
    call.table = table(DType::Float, [2, 3, 4, 16, 8], [1536, 512, 128, 8, 1]);
    call.table.layout = Layout::NZ;
    for mode in [Coalesce::Row, Coalesce::Elem] {
        call.mode = mode;
        let at = |element| locate(&Call::Mscatter(call), Role::Table, element);
        // Batch 1, block column 2, block row 3, row 15, column 7.
        let last = 1536 + 2 * 512 + 3 * 128 + 15 * 8 + 7;
        assert_eq!(at(last), spot(Coordinate::Nz { row: 63, col: 47 }, true));
        assert_eq!(at(512 + 8), spot(Coordinate::Nz { row: 1, col: 8 }, true));
        assert_eq!(at(last + 1), NOWHERE);
    }
}

#[test]
fn tiles_have_padding() {
    let call = Call::Mgather(gather());
    let at = |element| locate(&call, Role::Destination, element);
    assert_eq!(at(18), spot(Coordinate::Tile { r: 1, c: 2 }, true));
    assert_eq!(at(19), spot(Coordinate::Tile { r: 1, c: 3 }, false));
    assert_eq!(at(32), NOWHERE);
    let index = locate(&call, Role::Index, 2);
    assert_eq!(index, spot(Coordinate::Tile { r: 0, c: 2 }, false));
    // A row that is padding from its first column on.
    let mut call = gather();
    call.dst = tile(DType::Half, [4, 16], [2, 3]);
    let row = locate(&Call::Mgather(call), Role::Destination, 32);
    assert_eq!(row, spot(Coordinate::Tile { r: 2, c: 0 }, false));
}

#[test]
fn tiles_stand_in_columns_and_boxes_too() {
    let mut call = gather();
    call.dst.blayout = BLayout::ColMajor;
    let at = locate(&Call::Mgather(call), Role::Destination, 5);
    assert_eq!(at, spot(Coordinate::Tile { r: 1, c: 2 }, true));
    // Two rows, sixteen columns.
    let past = locate(&Call::Mgather(call), Role::Destination, 32);
    assert_eq!(past, NOWHERE);
    // half [32,32] NZ: (r, c) = (18, 20) at (20/16)*(32*16) + 18*16 + 4 (MGATHER-NZ-06).
    call.dst = nz_tile(DType::Half, [32, 32], [20, 20]);
    let at = locate(&Call::Mgather(call), Role::Destination, 512 + 288 + 4);
    assert_eq!(at, spot(Coordinate::Tile { r: 18, c: 20 }, false));
}

#[test]
fn any_slot_of_boxes_that_no_document_describes_may_count() {
    let mut call = gather();
    call.dst = nz_tile(DType::Half, [32, 32], [20, 20]);
    call.dst.slayout = SLayout::ColMajor;
    let unknown = Spot {
        coordinate: None,
        valid: true,
    };
    let at = |call, element| locate(&Call::Mgather(call), Role::Destination, element);
    assert_eq!(at(call, 0), unknown);
    assert_eq!(at(call, 1023), unknown);
    assert_eq!(at(call, 1024), NOWHERE);
    for (row, col) in [(20, 0), (0, 20)] {
        (call.dst.valid_row, call.dst.valid_col) = (Dim::Static(row), Dim::Static(col));
        assert_eq!(at(call, 0), NOWHERE);
    }
}
