//! Constraints with a call that keeps them and one that breaks them: those that drawn calls
//! seldom come near, or of which only the gap itself tells how they are enforced. What
//! checks reject in drawn calls the models must reject, too (`runner/tests/random.rs`).

use crate::common::{calls::*, rules::*, *};
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
    rules(
        A2a3,
        &Readings::default(),
        gathered,
        elem_call(),
        ByCheck,
        &in_l1,
    );
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
            (["MSCATTER-GAP-13", "MGATHER-GAP-09"], |c| {
                c.table = strided(c.table, 3, 32);
            }),
            (["MSCATTER-TABLE-08", "MGATHER-TABLE-08"], |c| {
                c.table = strided(c.table, 3, 4);
            }),
            (["MSCATTER-ALIGN-02", "MGATHER-ALIGN-03"], |c| {
                c.src = tile(Float, [8, 20], [8, 16]);
            }),
        ],
    );
}

#[test]
fn the_unified_buffer_of_a5() {
    for (rows, asked, expected) in [
        (2304, 147_456, None),
        (2304, 147_455, Some(["MSCATTER-UB-16", "MGATHER-UB-14"])),
        (3456, 221_184, None),
        (3456, 221_185, Some(["MSCATTER-UB-06", "MGATHER-UB-06"])),
        (3457, 221_184, Some(["MSCATTER-UB-05", "MGATHER-UB-05"])),
    ] {
        let data = tile(Float, [rows, 8], [rows, 8]);
        let idx = tile(Int32, [rows, 8], [rows, 8]);
        let mut call = scatter(matrix(Float, 1, 64), data, idx, Elem);
        call.launch.dyn_ub_bytes = Some(asked);
        for (of, call) in [Call::Mscatter(call), gathered(call)]
            .into_iter()
            .enumerate()
        {
            let found = broken(call, A5, &Readings::default());
            let expected = expected.map(|clauses| (clauses[of], ByCaller));
            assert_eq!(found.first().copied(), expected, "{rows} {asked}");
            assert!(found.len() <= 1 || rows == 3457);
        }
    }
}

#[test]
fn elements_on_the_cpu() {
    pairs(
        Cpu,
        elem_call(),
        &[
            (["MSCATTER-GAP-62", "MGATHER-GAP-35"], |c| {
                c.src = tile(Float8E4M3, [8, 32], [8, 16]);
                c.table.dtype = Float8E4M3;
            }),
            (["MSCATTER-TILE-17", "MGATHER-TILE-14"], |c| {
                c.idx.location = Mat
            }),
            (["MSCATTER-SHAPE-06", "MGATHER-SHAPE-07"], |c| {
                c.idx.valid_col = Static(4);
            }),
            (["MSCATTER-SEM-05", "MGATHER-MIN-09"], |c| {
                c.src.valid_col = Dynamic(17);
            }),
        ],
    );
    let owed: [Change<Mscatter>; 2] = [
        ("MSCATTER-GAP-39", |c| {
            c.mode = Row;
            c.idx = tile(Int32, [8, 1], [8, 1]);
        }),
        ("MSCATTER-TILE-05", |c| {
            c.mode = Row;
            c.idx = tile(Int32, [8, 8], [1, 8]);
        }),
    ];
    let r = Readings::default();
    rules(Cpu, &r, Call::Mscatter, elem_call(), ByCaller, &owed);
}

#[test]
fn rows_on_the_cpu() {
    rules(
        Cpu,
        &Readings::default(),
        gathered,
        few_rows(),
        ByCaller,
        &[
            ("MGATHER-TILE-12", |c| {
                c.idx = tile(Int32, [4, 8], [2, 2]);
                c.idx.valid_row = Dynamic(2);
            }),
            ("MGATHER-TILE-12", |c| c.src.valid_row = Dynamic(3)),
            ("MGATHER-SHAPE-01", |c| c.idx = tile(Int32, [8, 8], [4, 1])),
            ("MGATHER-GAP-08", |c| c.table = strided(c.table, 3, 16)),
        ],
    );
    let templated = Readings {
        cpu_form: CpuForm::Templated,
        ..Readings::default()
    };
    let down = Mscatter {
        idx: tile(Int32, [8, 8], [8, 1]),
        ..row_call()
    };
    rules(
        Cpu,
        &templated,
        Call::Mscatter,
        down,
        ByCaller,
        &[
            ("MSCATTER-DTYPE-11", |c| c.table.dtype = Int32),
            ("MSCATTER-ATOM-16", |c| {
                (c.src.dtype, c.table.dtype) = (Bfloat16, Bfloat16);
                c.atomic = ScatterAtomicOp::Add;
            }),
        ],
    );
}

#[test]
fn what_the_cpu_leaves_to_the_caller() {
    let with_idx = |mut call: Mscatter, idx| {
        call.idx = idx;
        call
    };
    let late = |mut call: Mscatter| {
        call.idx.valid_row = Dynamic(call.idx.valid_row.get());
        call
    };
    let of_type = |mut call: Mscatter, dtype| {
        call.table.dtype = dtype;
        call
    };
    let rows = few_rows();
    // [2,2] for four rows; [4,1] in eight columns, four indices 8 elements apart, and in one.
    let square = with_idx(rows, tile(Int32, [4, 8], [2, 2]));
    let down = with_idx(rows, tile(Int32, [4, 8], [4, 1]));
    let close = with_idx(rows, tile(Int32, [4, 1], [4, 1]));
    let mut single = down;
    (single.src.valid_row, single.idx.valid_row) = (Static(1), Static(1));
    let mut column = few_elements();
    (column.src.valid_col, column.idx.valid_col) = (Static(1), Static(1));
    let check = "cpu-row-check";
    let index = "cpu-row-index";
    let types = "cpu-table-type";
    let precondition = "precondition";
    for (call, name, choice, expected) in [
        // MGATHER-GAP-12; of a shape at run time no check ever saw anything.
        (
            square,
            check,
            "rejected",
            Some(("MGATHER-MODE-06", ByCheck)),
        ),
        (
            square,
            check,
            precondition,
            Some(("MGATHER-GAP-12", ByCaller)),
        ),
        (
            late(square),
            check,
            "rejected",
            Some(("MGATHER-TILE-12", ByCaller)),
        ),
        (
            late(square),
            check,
            precondition,
            Some(("MGATHER-TILE-12", ByCaller)),
        ),
        // MGATHER-GAP-56. Side by side, one by itself, or in Elem mode there is nothing
        // between the indices.
        (down, index, "own-layout", None),
        (
            down,
            index,
            precondition,
            Some(("MGATHER-GAP-56", ByCaller)),
        ),
        (
            late(down),
            index,
            precondition,
            Some(("MGATHER-GAP-56", ByCaller)),
        ),
        (rows, index, precondition, None),
        (close, index, precondition, None),
        (single, index, precondition, None),
        (column, index, precondition, None),
        // MGATHER-GAP-13: a float tile of int32 bits. Another size is rejected as ever.
        (of_type(rows, Int32), types, "bytes", None),
        (
            of_type(rows, Int32),
            types,
            precondition,
            Some(("MGATHER-GAP-13", ByCaller)),
        ),
        (
            of_type(few_elements(), Int32),
            types,
            precondition,
            Some(("MGATHER-GAP-13", ByCaller)),
        ),
        (
            of_type(rows, Int16),
            types,
            precondition,
            Some(("MGATHER-DTYPE-04", ByCheck)),
        ),
    ] {
        let mut r = Readings::default();
        r.set(name, choice).expect("a choice of the gap");
        let found = broken(gathered(call), Cpu, &r);
        assert_eq!(found, Vec::from_iter(expected), "{name} {choice} {call:?}");
    }
}

#[test]
fn the_first_revision() {
    // float [4,8] into a 6x8 table by rows, and into 6x10 elements.
    let float = tile(Float, [4, 8], [4, 8]);
    rules(
        A5,
        &Readings::default(),
        Call::MscatterFirst,
        first(matrix(Float, 6, 8), float, tile(Int32, [4, 1], [4, 1])),
        ByCaller,
        &[
            ("MSCATTER0-GAP-08", |c| c.table = matrix(Float, 6, 16)),
            ("MSCATTER-TABLE-08", |c| c.table.layout = Layout::DN),
            ("MSCATTER-TILE-12", |c| c.src.slayout = SLayout::RowMajor),
            ("MSCATTER-GAP-59", |c| c.idx.slayout = SLayout::RowMajor),
            ("MSCATTER-GAP-02", |c| c.table.shape[3] = Dynamic(0)),
            ("MSCATTER-UB-05", |c| {
                c.src = tile(Float, [8192, 8], [8192, 8]);
                c.idx = tile(Int32, [8192, 1], [8192, 1]);
            }),
        ],
    );
    rules(
        A5,
        &Readings::default(),
        Call::MscatterFirst,
        first(matrix(Float, 6, 10), float, tile(Uint32, [4, 8], [4, 8])),
        ByCaller,
        &[("MSCATTER0-GAP-06", |c| c.idx.valid_col = Dynamic(7))],
    );
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
    rules(
        Cpu,
        &suite(),
        Call::MgatherL1,
        rows,
        ByCaller,
        &[
            ("MGATHER-DTYPE-01", |c| {
                (c.dst.dtype, c.table.dtype) = (Int64, Int64)
            }),
            ("MGATHER-GAP-35", |c| {
                (c.dst.dtype, c.table.dtype) = (Hifloat8, Hifloat8)
            }),
            ("MGATHERL1-TILE-01", |c| c.dst.location = TileType::Vec),
            ("MGATHERL1-TILE-02", |c| c.dst.cols = 24),
            ("MGATHERL1-TILE-03", |c| c.dst.rows = 10),
            ("MGATHERL1-TABLE-01", |c| c.table.layout = Layout::DN),
            ("MGATHERL1-GAP-28", |c| c.idx = matrix(Int32, 1, 9)),
            ("MGATHERL1-GAP-17", |c| c.table = matrix(Half, 8, 19)),
            ("MGATHER-GAP-08", |c| c.table = strided(c.table, 3, 48)),
        ],
    );
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
    let owed: [Change<TscatterIndex>; 2] = [
        ("TSCATTER-SHAPE-01", |c| c.dst.valid_col = Dynamic(17)),
        ("TSCATTER-SEM-02", |c| c.idx.valid_row = Static(1)),
    ];
    for (target, enforced) in [(Cpu, ByCaller), (A2a3, ByCheck), (A5, ByCheck)] {
        rules(target, &r, form, by_index, enforced, &shapes);
        rules(target, &r, form, by_index, ByCaller, &owed);
    }
    // TSCATTER-GAP-04, -07, -12: other extents, other layouts, bytes.
    let call = Call::TscatterIndex(TscatterIndex {
        dst: nz_tile(Int8, [16, 32], [16, 32]),
        src: col_major(Int8, [32, 2], [3, 2]),
        idx: tile(Uint16, [4, 16], [4, 2]),
    });
    for target in [A2a3, A5] {
        assert_eq!(broken(call, target, &r), []);
    }
    let by_mask = TscatterMask {
        dst: tile(Half, [16, 128], [16, 128]),
        src: tile(Half, [16, 64], [16, 64]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    };
    let small: [Change<TscatterMask>; 1] = [("TSCATTER-GAP-15", |c| c.dst.rows = 8)];
    rules(A5, &r, Call::TscatterMask, by_mask, ByCaller, &small);
    rules(
        Cpu,
        &suite(),
        Call::TscatterMask,
        by_mask,
        ByCaller,
        &[
            ("TSCATTER-GAP-08", |c| c.src.dtype = Float),
            ("TSCATTER-GAP-09", |c| {
                (c.dst.dtype, c.src.dtype) = (Int8, Int8)
            }),
            ("TSCATTER-GAP-09", |c| {
                (c.dst.dtype, c.src.dtype) = (Uint64, Int64)
            }),
        ],
    );
}

#[test]
fn tgatherb() {
    let by_offset = Tgatherb {
        dst: tile(Half, [2, 16], [2, 8]),
        src: tile(Half, [4, 16], [4, 16]),
        offset: tile(Uint32, [2, 16], [2, 8]),
    };
    let owed: [Change<Tgatherb>; 3] = [
        ("TGATHERB-SEM-03", |c| c.offset.valid_col = Static(7)),
        ("TGATHERB-SEM-03", |c| c.dst.valid_col = Dynamic(9)),
        ("TGATHERB-GAP-13", |c| c.src.valid_row = Dynamic(5)),
    ];
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
    rules(
        A5,
        &by_block,
        Call::Tgatherb,
        blocks,
        ByCaller,
        &[
            ("TGATHERB-SEM-03", |c| c.offset.valid_col = Static(1)),
            ("TGATHERB-GAP-10", |c| c.offset.blayout = BLayout::ColMajor),
            ("TGATHERB-GAP-10", |c| c.src.blayout = BLayout::ColMajor),
        ],
    );
}
