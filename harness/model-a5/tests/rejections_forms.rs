//! The static checks of MSCATTER's first revision and of gathers to L1.

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

fn of_first(call: MscatterFirst) -> Vec<&'static str> {
    clauses(Call::MscatterFirst(call), &Readings::default())
}

fn of_l1(call: MgatherL1) -> Vec<&'static str> {
    clauses(Call::MgatherL1(call), &Readings::default())
}

#[test]
fn first_dtype_01_and_atom_02_to_05_exactly_19_pairs_are_allowed() {
    use ScatterAtomicOp::{Add, Max, Min, None as Plain};
    let mut allowed = 0;
    for dtype in DTYPES {
        for atomic in [Plain, Add, Max, Min] {
            let call = mscatter_first(rows(dtype, 4, 32), tile(dtype, 8, 32), tile(Int32, 8, 1));
            let found = of_first(MscatterFirst { atomic, ..call });
            let mut expected = Vec::new();
            if matches!(dtype, Int64 | Uint64 | Hifloat8) {
                expected.push("MSCATTER0-DTYPE-01");
            }
            match (atomic, dtype) {
                (Plain, _) | (_, Int32 | Float) | (Add, Uint32 | Half) => {}
                (Add, _) => expected.push("MSCATTER0-ATOM-03"),
                (Max, _) => expected.push("MSCATTER0-ATOM-04"),
                (Min, _) => expected.push("MSCATTER0-ATOM-05"),
            }
            assert_eq!(found, expected, "{atomic} {dtype}");
            allowed += usize::from(found.is_empty());
        }
    }
    // Eleven plain, four Add, two Max, two Min.
    assert_eq!(allowed, 19);
}

#[test]
fn first_operands() {
    let (table, src, idx) = (rows(Float, 4, 16), tile(Float, 8, 16), tile(Int32, 8, 1));
    let of = |table, src, idx| of_first(mscatter_first(table, src, idx));
    for dtype in DTYPES {
        let idx = Tile { dtype, ..idx };
        let fits = matches!(dtype, Int32 | Uint32);
        let expected: &[&str] = if fits { &[] } else { &["MSCATTER0-DTYPE-02"] };
        assert_eq!(of(table, src, idx), expected);
    }
    assert_eq!(of(rows(Int32, 4, 16), src, idx), ["MSCATTER0-DTYPE-03"]);
    assert_eq!(of(table, mat(src), idx), ["MSCATTER0-TILE-01"]);
    assert_eq!(of(table, src, mat(idx)), ["MSCATTER0-TILE-02"]);
    // SHAPE-01 and MODE-01 speak of padded extents.
    let part = valid(Int32, 8, 1, 5, 1);
    assert_eq!(of(table, src, part), [""; 0]);
    assert_eq!(of(table, src, tile(Int32, 7, 1)), ["MSCATTER0-SHAPE-01"]);
    assert_eq!(of(table, src, tile(Int32, 8, 16)), [""; 0]);
    assert_eq!(of(table, src, tile(Int32, 8, 8)), ["MSCATTER0-MODE-01"]);
    assert_eq!(of(table, tile(Float, 8, 1), idx), [""; 0]);
    let both = ["MSCATTER0-SHAPE-01", "MSCATTER0-MODE-01"];
    assert_eq!(of(table, src, tile(Int32, 1, 8)), both);
}

#[test]
fn first_api_05_the_documented_examples() {
    let row = |dtype, count, atomic, oob| {
        let (src, idx) = (tile(dtype, count, 64), tile(Int32, count, 1));
        MscatterFirst {
            atomic,
            oob,
            ..mscatter_first(rows(dtype, 65536, 64), src, idx)
        }
    };
    let skip = ScatterOob::Skip;
    assert_eq!(
        of_first(row(Float, 8, ScatterAtomicOp::None, skip)),
        [""; 0]
    );
    assert_eq!(
        of_first(row(Float, 16, ScatterAtomicOp::Add, skip)),
        [""; 0]
    );
    let clamp = ScatterOob::Clamp;
    assert_eq!(
        of_first(row(Half, 8, ScatterAtomicOp::None, clamp)),
        [""; 0]
    );
    let call = MscatterFirst {
        oob: ScatterOob::Wrap,
        ..mscatter_first(
            rows(Float, 1024, 64),
            tile(Float, 16, 16),
            tile(Int32, 16, 16),
        )
    };
    assert_eq!(of_first(call), [""; 0]);
}

fn l1_row(dtype: DType) -> MgatherL1 {
    let dst = nz(dtype, 16, 32, 4, 9);
    mgather_l1(Row, rows(dtype, 5, 9), dst, flat(Int32, 4), None)
}

fn l1_elem(dtype: DType) -> MgatherL1 {
    let dst = nz(dtype, 16, 32, 4, 9);
    let scratch = Some(flat(dtype, 512));
    mgather_l1(Elem, flat(dtype, 50), dst, rows(Int32, 4, 9), scratch)
}

#[test]
fn l1_dtypes() {
    for dtype in DTYPES {
        let wide = matches!(dtype, Int64 | Uint64);
        // EXEC-04: the executor changes nothing.
        for exec in [GatherExec::Scalar, GatherExec::Simt] {
            let call = MgatherL1 {
                exec,
                ..l1_elem(dtype)
            };
            let expected: &[&str] = if wide { &["MGATHERL1-DTYPE-02"] } else { &[] };
            assert_eq!(of_l1(call), expected);
        }
        let both = ["MGATHERL1-DTYPE-02", "MGATHERL1-DTYPE-03"];
        let expected: &[&str] = if wide { &both } else { &[] };
        assert_eq!(of_l1(l1_row(dtype)), expected);

        let mut call = l1_row(Float);
        call.idx.dtype = dtype;
        let fits = matches!(dtype, Int32 | Uint32);
        let expected: &[&str] = if fits { &[] } else { &["MGATHERL1-DTYPE-05"] };
        assert_eq!(of_l1(call), expected);
    }
}

#[test]
fn l1_table_and_scratch() {
    let mut call = l1_row(Float);
    call.table.dtype = Int32;
    assert_eq!(of_l1(call), ["MGATHERL1-DTYPE-06"]);
    for layout in [Layout::DN, Layout::NZ] {
        let mut call = l1_row(Float);
        call.table.layout = layout;
        assert_eq!(of_l1(call), ["MGATHERL1-TABLE-01"]);
    }
    let mut call = l1_elem(Float);
    call.scratch = Some(flat(Int32, 512));
    assert_eq!(of_l1(call), ["MGATHERL1-SCRATCH-01"]);
    // GAP-08: size and contiguity are the caller's affair.
    let mut short = flat(Float, 1);
    short.stride[4] = Dim::Static(2);
    call.scratch = Some(short);
    assert_eq!(of_l1(call), [""; 0]);
    // GAP-03: so is the shape of the index.
    call.idx = flat(Int32, 1);
    assert_eq!(of_l1(call), [""; 0]);
}

#[test]
fn l1_tile() {
    let of = |change: fn(&mut Tile)| {
        let mut call = l1_row(Half);
        change(&mut call.dst);
        of_l1(call)
    };
    assert_eq!(of(|_| ()), [""; 0]);
    let nz_form = ["MGATHERL1-TILE-01"];
    assert_eq!(of(|dst| dst.location = TileType::Vec), nz_form);
    assert_eq!(of(|dst| dst.blayout = BLayout::RowMajor), nz_form);
    assert_eq!(of(|dst| dst.slayout = SLayout::NoneBox), nz_form);
    assert_eq!(of(|dst| dst.slayout = SLayout::ColMajor), nz_form);
    assert_eq!(of(|dst| dst.fractal = 1024), nz_form);
    // Each property that is not the one of an NZ tile is told.
    let changed = |dst: &mut Tile| {
        (dst.blayout, dst.slayout, dst.fractal) = (BLayout::RowMajor, SLayout::NoneBox, 32);
    };
    assert_eq!(of(changed), ["MGATHERL1-TILE-01"; 3]);
    // Sixteen halves a unit of 32 bytes.
    assert_eq!(of(|dst| dst.cols = 48), [""; 0]);
    assert_eq!(of(|dst| dst.cols = 40), ["MGATHERL1-TILE-02"]);
    assert_eq!(of(|dst| dst.rows = 24), ["MGATHERL1-TILE-03"]);
    // DYN-01.
    assert_eq!(of(|dst| *dst = dynamic(*dst)), [""; 0]);
}

#[test]
fn l1_gap_05_and_06_forms() {
    let mut call = l1_row(Float);
    // SCRATCH-01 is on Elem mode: the type of this scratch is not looked at.
    call.scratch = Some(flat(Int32, 512));
    assert_eq!(of_l1(call), ["MGATHERL1-GAP-05"]);
    call.exec = GatherExec::Simt;
    assert_eq!(of_l1(call), ["MGATHERL1-GAP-05", "MGATHERL1-GAP-06"]);
    call.scratch = None;
    assert_eq!(of_l1(call), ["MGATHERL1-GAP-06"]);
    let mut call = l1_elem(Float);
    call.scratch = None;
    assert_eq!(of_l1(call), ["MGATHERL1-GAP-05"]);
}
