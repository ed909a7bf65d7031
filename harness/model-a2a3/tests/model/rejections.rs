//! The static checks: for each one call that passes and one that does not.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherOob, Layout, Mgather, Model, Mscatter, Readings,
    SLayout, ScatterAtomicOp, ScatterOob, TileType,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::{dynamic, mgather, mscatter, nd, nz, nz_tile, tile};

fn clauses(call: Call) -> Vec<&'static str> {
    let rejections = A2a3.check(&call, &Readings::default());
    assert!(rejections.iter().all(|r| !r.why.is_empty()));
    rejections.iter().map(|r| r.clause.0).collect()
}

/// One change to a base call, and the clauses it breaks on MSCATTER and MGATHER.
type Change = (
    fn(&mut Mscatter),
    &'static [&'static str],
    &'static [&'static str],
);

/// Applies every change to `base` as a scatter and, with the same operands, as a gather.
fn each_breaks(base: Mscatter, changes: &[Change]) {
    let gather =
        |call: &Mscatter| Call::Mgather(mgather(call.mode, call.src, call.table, call.idx));
    assert_eq!(clauses(Call::Mscatter(base)), [""; 0]);
    assert_eq!(clauses(gather(&base)), [""; 0]);
    for (change, scattered, gathered) in changes {
        let mut call = base;
        change(&mut call);
        assert_eq!(clauses(Call::Mscatter(call)), *scattered);
        assert_eq!(clauses(gather(&call)), *gathered);
    }
}

fn row() -> Mscatter {
    mscatter(
        Coalesce::Row,
        nd(DType::Float, 4, 16),
        tile(DType::Float, [8, 16], [8, 16]),
        tile(DType::Int32, [1, 8], [1, 8]),
    )
}

fn elem() -> Mscatter {
    mscatter(
        Coalesce::Elem,
        nd(DType::Float, 4, 16),
        tile(DType::Float, [8, 16], [8, 16]),
        tile(DType::Int32, [8, 16], [8, 16]),
    )
}

fn nz_row() -> Mscatter {
    mscatter(
        Coalesce::Row,
        nz(DType::Float, [1, 2, 2], 8),
        nz_tile(DType::Float, [32, 16], [8, 16]),
        tile(DType::Int32, [1, 8], [1, 8]),
    )
}

#[test]
fn dtypes() {
    each_breaks(
        elem(),
        &[
            (
                |c| c.idx.dtype = DType::Int16,
                &["MSCATTER-DTYPE-03"],
                &["MGATHER-DTYPE-08"],
            ),
            (
                |c| c.idx.dtype = DType::Int64,
                &["MSCATTER-DTYPE-03"],
                &["MGATHER-DTYPE-08"],
            ),
            (|c| c.idx.dtype = DType::Uint32, &[], &[]),
            (
                |c| c.table.dtype = DType::Int32,
                &["MSCATTER-DTYPE-11"],
                &["MGATHER-DTYPE-11"],
            ),
        ],
    );
}

/// MSCATTER-DTYPE-07, -08, MSCATTER-ATOM-07, MGATHER-DTYPE-06, -07.
#[test]
fn element_dtypes() {
    use DType::{
        Bfloat16, Float, Float8E4M3, Float8E5M2, Half, Hifloat8, Int8, Int16, Int32, Int64, Uint8,
        Uint16, Uint32, Uint64,
    };
    let with = |dtype| {
        let mut call = elem();
        call.table.dtype = dtype;
        call.src.dtype = dtype;
        call.src.cols = 32;
        let gather = mgather(call.mode, call.src, call.table, call.idx);
        (
            clauses(Call::Mscatter(call)),
            clauses(Call::Mgather(gather)),
        )
    };
    for dtype in [
        Int8, Uint8, Int16, Uint16, Int32, Uint32, Half, Bfloat16, Float,
    ] {
        assert_eq!(with(dtype), (vec![], vec![]), "{dtype}");
    }
    for dtype in [Float8E4M3, Float8E5M2, Hifloat8] {
        let want = (vec!["MSCATTER-DTYPE-08"], vec!["MGATHER-DTYPE-07"]);
        assert_eq!(with(dtype), want, "{dtype}");
    }
    for dtype in [Int64, Uint64] {
        let want = (vec!["MSCATTER-DTYPE-07"], vec!["MGATHER-DTYPE-06"]);
        assert_eq!(with(dtype), want, "{dtype}");
    }
}

/// MSCATTER-ATOM-08 to -10, both modes.
#[test]
fn atomics() {
    use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint8, Uint16, Uint32};
    use ScatterAtomicOp::{Add, Max, Min};
    let with = |base: Mscatter, atomic, dtype| {
        let mut call = base;
        call.atomic = atomic;
        call.table.dtype = dtype;
        call.src.dtype = dtype;
        call.src.cols = 32;
        clauses(Call::Mscatter(call))
    };
    for base in [row(), elem()] {
        for dtype in [Int8, Int16, Int32, Half, Bfloat16, Float] {
            assert_eq!(with(base, Add, dtype), [""; 0], "{dtype}");
        }
        for dtype in [Uint8, Uint16, Uint32] {
            assert_eq!(with(base, Add, dtype), ["MSCATTER-ATOM-09"], "{dtype}");
        }
        for dtype in [Int32, Uint32, Float] {
            for atomic in [Max, Min] {
                assert_eq!(with(base, atomic, dtype), ["MSCATTER-ATOM-10"], "{dtype}");
            }
        }
        let both = with(base, Add, DType::Int64);
        assert_eq!(both, ["MSCATTER-DTYPE-07", "MSCATTER-ATOM-08"]);
    }
}

#[test]
fn locations_and_layouts() {
    each_breaks(
        row(),
        &[
            (
                |c| c.src.location = TileType::Mat,
                &["MSCATTER-TILE-01"],
                &["MGATHER-TILE-01"],
            ),
            (
                |c| c.idx.location = TileType::Mat,
                &["MSCATTER-TILE-02"],
                &["MGATHER-TILE-02"],
            ),
            (
                |c| c.idx.blayout = BLayout::ColMajor,
                &["MSCATTER-TILE-06"],
                &["MGATHER-TILE-04"],
            ),
            (
                |c| c.idx.slayout = SLayout::RowMajor,
                &["MSCATTER-TILE-06"],
                &["MGATHER-TILE-04"],
            ),
            (
                |c| c.src.blayout = BLayout::ColMajor,
                &["MSCATTER-TILE-07"],
                &["MGATHER-TILE-05"],
            ),
            (
                |c| c.src = nz_tile(DType::Float, [16, 16], [8, 16]),
                &["MSCATTER-TILE-07", "MSCATTER-TILE-09"],
                &["MGATHER-TILE-05"],
            ),
            (
                |c| c.table.layout = Layout::DN,
                &["MSCATTER-GAP-20"],
                &["MGATHER-GAP-39"],
            ),
            // SFractalSize means nothing without boxes.
            (|c| c.src.fractal = 1024, &[], &[]),
        ],
    );
}

#[test]
fn nz_pairing() {
    each_breaks(
        nz_row(),
        &[
            (
                |c| c.src.fractal = 1024,
                &["MSCATTER-TILE-08"],
                &["MGATHER-TILE-06"],
            ),
            (
                |c| c.src.slayout = SLayout::ColMajor,
                &["MSCATTER-TILE-08"],
                &["MGATHER-TILE-06"],
            ),
            (
                |c| c.src = tile(DType::Float, [16, 16], [8, 16]),
                &["MSCATTER-TILE-08", "MSCATTER-TILE-09"],
                &["MGATHER-TILE-06"],
            ),
            (
                |c| c.idx.blayout = BLayout::ColMajor,
                &["MSCATTER-TILE-06"],
                &["MGATHER-TILE-04"],
            ),
        ],
    );
}

#[test]
fn nz_extents() {
    each_breaks(
        nz_row(),
        &[
            (
                |c| c.table.shape[3] = Dim::Static(32),
                &["MSCATTER-NZ-04"],
                &["MGATHER-NZ-07"],
            ),
            (|c| c.table.shape[3] = Dim::Dynamic(32), &[], &[]),
            (
                |c| c.table.shape[4] = Dim::Static(16),
                &["MSCATTER-NZ-05"],
                &["MGATHER-NZ-08"],
            ),
            (|c| c.table.shape[4] = Dim::Dynamic(16), &[], &[]),
            (|c| c.src.rows = 24, &["MSCATTER-NZ-07"], &["MGATHER-NZ-10"]),
            (
                |c| c.src.cols = 12,
                &["MSCATTER-ALIGN-01", "MSCATTER-NZ-06"],
                &["MGATHER-ALIGN-01", "MGATHER-NZ-09"],
            ),
            (|c| c.table.shape[0] = Dim::Static(2), &[], &[]),
        ],
    );
}

#[test]
fn padded_width() {
    each_breaks(
        row(),
        &[
            (
                |c| c.src.cols = 12,
                &["MSCATTER-ALIGN-01"],
                &["MGATHER-ALIGN-01"],
            ),
            (
                |c| {
                    c.src.cols = 4;
                    c.src.valid_col = Dim::Static(4);
                },
                &["MSCATTER-ALIGN-01"],
                &["MGATHER-ALIGN-01"],
            ),
            // The index tile has no such rule (MSCATTER-GAP-63), nor have valid extents.
            (|c| c.idx.cols = 9, &[], &[]),
            (|c| c.src.valid_col = Dim::Static(3), &[], &[]),
        ],
    );
}

/// MSCATTER-SHAPE-01, -03, MSCATTER-DYN-04, MGATHER-MODE-02, -03, MGATHER-SHAPE-03.
#[test]
fn row_shapes() {
    const SHAPE: &[&str] = &["MSCATTER-SHAPE-01"];
    const MODE: &[&str] = &["MGATHER-MODE-02"];
    each_breaks(
        row(),
        &[
            (|c| c.idx.valid_col = Dim::Static(7), SHAPE, MODE),
            (|c| c.idx.valid_col = Dim::Dynamic(7), &[], &[]),
            (|c| c.idx.valid_row = Dim::Static(2), SHAPE, MODE),
            (|c| c.src.valid_row = Dim::Static(7), SHAPE, MODE),
            (
                |c| {
                    c.idx.valid_row = Dim::Static(8);
                    c.idx.valid_col = Dim::Static(1);
                },
                &["MSCATTER-SHAPE-01", "MSCATTER-SHAPE-01"],
                &["MGATHER-MODE-02", "MGATHER-MODE-02"],
            ),
            (
                |c| {
                    c.src.valid_row = Dim::Static(0);
                    c.idx.valid_col = Dim::Static(0);
                },
                &["MSCATTER-SHAPE-03"],
                &["MGATHER-SHAPE-03"],
            ),
            (
                |c| c.src.valid_col = Dim::Static(0),
                &["MSCATTER-SHAPE-03"],
                &["MGATHER-SHAPE-03"],
            ),
            (|c| c.src.valid_col = Dim::Dynamic(0), &[], &[]),
            (
                |c| {
                    c.src = dynamic(c.src);
                    c.idx = dynamic(tile(DType::Int32, [8, 16], [3, 5]));
                },
                &[],
                &[],
            ),
        ],
    );
}

/// MSCATTER-SHAPE-02, MSCATTER-MODE-02, MGATHER-MODE-01, -05.
#[test]
fn elem_shapes() {
    const SHAPE: &[&str] = &["MSCATTER-SHAPE-02"];
    const MODE: &[&str] = &["MGATHER-MODE-05"];
    each_breaks(
        elem(),
        &[
            (|c| c.idx.valid_col = Dim::Static(15), SHAPE, MODE),
            (|c| c.idx.valid_row = Dim::Static(7), SHAPE, MODE),
            (|c| c.idx.valid_row = Dim::Dynamic(7), &[], &[]),
            (
                |c| c.idx = tile(DType::Int32, [1, 8], [1, 8]),
                &["MSCATTER-SHAPE-02", "MSCATTER-SHAPE-02"],
                &["MGATHER-MODE-05", "MGATHER-MODE-05"],
            ),
            (
                |c| c.mode = Coalesce::Row,
                &["MSCATTER-SHAPE-01", "MSCATTER-SHAPE-01"],
                &["MGATHER-MODE-02", "MGATHER-MODE-02"],
            ),
            (|c| c.idx.cols = 24, &[], &[]),
        ],
    );
}

/// MSCATTER-OOB-01, MGATHER-OOB-11, MGATHER-API-07: policies are never rejected.
#[test]
fn policies_are_free() {
    use ScatterOob::{Clamp, Skip, Undefined, Wrap};
    for oob in [Undefined, Skip, Clamp, Wrap] {
        assert_eq!(clauses(Call::Mscatter(Mscatter { oob, ..row() })), [""; 0]);
    }
    let Mscatter {
        table, src, idx, ..
    } = row();
    for oob in [
        GatherOob::Undefined,
        GatherOob::Clamp,
        GatherOob::Wrap,
        GatherOob::Zero,
    ] {
        let call = Mgather {
            oob,
            ..mgather(Coalesce::Row, src, table, idx)
        };
        assert_eq!(clauses(Call::Mgather(call)), [""; 0]);
    }
}

/// All rejections are returned, not the first one only.
#[test]
fn rejections_add_up() {
    let mut call = row();
    call.src.location = TileType::Mat;
    call.idx.dtype = DType::Float;
    call.atomic = ScatterAtomicOp::Max;
    assert_eq!(
        clauses(Call::Mscatter(call)),
        ["MSCATTER-DTYPE-03", "MSCATTER-ATOM-10", "MSCATTER-TILE-01"]
    );
}

/// A layout that is rejected is named whole (MSCATTER-TILE-06, -07).
#[test]
fn layouts_are_named() {
    let mut call = row();
    call.idx.blayout = BLayout::ColMajor;
    call.src.slayout = SLayout::RowMajor;
    call.src.fractal = 1024;
    let rejections = A2a3.check(&Call::Mscatter(call), &Readings::default());
    let found: Vec<&str> = rejections.iter().map(|r| r.why.as_str()).collect();
    assert_eq!(
        found,
        [
            "index tile ColMajor+NoneBox+512",
            "ND table with data tile RowMajor+RowMajor+1024",
        ]
    );
}
