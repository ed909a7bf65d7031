//! The static checks: each with a call that passes and calls that do not.

use crate::common::*;
use ptodiff_isa::ScatterAtomicOp::{Add, Max, Min, None as Plain};
use ptodiff_model_a5::A5;

/// The first one of MSCATTER and of MGATHER for the same operands.
type Both = (&'static str, &'static str);

fn accepted(mode: Coalesce, table: GlobalTensor, data: Tile, idx: Tile) {
    let found = said(Readings::default(), mode, table, data, idx);
    assert_eq!(found, [[""; 0], [""; 0]]);
}

fn rejected(mode: Coalesce, table: GlobalTensor, data: Tile, idx: Tile, (scatter, gather): Both) {
    let found = said(Readings::default(), mode, table, data, idx);
    assert_eq!(found, [vec![scatter], vec![gather]]);
}

fn of(call: Call) -> Vec<&'static str> {
    clauses(call, &Readings::default())
}

#[test]
fn types_and_locations() {
    for dtype in DTYPES {
        let (data, idx) = (tile(dtype, 8, 32), tile(Int32, 8, 32));
        match dtype {
            Int64 | Uint64 => {
                let both = ("MSCATTER-DTYPE-09", "MGATHER-DTYPE-09");
                rejected(Elem, flat(dtype, 256), data, idx, both);
            }
            _ => accepted(Elem, flat(dtype, 256), data, idx),
        }
        let (data, idx) = (tile(Float, 8, 16), tile(dtype, 1, 8));
        match dtype {
            Int32 | Uint32 => accepted(Row, rows(Float, 4, 16), data, idx),
            _ => {
                let both = ("MSCATTER-DTYPE-03", "MGATHER-DTYPE-08");
                rejected(Row, rows(Float, 4, 16), data, idx, both);
            }
        }
    }
    let (data, idx) = (tile(Float, 8, 16), tile(Int32, 8, 16));
    let both = ("MSCATTER-DTYPE-11", "MGATHER-DTYPE-11");
    rejected(Elem, flat(Int32, 64), data, idx, both);
    rejected(Elem, flat(Half, 64), data, idx, both);
    let both = ("MSCATTER-TILE-01", "MGATHER-TILE-01");
    rejected(Elem, flat(Float, 64), mat(data), idx, both);
    let both = ("MSCATTER-TILE-02", "MGATHER-TILE-02");
    rejected(Elem, flat(Float, 64), data, mat(idx), both);
}

#[test]
fn valid_extents_of_0() {
    let both = ("MSCATTER-SHAPE-03", "MGATHER-SHAPE-03");
    for (r, c) in [(0, 8), (8, 0)] {
        let (data, idx) = (valid(Float, 8, 8, r, c), valid(Int32, 8, 8, r, c));
        rejected(Elem, flat(Float, 64), data, idx, both);
        accepted(Elem, flat(Float, 64), dynamic(data), dynamic(idx));
    }
    let (data, idx) = (valid(Float, 8, 8, 0, 8), valid(Int32, 1, 8, 1, 0));
    rejected(Row, rows(Float, 4, 8), data, idx, both);
}

#[test]
fn index_shapes() {
    let data = tile(Float, 8, 16);
    let table = rows(Float, 4, 16);
    for idx in [
        tile(Int32, 1, 8),
        tile(Int32, 8, 1),
        col_major(tile(Int32, 8, 1)),
    ] {
        accepted(Row, table, data, idx);
    }
    let both = ("MSCATTER-SHAPE-04", "MGATHER-MODE-04");
    for (r, c) in [(2, 4), (1, 7), (7, 1), (8, 16), (1, 1)] {
        rejected(Row, table, data, tile(Int32, r, c), both);
    }
    // No part of the rule fires while a dimension in it is unknown.
    for which in 0..3 {
        let (mut data, mut idx) = (data, tile(Int32, 2, 4));
        let dim = match which {
            0 => &mut data.valid_row,
            1 => &mut idx.valid_row,
            _ => &mut idx.valid_col,
        };
        *dim = Dim::Dynamic(dim.get());
        accepted(Row, table, data, idx);
    }
    let table = flat(Float, 64);
    accepted(Elem, table, data, tile(Int32, 8, 16));
    let both = ("MSCATTER-SHAPE-02", "MGATHER-MODE-05");
    rejected(Elem, table, data, tile(Int32, 8, 15), both);
    rejected(Elem, table, data, tile(Int32, 7, 16), both);
    let twice = [vec![both.0; 2], vec![both.1; 2]];
    let found = said(Readings::default(), Elem, table, data, tile(Int32, 1, 8));
    assert_eq!(found, twice);
    let mut idx = tile(Int32, 7, 15);
    idx.valid_row = Dim::Dynamic(7);
    rejected(Elem, table, data, idx, both);
    accepted(Elem, table, data, dynamic(idx));
    accepted(Elem, table, dynamic(data), idx);
}

#[test]
fn atom_15_exactly_23_pairs_are_allowed() {
    let mut allowed = 0;
    for dtype in DTYPES {
        for atomic in [Plain, Add, Max, Min] {
            let (src, idx) = (tile(dtype, 8, 32), tile(Int32, 8, 32));
            let call = mscatter(Elem, flat(dtype, 64), src, idx);
            let found = of(Call::Mscatter(Mscatter { atomic, ..call }));
            let expected = match (atomic, dtype) {
                (Plain, Int64 | Uint64) => vec!["MSCATTER-DTYPE-09"],
                (Plain, _) | (_, Int32 | Uint32 | Float) | (Add, Half | Bfloat16) => vec![],
                (Add, Int64 | Uint64) => vec!["MSCATTER-DTYPE-09", "MSCATTER-ATOM-11"],
                (Max, Int64 | Uint64) => vec!["MSCATTER-DTYPE-09", "MSCATTER-ATOM-13"],
                (Min, Int64 | Uint64) => vec!["MSCATTER-DTYPE-09", "MSCATTER-ATOM-14"],
                (Add, _) => vec!["MSCATTER-ATOM-12"],
                (Max, _) => vec!["MSCATTER-ATOM-13"],
                (Min, _) => vec!["MSCATTER-ATOM-14"],
            };
            assert_eq!(found, expected, "{atomic} {dtype}");
            allowed += usize::from(found.is_empty());
        }
    }
    assert_eq!(allowed, 23);
}

/// Whether a call runs, on a memory that may lack an operand.
fn runs(call: Mscatter, missing: Option<Role>) -> bool {
    let roles = [Role::Table, Role::Source, Role::Index];
    let mut memory = memory(&roles.map(|role| (role, vec![0; 512])));
    memory.regions.retain(|region| Some(region.role) != missing);
    let (how, mut log) = (How::default(), Log::default());
    let run = A5.execute(&Call::Mscatter(call), &mut memory, &how, &mut log);
    run.is_ok()
}

#[test]
fn all_rejections_are_found_and_are_faults_when_run() {
    let call = mscatter(
        Row,
        rows(Float, 4, 9),
        mat(tile(Int64, 8, 8)),
        tile(Int16, 2, 2),
    );
    let expected = [
        "MSCATTER-DTYPE-09",
        "MSCATTER-DTYPE-03",
        "MSCATTER-DTYPE-11",
        "MSCATTER-TILE-01",
        "MSCATTER-SHAPE-04",
        "MSCATTER-TABLE-07",
        "MSCATTER-ATOM-11",
    ];
    assert_eq!(of(Call::Mscatter(call.with(|c| c.atomic = Add))), expected);
    let data = tile(Int16, 8, 8);
    let call = mscatter(Elem, flat(Int16, 64), data, tile(Int32, 8, 8));
    assert!(runs(call, None));
    assert!(!runs(call.with(|c| c.atomic = Add), None));
    assert!(!runs(Mscatter { idx: data, ..call }, None));
}

#[test]
fn missing_operands_and_enormous_extents_are_faults() {
    let call = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
    assert!(runs(call, None));
    for missing in [Role::Table, Role::Source, Role::Index] {
        assert!(!runs(call, Some(missing)));
    }
    let whole = dynamic(tile(Int32, u64::MAX, u64::MAX));
    let huge = dynamic(valid(Int32, 1, 1, 2, 2)).with(|c| (c.rows, c.cols) = (u64::MAX, u64::MAX));
    for data in [huge, whole] {
        assert!(!runs(mscatter(Elem, flat(Int32, 4), data, data), None));
    }
    // Of what has no element nothing is enormous.
    for (valid_row, valid_col, is_run) in [
        (u64::MAX, 0, true),
        (0, u64::MAX, true),
        (u64::MAX, 1, false),
    ] {
        let data = dynamic(valid(Int32, 1, 8, valid_row, valid_col));
        assert_eq!(runs(Mscatter { src: data, ..call }, None), is_run);
    }
}

fn of_first(call: MscatterFirst) -> Vec<&'static str> {
    of(Call::MscatterFirst(call))
}

#[test]
fn first_dtype_01_and_atom_02_to_05_exactly_19_pairs_are_allowed() {
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
        let fits = matches!(dtype, Int32 | Uint32);
        let expected: &[&str] = if fits { &[] } else { &["MSCATTER0-DTYPE-02"] };
        assert_eq!(of(table, src, Tile { dtype, ..idx }), expected);
    }
    assert_eq!(of(rows(Int32, 4, 16), src, idx), ["MSCATTER0-DTYPE-03"]);
    assert_eq!(of(table, mat(src), idx), ["MSCATTER0-TILE-01"]);
    assert_eq!(of(table, src, mat(idx)), ["MSCATTER0-TILE-02"]);
    // SHAPE-01 and MODE-01 speak of padded extents.
    assert_eq!(of(table, src, valid(Int32, 8, 1, 5, 1)), [""; 0]);
    assert_eq!(of(table, src, tile(Int32, 7, 1)), ["MSCATTER0-SHAPE-01"]);
    assert_eq!(of(table, src, tile(Int32, 8, 16)), [""; 0]);
    assert_eq!(of(table, src, tile(Int32, 8, 8)), ["MSCATTER0-MODE-01"]);
    assert_eq!(of(table, tile(Float, 8, 1), idx), [""; 0]);
    let both = ["MSCATTER0-SHAPE-01", "MSCATTER0-MODE-01"];
    assert_eq!(of(table, src, tile(Int32, 1, 8)), both);
    // API-05: the documented large tables.
    assert_eq!(of(rows(Float, 65536, 16), src, idx), [""; 0]);
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
    let of_l1 = |call| of(Call::MgatherL1(call));
    for dtype in DTYPES {
        let wide = matches!(dtype, Int64 | Uint64);
        let both: &[&str] = &["MGATHERL1-DTYPE-02", "MGATHERL1-DTYPE-03"];
        let both = if wide { both } else { &[] };
        assert_eq!(of_l1(l1_row(dtype)), both);
        // EXEC-04: the executor changes nothing.
        for exec in [GatherExec::Scalar, GatherExec::Simt] {
            let call = l1_elem(dtype).with(|c| c.exec = exec);
            assert_eq!(of_l1(call), both[..usize::from(wide)]);
        }
        let mut call = l1_row(Float);
        call.idx.dtype = dtype;
        let fits = matches!(dtype, Int32 | Uint32);
        let expected: &[&str] = if fits { &[] } else { &["MGATHERL1-DTYPE-05"] };
        assert_eq!(of_l1(call), expected);
    }
}

/// A change to a gather to L1, and the clauses it breaks.
type Change = (fn(&mut MgatherL1), &'static [&'static str]);

#[test]
fn l1_operands() {
    const FORM: &[&str] = &["MGATHERL1-TILE-01"];
    const GAPS: &[&str] = &["MGATHERL1-GAP-05", "MGATHERL1-GAP-06"];
    let of_row: &[Change] = &[
        (|_| (), &[]),
        (|c| c.table.dtype = Int32, &["MGATHERL1-DTYPE-06"]),
        (|c| c.table.layout = Layout::DN, &["MGATHERL1-TABLE-01"]),
        (|c| c.table.layout = Layout::NZ, &["MGATHERL1-TABLE-01"]),
        (|c| c.dst.location = TileType::Vec, FORM),
        (|c| c.dst.blayout = BLayout::RowMajor, FORM),
        (|c| c.dst.slayout = SLayout::NoneBox, FORM),
        (|c| c.dst.slayout = SLayout::ColMajor, FORM),
        (|c| c.dst.fractal = 1024, FORM),
        // Each property that is not the one of an NZ tile is told.
        (
            |c| {
                (c.dst.blayout, c.dst.slayout, c.dst.fractal) =
                    (BLayout::RowMajor, SLayout::NoneBox, 32)
            },
            &["MGATHERL1-TILE-01"; 3],
        ),
        // Eight words a unit of 32 bytes.
        (|c| c.dst.cols = 24, &[]),
        (|c| c.dst.cols = 20, &["MGATHERL1-TILE-02"]),
        (|c| c.dst.rows = 24, &["MGATHERL1-TILE-03"]),
        // DYN-01.
        (|c| c.dst = dynamic(c.dst), &[]),
        // SCRATCH-01 is on Elem mode: the type of this scratch is not looked at.
        (|c| c.scratch = Some(flat(Int32, 512)), &GAPS[..1]),
        (|c| c.exec = GatherExec::Simt, &GAPS[1..]),
        (
            |c| (c.scratch, c.exec) = (Some(flat(Int32, 512)), GatherExec::Simt),
            GAPS,
        ),
    ];
    let of_elem: &[Change] = &[
        (
            |c| c.scratch = Some(flat(Int32, 512)),
            &["MGATHERL1-SCRATCH-01"],
        ),
        (|c| c.scratch = None, &GAPS[..1]),
        // GAP-08: size and contiguity are the caller's affair; GAP-03: so is the shape of
        // the index.
        (|c| c.scratch = Some(flat(Float, 1)), &[]),
        (|c| c.idx = flat(Int32, 1), &[]),
    ];
    for (base, changes) in [(l1_row(Float), of_row), (l1_elem(Float), of_elem)] {
        for (k, (change, expected)) in changes.iter().enumerate() {
            let mut call = base;
            change(&mut call);
            assert_eq!(of(Call::MgatherL1(call)), *expected, "change {k}");
        }
    }
}
