//! MSCATTER and MGATHER to UB: every constraint with a call that keeps it and one that
//! breaks it. The gather has the operands of the scatter.

use crate::common::{rules::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::*;
use Dim::{Dynamic, Static};
use ScatterAtomicOp::{Add, Max, Min};
use Target::{A2a3, A5, Cpu};
use TileType::Mat;

/// float src valid [8,16] and 256 slots, Elem.
fn elem_call() -> Mscatter {
    scatter(
        matrix(Float, 1, 256),
        tile(Float, [8, 16], [8, 16]),
        tile(Int32, [8, 16], [8, 16]),
        Elem,
    )
}

/// float [4,8] and six rows.
fn few_rows() -> Mscatter {
    scatter(
        matrix(Float, 6, 8),
        tile(Float, [4, 8], [4, 8]),
        tile(Int32, [1, 8], [1, 4]),
        Row,
    )
}

/// float [2,8] and thirty elements.
fn few_elements() -> Mscatter {
    let data = tile(Float, [2, 8], [2, 8]);
    scatter(
        matrix(Float, 3, 10),
        data,
        tile(Int32, [2, 8], [2, 8]),
        Elem,
    )
}

/// Tile and table of another type.
fn of(c: &mut Mscatter, dtype: DType) {
    (c.src.dtype, c.table.dtype) = (dtype, dtype);
}

/// The same with an atomic operation.
fn with_op(c: &mut Mscatter, dtype: DType, op: ScatterAtomicOp) {
    of(c, dtype);
    c.atomic = op;
}

/// A scatter and a gather break nothing.
fn are_kept(call: Mscatter, target: Target) {
    for call in [Call::Mscatter(call), gathered(call)] {
        assert_eq!(broken(call, target, &Readings::default()), [], "{target}");
    }
}

#[test]
fn elements_on_both_npus() {
    for (target, atomic, element) in [
        (
            A2a3,
            "MSCATTER-ATOM-09",
            ["MSCATTER-DTYPE-07", "MGATHER-DTYPE-06"],
        ),
        (
            A5,
            "MSCATTER-ATOM-12",
            ["MSCATTER-DTYPE-09", "MGATHER-DTYPE-09"],
        ),
    ] {
        let shape = ["MSCATTER-SHAPE-02", "MGATHER-MODE-05"];
        let empty = ["MSCATTER-SHAPE-03", "MGATHER-SHAPE-03"];
        pairs(
            target,
            elem_call(),
            &[
                (element, |c| of(c, Int64)),
                both("MSCATTER-DTYPE-03", "MGATHER-DTYPE-08", |c| {
                    c.idx.dtype = Int16
                }),
                both("MSCATTER-DTYPE-11", "MGATHER-DTYPE-11", |c| {
                    c.table.dtype = Int32
                }),
                both("MSCATTER-TILE-01", "MGATHER-TILE-01", |c| {
                    c.src.location = Mat
                }),
                both("MSCATTER-TILE-02", "MGATHER-TILE-02", |c| {
                    c.idx.location = Mat
                }),
                (shape, |c| c.idx.valid_col = Static(15)),
                (shape, |c| c.idx.valid_row = Static(7)),
                (empty, |c| {
                    (c.src.valid_row, c.idx.valid_row) = (Static(0), Static(0));
                }),
            ],
            &[
                // MSCATTER-DYN-04: a run-time mismatch is nobody's to see.
                (shape, |c| c.idx.valid_col = Dynamic(15)),
                (empty, |c| {
                    (c.src.valid_col, c.idx.valid_col) = (Dynamic(0), Dynamic(0));
                }),
                both("MSCATTER-GAP-02", "MGATHER-GAP-03", |c| {
                    c.table.shape[3] = Dynamic(0);
                }),
                both("MSCATTER-GAP-11", "MGATHER-GAP-04", |c| {
                    c.table.stride[2] = Dynamic(u64::MAX);
                    c.table.shape[2] = Dynamic(2);
                }),
            ],
        );
        let r = Readings::default();
        let form = Call::Mscatter;
        let adds = [(atomic, (|c| with_op(c, Uint16, Add)) as fn(&mut _))];
        rules(target, &r, form, elem_call(), &adds, &[]);
        // MSCATTER-MODE-02: the shapes of the other mode.
        let mut wrong = row_call();
        wrong.mode = Elem;
        let found = broken(Call::Mscatter(wrong), target, &r);
        assert_eq!(found[0], ("MSCATTER-SHAPE-02", ByCheck));
        // MSCATTER-SHAPE-09, -ALIGN-03: padded widths differ, valid ones are free.
        let odd = scatter(
            matrix(Half, 1, 40),
            tile(Half, [3, 16], [3, 5]),
            tile(Int32, [3, 8], [3, 5]),
            Elem,
        );
        are_kept(odd, target);
    }
}

#[test]
fn rows_on_a2a3() {
    let outer = Mscatter {
        table: packed(Float, [2, 1, 1, 8, 16], Layout::ND),
        ..row_call()
    };
    let shape = ["MSCATTER-SHAPE-01", "MGATHER-MODE-02"];
    let apart = ["MSCATTER-GAP-82", "MGATHER-GAP-71"];
    pairs(
        A2a3,
        outer,
        &[
            (shape, |c| c.idx.valid_col = Static(7)),
            (shape, |c| c.idx = tile(Int32, [8, 8], [8, 1])),
            both("MSCATTER-TILE-06", "MGATHER-TILE-04", |c| {
                c.idx.blayout = BLayout::ColMajor;
            }),
            both("MSCATTER-TILE-07", "MGATHER-TILE-05", |c| {
                c.src.blayout = BLayout::ColMajor;
            }),
            both("MSCATTER-TILE-09", "MGATHER-TILE-05", |c| {
                c.src = nz_tile(Float, [16, 16], [8, 16]);
            }),
            both("MSCATTER-GAP-20", "MGATHER-GAP-39", |c| {
                c.table.layout = Layout::DN;
            }),
            both("MSCATTER-ALIGN-01", "MGATHER-ALIGN-01", |c| c.src.cols = 20),
            both("MSCATTER-DTYPE-08", "MGATHER-DTYPE-07", |c| {
                c.src = tile(Float8E5M2, [8, 32], [8, 16]);
                c.table.dtype = Float8E5M2;
            }),
        ],
        &[
            (shape, |c| c.src.valid_row = Dynamic(7)),
            both("MSCATTER-SHAPE-08", "MGATHER-SHAPE-04", |c| {
                c.src.valid_row = Dynamic(9);
            }),
            both("MSCATTER-GAP-16", "MGATHER-GAP-06", |c| {
                c.table = strided(c.table, 0, 256);
            }),
            both("MSCATTER-GAP-17", "MGATHER-GAP-10", |c| {
                c.table = packed(Float, [2, 1, 1, 8, 8], Layout::ND);
            }),
            (apart, |c| c.table = strided(strided(c.table, 3, 8), 0, 64)),
            (apart, |c| c.table = strided(strided(c.table, 3, 32), 4, 2)),
            both("MSCATTER-UB-01", "MGATHER-UB-02", |c| c.src.rows = 4096),
        ],
    );
    let extremes: [Change<Mscatter>; 2] = [
        ("MSCATTER-ATOM-10", |c| c.atomic = Max),
        ("MSCATTER-ATOM-10", |c| c.atomic = Min),
    ];
    rules(
        A2a3,
        &Readings::default(),
        Call::Mscatter,
        outer,
        &extremes,
        &[],
    );
    // MSCATTER-TABLE-05: rows apart. MSCATTER-GAP-17: a narrower tile.
    let narrow = Mscatter {
        table: strided(matrix(Float, 16, 24), 3, 40),
        ..row_call()
    };
    are_kept(narrow, A2a3);
    // MSCATTER-UB-01, its two sizes.
    let sized = |rows| {
        let data = tile(Float, [rows, 256], [rows, 256]);
        let idx = tile(Int32, [rows, 256], [rows, 256]);
        scatter(matrix(Float, 1, 256 * 128), data, idx, Elem)
    };
    are_kept(sized(64), A2a3);
    let found = broken(Call::Mscatter(sized(128)), A2a3, &Readings::default());
    assert_eq!(found, [("MSCATTER-UB-01", ByCaller)]);
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
    let rows = ["MSCATTER-NZ-04", "MGATHER-NZ-07"];
    let inner = ["MSCATTER-GAP-26", "MGATHER-GAP-22"];
    pairs(
        A2a3,
        good,
        &[
            (rows, |c| {
                c.table = packed(Half, [1, 2, 2, 32, 16], Layout::NZ);
            }),
            both("MSCATTER-NZ-05", "MGATHER-NZ-08", |c| {
                c.table.shape[4] = Static(8);
            }),
            both("MSCATTER-NZ-06", "MGATHER-NZ-09", |c| c.src.cols = 24),
            both("MSCATTER-NZ-07", "MGATHER-NZ-10", |c| c.src.rows = 24),
            both("MSCATTER-TILE-08", "MGATHER-TILE-06", |c| {
                c.src.fractal = 1024
            }),
            both("MSCATTER-TILE-09", "MGATHER-TILE-06", |c| {
                c.src = tile(Half, [32, 32], [5, 32]);
            }),
            both("MSCATTER-TILE-06", "MGATHER-TILE-04", |c| {
                c.idx.slayout = SLayout::RowMajor;
            }),
        ],
        &[
            (rows, |c| c.table.shape[3] = Dynamic(15)),
            both("MSCATTER-GAP-23", "MGATHER-GAP-20", |c| {
                c.src = nz_tile(Half, [32, 16], [5, 16]);
            }),
            (inner, |c| c.table = strided(c.table, 4, 2)),
            (inner, |c| {
                c.table = strided(strided(c.table, 3, 32), 2, 512);
                c.table = strided(strided(c.table, 1, 1024), 0, 2048);
            }),
            both("MSCATTER-NZ-14", "MGATHER-NZ-12", |c| {
                c.table = strided(c.table, 1, 16);
            }),
        ],
    );
    // MSCATTER-NZ-14: padded blocks. MSCATTER-GAP-27: dynamic inner dimensions.
    let mut padded = good;
    padded.table = strided(padded.table, 1, 768);
    (padded.table.shape[3], padded.table.shape[4]) = (Dynamic(16), Dynamic(16));
    are_kept(padded, A2a3);
}

#[test]
fn rows_on_a5() {
    let down = Mscatter {
        idx: col_major(Int32, [8, 1], [8, 1]),
        src: col_major(Float, [8, 16], [8, 16]),
        ..row_call()
    };
    let shape = ["MSCATTER-SHAPE-04", "MGATHER-MODE-04"];
    let packed_nd = ["MSCATTER-TABLE-08", "MGATHER-TABLE-08"];
    pairs(
        A5,
        down,
        &[
            (shape, |c| c.idx = tile(Int32, [2, 8], [2, 4])),
            both("MSCATTER-TABLE-07", "MGATHER-TABLE-07", |c| {
                c.table = matrix(Float, 16, 32);
            }),
        ],
        &[
            (shape, |c| c.idx.valid_row = Dynamic(7)),
            both("MSCATTER-SHAPE-07", "MGATHER-SHAPE-06", |c| c.src.rows = 4),
            both("MSCATTER-GAP-36", "MGATHER-GAP-15", |c| {
                c.idx = tile(Int32, [8, 8], [8, 1]);
            }),
            both("MSCATTER-TILE-12", "MGATHER-TILE-08", |c| {
                c.src.slayout = SLayout::RowMajor;
            }),
            both("MSCATTER-GAP-59", "MGATHER-GAP-49", |c| {
                c.idx.slayout = SLayout::ColMajor;
            }),
            both("MSCATTER-GAP-14", "MGATHER-GAP-09", |c| {
                c.table = matrix(Float, 16, 15);
                c.table.shape[4] = Dynamic(15);
            }),
            both("MSCATTER-GAP-13", "MGATHER-GAP-09", |c| {
                c.table = strided(c.table, 3, 32);
            }),
            (packed_nd, |c| c.table = strided(c.table, 3, 4)),
            (packed_nd, |c| c.table.layout = Layout::NZ),
            both("MSCATTER-ALIGN-02", "MGATHER-ALIGN-03", |c| {
                c.src = tile(Float, [8, 20], [8, 16]);
            }),
        ],
    );
    let wide = Mscatter {
        src: tile(Float, [8, 16], [8, 16]),
        ..down
    };
    let extremes: [Change<Mscatter>; 2] = [
        ("MSCATTER-ATOM-13", |c| with_op(c, Half, Max)),
        ("MSCATTER-ATOM-14", |c| with_op(c, Bfloat16, Min)),
    ];
    rules(
        A5,
        &Readings::default(),
        Call::Mscatter,
        wide,
        &extremes,
        &[],
    );
}

#[test]
fn atomics_that_are_listed() {
    let dtypes = [
        Int8, Uint8, Int16, Uint16, Int32, Uint32, Half, Bfloat16, Float, Hifloat8, Float8E4M3,
        Float8E5M2,
    ];
    let kept = |dtype, atomic, target| {
        let call = Mscatter {
            atomic,
            ..scatter(
                matrix(dtype, 1, 64),
                tile(dtype, [1, 32], [1, 32]),
                tile(Int32, [1, 32], [1, 32]),
                Elem,
            )
        };
        broken(Call::Mscatter(call), target, &Readings::default()).is_empty()
    };
    // MSCATTER-ATOM-08: the six.
    let adds = dtypes.into_iter().filter(|&dtype| kept(dtype, Add, A2a3));
    let six = [Int8, Int16, Int32, Half, Bfloat16, Float];
    assert_eq!(adds.collect::<Vec<_>>(), six);
    // MSCATTER-ATOM-15: 23 pairs are true, 25 are not.
    let all = [ScatterAtomicOp::None, Add, Max, Min];
    let pairs = dtypes.iter().flat_map(|&dtype| all.map(|op| (dtype, op)));
    assert_eq!(pairs.filter(|&(dtype, op)| kept(dtype, op, A5)).count(), 23);
}

#[test]
fn the_unified_buffer_of_a5() {
    for (rows, asked, expected) in [
        (2048, None, None),
        (2049, None, Some(["MSCATTER-UB-07", "MGATHER-UB-07"])),
        (2304, Some(0), Some(["MSCATTER-UB-07", "MGATHER-UB-07"])),
        (2304, Some(147_456), None),
        (
            2304,
            Some(147_455),
            Some(["MSCATTER-UB-16", "MGATHER-UB-14"]),
        ),
        (3456, Some(221_184), None),
        (
            3456,
            Some(221_185),
            Some(["MSCATTER-UB-06", "MGATHER-UB-06"]),
        ),
        (
            3457,
            Some(221_184),
            Some(["MSCATTER-UB-05", "MGATHER-UB-05"]),
        ),
    ] {
        let data = tile(Float, [rows, 8], [rows, 8]);
        let idx = tile(Int32, [rows, 8], [rows, 8]);
        let mut call = scatter(matrix(Float, 1, 64), data, idx, Elem);
        call.launch.dyn_ub_bytes = asked;
        for (of, call) in [Call::Mscatter(call), gathered(call)]
            .into_iter()
            .enumerate()
        {
            let found = broken(call, A5, &Readings::default());
            let expected = expected.map(|clauses| (clauses[of], ByCaller));
            assert_eq!(found.first().copied(), expected, "{rows} {asked:?}");
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
            both("MSCATTER-DTYPE-04", "MGATHER-DTYPE-04", |c| {
                c.idx.dtype = Float
            }),
            both("MSCATTER-DTYPE-05", "MGATHER-DTYPE-04", |c| {
                c.table.dtype = Half
            }),
        ],
        &[
            both("MSCATTER-DTYPE-13", "MGATHER-DTYPE-03", |c| {
                c.idx.dtype = Int16
            }),
            both("MSCATTER-DTYPE-01", "MGATHER-DTYPE-01", |c| of(c, Uint64)),
            both("MSCATTER-GAP-62", "MGATHER-GAP-35", |c| {
                c.src = tile(Float8E4M3, [8, 32], [8, 16]);
                c.table.dtype = Float8E4M3;
            }),
            both("MSCATTER-TILE-17", "MGATHER-TILE-14", |c| {
                c.idx.location = Mat
            }),
            both("MSCATTER-TILE-03", "MGATHER-TILE-03", |c| {
                c.src.blayout = BLayout::ColMajor;
            }),
            both("MSCATTER-ALIGN-04", "MGATHER-ALIGN-02", |c| c.src.cols = 20),
            both("MSCATTER-SHAPE-05", "MGATHER-SHAPE-01", |c| c.idx.rows = 16),
            both("MSCATTER-SHAPE-06", "MGATHER-SHAPE-07", |c| {
                c.idx.valid_col = Static(4);
            }),
            both("MSCATTER-SEM-05", "MGATHER-MIN-09", |c| {
                c.src.valid_col = Dynamic(17);
            }),
            both("MSCATTER-TABLE-02", "MGATHER-TABLE-02", |c| {
                c.table.layout = Layout::NZ;
            }),
            both("MSCATTER-TABLE-03", "MGATHER-TABLE-03", |c| {
                c.table = packed(Float, [2, 1, 1, 4, 8], Layout::ND);
            }),
        ],
    );
    let owed: [Change<Mscatter>; 4] = [
        ("MSCATTER-ATOM-16", |c| with_op(c, Bfloat16, Add)),
        ("MSCATTER-ATOM-17", |c| with_op(c, Uint32, Max)),
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
    rules(Cpu, &r, Call::Mscatter, elem_call(), &[], &owed);
    // MSCATTER-DTYPE-05: equal size is enough. MSCATTER-UB-04: no budget.
    let mut mixed = elem_call();
    mixed.table.dtype = Int32;
    mixed.src = tile(Float, [1024, 128], [8, 16]);
    mixed.idx = tile(Int32, [1024, 128], [8, 16]);
    assert_eq!(broken(Call::Mscatter(mixed), Cpu, &r), []);
}

#[test]
fn gathered_rows_on_the_cpu() {
    rules(
        Cpu,
        &Readings::default(),
        gathered,
        few_rows(),
        &[("MGATHER-MODE-06", |c| c.idx = tile(Int32, [4, 8], [2, 2]))],
        &[
            ("MGATHER-TILE-12", |c| {
                c.idx = tile(Int32, [4, 8], [2, 2]);
                c.idx.valid_row = Dynamic(2);
            }),
            ("MGATHER-TILE-12", |c| c.src.valid_row = Dynamic(3)),
            ("MGATHER-SHAPE-01", |c| c.idx = tile(Int32, [8, 8], [4, 1])),
            ("MGATHER-GAP-08", |c| c.table = strided(c.table, 3, 16)),
            ("MGATHER-GAP-10", |c| c.src = tile(Float, [4, 16], [4, 16])),
        ],
    );
    let down = Mscatter {
        idx: tile(Int32, [4, 8], [4, 1]),
        ..few_rows()
    };
    assert_eq!(broken(gathered(down), Cpu, &Readings::default()), []);
}

#[test]
fn what_the_cpu_leaves_to_the_caller() {
    let found = |call, target, name, choice| {
        let mut r = Readings::default();
        r.set(name, choice).unwrap();
        broken(gathered(call), target, &r)
    };
    // MGATHER-GAP-12: [2,2] for four rows.
    let mut square = few_rows();
    square.idx = tile(Int32, [4, 8], [2, 2]);
    for (choice, expected) in [
        ("rejected", ("MGATHER-MODE-06", ByCheck)),
        ("precondition", ("MGATHER-GAP-12", ByCaller)),
    ] {
        assert_eq!(found(square, Cpu, "cpu-row-check", choice), [expected]);
        assert_eq!(found(few_rows(), Cpu, "cpu-row-check", choice), []);
        let a5 = found(square, A5, "cpu-row-check", choice);
        assert_eq!(a5, [("MGATHER-MODE-04", ByCheck)]);
        // Of a shape at run time no check ever saw anything.
        let mut late = square;
        late.idx.valid_row = Dynamic(2);
        let expected = [("MGATHER-TILE-12", ByCaller)];
        assert_eq!(found(late, Cpu, "cpu-row-check", choice), expected);
    }
    // MGATHER-GAP-56: [4,1] in eight columns, four indices 8 elements apart.
    let down = Mscatter {
        idx: tile(Int32, [4, 8], [4, 1]),
        ..few_rows()
    };
    let apart = [("MGATHER-GAP-56", ByCaller)];
    let name = "cpu-row-index";
    assert_eq!(found(down, Cpu, name, "own-layout"), []);
    assert_eq!(found(down, Cpu, name, "precondition"), apart);
    let mut late = down;
    late.idx.valid_row = Dynamic(4);
    assert_eq!(found(late, Cpu, name, "precondition"), apart);
    // Side by side, one by itself, or in Elem mode there is nothing between them.
    let mut close = down;
    close.idx = tile(Int32, [4, 1], [4, 1]);
    let mut single = down;
    single.src.valid_row = Static(1);
    single.idx.valid_row = Static(1);
    let mut column = few_elements();
    column.src.valid_col = Static(1);
    column.idx.valid_col = Static(1);
    for call in [few_rows(), close, single, column] {
        assert_eq!(found(call, Cpu, name, "precondition"), []);
    }
    // A5 has a reading of its own.
    let a5 = [("MGATHER-GAP-15", ByCaller)];
    assert_eq!(found(down, A5, name, "precondition"), a5);
    // MGATHER-GAP-13: a float tile of int32 bits.
    for of in [few_rows(), few_elements()] {
        let mut bits = of;
        bits.table.dtype = Int32;
        let name = "cpu-table-type";
        assert_eq!(found(bits, Cpu, name, "bytes"), []);
        let types = [("MGATHER-GAP-13", ByCaller)];
        assert_eq!(found(bits, Cpu, name, "precondition"), types);
        assert_eq!(found(of, Cpu, name, "precondition"), []);
        // Another size is rejected as ever, and by the NPUs any other type.
        let mut halved = of;
        halved.table.dtype = Int16;
        let size = [("MGATHER-DTYPE-04", ByCheck)];
        assert_eq!(found(halved, Cpu, name, "precondition"), size);
        let npu = [("MGATHER-DTYPE-11", ByCheck)];
        assert_eq!(found(bits, A2a3, name, "precondition"), npu);
    }
}

#[test]
fn scatter_on_the_templated_cpu() {
    let r = Readings {
        cpu_form: CpuForm::Templated,
        ..Readings::default()
    };
    let down = Mscatter {
        idx: tile(Int32, [8, 8], [8, 1]),
        ..row_call()
    };
    rules(
        Cpu,
        &r,
        Call::Mscatter,
        down,
        &[],
        &[
            ("MSCATTER-SHAPE-04", |c| c.idx.valid_row = Static(7)),
            ("MSCATTER-TABLE-07", |c| c.table = matrix(Float, 16, 32)),
            ("MSCATTER-DTYPE-11", |c| c.table.dtype = Int32),
            ("MSCATTER-ATOM-16", |c| with_op(c, Bfloat16, Add)),
        ],
    );
    let big = Mscatter {
        src: tile(Float, [4096, 16], [8, 16]),
        ..down
    };
    assert_eq!(broken(Call::Mscatter(big), Cpu, &r), []);
}
