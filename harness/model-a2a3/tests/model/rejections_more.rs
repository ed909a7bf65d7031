//! The static checks of gathers to L1, TSCATTER, TGATHERB, and the first
//! revision of MSCATTER.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherExec, GatherOob, Launch, Layout, MaskAxis,
    MaskPattern, MgatherL1, Model, MscatterFirst, Readings, SLayout, ScatterAtomicOp, ScatterOob,
    Scope, Tgatherb, TileType, TscatterIndex, TscatterMask,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::{dynamic, line, mat, mgather_l1, nd, tile};

const NONE: [&str; 0] = [];

fn clauses(call: Call, readings: &Readings) -> Vec<&'static str> {
    let rejections = A2a3.check(&call, readings);
    assert!(rejections.iter().all(|r| !r.why.is_empty()));
    rejections.iter().map(|r| r.clause.0).collect()
}

/// A change to a base call, and the clauses it breaks.
type Change<C> = (fn(&mut C), &'static [&'static str]);

/// Applies every change to `base`, which is legal.
fn each_breaks<C: Copy>(base: C, wrap: fn(C) -> Call, readings: Readings, all: &[Change<C>]) {
    assert_eq!(clauses(wrap(base), &readings), NONE);
    for (k, (change, wanted)) in all.iter().enumerate() {
        let mut call = base;
        change(&mut call);
        assert_eq!(clauses(wrap(call), &readings), *wanted, "change {k}");
    }
}

fn l1(mode: Coalesce) -> MgatherL1 {
    mgather_l1(
        mode,
        mat(DType::Half, [16, 32], [10, 20]),
        nd(DType::Half, 8, 32),
    )
}

/// MGATHERL1-DTYPE-05, -06, MGATHERL1-TABLE-01, MGATHERL1-EXEC-03,
/// MGATHERL1-TILE-01 to -03, MGATHERL1-GAP-05.
#[test]
fn l1_by_row() {
    each_breaks(
        l1(Coalesce::Row),
        Call::MgatherL1,
        Readings::default(),
        &[
            (|c| c.idx.dtype = DType::Uint32, &[]),
            (|c| c.idx.dtype = DType::Int16, &["MGATHERL1-DTYPE-05"]),
            (|c| c.idx.dtype = DType::Int64, &["MGATHERL1-DTYPE-05"]),
            (|c| c.table.dtype = DType::Bfloat16, &["MGATHERL1-DTYPE-06"]),
            (|c| c.table.layout = Layout::NZ, &["MGATHERL1-TABLE-01"]),
            (|c| c.table.layout = Layout::DN, &["MGATHERL1-TABLE-01"]),
            (|c| c.exec = GatherExec::Simt, &["MGATHERL1-EXEC-03"]),
            (
                |c| c.scratch = Some(line(DType::Half, 512)),
                &["MGATHERL1-GAP-05"],
            ),
            (|c| c.dst.location = TileType::Vec, &["MGATHERL1-TILE-01"]),
            (
                |c| c.dst.blayout = BLayout::RowMajor,
                &["MGATHERL1-TILE-01"],
            ),
            (
                |c| c.dst.slayout = SLayout::ColMajor,
                &["MGATHERL1-TILE-01"],
            ),
            (|c| c.dst.fractal = 1024, &["MGATHERL1-TILE-01"]),
            (|c| c.dst.cols = 24, &["MGATHERL1-TILE-02"]),
            (|c| c.dst.rows = 24, &["MGATHERL1-TILE-03"]),
            // Neither the index's shape nor extents are checked
            // (MGATHERL1-GAP-03, -17, MGATHERL1-DYN-01).
            (|c| c.idx = line(DType::Int32, 1), &[]),
            (|c| c.dst = dynamic(c.dst), &[]),
            (|c| c.table.shape[4] = Dim::Static(16), &[]),
        ],
    );
}

/// MGATHERL1-SCRATCH-01, MGATHERL1-GAP-05, -08, MGATHERL1-EXEC-03.
#[test]
fn l1_by_element() {
    each_breaks(
        l1(Coalesce::Elem),
        Call::MgatherL1,
        Readings::default(),
        &[
            (|c| c.scratch = None, &["MGATHERL1-GAP-05"]),
            (
                |c| c.scratch = Some(line(DType::Float, 512)),
                &["MGATHERL1-SCRATCH-01"],
            ),
            (|c| c.scratch = Some(line(DType::Half, 16)), &[]),
            (|c| c.exec = GatherExec::Simt, &["MGATHERL1-EXEC-03"]),
        ],
    );
}

/// MGATHERL1-DTYPE-01, -03, -04, MGATHERL1-SEM-04, MGATHERL1-GAP-15.
#[test]
fn l1_dtypes() {
    use DType::{
        Bfloat16, Float, Float8E4M3, Half, Hifloat8, Int8, Int16, Int32, Int64, Uint8, Uint16,
        Uint32,
    };
    let with = |mode, dtype, oob| {
        let call = MgatherL1 {
            oob,
            ..mgather_l1(mode, mat(dtype, [16, 32], [16, 32]), nd(dtype, 8, 32))
        };
        clauses(Call::MgatherL1(call), &Readings::default())
    };
    for mode in [Coalesce::Row, Coalesce::Elem] {
        for dtype in [
            Int8, Uint8, Int16, Uint16, Int32, Uint32, Half, Bfloat16, Float,
        ] {
            for oob in [
                GatherOob::Undefined,
                GatherOob::Clamp,
                GatherOob::Wrap,
                GatherOob::Zero,
            ] {
                assert_eq!(with(mode, dtype, oob), NONE, "{mode} {dtype} {oob}");
            }
        }
        for dtype in [Float8E4M3, Hifloat8] {
            assert_eq!(with(mode, dtype, GatherOob::Zero), ["MGATHERL1-DTYPE-01"]);
        }
    }
    let both = ["MGATHERL1-DTYPE-01", "MGATHERL1-DTYPE-03"];
    assert_eq!(with(Coalesce::Row, Int64, GatherOob::Zero), both);
    assert_eq!(
        with(Coalesce::Elem, Int64, GatherOob::Zero),
        ["MGATHERL1-DTYPE-01"]
    );
}

/// MSCATTER0-API-01: the first revision is A5's.
#[test]
fn no_first_revision() {
    let call = Call::MscatterFirst(MscatterFirst {
        table: nd(DType::Float, 8, 8),
        src: tile(DType::Float, [8, 8], [8, 8]),
        idx: tile(DType::Int32, [8, 1], [8, 1]),
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    });
    assert_eq!(clauses(call, &Readings::default()), ["MSCATTER0-API-01"]);
}

/// TSCATTER-TILE-01, TSCATTER-DTYPE-01, -03 to -07, TSCATTER-SHAPE-01.
#[test]
fn tscatter_by_index() {
    let half = tile(DType::Half, [4, 16], [4, 16]);
    let base = TscatterIndex {
        dst: half,
        src: half,
        idx: tile(DType::Uint16, [4, 16], [4, 16]),
    };
    each_breaks(
        base,
        Call::TscatterIndex,
        Readings::default(),
        &[
            (|c| c.dst.location = TileType::Mat, &["TSCATTER-TILE-01"]),
            (|c| c.src.location = TileType::Mat, &["TSCATTER-TILE-01"]),
            (|c| c.idx.location = TileType::Mat, &["TSCATTER-TILE-01"]),
            (|c| c.src.dtype = DType::Int16, &["TSCATTER-DTYPE-03"]),
            (|c| c.idx.dtype = DType::Int16, &[]),
            (|c| c.idx.dtype = DType::Int32, &["TSCATTER-DTYPE-06"]),
            (|c| c.idx.dtype = DType::Half, &["TSCATTER-DTYPE-04"]),
            (
                |c| c.idx.dtype = DType::Int64,
                &["TSCATTER-DTYPE-04", "TSCATTER-DTYPE-06"],
            ),
            (|c| c.dst.valid_row = Dim::Static(5), &["TSCATTER-SHAPE-01"]),
            (
                |c| c.src.valid_col = Dim::Static(17),
                &["TSCATTER-SHAPE-01"],
            ),
            (
                |c| c.idx.valid_col = Dim::Static(17),
                &["TSCATTER-SHAPE-01"],
            ),
            (|c| c.src.valid_col = Dim::Dynamic(17), &[]),
            // Extents, alignment and layouts are free (TSCATTER-GAP-03, -04, -20).
            (|c| c.dst = tile(DType::Half, [1, 3], [1, 3]), &[]),
            (|c| c.src.valid_row = Dim::Static(0), &[]),
            (|c| c.dst.blayout = BLayout::ColMajor, &[]),
        ],
    );
}

/// TSCATTER-DTYPE-01, -05, -07, TSCATTER-GAP-01 (its witness).
#[test]
fn tscatter_dtypes() {
    let with = |data, index| {
        let all = tile(data, [1, 8], [1, 8]);
        let call = TscatterIndex {
            dst: all,
            src: all,
            idx: tile(index, [1, 8], [1, 8]),
        };
        clauses(Call::TscatterIndex(call), &Readings::default())
    };
    for data in [DType::Float, DType::Int32, DType::Uint32] {
        assert_eq!(with(data, DType::Int32), NONE);
        assert_eq!(with(data, DType::Uint16), ["TSCATTER-DTYPE-05"]);
    }
    for data in [DType::Half, DType::Bfloat16, DType::Int16, DType::Uint16] {
        assert_eq!(with(data, DType::Uint16), NONE);
    }
    for data in [DType::Int8, DType::Uint8] {
        assert_eq!(with(data, DType::Uint16), NONE);
        assert_eq!(with(data, DType::Int32), ["TSCATTER-DTYPE-07"]);
    }
    // Destination and source, each of a dtype in no list.
    for data in [DType::Int64, DType::Hifloat8] {
        assert_eq!(with(data, DType::Uint16), ["TSCATTER-DTYPE-01"; 2]);
    }
}

/// TSCATTER-MODE-02, TSCATTER-TILE-02, TSCATTER-DTYPE-08, TSCATTER-SHAPE-02, -03.
#[test]
fn tscatter_by_mask() {
    let base = TscatterMask {
        dst: tile(DType::Half, [16, 128], [16, 128]),
        src: tile(DType::Half, [16, 64], [16, 64]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    };
    let documented = Readings::default();
    assert_eq!(
        clauses(Call::TscatterMask(base), &documented),
        ["TSCATTER-MODE-02"]
    );
    // A form that does not exist has no rules.
    let mut in_l1 = base;
    in_l1.src.location = TileType::Mat;
    assert_eq!(
        clauses(Call::TscatterMask(in_l1), &documented),
        ["TSCATTER-MODE-02"]
    );
    let suite = Readings {
        scope: Scope::AsTheSuite,
        ..documented
    };
    each_breaks(
        base,
        Call::TscatterMask,
        suite,
        &[
            (|c| c.axis = MaskAxis::Col, &["TSCATTER-SHAPE-02"]),
            // Expansion along the rows, to twice as many, is rejected once.
            (
                |c| {
                    c.axis = MaskAxis::Col;
                    c.src = tile(DType::Half, [8, 128], [8, 128]);
                },
                &["TSCATTER-SHAPE-02"],
            ),
            (|c| c.dst.location = TileType::Mat, &["TSCATTER-TILE-02"]),
            (|c| c.src.location = TileType::Mat, &["TSCATTER-TILE-02"]),
            (|c| c.src.dtype = DType::Bfloat16, &["TSCATTER-DTYPE-08"]),
            (
                |c| c.src.valid_row = Dim::Static(15),
                &["TSCATTER-SHAPE-02"],
            ),
            (|c| c.src.valid_row = Dim::Dynamic(15), &[]),
            (|c| c.pattern = MaskPattern::P0001, &["TSCATTER-SHAPE-03"]),
            (|c| c.pattern = MaskPattern::P1111, &["TSCATTER-SHAPE-03"]),
            (
                |c| c.dst.valid_col = Dim::Static(100),
                &["TSCATTER-SHAPE-03"],
            ),
            (|c| c.dst.valid_col = Dim::Dynamic(100), &[]),
            (|c| c.src.valid_col = Dim::Dynamic(60), &[]),
        ],
    );
    let mut both = base;
    both.src.dtype = DType::Int64;
    both.dst.dtype = DType::Int64;
    let twice = ["TSCATTER-DTYPE-08"; 2];
    assert_eq!(clauses(Call::TscatterMask(both), &suite), twice);
}

/// TGATHERB-TILE-01, TGATHERB-DTYPE-01, -03, -05.
#[test]
fn tgatherb() {
    let bytes = tile(DType::Uint8, [1, 256], [1, 256]);
    let base = Tgatherb {
        dst: bytes,
        src: bytes,
        offset: tile(DType::Uint32, [1, 256], [1, 256]),
    };
    each_breaks(
        base,
        Call::Tgatherb,
        Readings::default(),
        &[
            (|c| c.dst.blayout = BLayout::ColMajor, &["TGATHERB-TILE-01"]),
            (
                |c| c.dst.dtype = DType::Int64,
                &["TGATHERB-DTYPE-01", "TGATHERB-DTYPE-03"],
            ),
            (|c| c.src.dtype = DType::Int64, &["TGATHERB-DTYPE-03"]),
            (|c| c.dst.dtype = DType::Hifloat8, &["TGATHERB-DTYPE-03"]),
            // Nothing else is in the list (TGATHERB-GAP-04, -05, -06, -09, -10).
            (|c| c.src.dtype = DType::Float, &[]),
            (|c| c.src.blayout = BLayout::ColMajor, &[]),
            (|c| c.src.location = TileType::Mat, &[]),
            (|c| c.offset.dtype = DType::Uint16, &[]),
            (|c| c.offset.valid_col = Dim::Static(1), &[]),
        ],
    );
}
