//! MGATHER: every constraint with a call that keeps it and one that breaks it.

use crate::common::{rules::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::*;
use Dim::{Dynamic, Static};
use Target::{A2a3, A5, Cpu};
use TileType::Mat;

fn row_gather() -> Mgather {
    gather(
        tile(Float, [4, 8], [4, 8]),
        matrix(Float, 6, 8),
        tile(Int32, [1, 8], [1, 4]),
        Row,
    )
}

fn elem_gather() -> Mgather {
    gather(
        tile(Float, [2, 8], [2, 8]),
        matrix(Float, 3, 10),
        tile(Int32, [2, 8], [2, 8]),
        Elem,
    )
}

#[test]
fn gather_on_both_npus() {
    for (target, element) in [(A2a3, "MGATHER-DTYPE-06"), (A5, "MGATHER-DTYPE-09")] {
        rules(
            target,
            &Readings::default(),
            Call::Mgather,
            elem_gather(),
            &[
                (element, |c| {
                    c.dst.dtype = Int64;
                    c.table.dtype = Int64;
                }),
                ("MGATHER-DTYPE-08", |c| c.idx.dtype = Int64),
                ("MGATHER-DTYPE-11", |c| c.table.dtype = Int32),
                ("MGATHER-TILE-01", |c| c.dst.location = Mat),
                ("MGATHER-TILE-02", |c| c.idx.location = Mat),
                ("MGATHER-MODE-05", |c| c.idx.valid_col = Static(7)),
                ("MGATHER-SHAPE-03", |c| {
                    c.dst.valid_row = Static(0);
                    c.idx.valid_row = Static(0);
                }),
            ],
            &[
                ("MGATHER-MODE-05", |c| c.idx.valid_col = Dynamic(4)),
                ("MGATHER-GAP-03", |c| c.table.shape[3] = Dynamic(0)),
                ("MGATHER-GAP-04", |c| c.table.stride[3] = Dynamic(u64::MAX)),
            ],
        );
    }
}

#[test]
fn gather_on_a2a3() {
    rules(
        A2a3,
        &Readings::default(),
        Call::Mgather,
        row_gather(),
        &[
            ("MGATHER-MODE-02", |c| c.idx.valid_col = Static(3)),
            ("MGATHER-MODE-02", |c| c.idx = tile(Int32, [4, 8], [4, 1])),
            ("MGATHER-DTYPE-07", |c| {
                c.dst = tile(Hifloat8, [4, 32], [4, 8]);
                c.table.dtype = Hifloat8;
            }),
            ("MGATHER-TILE-04", |c| c.idx.slayout = SLayout::RowMajor),
            ("MGATHER-TILE-05", |c| {
                c.dst = nz_tile(Float, [16, 8], [4, 8])
            }),
            ("MGATHER-GAP-39", |c| c.table.layout = Layout::DN),
            ("MGATHER-ALIGN-01", |c| c.dst.cols = 12),
        ],
        &[
            ("MGATHER-SHAPE-04", |c| c.dst.rows = 3),
            ("MGATHER-GAP-06", |c| {
                c.table = strided(packed(Float, [1, 1, 2, 3, 8], Layout::ND), 2, 64)
            }),
            ("MGATHER-GAP-10", |c| c.dst = tile(Float, [4, 16], [4, 16])),
            ("MGATHER-GAP-71", |c| c.table = strided(c.table, 3, 4)),
            ("MGATHER-GAP-71", |c| {
                c.table = strided(strided(c.table, 3, 16), 4, 2)
            }),
            ("MGATHER-UB-02", |c| c.dst.rows = 8192),
        ],
    );
    let nz = gather(
        nz_tile(Half, [32, 32], [20, 32]),
        packed(Half, [1, 2, 2, 16, 16], Layout::NZ),
        tile(Int32, [1, 24], [1, 20]),
        Row,
    );
    rules(
        A2a3,
        &Readings::default(),
        Call::Mgather,
        nz,
        &[
            ("MGATHER-NZ-07", |c| c.table.shape[3] = Static(8)),
            ("MGATHER-NZ-08", |c| c.table.shape[4] = Static(8)),
            ("MGATHER-NZ-09", |c| c.dst.cols = 24),
            ("MGATHER-NZ-10", |c| c.dst.rows = 24),
            ("MGATHER-TILE-06", |c| c.dst.fractal = 1024),
        ],
        &[
            ("MGATHER-GAP-20", |c| c.dst.cols = 48),
            ("MGATHER-GAP-22", |c| c.table = strided(c.table, 4, 2)),
            ("MGATHER-NZ-12", |c| c.table = strided(c.table, 1, 32)),
        ],
    );
}

#[test]
fn gather_on_a5() {
    rules(
        A5,
        &Readings::default(),
        Call::Mgather,
        row_gather(),
        &[
            ("MGATHER-MODE-04", |c| c.idx = tile(Int32, [2, 8], [2, 2])),
            ("MGATHER-TABLE-07", |c| c.table = matrix(Float, 6, 16)),
        ],
        &[
            ("MGATHER-GAP-15", |c| c.idx = tile(Int32, [4, 8], [4, 1])),
            ("MGATHER-GAP-09", |c| c.table = strided(c.table, 3, 16)),
            ("MGATHER-GAP-09", |c| {
                c.table = matrix(Float, 6, 16);
                c.table.shape[4] = Dynamic(16);
            }),
            ("MGATHER-TABLE-08", |c| c.table = strided(c.table, 3, 4)),
            ("MGATHER-TABLE-08", |c| c.table.layout = Layout::NZ),
            ("MGATHER-TILE-08", |c| c.dst.slayout = SLayout::RowMajor),
            ("MGATHER-GAP-49", |c| c.idx.slayout = SLayout::RowMajor),
            ("MGATHER-ALIGN-03", |c| c.dst.cols = 12),
            ("MGATHER-SHAPE-06", |c| c.dst.rows = 3),
        ],
    );
    let sized = |rows, asked| {
        let mut c = gather(
            tile(Float, [rows, 128], [rows, 128]),
            matrix(Float, 1, 64),
            tile(Int32, [rows, 128], [rows, 128]),
            Elem,
        );
        c.launch.dyn_ub_bytes = asked;
        broken(Call::Mgather(c), A5, &Readings::default())
    };
    assert_eq!(sized(128, None), []);
    assert_eq!(sized(129, None), [("MGATHER-UB-07", ByCaller)]);
    assert_eq!(sized(136, Some(139_264)), []);
    assert_eq!(sized(136, Some(65_536)), [("MGATHER-UB-14", ByCaller)]);
    assert_eq!(sized(216, Some(221_184)), []);
    assert_eq!(sized(216, Some(221_185)), [("MGATHER-UB-06", ByCaller)]);
    assert_eq!(sized(217, Some(221_184))[0], ("MGATHER-UB-05", ByCaller));
}

#[test]
fn gather_on_the_cpu() {
    rules(
        Cpu,
        &Readings::default(),
        Call::Mgather,
        row_gather(),
        &[
            ("MGATHER-DTYPE-04", |c| c.idx.dtype = Float),
            ("MGATHER-DTYPE-04", |c| c.table.dtype = Int16),
            ("MGATHER-MODE-06", |c| c.idx = tile(Int32, [4, 8], [2, 2])),
        ],
        &[
            ("MGATHER-DTYPE-03", |c| c.idx.dtype = Uint64),
            ("MGATHER-DTYPE-01", |c| {
                c.dst.dtype = Int64;
                c.table.dtype = Int64;
            }),
            ("MGATHER-GAP-35", |c| {
                c.dst = tile(Hifloat8, [4, 32], [4, 8]);
                c.table.dtype = Hifloat8;
            }),
            ("MGATHER-TILE-14", |c| c.dst.location = Mat),
            ("MGATHER-TILE-03", |c| c.idx.blayout = BLayout::ColMajor),
            ("MGATHER-ALIGN-02", |c| c.dst.cols = 12),
            ("MGATHER-MIN-09", |c| c.dst.rows = 3),
            ("MGATHER-TILE-12", |c| {
                c.idx = tile(Int32, [4, 8], [2, 2]);
                c.idx.valid_row = Dynamic(2);
            }),
            ("MGATHER-TILE-12", |c| c.dst.valid_row = Dynamic(3)),
            ("MGATHER-SHAPE-01", |c| c.idx = tile(Int32, [8, 8], [4, 1])),
            ("MGATHER-TABLE-02", |c| c.table.layout = Layout::NZ),
            ("MGATHER-TABLE-03", |c| {
                c.table = packed(Float, [1, 1, 2, 3, 8], Layout::ND)
            }),
            ("MGATHER-GAP-08", |c| c.table = strided(c.table, 3, 16)),
            ("MGATHER-GAP-10", |c| c.dst = tile(Float, [4, 16], [4, 16])),
        ],
    );
    rules(
        Cpu,
        &Readings::default(),
        Call::Mgather,
        elem_gather(),
        &[],
        &[("MGATHER-SHAPE-07", |c| c.idx.valid_col = Static(4))],
    );
    let down = Mgather {
        idx: tile(Int32, [4, 8], [4, 1]),
        ..row_gather()
    };
    assert_eq!(broken(Call::Mgather(down), Cpu, &Readings::default()), []);
}

#[test]
fn what_the_cpu_leaves_to_the_caller() {
    let found = |call, target, name, choice| {
        let mut r = Readings::default();
        r.set(name, choice).unwrap();
        broken(Call::Mgather(call), target, &r)
    };
    // MGATHER-GAP-12: [2,2] for four rows.
    let mut square = row_gather();
    square.idx = tile(Int32, [4, 8], [2, 2]);
    for (choice, expected) in [
        ("rejected", ("MGATHER-MODE-06", ByCheck)),
        ("precondition", ("MGATHER-GAP-12", ByCaller)),
    ] {
        assert_eq!(found(square, Cpu, "cpu-row-check", choice), [expected]);
        assert_eq!(found(row_gather(), Cpu, "cpu-row-check", choice), []);
        let a5 = found(square, A5, "cpu-row-check", choice);
        assert_eq!(a5, [("MGATHER-MODE-04", ByCheck)]);
        // Of a shape at run time no check ever saw anything.
        let mut late = square;
        late.idx.valid_row = Dynamic(2);
        let expected = [("MGATHER-TILE-12", ByCaller)];
        assert_eq!(found(late, Cpu, "cpu-row-check", choice), expected);
    }
    // MGATHER-GAP-56: [4,1] in eight columns, four indices 8 elements apart.
    let down = Mgather {
        idx: tile(Int32, [4, 8], [4, 1]),
        ..row_gather()
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
    single.dst.valid_row = Static(1);
    single.idx.valid_row = Static(1);
    let mut column = elem_gather();
    column.dst.valid_col = Static(1);
    column.idx.valid_col = Static(1);
    for call in [row_gather(), close, single, column] {
        assert_eq!(found(call, Cpu, name, "precondition"), []);
    }
    // A5 has a reading of its own.
    let a5 = [("MGATHER-GAP-15", ByCaller)];
    assert_eq!(found(down, A5, name, "precondition"), a5);
    // MGATHER-GAP-13: a float tile of int32 bits.
    for of in [row_gather(), elem_gather()] {
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
