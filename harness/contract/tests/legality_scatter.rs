//! MSCATTER: every constraint with a call that keeps it and one that breaks it.

use crate::common::{rules::*, *};
use ptodiff_contract::Enforced;
use ptodiff_isa::*;

use Enforced::{ByCaller, ByCheck};
use Target::{A2a3, A5, Cpu};

/// float src valid [8,16] into a 16x16 table, Row.
fn row_call() -> Mscatter {
    scatter(
        matrix(DType::Float, 16, 16),
        tile(DType::Float, [8, 16], [8, 16]),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Row,
    )
}

/// float src valid [8,16] into 256 slots, Elem.
fn elem_call() -> Mscatter {
    scatter(
        matrix(DType::Float, 1, 256),
        tile(DType::Float, [8, 16], [8, 16]),
        tile(DType::Int32, [8, 16], [8, 16]),
        Coalesce::Elem,
    )
}

/// half NZ tile [32,32] into Shape<1,2,2,16,16>, Row.
fn nz_call() -> Mscatter {
    scatter(
        packed(DType::Half, [1, 2, 2, 16, 16], Layout::NZ),
        nz_tile(DType::Half, [32, 32], [5, 32]),
        tile(DType::Int32, [1, 8], [1, 5]),
        Coalesce::Row,
    )
}

#[test]
fn scatter_on_both_npus() {
    for (target, atomic, element) in [
        (A2a3, "MSCATTER-ATOM-09", "MSCATTER-DTYPE-07"),
        (A5, "MSCATTER-ATOM-12", "MSCATTER-DTYPE-09"),
    ] {
        let r = Readings::default();
        rules(
            target,
            &r,
            Call::Mscatter,
            elem_call(),
            &[
                (atomic, ByCheck, |c| {
                    c.atomic = ScatterAtomicOp::Add;
                    c.src.dtype = DType::Uint16;
                    c.table.dtype = DType::Uint16;
                }),
                (element, ByCheck, |c| {
                    c.src.dtype = DType::Int64;
                    c.table.dtype = DType::Int64;
                }),
                ("MSCATTER-DTYPE-03", ByCheck, |c| c.idx.dtype = DType::Int16),
                ("MSCATTER-DTYPE-11", ByCheck, |c| {
                    c.table.dtype = DType::Int32
                }),
                ("MSCATTER-TILE-01", ByCheck, |c| {
                    c.src.location = TileType::Mat
                }),
                ("MSCATTER-TILE-02", ByCheck, |c| {
                    c.idx.location = TileType::Mat
                }),
                ("MSCATTER-SHAPE-02", ByCheck, |c| {
                    c.idx.valid_col = Dim::Static(15);
                }),
                ("MSCATTER-SHAPE-02", ByCheck, |c| {
                    c.idx.valid_row = Dim::Static(7);
                }),
                // MSCATTER-DYN-04: a run-time mismatch is nobody's to see.
                ("MSCATTER-SHAPE-02", ByCaller, |c| {
                    c.idx.valid_col = Dim::Dynamic(15);
                }),
                ("MSCATTER-SHAPE-03", ByCheck, |c| {
                    c.src.valid_row = Dim::Static(0);
                    c.idx.valid_row = Dim::Static(0);
                }),
                ("MSCATTER-SHAPE-03", ByCaller, |c| {
                    c.src.valid_col = Dim::Dynamic(0);
                    c.idx.valid_col = Dim::Dynamic(0);
                }),
                ("MSCATTER-GAP-02", ByCaller, |c| {
                    c.table.shape[3] = Dim::Dynamic(0);
                }),
                ("MSCATTER-GAP-11", ByCaller, |c| {
                    c.table.shape[3] = Dim::Dynamic(1 << 61);
                }),
            ],
        );
        // MSCATTER-MODE-02: the shapes of the other mode.
        let mut wrong = row_call();
        wrong.mode = Coalesce::Elem;
        assert_eq!(
            broken(Call::Mscatter(wrong), target, &r)[0],
            ("MSCATTER-SHAPE-02", ByCheck)
        );
        // MSCATTER-SHAPE-09, -ALIGN-03: padded widths differ, valid ones are free.
        let odd = scatter(
            matrix(DType::Half, 1, 40),
            tile(DType::Half, [3, 16], [3, 5]),
            tile(DType::Int32, [3, 8], [3, 5]),
            Coalesce::Elem,
        );
        assert_eq!(broken(Call::Mscatter(odd), target, &r), []);
    }
}

#[test]
fn scatter_on_a2a3() {
    let r = Readings::default();
    let padded = Mscatter {
        table: packed(DType::Float, [2, 1, 1, 8, 16], Layout::ND),
        ..row_call()
    };
    rules(
        A2a3,
        &r,
        Call::Mscatter,
        padded,
        &[
            ("MSCATTER-SHAPE-01", ByCheck, |c| {
                c.idx.valid_col = Dim::Static(7);
            }),
            ("MSCATTER-SHAPE-01", ByCheck, |c| {
                c.idx = tile(DType::Int32, [8, 8], [8, 1]);
            }),
            ("MSCATTER-SHAPE-01", ByCaller, |c| {
                c.src.valid_row = Dim::Dynamic(7);
            }),
            ("MSCATTER-SHAPE-08", ByCaller, |c| {
                c.src.valid_row = Dim::Dynamic(9);
            }),
            ("MSCATTER-TILE-06", ByCheck, |c| {
                c.idx.blayout = BLayout::ColMajor
            }),
            ("MSCATTER-TILE-07", ByCheck, |c| {
                c.src.blayout = BLayout::ColMajor
            }),
            ("MSCATTER-TILE-09", ByCheck, |c| {
                c.src = nz_tile(DType::Float, [16, 16], [8, 16]);
            }),
            ("MSCATTER-GAP-20", ByCheck, |c| c.table.layout = Layout::DN),
            ("MSCATTER-ALIGN-01", ByCheck, |c| c.src.cols = 20),
            ("MSCATTER-ATOM-10", ByCheck, |c| {
                c.atomic = ScatterAtomicOp::Max
            }),
            ("MSCATTER-ATOM-10", ByCheck, |c| {
                c.atomic = ScatterAtomicOp::Min
            }),
            ("MSCATTER-DTYPE-08", ByCheck, |c| {
                c.src = tile(DType::Float8E5M2, [8, 32], [8, 16]);
                c.table.dtype = DType::Float8E5M2;
            }),
            ("MSCATTER-GAP-16", ByCaller, |c| {
                c.table = strided(c.table, 0, 256);
            }),
            ("MSCATTER-GAP-17", ByCaller, |c| {
                c.table = packed(DType::Float, [2, 1, 1, 8, 8], Layout::ND);
            }),
            ("MSCATTER-GAP-82", ByCaller, |c| {
                c.table = strided(strided(c.table, 3, 8), 0, 64);
            }),
            ("MSCATTER-GAP-82", ByCaller, |c| {
                c.table = strided(strided(c.table, 3, 32), 4, 2);
            }),
            ("MSCATTER-UB-01", ByCaller, |c| {
                c.src.rows = 4096;
            }),
        ],
    );
    // MSCATTER-TABLE-05: rows apart. MSCATTER-GAP-17: a narrower tile.
    let apart = strided(matrix(DType::Float, 16, 24), 3, 40);
    let legal = Mscatter {
        table: apart,
        ..row_call()
    };
    assert_eq!(broken(Call::Mscatter(legal), A2a3, &r), []);
    // MSCATTER-ATOM-08: the six.
    for dtype in [
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Half,
        DType::Bfloat16,
        DType::Float,
    ] {
        let add = Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..scatter(
                matrix(dtype, 1, 64),
                tile(dtype, [1, 32], [1, 32]),
                tile(DType::Int32, [1, 32], [1, 32]),
                Coalesce::Elem,
            )
        };
        assert_eq!(broken(Call::Mscatter(add), A2a3, &r), []);
    }
    // MSCATTER-UB-01, its two sizes.
    let sized = |rows| {
        scatter(
            matrix(DType::Float, 1, 256 * 128),
            tile(DType::Float, [rows, 256], [rows, 256]),
            tile(DType::Int32, [rows, 256], [rows, 256]),
            Coalesce::Elem,
        )
    };
    assert_eq!(broken(Call::Mscatter(sized(64)), A2a3, &r), []);
    assert_eq!(
        broken(Call::Mscatter(sized(128)), A2a3, &r),
        [("MSCATTER-UB-01", ByCaller)]
    );
}

#[test]
fn scatter_on_a2a3_nz() {
    let r = Readings::default();
    rules(
        A2a3,
        &r,
        Call::Mscatter,
        nz_call(),
        &[
            ("MSCATTER-NZ-04", ByCheck, |c| {
                c.table = packed(DType::Half, [1, 2, 2, 32, 16], Layout::NZ);
            }),
            ("MSCATTER-NZ-05", ByCheck, |c| {
                c.table.shape[4] = Dim::Static(8);
            }),
            ("MSCATTER-NZ-04", ByCaller, |c| {
                c.table.shape[3] = Dim::Dynamic(15);
            }),
            ("MSCATTER-NZ-06", ByCheck, |c| {
                c.src.cols = 24;
            }),
            ("MSCATTER-NZ-07", ByCheck, |c| {
                c.src.rows = 24;
            }),
            ("MSCATTER-TILE-08", ByCheck, |c| c.src.fractal = 1024),
            ("MSCATTER-TILE-09", ByCheck, |c| {
                c.src = tile(DType::Half, [32, 32], [5, 32]);
            }),
            ("MSCATTER-TILE-06", ByCheck, |c| {
                c.idx.slayout = SLayout::RowMajor
            }),
            ("MSCATTER-GAP-23", ByCaller, |c| {
                c.src = nz_tile(DType::Half, [32, 16], [5, 16]);
            }),
            ("MSCATTER-GAP-26", ByCaller, |c| {
                c.table = strided(c.table, 4, 2);
            }),
            ("MSCATTER-GAP-26", ByCaller, |c| {
                c.table = strided(strided(c.table, 3, 32), 2, 512);
                c.table = strided(strided(c.table, 1, 1024), 0, 2048);
            }),
            ("MSCATTER-NZ-14", ByCaller, |c| {
                c.table = strided(c.table, 1, 16);
            }),
        ],
    );
    // MSCATTER-NZ-14: padded blocks. MSCATTER-GAP-27: dynamic inner dimensions.
    let mut padded = nz_call();
    padded.table = strided(padded.table, 1, 768);
    padded.table.shape[3] = Dim::Dynamic(16);
    padded.table.shape[4] = Dim::Dynamic(16);
    assert_eq!(broken(Call::Mscatter(padded), A2a3, &r), []);
}

#[test]
fn scatter_on_a5() {
    let r = Readings::default();
    let down = Mscatter {
        idx: col_major(DType::Int32, [8, 1], [8, 1]),
        src: col_major(DType::Float, [8, 16], [8, 16]),
        ..row_call()
    };
    rules(
        A5,
        &r,
        Call::Mscatter,
        down,
        &[
            ("MSCATTER-SHAPE-04", ByCheck, |c| {
                c.idx = tile(DType::Int32, [2, 8], [2, 4]);
            }),
            ("MSCATTER-SHAPE-04", ByCaller, |c| {
                c.idx.valid_row = Dim::Dynamic(7);
            }),
            ("MSCATTER-SHAPE-07", ByCaller, |c| {
                c.src.rows = 4;
            }),
            ("MSCATTER-GAP-36", ByCaller, |c| {
                c.idx = tile(DType::Int32, [8, 8], [8, 1]);
            }),
            ("MSCATTER-GAP-36", ByCaller, |c| {
                c.idx = col_major(DType::Int32, [8, 8], [1, 8]);
            }),
            ("MSCATTER-TILE-12", ByCaller, |c| {
                c.src.slayout = SLayout::RowMajor
            }),
            ("MSCATTER-GAP-59", ByCaller, |c| {
                c.idx.slayout = SLayout::ColMajor
            }),
            ("MSCATTER-TABLE-07", ByCheck, |c| {
                c.table = matrix(DType::Float, 16, 32);
            }),
            ("MSCATTER-GAP-14", ByCaller, |c| {
                c.table = matrix(DType::Float, 16, 15);
                c.table.shape[4] = Dim::Dynamic(15);
            }),
            ("MSCATTER-GAP-13", ByCaller, |c| {
                c.table = strided(c.table, 3, 32);
            }),
            ("MSCATTER-TABLE-08", ByCaller, |c| {
                c.table.layout = Layout::NZ
            }),
            ("MSCATTER-ALIGN-02", ByCaller, |c| {
                c.src = tile(DType::Float, [8, 20], [8, 16]);
            }),
            ("MSCATTER-ATOM-13", ByCheck, |c| {
                c.atomic = ScatterAtomicOp::Max;
                c.src = tile(DType::Half, [8, 16], [8, 16]);
                c.table.dtype = DType::Half;
            }),
            ("MSCATTER-ATOM-14", ByCheck, |c| {
                c.atomic = ScatterAtomicOp::Min;
                c.src = tile(DType::Bfloat16, [8, 16], [8, 16]);
                c.table.dtype = DType::Bfloat16;
            }),
        ],
    );
    // MSCATTER-ATOM-15: 23 pairs are true, 25 are not.
    let dtypes = [
        DType::Int8,
        DType::Uint8,
        DType::Int16,
        DType::Uint16,
        DType::Int32,
        DType::Uint32,
        DType::Half,
        DType::Bfloat16,
        DType::Float,
        DType::Hifloat8,
        DType::Float8E4M3,
        DType::Float8E5M2,
    ];
    let mut legal = 0;
    for dtype in dtypes {
        for atomic in [
            ScatterAtomicOp::None,
            ScatterAtomicOp::Add,
            ScatterAtomicOp::Max,
            ScatterAtomicOp::Min,
        ] {
            let call = Mscatter {
                atomic,
                ..scatter(
                    matrix(dtype, 1, 64),
                    tile(dtype, [1, 32], [1, 32]),
                    tile(DType::Int32, [1, 32], [1, 32]),
                    Coalesce::Elem,
                )
            };
            legal += usize::from(broken(Call::Mscatter(call), A5, &r).is_empty());
        }
    }
    assert_eq!(legal, 23);
}

#[test]
fn the_unified_buffer_of_a5() {
    let r = Readings::default();
    let call = |rows, asked| {
        let mut c = scatter(
            matrix(DType::Float, 1, 64),
            tile(DType::Float, [rows, 8], [rows, 8]),
            tile(DType::Int32, [rows, 8], [rows, 8]),
            Coalesce::Elem,
        );
        c.launch.dyn_ub_bytes = asked;
        broken(Call::Mscatter(c), A5, &r)
    };
    assert_eq!(call(2048, None), []);
    assert_eq!(call(2049, None), [("MSCATTER-UB-07", ByCaller)]);
    assert_eq!(call(2304, Some(0)), [("MSCATTER-UB-07", ByCaller)]);
    assert_eq!(call(2304, Some(147_456)), []);
    assert_eq!(call(2304, Some(147_455)), [("MSCATTER-UB-16", ByCaller)]);
    assert_eq!(call(3456, Some(221_184)), []);
    assert_eq!(call(3456, Some(221_185)), [("MSCATTER-UB-06", ByCaller)]);
    assert_eq!(call(3457, Some(221_184))[0], ("MSCATTER-UB-05", ByCaller));
}

#[test]
fn scatter_on_the_documented_cpu() {
    let r = Readings::default();
    rules(
        Cpu,
        &r,
        Call::Mscatter,
        elem_call(),
        &[
            ("MSCATTER-DTYPE-04", ByCheck, |c| c.idx.dtype = DType::Float),
            ("MSCATTER-DTYPE-13", ByCaller, |c| {
                c.idx.dtype = DType::Int16
            }),
            ("MSCATTER-DTYPE-05", ByCheck, |c| {
                c.table.dtype = DType::Half
            }),
            ("MSCATTER-DTYPE-01", ByCaller, |c| {
                c.src.dtype = DType::Uint64;
                c.table.dtype = DType::Uint64;
            }),
            ("MSCATTER-GAP-62", ByCaller, |c| {
                c.src = tile(DType::Float8E4M3, [8, 32], [8, 16]);
                c.table.dtype = DType::Float8E4M3;
            }),
            ("MSCATTER-TILE-17", ByCaller, |c| {
                c.idx.location = TileType::Mat
            }),
            ("MSCATTER-TILE-03", ByCaller, |c| {
                c.src.blayout = BLayout::ColMajor
            }),
            ("MSCATTER-ALIGN-04", ByCaller, |c| c.src.cols = 20),
            ("MSCATTER-SHAPE-05", ByCaller, |c| c.idx.rows = 16),
            ("MSCATTER-SHAPE-06", ByCaller, |c| {
                c.idx.valid_col = Dim::Static(4);
            }),
            ("MSCATTER-SEM-05", ByCaller, |c| {
                c.src.valid_col = Dim::Dynamic(17);
            }),
            ("MSCATTER-TABLE-02", ByCaller, |c| {
                c.table.layout = Layout::NZ
            }),
            ("MSCATTER-TABLE-03", ByCaller, |c| {
                c.table = packed(DType::Float, [2, 1, 1, 4, 8], Layout::ND);
            }),
            ("MSCATTER-ATOM-16", ByCaller, |c| {
                c.atomic = ScatterAtomicOp::Add;
                c.src.dtype = DType::Bfloat16;
                c.table.dtype = DType::Bfloat16;
            }),
            ("MSCATTER-ATOM-17", ByCaller, |c| {
                c.atomic = ScatterAtomicOp::Max;
                c.src.dtype = DType::Uint32;
                c.table.dtype = DType::Uint32;
            }),
            ("MSCATTER-GAP-39", ByCaller, |c| {
                c.mode = Coalesce::Row;
                c.idx = tile(DType::Int32, [8, 1], [8, 1]);
            }),
            ("MSCATTER-TILE-05", ByCaller, |c| {
                c.mode = Coalesce::Row;
                c.idx = tile(DType::Int32, [8, 8], [1, 8]);
            }),
        ],
    );
    // MSCATTER-DTYPE-05: equal size is enough. MSCATTER-UB-04: no budget.
    let mut mixed = elem_call();
    mixed.table.dtype = DType::Int32;
    mixed.src = tile(DType::Float, [1024, 128], [8, 16]);
    mixed.idx = tile(DType::Int32, [1024, 128], [8, 16]);
    assert_eq!(broken(Call::Mscatter(mixed), Cpu, &r), []);
}

#[test]
fn scatter_on_the_templated_cpu() {
    let r = Readings {
        cpu_form: CpuForm::Templated,
        ..Readings::default()
    };
    let down = Mscatter {
        idx: tile(DType::Int32, [8, 8], [8, 1]),
        ..row_call()
    };
    rules(
        Cpu,
        &r,
        Call::Mscatter,
        down,
        &[
            ("MSCATTER-SHAPE-04", ByCaller, |c| {
                c.idx.valid_row = Dim::Static(7);
            }),
            ("MSCATTER-TABLE-07", ByCaller, |c| {
                c.table = matrix(DType::Float, 16, 32);
            }),
            ("MSCATTER-DTYPE-11", ByCaller, |c| {
                c.table.dtype = DType::Int32
            }),
            ("MSCATTER-ATOM-16", ByCaller, |c| {
                c.atomic = ScatterAtomicOp::Add;
                c.src.dtype = DType::Bfloat16;
                c.table.dtype = DType::Bfloat16;
            }),
        ],
    );
    let big = Mscatter {
        src: tile(DType::Float, [4096, 16], [8, 16]),
        ..down
    };
    assert_eq!(broken(Call::Mscatter(big), Cpu, &r), []);
}
