//! First revision of MSCATTER: every constraint with a call that keeps it and
//! one that breaks it.

use crate::common::{calls::*, rules::*, *};
use ptodiff_contract::Enforced;
use ptodiff_isa::*;

use Enforced::{ByCaller, ByCheck};
use Target::{A2a3, A5, Cpu};

/// float [4,8] into a 6x8 table by rows.
fn row_call() -> MscatterFirst {
    first(
        matrix(DType::Float, 6, 8),
        tile(DType::Float, [4, 8], [4, 8]),
        tile(DType::Int32, [4, 1], [4, 1]),
    )
}

/// float [4,8] into 6x10 elements.
fn elem_call() -> MscatterFirst {
    first(
        matrix(DType::Float, 6, 10),
        tile(DType::Float, [4, 8], [4, 8]),
        tile(DType::Uint32, [4, 8], [4, 8]),
    )
}

fn of(c: &mut MscatterFirst, dtype: DType, atomic: ScatterAtomicOp) {
    (c.src.dtype, c.table.dtype, c.atomic) = (dtype, dtype, atomic);
}

#[test]
fn only_a5_has_it() {
    for target in [Cpu, A2a3] {
        for call in [row_call(), elem_call()] {
            let found = broken(Call::MscatterFirst(call), target, &Readings::default());
            assert_eq!(found, [("MSCATTER0-API-01", ByCheck)]);
        }
    }
}

#[test]
fn by_rows() {
    rules(
        A5,
        &Readings::default(),
        Call::MscatterFirst,
        row_call(),
        &[
            ("MSCATTER0-DTYPE-01", ByCheck, |c| {
                of(c, DType::Hifloat8, ScatterAtomicOp::None);
            }),
            ("MSCATTER0-DTYPE-02", ByCheck, |c| {
                c.idx.dtype = DType::Int16
            }),
            ("MSCATTER0-DTYPE-03", ByCheck, |c| {
                c.table.dtype = DType::Int32
            }),
            ("MSCATTER0-ATOM-03", ByCheck, |c| {
                of(c, DType::Bfloat16, ScatterAtomicOp::Add);
            }),
            ("MSCATTER0-ATOM-04", ByCheck, |c| {
                of(c, DType::Uint32, ScatterAtomicOp::Max);
            }),
            ("MSCATTER0-ATOM-05", ByCheck, |c| {
                of(c, DType::Uint32, ScatterAtomicOp::Min);
            }),
            ("MSCATTER0-TILE-01", ByCheck, |c| {
                c.src.location = TileType::Mat
            }),
            ("MSCATTER0-TILE-02", ByCheck, |c| {
                c.idx.location = TileType::Mat
            }),
            ("MSCATTER0-SHAPE-01", ByCheck, |c| {
                c.idx = tile(DType::Int32, [8, 1], [8, 1]);
            }),
            ("MSCATTER0-MODE-01", ByCheck, |c| {
                c.idx = tile(DType::Int32, [4, 3], [4, 3]);
            }),
            ("MSCATTER0-GAP-06", ByCaller, |c| {
                c.src.valid_row = Dim::Static(3);
            }),
            ("MSCATTER0-GAP-06", ByCaller, |c| {
                c.idx.valid_row = Dim::Dynamic(3);
            }),
            ("MSCATTER0-GAP-08", ByCaller, |c| {
                c.table = matrix(DType::Float, 6, 16);
            }),
            ("MSCATTER0-GAP-08", ByCaller, |c| {
                c.table = strided(c.table, 3, 16)
            }),
            ("MSCATTER-TABLE-08", ByCaller, |c| {
                c.table.layout = Layout::DN
            }),
            ("MSCATTER-TILE-12", ByCaller, |c| {
                c.src.slayout = SLayout::RowMajor
            }),
            ("MSCATTER-GAP-59", ByCaller, |c| {
                c.idx.slayout = SLayout::RowMajor
            }),
            ("MSCATTER-GAP-02", ByCaller, |c| {
                c.table.shape[3] = Dim::Dynamic(0)
            }),
            // 131072 + 16384 bytes are above 128 KB.
            ("MSCATTER-UB-07", ByCaller, |c| {
                c.src = tile(DType::Float, [4096, 8], [4096, 8]);
                c.idx = tile(DType::Int32, [4096, 1], [4096, 1]);
            }),
            ("MSCATTER-UB-05", ByCaller, |c| {
                c.src = tile(DType::Float, [8192, 8], [8192, 8]);
                c.idx = tile(DType::Int32, [8192, 1], [8192, 1]);
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
        &[
            ("MSCATTER0-MODE-01", ByCheck, |c| {
                c.idx = tile(DType::Int32, [4, 4], [4, 4]);
            }),
            ("MSCATTER0-GAP-04", ByCaller, |c| {
                c.table = packed(DType::Float, [2, 1, 1, 3, 10], Layout::ND);
            }),
            ("MSCATTER0-GAP-06", ByCaller, |c| {
                c.idx.valid_col = Dim::Dynamic(7);
            }),
        ],
    );
}

#[test]
fn what_the_lists_take() {
    let accepted = |c: MscatterFirst| broken(Call::MscatterFirst(c), A5, &Readings::default());
    // MSCATTER0-DTYPE-01, -ATOM-02.
    for dtype in [
        DType::Int8,
        DType::Uint8,
        DType::Int16,
        DType::Uint16,
        DType::Int32,
        DType::Uint32,
        DType::Half,
        DType::Bfloat16,
        DType::Float,
        DType::Float8E4M3,
        DType::Float8E5M2,
    ] {
        let mut call = row_call();
        of(&mut call, dtype, ScatterAtomicOp::None);
        assert_eq!(accepted(call), []);
    }
    // MSCATTER0-ATOM-03 to -05.
    use ScatterAtomicOp::{Add, Max, Min};
    for (dtype, op) in [
        (DType::Int32, Add),
        (DType::Uint32, Add),
        (DType::Float, Add),
        (DType::Half, Add),
        (DType::Int32, Max),
        (DType::Float, Max),
        (DType::Int32, Min),
        (DType::Float, Min),
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
        matrix(DType::Float, 4, 8),
        tile(DType::Float, [8, 1], [8, 1]),
        tile(DType::Int32, [8, 1], [8, 1]),
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
