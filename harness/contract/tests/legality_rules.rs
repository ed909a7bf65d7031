//! Constraints with a call that keeps them and one that breaks them: those that drawn calls
//! seldom come near, or of which only the gap itself tells how they are enforced. What
//! checks reject in drawn calls the models must reject, too (`runner/tests/random.rs`).

use std::collections::BTreeSet;

use crate::common::{calls::*, choices::with, rules::*, *};
use ptodiff_contract::legality;
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::*;
use Dim::{Dynamic, Static};
use Target::{A2a3, A5, Cpu};
use TileType::Mat;

/// float src valid [8,16] and 256 slots, Elem.
fn elem_call() -> Mscatter {
    let idx = tile(Int32, [8, 16], [8, 16]);
    scatter(
        matrix(Float, 1, 256),
        tile(Float, [8, 16], [8, 16]),
        idx,
        Elem,
    )
}

/// float [4,8] and six rows.
fn few_rows() -> Mscatter {
    let idx = tile(Int32, [1, 8], [1, 4]);
    scatter(matrix(Float, 6, 8), tile(Float, [4, 8], [4, 8]), idx, Row)
}

/// float [2,8] and thirty elements.
fn few_elements() -> Mscatter {
    let idx = tile(Int32, [2, 8], [2, 8]);
    scatter(matrix(Float, 3, 10), tile(Float, [2, 8], [2, 8]), idx, Elem)
}

#[test]
fn elements_on_a2a3() {
    pairs(
        A2a3,
        elem_call(),
        &[(["MSCATTER-GAP-11", "MGATHER-GAP-04"], |c| {
            c.table.stride[2] = Dynamic(u64::MAX);
            c.table.shape[2] = Dynamic(2);
        })],
    );
    let in_l1: [Change<Mscatter>; 1] = [("MGATHER-TILE-01", |c| c.src.location = Mat)];
    let r = Readings::default();
    rules(A2a3, &r, gathered, elem_call(), ByCheck, &in_l1);
}

#[test]
fn rows_on_a2a3() {
    let outer = Mscatter {
        table: packed(Float, [2, 1, 1, 8, 16], Layout::ND),
        ..row_call()
    };
    let apart = ["MSCATTER-GAP-82", "MGATHER-GAP-71"];
    pairs(
        A2a3,
        outer,
        &[
            (["MSCATTER-SHAPE-08", "MGATHER-SHAPE-04"], |c| {
                c.src.valid_row = Dynamic(9);
            }),
            (["MSCATTER-GAP-16", "MGATHER-GAP-06"], |c| {
                c.table = strided(c.table, 0, 256);
            }),
            (apart, |c| c.table = strided(strided(c.table, 3, 8), 0, 64)),
            (apart, |c| c.table = strided(strided(c.table, 3, 32), 4, 2)),
        ],
    );
}

#[test]
fn nz_tables() {
    // half NZ tile [32,32] and Shape<1,2,2,16,16>, Row.
    let good = scatter(
        packed(Half, [1, 2, 2, 16, 16], Layout::NZ),
        nz_tile(Half, [32, 32], [5, 32]),
        tile(Int32, [1, 8], [1, 5]),
        Row,
    );
    let inner = ["MSCATTER-GAP-26", "MGATHER-GAP-22"];
    pairs(
        A2a3,
        good,
        &[
            (["MSCATTER-GAP-23", "MGATHER-GAP-20"], |c| {
                c.src = nz_tile(Half, [32, 16], [5, 16]);
            }),
            (inner, |c| c.table = strided(c.table, 4, 2)),
            (inner, |c| {
                c.table = strided(strided(c.table, 3, 32), 2, 512);
                c.table = strided(strided(c.table, 1, 1024), 0, 2048);
            }),
            (["MSCATTER-NZ-14", "MGATHER-NZ-12"], |c| {
                c.table = strided(c.table, 1, 16);
            }),
        ],
    );
    // MSCATTER-NZ-14: padded blocks. MSCATTER-GAP-27: dynamic inner dimensions.
    let mut padded = good;
    padded.table = strided(padded.table, 1, 768);
    (padded.table.shape[3], padded.table.shape[4]) = (Dynamic(16), Dynamic(16));
    pairs(A2a3, padded, &[]);
}

#[test]
fn rows_on_a5() {
    let down = Mscatter {
        idx: col_major(Int32, [8, 1], [8, 1]),
        src: col_major(Float, [8, 16], [8, 16]),
        ..row_call()
    };
    pairs(
        A5,
        down,
        &[
            (["MSCATTER-SHAPE-07", "MGATHER-SHAPE-06"], |c| {
                c.src.rows = 4
            }),
            (["MSCATTER-GAP-36", "MGATHER-GAP-15"], |c| {
                c.idx = tile(Int32, [8, 8], [8, 1]);
            }),
            (["MSCATTER-TABLE-08", "MGATHER-TABLE-08"], |c| {
                c.table = strided(c.table, 3, 4);
            }),
        ],
    );
}

#[test]
fn elements_on_the_cpu() {
    pairs(
        Cpu,
        elem_call(),
        &[(["MSCATTER-SEM-05", "MGATHER-MIN-09"], |c| {
            c.src.valid_col = Dynamic(17);
        })],
    );
    let owed: [Change<Mscatter>; 1] = [("MSCATTER-GAP-39", |c| {
        c.mode = Row;
        c.idx = tile(Int32, [8, 1], [8, 1]);
    })];
    let r = Readings::default();
    rules(Cpu, &r, Call::Mscatter, elem_call(), ByCaller, &owed);
    let templated = Readings {
        cpu_form: CpuForm::Templated,
        ..r
    };
    let down = Mscatter {
        idx: tile(Int32, [8, 8], [8, 1]),
        ..row_call()
    };
    let owed: [Change<Mscatter>; 1] = [("MSCATTER-DTYPE-11", |c| c.table.dtype = Int32)];
    rules(Cpu, &templated, Call::Mscatter, down, ByCaller, &owed);
}

#[test]
fn what_the_cpu_leaves_to_the_caller() {
    let with_idx = |idx| Mscatter { idx, ..few_rows() };
    let of_type = |mut call: Mscatter, dtype| {
        call.table.dtype = dtype;
        call
    };
    let rows = few_rows();
    // [2,2] for four rows; [4,1] in eight columns, four indices 8 elements apart, and in one.
    let square = with_idx(tile(Int32, [4, 8], [2, 2]));
    let down = with_idx(tile(Int32, [4, 8], [4, 1]));
    let close = with_idx(tile(Int32, [4, 1], [4, 1]));
    let mut late = down;
    late.idx.valid_row = Dynamic(4);
    let mut single = down;
    (single.src.valid_row, single.idx.valid_row) = (Static(1), Static(1));
    let mut column = few_elements();
    (column.src.valid_col, column.idx.valid_col) = (Static(1), Static(1));
    let bits = of_type(rows, Int32);
    let flat_bits = of_type(few_elements(), Int32);
    let halves = of_type(rows, Int16);
    let [check, index, types] = ["cpu-row-check", "cpu-row-index", "cpu-table-type"];
    let owes = "precondition";
    let owed = |clause| vec![(clause, ByCaller)];
    let rejected = |clause| vec![(clause, ByCheck)];
    for (call, name, choice, expected) in [
        // MGATHER-GAP-12.
        (square, check, "rejected", rejected("MGATHER-MODE-06")),
        (square, check, owes, owed("MGATHER-GAP-12")),
        // MGATHER-GAP-56. Side by side, one by itself, or in Elem mode there is nothing
        // between the indices.
        (down, index, "own-layout", vec![]),
        (down, index, owes, owed("MGATHER-GAP-56")),
        (late, index, owes, owed("MGATHER-GAP-56")),
        (rows, index, owes, vec![]),
        (close, index, owes, vec![]),
        (single, index, owes, vec![]),
        (column, index, owes, vec![]),
        // MGATHER-GAP-13: a float tile of int32 bits. Another size is rejected as ever.
        (bits, types, owes, owed("MGATHER-GAP-13")),
        (flat_bits, types, owes, owed("MGATHER-GAP-13")),
        (halves, types, owes, rejected("MGATHER-DTYPE-04")),
    ] {
        let found = broken(gathered(call), Cpu, &with(&[(name, choice)]));
        assert_eq!(found, expected, "{name} {choice} {call:?}");
    }
}

#[test]
fn the_first_revision() {
    // By rows, an index a row.
    let rows = few_rows();
    let call = first(rows.table, rows.src, tile(Int32, [4, 1], [4, 1]));
    let r = Readings::default();
    let owed: [Change<MscatterFirst>; 1] = [("MSCATTER-TABLE-08", |c| c.table.layout = Layout::DN)];
    rules(A5, &r, Call::MscatterFirst, call, ByCaller, &owed);
}

#[test]
fn gathers_to_l1() {
    // half [16,32] valid [10,20] from an 8x20 table; [5,5] from 256 elements.
    let rows = l1(
        l1_tile(Half, [16, 32], [10, 20]),
        matrix(Half, 8, 20),
        matrix(Int32, 1, 10),
        Row,
    );
    let elements = l1(
        l1_tile(Half, [16, 16], [5, 5]),
        matrix(Half, 1, 256),
        matrix(Uint32, 5, 5),
        Elem,
    );
    let r = Readings::default();
    for target in [A2a3, A5] {
        let form = Call::MgatherL1;
        let checked: [Change<MgatherL1>; 1] =
            [("MGATHERL1-TILE-01", |c| c.dst.location = TileType::Vec)];
        rules(target, &r, form, rows, ByCheck, &checked);
        let owed: [Change<MgatherL1>; 4] = [
            ("MGATHERL1-GAP-16", |c| {
                let table = packed(Half, [1, 1, 2, 4, 20], Layout::ND);
                c.table = strided(table, 2, 96);
            }),
            ("MGATHER-GAP-71", |c| {
                c.table.stride[4] = Static(2);
                c.table.stride[3] = Static(40);
            }),
            ("MGATHER-GAP-71", |c| c.table = strided(c.table, 3, 16)),
            ("MGATHERL1-DYN-01", |c| {
                c.dst.valid_row = Dynamic(17);
                c.idx = matrix(Int32, 1, 17);
            }),
        ];
        rules(target, &r, form, rows, ByCaller, &owed);
        let owed: [Change<MgatherL1>; 1] = [("MGATHERL1-GAP-08", |c| {
            c.scratch = Some(strided(matrix(Half, 16, 16), 3, 32));
        })];
        rules(target, &r, form, elements, ByCaller, &owed);
    }
    let checked: [Change<MgatherL1>; 2] = [
        ("MGATHER-DTYPE-04", |c| c.idx.dtype = Half),
        ("MGATHER-DTYPE-04", |c| c.table.dtype = Float),
    ];
    rules(Cpu, &suite(), Call::MgatherL1, rows, ByCheck, &checked);
    fn data(c: &mut MgatherL1, dtype: DType) {
        (c.dst.dtype, c.table.dtype) = (dtype, dtype);
    }
    let owed: [Change<MgatherL1>; 4] = [
        ("MGATHER-DTYPE-01", |c| data(c, Int64)),
        ("MGATHER-GAP-35", |c| data(c, Hifloat8)),
        ("MGATHERL1-TILE-01", |c| c.dst.location = TileType::Vec),
        ("MGATHER-GAP-08", |c| c.table = strided(c.table, 3, 48)),
    ];
    rules(Cpu, &suite(), Call::MgatherL1, rows, ByCaller, &owed);
}

#[test]
fn tscatter() {
    let by_index = TscatterIndex {
        dst: tile(Half, [4, 16], [4, 16]),
        src: tile(Half, [2, 16], [2, 8]),
        idx: tile(Int16, [2, 16], [2, 8]),
    };
    let (r, form) = (Readings::default(), Call::TscatterIndex);
    let shapes: [Change<TscatterIndex>; 2] = [
        ("TSCATTER-SHAPE-01", |c| c.dst.valid_row = Static(5)),
        ("TSCATTER-SHAPE-01", |c| c.idx.valid_col = Static(17)),
    ];
    let owed: [Change<TscatterIndex>; 1] =
        [("TSCATTER-SHAPE-01", |c| c.dst.valid_col = Dynamic(17))];
    for (target, enforced) in [(Cpu, ByCaller), (A2a3, ByCheck), (A5, ByCheck)] {
        rules(target, &r, form, by_index, enforced, &shapes);
        rules(target, &r, form, by_index, ByCaller, &owed);
    }
    let by_mask = TscatterMask {
        dst: tile(Half, [16, 128], [16, 128]),
        src: tile(Half, [16, 64], [16, 64]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    };
    let small: [Change<TscatterMask>; 1] = [("TSCATTER-GAP-15", |c| c.dst.rows = 8)];
    rules(A5, &r, Call::TscatterMask, by_mask, ByCaller, &small);
    let owed: [Change<TscatterMask>; 3] = [
        ("TSCATTER-GAP-08", |c| c.src.dtype = Float),
        ("TSCATTER-GAP-09", |c| {
            [c.dst.dtype, c.src.dtype] = [Int8; 2]
        }),
        ("TSCATTER-GAP-09", |c| {
            [c.dst.dtype, c.src.dtype] = [Uint64, Int64];
        }),
    ];
    rules(Cpu, &suite(), Call::TscatterMask, by_mask, ByCaller, &owed);
}

#[test]
fn tgatherb() {
    let by_offset = Tgatherb {
        dst: tile(Half, [2, 16], [2, 8]),
        src: tile(Half, [4, 16], [4, 16]),
        offset: tile(Uint32, [2, 16], [2, 8]),
    };
    let owed: [Change<Tgatherb>; 1] = [("TGATHERB-GAP-13", |c| c.src.valid_row = Dynamic(5))];
    let r = Readings::default();
    for target in [Cpu, A2a3, A5] {
        rules(target, &r, Call::Tgatherb, by_offset, ByCaller, &owed);
    }
    // By size and by list.
    let mut wide = by_offset;
    (wide.dst.dtype, wide.src.dtype) = (Int64, Int64);
    let gap = ("TGATHERB-GAP-08", ByCaller);
    assert_eq!(broken(Call::Tgatherb(wide), Cpu, &r), [gap, gap]);
    // TGATHERB-GAP-14: half valid [2,17] is two blocks a row.
    let by_block = Readings {
        tgatherb_granularity: OffsetGranularity::Block,
        ..Readings::default()
    };
    let blocks = Tgatherb {
        dst: tile(Half, [2, 32], [2, 17]),
        offset: tile(Uint32, [2, 8], [2, 2]),
        ..by_offset
    };
    let owed: [Change<Tgatherb>; 1] = [("TGATHERB-SEM-03", |c| c.offset.valid_col = Static(1))];
    rules(A5, &by_block, Call::Tgatherb, blocks, ByCaller, &owed);
}

/// Holds what is said of each call to its line of a table: a target, a word of the clauses that
/// count, their document and their numbers.
fn told(calls: &[Call], table: &str) {
    let lines = table.trim().lines();
    assert_eq!(lines.clone().count(), calls.len());
    for (line, call) in lines.zip(calls) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [target, word, document, numbers @ ..] = &words[..] else {
            panic!("no clauses in {line}");
        };
        let found = legality(call, target.parse().expect(line), &Readings::default());
        let found = found.iter().filter(|broken| broken.clause.0.contains(word));
        let each = found.flat_map(|broken| broken.also.iter().chain([&broken.clause]));
        let found: BTreeSet<_> = each.map(|clause| clause.0.to_owned()).collect();
        let expected = numbers.iter().map(|number| format!("{document}-{number}"));
        assert_eq!(found, expected.collect(), "{line} {call:?}");
    }
}

/// What one clause forbids, another leaves out of a list, and a third gives to `None` alone:
/// whoever rejects the call may name any of them.
#[test]
fn a_type_is_rejected_by_each_clause_that_says_so() {
    use ScatterAtomicOp::{Add, Max, Min};
    let calls = [
        (Add, Uint8),
        (Add, Int64),
        (Add, Int8),
        (Add, Hifloat8),
        (Max, Float8E4M3),
        (Min, Half),
        (ScatterAtomicOp::None, Hifloat8),
    ];
    let of = |(atomic, dtype)| {
        let square = tile(dtype, [8, 32], [8, 32]);
        let idx = tile(Int32, [8, 32], [8, 32]);
        Call::Mscatter(Mscatter {
            atomic,
            ..scatter(matrix(dtype, 1, 256), square, idx, Elem)
        })
    };
    told(
        &calls.map(of),
        "a2a3 ATOM     MSCATTER ATOM-08 ATOM-09
         a2a3 ATOM     MSCATTER ATOM-08
         a5   ATOM     MSCATTER ATOM-11 ATOM-12 ATOM-15
         a5   ATOM     MSCATTER ATOM-11 ATOM-12 ATOM-15 DTYPE-10
         a5   ATOM     MSCATTER ATOM-13 ATOM-15 DTYPE-10
         a5   ATOM     MSCATTER ATOM-14 ATOM-15
         a2a3 MSCATTER MSCATTER DTYPE-07 DTYPE-08",
    );
}

/// What a rule says of a shape, another says of the mode, and a third of the index tile.
#[test]
fn a_shape_is_rejected_by_each_clause_that_says_so() {
    let row = |valid| Mscatter {
        idx: tile(Int32, [8, 8], valid),
        ..few_rows()
    };
    let elem = Mscatter {
        idx: tile(Int32, [8, 16], [8, 15]),
        ..elem_call()
    };
    let narrow = |dtype| Mscatter {
        src: tile(dtype, [8, 4], [8, 4]),
        table: matrix(dtype, 1, 256),
        idx: tile(Int32, [8, 8], [8, 4]),
        ..elem_call()
    };
    let no_scratch = MgatherL1 {
        mode: Elem,
        scratch: None,
        ..MgatherL1::default()
    };
    let mask = Call::blank(Form::TscatterMask);
    let blocks = Mscatter {
        src: Tile {
            blayout: BLayout::ColMajor,
            slayout: SLayout::RowMajor,
            ..tile(Float, [16, 8], [16, 8])
        },
        table: packed(Float, [1, 1, 1, 32, 8], Layout::NZ),
        ..elem_call()
    };
    let mut by_column = Tgatherb::default();
    by_column.dst.blayout = BLayout::ColMajor;
    let [down, across] = [[4, 1], [1, 5]].map(row);
    let calls = [
        Call::Mscatter(down),
        gathered(down),
        gathered(across),
        Call::Mscatter(across),
        gathered(across),
        Call::Mscatter(elem),
        Call::Mscatter(elem),
        Call::Mscatter(narrow(Half)),
        gathered(narrow(Float)),
        Call::MgatherL1(no_scratch),
        mask,
        Call::Mscatter(blocks),
        Call::Tgatherb(by_column),
    ];
    told(
        &calls,
        "a2a3 SHAPE  MSCATTER  MODE-02 SHAPE-01 TILE-16
         a2a3 MODE   MGATHER   MODE-01 MODE-02 MODE-03
         a2a3 MODE   MGATHER   MODE-01 MODE-02
         a5   SHAPE  MSCATTER  MODE-02 SHAPE-04 TILE-13
         a5   MODE   MGATHER   MODE-01 MODE-04 TILE-11
         a2a3 SHAPE  MSCATTER  MODE-02 SHAPE-02 TILE-16
         a5   SHAPE  MSCATTER  MODE-02 SHAPE-02
         a2a3 ALIGN  MSCATTER  ALIGN-01 MIN-02
         a2a3 ALIGN  MGATHER   ALIGN-01 MIN-03
         a5   GAP-05 MGATHERL1 GAP-05 SCRATCH-01
         a2a3 MODE   TSCATTER  API-03 MODE-02
         a2a3 NZ     MSCATTER  NZ-04 TABLE-12
         a2a3 TILE   TGATHERB  API-02 TILE-01",
    );
}
