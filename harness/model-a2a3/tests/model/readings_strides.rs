//! The readings of strides: slots of padded tables, rows beyond `Shape[3]`.

use ptodiff_isa::{
    Call, Coalesce, DType, GlobalTensor, Layout, OuterStrides, PaddedElem, Readings,
};

use crate::common::{bytes, count, gather, mgather, mscatter, reading, run, scatter, table, tile};

use Coalesce::{Elem, Row};
use DType::Int32;

fn row(outer_strides: OuterStrides) -> Readings {
    reading(|r| r.outer_strides = outer_strides)
}

/// Rows of eight, 16 apart: the table of MSCATTER-GAP-18 and MGATHER-GAP-07.
fn padded() -> GlobalTensor {
    table(Int32, [1, 1, 1, 4, 8], [64, 64, 64, 16, 1], Layout::ND)
}

/// Where a scatter of one row, of elements or of columns, puts 1, 2, ... in a table of `len` zeros; a gather from such
/// a table, where each element holds its number, must bring these.
fn reached(
    mode: Coalesce,
    table: GlobalTensor,
    cols: u64,
    readings: Readings,
    len: i32,
    indices: &[i32],
) -> Vec<i32> {
    let data = tile(Int32, [1, 32], [1, cols]);
    let idx = tile(Int32, [1, 32], [1, if mode == Row { 1 } else { cols }]);
    let call = mscatter(mode, table, data, idx);
    let zeros = vec![0; len as usize];
    let after = scatter(call, readings, &zeros, &count(1, cols as i32), indices).table::<i32>();
    let place = |value| after.iter().position(|slot| *slot == value);
    let places: Vec<i32> = (1..=cols as i32)
        .map(|value| place(value).expect("it went somewhere") as i32)
        .collect();
    let call = mgather(mode, data, table, idx);
    let got = gather(call, readings, -1, &count(0, len), indices).dst::<i32>();
    assert_eq!(got[..cols as usize], places);
    places
}

/// MSCATTER-GAP-16, MGATHER-GAP-06: row 4 of 2x4, the two halves 64 elements apart.
#[test]
fn rows_beyond_shape_3() {
    let apart = table(Int32, [1, 1, 2, 4, 8], [128, 128, 64, 8, 1], Layout::ND);
    for (reading, first) in [
        (OuterStrides::Precondition, 32),
        (OuterStrides::Ignored, 32),
        (OuterStrides::Split, 64),
    ] {
        let of = |index| reached(Row, apart, 8, row(reading), 96, &[index]);
        assert_eq!(of(4), count(first, 8));
        // Below Shape[3] there is nothing to tell apart.
        assert_eq!(of(3), count(24, 8));
    }
    // Row 11 of 2x2x1x4 is (1, 0, 0, 3), row 6 is (0, 1, 0, 2); the stride of an extent
    // of 1 is nobody's.
    let apart = table(Int32, [2, 2, 1, 4, 2], [100, 40, 1, 9, 1], Layout::ND);
    for (index, first) in [(11, 127), (6, 58)] {
        let places = reached(Row, apart, 2, row(OuterStrides::Split), 169, &[index]);
        assert_eq!(places, count(first, 2));
    }
}

/// Each of the two parameters has its own mode.
#[test]
fn the_other_mode_is_not_concerned() {
    let with = reading(|r| r.padded_elem = PaddedElem::Strided);
    assert_eq!(reached(Row, padded(), 8, with, 56, &[1]), count(16, 8));
    let with = row(OuterStrides::Split);
    assert_eq!(reached(Elem, padded(), 1, with, 56, &[8]), [8]);
}

/// One row, and a packed table of two planes, go on beyond their shape as within;
/// where there are gaps it is dimension 0 that goes on.
#[test]
fn beyond_the_shape() {
    for (shape, stride, (slot, by_slot), (number, by_row)) in [
        ([1, 1, 1, 1, 9], [50, 40, 30, 20, 1], (11, 11), (2, 40)),
        ([1, 1, 2, 3, 4], [500, 400, 12, 4, 1], (69, 69), (17, 68)),
        // (2 * 6 + 5) * 4 + 1: plane 1, row 2, column 1 of the third such pair.
        (
            [1, 1, 2, 3, 4],
            [500, 400, 100, 10, 1],
            (69, 1121),
            (17, 1120),
        ),
    ] {
        // Nothing of the table is there: all that is stored leaves it.
        let stored = |mode, cols, readings, index: i32| {
            let table = table(Int32, shape, stride, Layout::ND);
            let idx = tile(Int32, [1, 8], [1, 1]);
            let call = mscatter(mode, table, tile(Int32, [1, 16], [1, cols]), idx);
            let operands = [vec![], bytes([1; 16]), bytes([index; 8])];
            let left = run(Call::Mscatter(call), readings, operands);
            left.oob_accesses()[0].offset / 4
        };
        let strided = reading(|r| r.padded_elem = PaddedElem::Strided);
        assert_eq!(stored(Elem, 1, strided, slot), by_slot, "{stride:?}");
        let split = row(OuterStrides::Split);
        assert_eq!(stored(Row, shape[4], split, number), by_row, "{stride:?}");
    }
}
