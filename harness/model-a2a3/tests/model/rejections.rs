//! The static checks: for each one call that passes and one that does not.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, Launch, Layout,
    MaskAxis, MaskPattern, MgatherL1, Model, Mscatter, MscatterFirst, NzDynamic, Readings, SLayout,
    ScatterAtomicOp, ScatterOob, Scope, Tgatherb, TileType, TscatterIndex, TscatterMask,
};
use ptodiff_model_a2a3::A2a3;
use strum::VariantArray;

use crate::common::{
    dynamic, line, mat, mgather, mgather_l1, mscatter, nd, nz, nz_tile, reading, tile,
};

use Coalesce::{Elem, Row};
use DType::{
    Bfloat16, Float, Half, Hifloat8, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
};
use Dim::{Dynamic, Static};

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

/// What a scatter and a gather of the same operands break.
fn both(call: &Mscatter) -> [Vec<&'static str>; 2] {
    let gather = mgather(call.mode, call.src, call.table, call.idx);
    [Call::Mscatter(*call), Call::Mgather(gather)].map(|call| clauses(call, &Readings::default()))
}

/// A change to a base call, and what it breaks of MSCATTER and of MGATHER.
type ChangeOfBoth = (fn(&mut Mscatter), &'static str, &'static str);

/// Applies every change to `base`; clauses are told without their instruction, one
/// after the other, and `""` is none.
fn each_breaks_both(base: Mscatter, changes: &[ChangeOfBoth]) {
    assert_eq!(both(&base), [NONE, NONE]);
    for (k, (change, scattered, gathered)) in changes.iter().enumerate() {
        let mut call = base;
        change(&mut call);
        let whole = |instruction: &str, clauses: &str| -> Vec<String> {
            let clauses = clauses.split_whitespace();
            clauses.map(|c| format!("{instruction}-{c}")).collect()
        };
        let [scatter, gather] = both(&call);
        assert_eq!(scatter, whole("MSCATTER", scattered), "change {k}");
        assert_eq!(gather, whole("MGATHER", gathered), "change {k}");
    }
}

fn row() -> Mscatter {
    let (src, idx) = (tile(Float, [8, 16], [8, 16]), tile(Int32, [1, 8], [1, 8]));
    mscatter(Row, nd(Float, 4, 16), src, idx)
}

fn elem() -> Mscatter {
    let (src, idx) = (tile(Float, [8, 16], [8, 16]), tile(Int32, [8, 16], [8, 16]));
    mscatter(Elem, nd(Float, 4, 16), src, idx)
}

fn nz_row() -> Mscatter {
    let src = nz_tile(Float, [32, 16], [8, 16]);
    mscatter(
        Row,
        nz(Float, [1, 2, 2], 8),
        src,
        tile(Int32, [1, 8], [1, 8]),
    )
}

/// MSCATTER-DTYPE-03, -07, -08, -11, MSCATTER-ATOM-07, MGATHER-DTYPE-06 to -08, -11.
#[test]
fn dtypes() {
    for &dtype in DType::VARIANTS {
        let mut call = elem();
        call.idx.dtype = dtype;
        let want = match dtype {
            Int32 | Uint32 => [vec![], vec![]],
            _ => [vec!["MSCATTER-DTYPE-03"], vec!["MGATHER-DTYPE-08"]],
        };
        assert_eq!(both(&call), want, "{dtype}");
        let mut call = elem();
        (call.table.dtype, call.src.dtype, call.src.cols) = (dtype, dtype, 32);
        let want = match dtype {
            Int64 | Uint64 => [vec!["MSCATTER-DTYPE-07"], vec!["MGATHER-DTYPE-06"]],
            DType::Float8E4M3 | DType::Float8E5M2 | Hifloat8 => {
                [vec!["MSCATTER-DTYPE-08"], vec!["MGATHER-DTYPE-07"]]
            }
            _ => [vec![], vec![]],
        };
        assert_eq!(both(&call), want, "{dtype}");
    }
    each_breaks_both(
        elem(),
        &[(|c| c.table.dtype = Int32, "DTYPE-11", "DTYPE-11")],
    );
}

/// MSCATTER-ATOM-08 to -10, both modes.
#[test]
fn atomics() {
    use ScatterAtomicOp::{Add, Max, Min};
    for base in [row(), elem()] {
        for &dtype in DType::VARIANTS {
            let with = |atomic| {
                let mut call = Mscatter { atomic, ..base };
                (call.table.dtype, call.src.dtype, call.src.cols) = (dtype, dtype, 32);
                let mut found = clauses(Call::Mscatter(call), &Readings::default());
                found.retain(|clause| clause.starts_with("MSCATTER-ATOM"));
                found
            };
            let add: &[&str] = match dtype {
                Int8 | Int16 | Int32 | Half | Bfloat16 | Float => &[],
                Uint8 | Uint16 | Uint32 => &["MSCATTER-ATOM-09"],
                _ => &["MSCATTER-ATOM-08"],
            };
            assert_eq!(with(Add), add, "{dtype}");
            for atomic in [Max, Min] {
                assert_eq!(with(atomic), ["MSCATTER-ATOM-10"], "{dtype}");
            }
        }
    }
}

#[test]
fn locations_and_layouts() {
    each_breaks_both(
        row(),
        &[
            (|c| c.src.location = TileType::Mat, "TILE-01", "TILE-01"),
            (|c| c.idx.location = TileType::Mat, "TILE-02", "TILE-02"),
            (|c| c.idx.blayout = BLayout::ColMajor, "TILE-06", "TILE-04"),
            (|c| c.idx.slayout = SLayout::RowMajor, "TILE-06", "TILE-04"),
            (|c| c.src.blayout = BLayout::ColMajor, "TILE-07", "TILE-05"),
            (
                |c| c.src = nz_tile(Float, [16, 16], [8, 16]),
                "TILE-07 TILE-09",
                "TILE-05",
            ),
            (|c| c.table.layout = Layout::DN, "GAP-20", "GAP-39"),
            // SFractalSize means nothing without boxes.
            (|c| c.src.fractal = 1024, "", ""),
        ],
    );
    // A layout that is rejected is named whole.
    let mut call = row();
    call.idx.blayout = BLayout::ColMajor;
    (call.src.slayout, call.src.fractal) = (SLayout::RowMajor, 1024);
    let rejections = A2a3.check(&Call::Mscatter(call), &Readings::default());
    let found: Vec<&str> = rejections.iter().map(|r| r.why.as_str()).collect();
    let index = "index tile ColMajor+NoneBox+512";
    let data = "ND table with data tile RowMajor+RowMajor+1024";
    assert_eq!(found, [index, data]);
}

#[test]
fn nz_pairing_and_extents() {
    each_breaks_both(
        nz_row(),
        &[
            (|c| c.src.fractal = 1024, "TILE-08", "TILE-06"),
            (|c| c.src.slayout = SLayout::ColMajor, "TILE-08", "TILE-06"),
            (
                |c| c.src = tile(Float, [16, 16], [8, 16]),
                "TILE-08 TILE-09",
                "TILE-06",
            ),
            (|c| c.idx.blayout = BLayout::ColMajor, "TILE-06", "TILE-04"),
            (|c| c.table.shape[3] = Static(32), "NZ-04", "NZ-07"),
            (|c| c.table.shape[3] = Dynamic(32), "", ""),
            (|c| c.table.shape[4] = Static(16), "NZ-05", "NZ-08"),
            (|c| c.table.shape[4] = Dynamic(16), "", ""),
            (|c| c.src.rows = 24, "NZ-07", "NZ-10"),
            (|c| c.src.cols = 12, "ALIGN-01 NZ-06", "ALIGN-01 NZ-09"),
            (|c| c.table.shape[0] = Static(2), "", ""),
        ],
    );
}

/// MSCATTER-GAP-27, MGATHER-GAP-23: one rejection for the two inner dimensions,
/// none for the outer ones, and none for a table that is not NZ.
#[test]
fn dynamic_inner_dimensions() {
    let rejected = reading(|r| r.nz_dynamic = NzDynamic::Rejected);
    let with = |dims: &[usize], mut call: Mscatter| {
        for &d in dims {
            call.table.shape[d] = Dynamic(call.table.shape[d].get());
        }
        assert_eq!(both(&call), [NONE, NONE]);
        let gather = mgather(call.mode, call.src, call.table, call.idx);
        [Call::Mscatter(call), Call::Mgather(gather)].map(|call| clauses(call, &rejected))
    };
    for dims in [&[3][..], &[4], &[3, 4]] {
        let want = [["MSCATTER-GAP-27"], ["MGATHER-GAP-23"]];
        assert_eq!(with(dims, nz_row()), want);
    }
    assert_eq!(with(&[0, 1, 2], nz_row()), [NONE, NONE]);
    assert_eq!(with(&[3, 4], row()), [NONE, NONE]);
}

/// MSCATTER-ALIGN-01, MSCATTER-SHAPE-01, -03, MSCATTER-DYN-04, MGATHER-MODE-02, -03,
/// MGATHER-SHAPE-03.
#[test]
fn row_shapes() {
    each_breaks_both(
        row(),
        &[
            (|c| c.src.cols = 12, "ALIGN-01", "ALIGN-01"),
            (
                |c| (c.src.cols, c.src.valid_col) = (4, Static(4)),
                "ALIGN-01",
                "ALIGN-01",
            ),
            // The index tile has no such rule (MSCATTER-GAP-63), nor have valid extents.
            (|c| c.idx.cols = 9, "", ""),
            (|c| c.src.valid_col = Static(3), "", ""),
            (|c| c.idx.valid_col = Static(7), "SHAPE-01", "MODE-02"),
            (|c| c.idx.valid_col = Dynamic(7), "", ""),
            (|c| c.idx.valid_row = Static(2), "SHAPE-01", "MODE-02"),
            (|c| c.src.valid_row = Static(7), "SHAPE-01", "MODE-02"),
            (
                |c| (c.idx.valid_row, c.idx.valid_col) = (Static(8), Static(1)),
                "SHAPE-01 SHAPE-01",
                "MODE-02 MODE-02",
            ),
            (
                |c| (c.src.valid_row, c.idx.valid_col) = (Static(0), Static(0)),
                "SHAPE-03",
                "SHAPE-03",
            ),
            (|c| c.src.valid_col = Static(0), "SHAPE-03", "SHAPE-03"),
            (|c| c.src.valid_col = Dynamic(0), "", ""),
            (
                |c| {
                    c.src = dynamic(c.src);
                    c.idx = dynamic(tile(Int32, [8, 16], [3, 5]));
                },
                "",
                "",
            ),
        ],
    );
}

fn l1(mode: Coalesce) -> MgatherL1 {
    mgather_l1(mode, mat(Half, [16, 32], [10, 20]), nd(Half, 8, 32))
}

/// MGATHERL1-DTYPE-05, -06, MGATHERL1-TABLE-01, MGATHERL1-EXEC-03, MGATHERL1-TILE-01 to
/// -03, MGATHERL1-GAP-05, -08, MGATHERL1-SCRATCH-01.
#[test]
fn gathers_to_l1() {
    const FORM: &[&str] = &["MGATHERL1-TILE-01"];
    let simt: Change<MgatherL1> = (|c| c.exec = GatherExec::Simt, &["MGATHERL1-EXEC-03"]);
    each_breaks(
        l1(Row),
        Call::MgatherL1,
        Readings::default(),
        &[
            simt,
            (|c| c.idx.dtype = Uint32, &[]),
            (|c| c.idx.dtype = Int16, &["MGATHERL1-DTYPE-05"]),
            (|c| c.idx.dtype = Int64, &["MGATHERL1-DTYPE-05"]),
            (|c| c.table.dtype = Bfloat16, &["MGATHERL1-DTYPE-06"]),
            (|c| c.table.layout = Layout::NZ, &["MGATHERL1-TABLE-01"]),
            (|c| c.table.layout = Layout::DN, &["MGATHERL1-TABLE-01"]),
            (|c| c.scratch = Some(c.table), &["MGATHERL1-GAP-05"]),
            (|c| c.dst.location = TileType::Vec, FORM),
            (|c| c.dst.blayout = BLayout::RowMajor, FORM),
            (|c| c.dst.slayout = SLayout::ColMajor, FORM),
            (|c| c.dst.fractal = 1024, FORM),
            (|c| c.dst.cols = 24, &["MGATHERL1-TILE-02"]),
            (|c| c.dst.rows = 24, &["MGATHERL1-TILE-03"]),
            // Neither the index's shape nor extents are checked
            // (MGATHERL1-GAP-03, -17, MGATHERL1-DYN-01).
            (|c| c.idx = line(Int32, 1), &[]),
            (|c| c.dst = dynamic(c.dst), &[]),
            (|c| c.table.shape[4] = Static(16), &[]),
        ],
    );
    each_breaks(
        l1(Elem),
        Call::MgatherL1,
        Readings::default(),
        &[
            simt,
            (|c| c.scratch = None, &["MGATHERL1-GAP-05"]),
            (
                |c| c.scratch = Some(line(Float, 512)),
                &["MGATHERL1-SCRATCH-01"],
            ),
            (|c| c.scratch = Some(line(Half, 16)), &[]),
        ],
    );
}

/// MGATHERL1-DTYPE-01, -03, -04, MGATHERL1-SEM-04, MGATHERL1-GAP-15.
#[test]
fn l1_dtypes() {
    for &mode in Coalesce::VARIANTS {
        for &dtype in DType::VARIANTS {
            for &oob in GatherOob::VARIANTS {
                let dst = mat(dtype, [16, 32], [16, 32]);
                let call = mgather_l1(mode, dst, nd(dtype, 8, 32));
                let call = Call::MgatherL1(MgatherL1 { oob, ..call });
                let want: &[&str] = match (mode, dtype) {
                    (Row, Int64 | Uint64) => &["MGATHERL1-DTYPE-01", "MGATHERL1-DTYPE-03"],
                    (_, Int64 | Uint64 | DType::Float8E4M3 | DType::Float8E5M2 | Hifloat8) => {
                        &["MGATHERL1-DTYPE-01"]
                    }
                    _ => &[],
                };
                assert_eq!(clauses(call, &Readings::default()), want, "{mode} {dtype}");
            }
        }
    }
}

/// MSCATTER0-API-01: the first revision is A5's.
#[test]
fn no_first_revision() {
    let table: GlobalTensor = nd(Float, 8, 8);
    let call = Call::MscatterFirst(MscatterFirst {
        table,
        src: tile(Float, [8, 8], [8, 8]),
        idx: tile(Int32, [8, 1], [8, 1]),
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    });
    assert_eq!(clauses(call, &Readings::default()), ["MSCATTER0-API-01"]);
}

/// TSCATTER-TILE-01, TSCATTER-DTYPE-03, -04, TSCATTER-SHAPE-01.
#[test]
fn tscatter_by_index() {
    const OVER: &[&str] = &["TSCATTER-SHAPE-01"];
    let half = tile(Half, [4, 16], [4, 16]);
    let base = TscatterIndex {
        dst: half,
        src: half,
        idx: tile(Uint16, [4, 16], [4, 16]),
    };
    each_breaks(
        base,
        Call::TscatterIndex,
        Readings::default(),
        &[
            (|c| c.dst.location = TileType::Mat, &["TSCATTER-TILE-01"]),
            (|c| c.src.location = TileType::Mat, &["TSCATTER-TILE-01"]),
            (|c| c.idx.location = TileType::Mat, &["TSCATTER-TILE-01"]),
            (|c| c.src.dtype = Int16, &["TSCATTER-DTYPE-03"]),
            (|c| c.idx.dtype = Half, &["TSCATTER-DTYPE-04"]),
            (
                |c| c.idx.dtype = Int64,
                &["TSCATTER-DTYPE-04", "TSCATTER-DTYPE-06"],
            ),
            (|c| c.dst.valid_row = Static(5), OVER),
            (|c| c.src.valid_col = Static(17), OVER),
            (|c| c.idx.valid_col = Static(17), OVER),
            (|c| c.src.valid_col = Dynamic(17), &[]),
            // Extents, alignment and layouts are free (TSCATTER-GAP-03, -04, -20).
            (|c| c.dst = tile(Half, [1, 3], [1, 3]), &[]),
            (|c| c.src.valid_row = Static(0), &[]),
            (|c| c.dst.blayout = BLayout::ColMajor, &[]),
        ],
    );
}

/// TSCATTER-DTYPE-01, -05 to -07, TSCATTER-GAP-01 (its witness): the index is as wide as
/// the element, but for bytes 16 bits.
#[test]
fn tscatter_dtypes() {
    for &data in DType::VARIANTS {
        let with = |index| {
            let (dst, src) = (tile(data, [1, 8], [1, 8]), tile(data, [1, 8], [1, 8]));
            let idx = tile(index, [1, 8], [1, 8]);
            let call = Call::TscatterIndex(TscatterIndex { dst, src, idx });
            clauses(call, &Readings::default())
        };
        let (narrow, wide): (&[&str], &[&str]) = match data {
            Float | Int32 | Uint32 => (&["TSCATTER-DTYPE-05"], &[]),
            Half | Bfloat16 | Int16 | Uint16 => (&[], &["TSCATTER-DTYPE-06"]),
            Int8 | Uint8 => (&[], &["TSCATTER-DTYPE-07"]),
            // Destination and source, each of a dtype in no list.
            _ => {
                assert_eq!(with(Uint16)[..2], ["TSCATTER-DTYPE-01"; 2], "{data}");
                continue;
            }
        };
        for index in [Int16, Uint16] {
            assert_eq!(with(index), narrow, "{data}");
        }
        for index in [Int32, Uint32] {
            assert_eq!(with(index), wide, "{data}");
        }
    }
}

/// TSCATTER-MODE-02, TSCATTER-TILE-02, TSCATTER-DTYPE-08, TSCATTER-SHAPE-02, -03.
#[test]
fn tscatter_by_mask() {
    const ROWS: &[&str] = &["TSCATTER-SHAPE-02"];
    const COLUMNS: &[&str] = &["TSCATTER-SHAPE-03"];
    let base = TscatterMask {
        dst: tile(Half, [16, 128], [16, 128]),
        src: tile(Half, [16, 64], [16, 64]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    };
    // A form that does not exist has no rules.
    let mut in_l1 = base;
    in_l1.src.location = TileType::Mat;
    for call in [base, in_l1] {
        let found = clauses(Call::TscatterMask(call), &Readings::default());
        assert_eq!(found, ["TSCATTER-MODE-02"]);
    }
    each_breaks(
        base,
        Call::TscatterMask,
        reading(|r| r.scope = Scope::AsTheSuite),
        &[
            (|c| c.axis = MaskAxis::Col, ROWS),
            // Expansion along the rows, to twice as many, is rejected once.
            (
                |c| (c.axis, c.src) = (MaskAxis::Col, tile(Half, [8, 128], [8, 128])),
                ROWS,
            ),
            (|c| c.dst.location = TileType::Mat, &["TSCATTER-TILE-02"]),
            (|c| c.src.location = TileType::Mat, &["TSCATTER-TILE-02"]),
            (|c| c.src.dtype = Bfloat16, &["TSCATTER-DTYPE-08"]),
            (
                |c| (c.src.dtype, c.dst.dtype) = (Int64, Int64),
                &["TSCATTER-DTYPE-08"; 2],
            ),
            (|c| c.src.valid_row = Static(15), ROWS),
            (|c| c.src.valid_row = Dynamic(15), &[]),
            (|c| c.pattern = MaskPattern::P0001, COLUMNS),
            (|c| c.pattern = MaskPattern::P1111, COLUMNS),
            (|c| c.dst.valid_col = Static(100), COLUMNS),
            (|c| c.dst.valid_col = Dynamic(100), &[]),
            (|c| c.src.valid_col = Dynamic(60), &[]),
        ],
    );
}

/// TGATHERB-TILE-01, TGATHERB-DTYPE-01, -03, -05.
#[test]
fn tgatherb() {
    let bytes = tile(Uint8, [1, 256], [1, 256]);
    let base = Tgatherb {
        dst: bytes,
        src: bytes,
        offset: tile(Uint32, [1, 256], [1, 256]),
    };
    each_breaks(
        base,
        Call::Tgatherb,
        Readings::default(),
        &[
            (|c| c.dst.blayout = BLayout::ColMajor, &["TGATHERB-TILE-01"]),
            (
                |c| c.dst.dtype = Int64,
                &["TGATHERB-DTYPE-01", "TGATHERB-DTYPE-03"],
            ),
            (|c| c.src.dtype = Int64, &["TGATHERB-DTYPE-03"]),
            (|c| c.dst.dtype = Hifloat8, &["TGATHERB-DTYPE-03"]),
            // Nothing else is in the list (TGATHERB-GAP-04, -05, -06, -09, -10).
            (|c| c.src.dtype = Float, &[]),
            (|c| c.src.blayout = BLayout::ColMajor, &[]),
            (|c| c.src.location = TileType::Mat, &[]),
            (|c| c.offset.dtype = Uint16, &[]),
            (|c| c.offset.valid_col = Static(1), &[]),
        ],
    );
}
