//! First revision of MSCATTER: every constraint with a call that keeps it and
//! one that breaks it.

use crate::common::{calls::*, rules::*, *};
use ptodiff_isa::*;

use DType::*;
use Dim::{Dynamic, Static};
use ScatterAtomicOp::{Add, Max, Min};
use Target::A5;
use TileType::Mat;

/// float [4,8] into a 6x8 table by rows.
fn row_call() -> MscatterFirst {
    first(
        matrix(Float, 6, 8),
        tile(Float, [4, 8], [4, 8]),
        tile(Int32, [4, 1], [4, 1]),
    )
}

/// float [4,8] into 6x10 elements.
fn elem_call() -> MscatterFirst {
    first(
        matrix(Float, 6, 10),
        tile(Float, [4, 8], [4, 8]),
        tile(Uint32, [4, 8], [4, 8]),
    )
}

fn of(c: &mut MscatterFirst, dtype: DType, atomic: ScatterAtomicOp) {
    (c.src.dtype, c.table.dtype, c.atomic) = (dtype, dtype, atomic);
}

#[test]
fn by_rows() {
    rules(
        A5,
        &Readings::default(),
        Call::MscatterFirst,
        row_call(),
        &[
            ("MSCATTER0-DTYPE-01", |c| {
                of(c, Hifloat8, ScatterAtomicOp::None)
            }),
            ("MSCATTER0-DTYPE-02", |c| c.idx.dtype = Int16),
            ("MSCATTER0-DTYPE-03", |c| c.table.dtype = Int32),
            ("MSCATTER0-ATOM-03", |c| of(c, Bfloat16, Add)),
            ("MSCATTER0-ATOM-04", |c| of(c, Uint32, Max)),
            ("MSCATTER0-ATOM-05", |c| of(c, Uint32, Min)),
            ("MSCATTER0-TILE-01", |c| c.src.location = Mat),
            ("MSCATTER0-TILE-02", |c| c.idx.location = Mat),
            ("MSCATTER0-SHAPE-01", |c| {
                c.idx = tile(Int32, [8, 1], [8, 1])
            }),
            ("MSCATTER0-MODE-01", |c| c.idx = tile(Int32, [4, 3], [4, 3])),
        ],
        &[
            ("MSCATTER0-GAP-06", |c| c.src.valid_row = Static(3)),
            ("MSCATTER0-GAP-06", |c| c.idx.valid_row = Dynamic(3)),
            ("MSCATTER0-GAP-08", |c| c.table = matrix(Float, 6, 16)),
            ("MSCATTER0-GAP-08", |c| c.table = strided(c.table, 3, 16)),
            ("MSCATTER-TABLE-08", |c| c.table.layout = Layout::DN),
            ("MSCATTER-TILE-12", |c| c.src.slayout = SLayout::RowMajor),
            ("MSCATTER-GAP-59", |c| c.idx.slayout = SLayout::RowMajor),
            ("MSCATTER-GAP-02", |c| c.table.shape[3] = Dynamic(0)),
            // 131072 + 16384 bytes are above 128 KB.
            ("MSCATTER-UB-07", |c| {
                c.src = tile(Float, [4096, 8], [4096, 8]);
                c.idx = tile(Int32, [4096, 1], [4096, 1]);
            }),
            ("MSCATTER-UB-05", |c| {
                c.src = tile(Float, [8192, 8], [8192, 8]);
                c.idx = tile(Int32, [8192, 1], [8192, 1]);
            }),
        ],
    );
}

#[test]
fn by_elements() {
    rules(
        A5,
        &Readings::default(),
        Call::MscatterFirst,
        elem_call(),
        &[("MSCATTER0-MODE-01", |c| c.idx = tile(Int32, [4, 4], [4, 4]))],
        &[
            ("MSCATTER0-GAP-04", |c| {
                c.table = packed(Float, [2, 1, 1, 3, 10], Layout::ND)
            }),
            ("MSCATTER0-GAP-06", |c| c.idx.valid_col = Dynamic(7)),
        ],
    );
}

#[test]
fn what_the_lists_take() {
    let accepted = |c: MscatterFirst| broken(Call::MscatterFirst(c), A5, &Readings::default());
    // MSCATTER0-DTYPE-01, -ATOM-02.
    for dtype in [
        Int8, Uint8, Int16, Uint16, Int32, Uint32, Half, Bfloat16, Float, Float8E4M3, Float8E5M2,
    ] {
        let mut call = row_call();
        of(&mut call, dtype, ScatterAtomicOp::None);
        assert_eq!(accepted(call), []);
    }
    // MSCATTER0-ATOM-03 to -05.
    for (dtype, op) in [
        (Int32, Add),
        (Uint32, Add),
        (Float, Add),
        (Half, Add),
        (Int32, Max),
        (Float, Max),
        (Int32, Min),
        (Float, Min),
    ] {
        let mut call = elem_call();
        of(&mut call, dtype, op);
        assert_eq!(accepted(call), []);
    }
    // MSCATTER0-GAP-07: one column of indices in either order of elements.
    let mut call = row_call();
    call.idx.blayout = BLayout::ColMajor;
    assert_eq!(accepted(call), []);
}

#[test]
fn one_column_is_a_row_or_an_element() {
    // MSCATTER0-GAP-01: rows of one element do not fit a table of eight columns.
    let call = first(
        matrix(Float, 4, 8),
        tile(Float, [8, 1], [8, 1]),
        tile(Int32, [8, 1], [8, 1]),
    );
    let call = Call::MscatterFirst(call);
    let mut readings = Readings::default();
    assert_eq!(
        broken(call, A5, &readings),
        [("MSCATTER0-GAP-08", ByCaller)]
    );
    readings.first_mode = FirstMode::Elem;
    assert_eq!(broken(call, A5, &readings), []);
}
