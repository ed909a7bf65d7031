//! The static checks: each with a call that passes and calls that do not.

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::ScatterAtomicOp::{Add, Max, Min, None as Plain};
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

fn of_scatter(call: Mscatter) -> Vec<&'static str> {
    clauses(Call::Mscatter(call), &Readings::default())
}

fn of_gather(call: Mgather) -> Vec<&'static str> {
    clauses(Call::Mgather(call), &Readings::default())
}

/// What both instructions say of one operand tuple.
fn both(
    mode: Coalesce,
    table: GlobalTensor,
    data: Tile,
    idx: Tile,
) -> (Vec<&'static str>, Vec<&'static str>) {
    (
        of_scatter(mscatter(mode, table, data, idx)),
        of_gather(mgather(mode, table, data, idx)),
    )
}

fn accepted(mode: Coalesce, table: GlobalTensor, data: Tile, idx: Tile) {
    assert_eq!(both(mode, table, data, idx), (vec![], vec![]));
}

fn rejected(
    mode: Coalesce,
    table: GlobalTensor,
    data: Tile,
    idx: Tile,
    scatter: &'static str,
    gather: &'static str,
) {
    assert_eq!(both(mode, table, data, idx), (vec![scatter], vec![gather]));
}

#[test]
fn element_types() {
    for dtype in DTYPES {
        let data = tile(dtype, 8, 32);
        let idx = tile(Int32, 8, 32);
        if matches!(dtype, Int64 | Uint64) {
            let (s, g) = ("MSCATTER-DTYPE-09", "MGATHER-DTYPE-09");
            rejected(Elem, flat(dtype, 256), data, idx, s, g);
        } else {
            accepted(Elem, flat(dtype, 256), data, idx);
        }
    }
}

#[test]
fn index_types() {
    for dtype in DTYPES {
        let (data, idx) = (tile(Float, 8, 16), tile(dtype, 1, 8));
        if matches!(dtype, Int32 | Uint32) {
            accepted(Row, rows(Float, 4, 16), data, idx);
        } else {
            let (s, g) = ("MSCATTER-DTYPE-03", "MGATHER-DTYPE-08");
            rejected(Row, rows(Float, 4, 16), data, idx, s, g);
        }
    }
}

#[test]
fn table_type() {
    let (data, idx) = (tile(Float, 8, 16), tile(Int32, 8, 16));
    let (s, g) = ("MSCATTER-DTYPE-11", "MGATHER-DTYPE-11");
    rejected(Elem, flat(Int32, 64), data, idx, s, g);
    rejected(Elem, flat(Half, 64), data, idx, s, g);
    accepted(Elem, flat(Float, 64), data, idx);
}

#[test]
fn locations() {
    let (data, idx) = (tile(Float, 8, 16), tile(Int32, 8, 16));
    let (s, g) = ("MSCATTER-TILE-01", "MGATHER-TILE-01");
    rejected(Elem, flat(Float, 64), mat(data), idx, s, g);
    let (s, g) = ("MSCATTER-TILE-02", "MGATHER-TILE-02");
    rejected(Elem, flat(Float, 64), data, mat(idx), s, g);
}

#[test]
fn valid_extents_of_0() {
    let (s, g) = ("MSCATTER-SHAPE-03", "MGATHER-SHAPE-03");
    for (r, c) in [(0, 8), (8, 0)] {
        let data = valid(Float, 8, 8, r, c);
        let idx = valid(Int32, 8, 8, r, c);
        rejected(Elem, flat(Float, 64), data, idx, s, g);
        accepted(Elem, flat(Float, 64), dynamic(data), dynamic(idx));
    }
    let data = valid(Float, 8, 8, 0, 8);
    rejected(Row, rows(Float, 4, 8), data, valid(Int32, 1, 8, 1, 0), s, g);
    accepted(
        Elem,
        flat(Float, 64),
        valid(Float, 8, 8, 1, 1),
        valid(Int32, 8, 8, 1, 1),
    );
}

#[test]
fn row_index_shapes() {
    let data = tile(Float, 8, 16);
    let table = rows(Float, 4, 16);
    accepted(Row, table, data, tile(Int32, 1, 8));
    accepted(Row, table, data, tile(Int32, 8, 1));
    accepted(Row, table, data, col_major(tile(Int32, 8, 1)));
    let (s, g) = ("MSCATTER-SHAPE-04", "MGATHER-MODE-04");
    for (r, c) in [(2, 4), (1, 7), (7, 1), (8, 16), (1, 1)] {
        rejected(Row, table, data, tile(Int32, r, c), s, g);
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
}

#[test]
fn elem_index_shapes() {
    let data = tile(Float, 8, 16);
    let table = flat(Float, 64);
    accepted(Elem, table, data, tile(Int32, 8, 16));
    let (s, g) = ("MSCATTER-SHAPE-02", "MGATHER-MODE-05");
    rejected(Elem, table, data, tile(Int32, 8, 15), s, g);
    rejected(Elem, table, data, tile(Int32, 7, 16), s, g);
    assert_eq!(
        both(Elem, table, data, tile(Int32, 1, 8)),
        (vec![s, s], vec![g, g])
    );
    let mut idx = tile(Int32, 7, 15);
    idx.valid_row = Dim::Dynamic(7);
    rejected(Elem, table, data, idx, s, g);
    accepted(Elem, table, data, dynamic(idx));
    accepted(Elem, table, dynamic(data), idx);
}

#[test]
fn table_width() {
    let (data, idx) = (tile(Float, 8, 64), tile(Int32, 1, 8));
    accepted(Row, rows(Float, 16, 64), data, idx);
    let (s, g) = ("MSCATTER-TABLE-07", "MGATHER-TABLE-07");
    rejected(Row, rows(Float, 16, 128), data, idx, s, g);
    let mut free = rows(Float, 16, 128);
    free.shape[4] = Dim::Dynamic(128);
    accepted(Row, free, data, idx);
    let loose = Tile {
        valid_col: Dim::Dynamic(64),
        ..data
    };
    accepted(Row, rows(Float, 16, 128), loose, idx);
    // GAP-12: Row only.
    accepted(Elem, rows(Float, 16, 128), data, tile(Int32, 8, 64));
}

#[test]
fn atom_15_exactly_23_pairs_are_allowed() {
    let mut allowed = 0;
    for dtype in DTYPES {
        for atomic in [Plain, Add, Max, Min] {
            let call = mscatter(
                Elem,
                flat(dtype, 64),
                tile(dtype, 8, 32),
                tile(Int32, 8, 32),
            );
            let found = of_scatter(Mscatter { atomic, ..call });
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

#[test]
fn what_the_caller_owes_is_not_checked() {
    // TABLE-08: no layout. ALIGN-02: no 32-byte rule. GAP-59: no SLayout. UB-09: no budget.
    let mut table = rows(Float, 4, 5);
    table.layout = Layout::NZ;
    table.stride[3] = Dim::Static(99);
    let boxed = Tile {
        slayout: SLayout::RowMajor,
        fractal: 1024,
        ..tile(Float, 3, 5)
    };
    let idx = Tile {
        slayout: SLayout::ColMajor,
        ..tile(Int32, 1, 3)
    };
    accepted(Row, table, boxed, idx);
    accepted(
        Elem,
        flat(Float, 64),
        tile(Float, 3457, 8),
        tile(Int32, 3457, 8),
    );
}

#[test]
fn all_rejections_are_found() {
    let mat = Tile {
        location: TileType::Mat,
        ..tile(Int64, 8, 8)
    };
    let call = Mscatter {
        atomic: Add,
        ..mscatter(Row, rows(Float, 4, 9), mat, tile(Int16, 2, 2))
    };
    assert_eq!(
        of_scatter(call),
        [
            "MSCATTER-DTYPE-09",
            "MSCATTER-DTYPE-03",
            "MSCATTER-DTYPE-11",
            "MSCATTER-TILE-01",
            "MSCATTER-SHAPE-04",
            "MSCATTER-TABLE-07",
            "MSCATTER-ATOM-11",
        ]
    );
}

#[test]
fn a_rejected_dtype_is_a_fault_when_run_all_the_same() {
    let run = |call: Mscatter| {
        let mut memory = memory(&[
            (Role::Table, vec![0; 512]),
            (Role::Source, vec![0; 512]),
            (Role::Index, vec![0; 512]),
        ]);
        A5.execute(
            &Call::Mscatter(call),
            &mut memory,
            &How::default(),
            &mut Log::default(),
        )
    };
    let call = mscatter(Elem, flat(Int16, 64), tile(Int16, 8, 8), tile(Int32, 8, 8));
    assert!(run(call).is_ok());
    assert!(
        run(Mscatter {
            atomic: Add,
            ..call
        })
        .is_err()
    );
    let call = mscatter(Elem, flat(Int16, 64), tile(Int16, 8, 8), tile(Int16, 8, 8));
    assert!(run(call).is_err());
}
