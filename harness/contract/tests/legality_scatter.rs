//! MSCATTER: every constraint with a call that keeps it and one that breaks it.

use crate::common::{rules::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::*;
use Dim::{Dynamic, Static};
use ScatterAtomicOp::{Add, Max, Min};
use Target::{A2a3, A5, Cpu};
use TileType::Mat;

/// float src valid [8,16] into a 16x16 table, Row.
fn row_call() -> Mscatter {
    scatter(
        matrix(Float, 16, 16),
        tile(Float, [8, 16], [8, 16]),
        tile(Int32, [1, 8], [1, 8]),
        Row,
    )
}

/// float src valid [8,16] into 256 slots, Elem.
fn elem_call() -> Mscatter {
    scatter(
        matrix(Float, 1, 256),
        tile(Float, [8, 16], [8, 16]),
        tile(Int32, [8, 16], [8, 16]),
        Elem,
    )
}

/// half NZ tile [32,32] into Shape<1,2,2,16,16>, Row.
fn nz_call() -> Mscatter {
    scatter(
        packed(Half, [1, 2, 2, 16, 16], Layout::NZ),
        nz_tile(Half, [32, 32], [5, 32]),
        tile(Int32, [1, 8], [1, 5]),
        Row,
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
                (atomic, |c| {
                    c.atomic = Add;
                    c.src.dtype = Uint16;
                    c.table.dtype = Uint16;
                }),
                (element, |c| {
                    c.src.dtype = Int64;
                    c.table.dtype = Int64;
                }),
                ("MSCATTER-DTYPE-03", |c| c.idx.dtype = Int16),
                ("MSCATTER-DTYPE-11", |c| c.table.dtype = Int32),
                ("MSCATTER-TILE-01", |c| c.src.location = Mat),
                ("MSCATTER-TILE-02", |c| c.idx.location = Mat),
                ("MSCATTER-SHAPE-02", |c| c.idx.valid_col = Static(15)),
                ("MSCATTER-SHAPE-02", |c| c.idx.valid_row = Static(7)),
                ("MSCATTER-SHAPE-03", |c| {
                    c.src.valid_row = Static(0);
                    c.idx.valid_row = Static(0);
                }),
            ],
            &[
                // MSCATTER-DYN-04: a run-time mismatch is nobody's to see.
                ("MSCATTER-SHAPE-02", |c| c.idx.valid_col = Dynamic(15)),
                ("MSCATTER-SHAPE-03", |c| {
                    c.src.valid_col = Dynamic(0);
                    c.idx.valid_col = Dynamic(0);
                }),
                ("MSCATTER-GAP-02", |c| c.table.shape[3] = Dynamic(0)),
                ("MSCATTER-GAP-11", |c| c.table.shape[3] = Dynamic(1 << 61)),
            ],
        );
        // MSCATTER-MODE-02: the shapes of the other mode.
        let mut wrong = row_call();
        wrong.mode = Elem;
        assert_eq!(
            broken(Call::Mscatter(wrong), target, &r)[0],
            ("MSCATTER-SHAPE-02", ByCheck)
        );
        // MSCATTER-SHAPE-09, -ALIGN-03: padded widths differ, valid ones are free.
        let odd = scatter(
            matrix(Half, 1, 40),
            tile(Half, [3, 16], [3, 5]),
            tile(Int32, [3, 8], [3, 5]),
            Elem,
        );
        assert_eq!(broken(Call::Mscatter(odd), target, &r), []);
    }
}

#[test]
fn scatter_on_a2a3() {
    let r = Readings::default();
    let padded = Mscatter {
        table: packed(Float, [2, 1, 1, 8, 16], Layout::ND),
        ..row_call()
    };
    rules(
        A2a3,
        &r,
        Call::Mscatter,
        padded,
        &[
            ("MSCATTER-SHAPE-01", |c| c.idx.valid_col = Static(7)),
            ("MSCATTER-SHAPE-01", |c| c.idx = tile(Int32, [8, 8], [8, 1])),
            ("MSCATTER-TILE-06", |c| c.idx.blayout = BLayout::ColMajor),
            ("MSCATTER-TILE-07", |c| c.src.blayout = BLayout::ColMajor),
            ("MSCATTER-TILE-09", |c| {
                c.src = nz_tile(Float, [16, 16], [8, 16])
            }),
            ("MSCATTER-GAP-20", |c| c.table.layout = Layout::DN),
            ("MSCATTER-ALIGN-01", |c| c.src.cols = 20),
            ("MSCATTER-ATOM-10", |c| c.atomic = Max),
            ("MSCATTER-ATOM-10", |c| c.atomic = Min),
            ("MSCATTER-DTYPE-08", |c| {
                c.src = tile(Float8E5M2, [8, 32], [8, 16]);
                c.table.dtype = Float8E5M2;
            }),
        ],
        &[
            ("MSCATTER-SHAPE-01", |c| c.src.valid_row = Dynamic(7)),
            ("MSCATTER-SHAPE-08", |c| c.src.valid_row = Dynamic(9)),
            ("MSCATTER-GAP-16", |c| c.table = strided(c.table, 0, 256)),
            ("MSCATTER-GAP-17", |c| {
                c.table = packed(Float, [2, 1, 1, 8, 8], Layout::ND)
            }),
            ("MSCATTER-GAP-82", |c| {
                c.table = strided(strided(c.table, 3, 8), 0, 64)
            }),
            ("MSCATTER-GAP-82", |c| {
                c.table = strided(strided(c.table, 3, 32), 4, 2)
            }),
            ("MSCATTER-UB-01", |c| c.src.rows = 4096),
        ],
    );
    // MSCATTER-TABLE-05: rows apart. MSCATTER-GAP-17: a narrower tile.
    let apart = strided(matrix(Float, 16, 24), 3, 40);
    let legal = Mscatter {
        table: apart,
        ..row_call()
    };
    assert_eq!(broken(Call::Mscatter(legal), A2a3, &r), []);
    // MSCATTER-ATOM-08: the six.
    for dtype in [Int8, Int16, Int32, Half, Bfloat16, Float] {
        let add = Mscatter {
            atomic: Add,
            ..scatter(
                matrix(dtype, 1, 64),
                tile(dtype, [1, 32], [1, 32]),
                tile(Int32, [1, 32], [1, 32]),
                Elem,
            )
        };
        assert_eq!(broken(Call::Mscatter(add), A2a3, &r), []);
    }
    // MSCATTER-UB-01, its two sizes.
    let sized = |rows| {
        scatter(
            matrix(Float, 1, 256 * 128),
            tile(Float, [rows, 256], [rows, 256]),
            tile(Int32, [rows, 256], [rows, 256]),
            Elem,
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
            ("MSCATTER-NZ-04", |c| {
                c.table = packed(Half, [1, 2, 2, 32, 16], Layout::NZ)
            }),
            ("MSCATTER-NZ-05", |c| c.table.shape[4] = Static(8)),
            ("MSCATTER-NZ-06", |c| c.src.cols = 24),
            ("MSCATTER-NZ-07", |c| c.src.rows = 24),
            ("MSCATTER-TILE-08", |c| c.src.fractal = 1024),
            ("MSCATTER-TILE-09", |c| {
                c.src = tile(Half, [32, 32], [5, 32])
            }),
            ("MSCATTER-TILE-06", |c| c.idx.slayout = SLayout::RowMajor),
        ],
        &[
            ("MSCATTER-NZ-04", |c| c.table.shape[3] = Dynamic(15)),
            ("MSCATTER-GAP-23", |c| {
                c.src = nz_tile(Half, [32, 16], [5, 16])
            }),
            ("MSCATTER-GAP-26", |c| c.table = strided(c.table, 4, 2)),
            ("MSCATTER-GAP-26", |c| {
                c.table = strided(strided(c.table, 3, 32), 2, 512);
                c.table = strided(strided(c.table, 1, 1024), 0, 2048);
            }),
            ("MSCATTER-NZ-14", |c| c.table = strided(c.table, 1, 16)),
        ],
    );
    // MSCATTER-NZ-14: padded blocks. MSCATTER-GAP-27: dynamic inner dimensions.
    let mut padded = nz_call();
    padded.table = strided(padded.table, 1, 768);
    padded.table.shape[3] = Dynamic(16);
    padded.table.shape[4] = Dynamic(16);
    assert_eq!(broken(Call::Mscatter(padded), A2a3, &r), []);
}

#[test]
fn scatter_on_a5() {
    let r = Readings::default();
    let down = Mscatter {
        idx: col_major(Int32, [8, 1], [8, 1]),
        src: col_major(Float, [8, 16], [8, 16]),
        ..row_call()
    };
    rules(
        A5,
        &r,
        Call::Mscatter,
        down,
        &[
            ("MSCATTER-SHAPE-04", |c| c.idx = tile(Int32, [2, 8], [2, 4])),
            ("MSCATTER-TABLE-07", |c| c.table = matrix(Float, 16, 32)),
            ("MSCATTER-ATOM-13", |c| {
                c.atomic = Max;
                c.src = tile(Half, [8, 16], [8, 16]);
                c.table.dtype = Half;
            }),
            ("MSCATTER-ATOM-14", |c| {
                c.atomic = Min;
                c.src = tile(Bfloat16, [8, 16], [8, 16]);
                c.table.dtype = Bfloat16;
            }),
        ],
        &[
            ("MSCATTER-SHAPE-04", |c| c.idx.valid_row = Dynamic(7)),
            ("MSCATTER-SHAPE-07", |c| c.src.rows = 4),
            ("MSCATTER-GAP-36", |c| c.idx = tile(Int32, [8, 8], [8, 1])),
            ("MSCATTER-GAP-36", |c| {
                c.idx = col_major(Int32, [8, 8], [1, 8])
            }),
            ("MSCATTER-TILE-12", |c| c.src.slayout = SLayout::RowMajor),
            ("MSCATTER-GAP-59", |c| c.idx.slayout = SLayout::ColMajor),
            ("MSCATTER-GAP-14", |c| {
                c.table = matrix(Float, 16, 15);
                c.table.shape[4] = Dynamic(15);
            }),
            ("MSCATTER-GAP-13", |c| c.table = strided(c.table, 3, 32)),
            ("MSCATTER-TABLE-08", |c| c.table.layout = Layout::NZ),
            ("MSCATTER-ALIGN-02", |c| {
                c.src = tile(Float, [8, 20], [8, 16])
            }),
        ],
    );
    // MSCATTER-ATOM-15: 23 pairs are true, 25 are not.
    let dtypes = [
        Int8, Uint8, Int16, Uint16, Int32, Uint32, Half, Bfloat16, Float, Hifloat8, Float8E4M3,
        Float8E5M2,
    ];
    let mut legal = 0;
    for dtype in dtypes {
        for atomic in [ScatterAtomicOp::None, Add, Max, Min] {
            let call = Mscatter {
                atomic,
                ..scatter(
                    matrix(dtype, 1, 64),
                    tile(dtype, [1, 32], [1, 32]),
                    tile(Int32, [1, 32], [1, 32]),
                    Elem,
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
            matrix(Float, 1, 64),
            tile(Float, [rows, 8], [rows, 8]),
            tile(Int32, [rows, 8], [rows, 8]),
            Elem,
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
            ("MSCATTER-DTYPE-04", |c| c.idx.dtype = Float),
            ("MSCATTER-DTYPE-05", |c| c.table.dtype = Half),
        ],
        &[
            ("MSCATTER-DTYPE-13", |c| c.idx.dtype = Int16),
            ("MSCATTER-DTYPE-01", |c| {
                c.src.dtype = Uint64;
                c.table.dtype = Uint64;
            }),
            ("MSCATTER-GAP-62", |c| {
                c.src = tile(Float8E4M3, [8, 32], [8, 16]);
                c.table.dtype = Float8E4M3;
            }),
            ("MSCATTER-TILE-17", |c| c.idx.location = Mat),
            ("MSCATTER-TILE-03", |c| c.src.blayout = BLayout::ColMajor),
            ("MSCATTER-ALIGN-04", |c| c.src.cols = 20),
            ("MSCATTER-SHAPE-05", |c| c.idx.rows = 16),
            ("MSCATTER-SHAPE-06", |c| c.idx.valid_col = Static(4)),
            ("MSCATTER-SEM-05", |c| c.src.valid_col = Dynamic(17)),
            ("MSCATTER-TABLE-02", |c| c.table.layout = Layout::NZ),
            ("MSCATTER-TABLE-03", |c| {
                c.table = packed(Float, [2, 1, 1, 4, 8], Layout::ND)
            }),
            ("MSCATTER-ATOM-16", |c| {
                c.atomic = Add;
                c.src.dtype = Bfloat16;
                c.table.dtype = Bfloat16;
            }),
            ("MSCATTER-ATOM-17", |c| {
                c.atomic = Max;
                c.src.dtype = Uint32;
                c.table.dtype = Uint32;
            }),
            ("MSCATTER-GAP-39", |c| {
                c.mode = Row;
                c.idx = tile(Int32, [8, 1], [8, 1]);
            }),
            ("MSCATTER-TILE-05", |c| {
                c.mode = Row;
                c.idx = tile(Int32, [8, 8], [1, 8]);
            }),
        ],
    );
    // MSCATTER-DTYPE-05: equal size is enough. MSCATTER-UB-04: no budget.
    let mut mixed = elem_call();
    mixed.table.dtype = Int32;
    mixed.src = tile(Float, [1024, 128], [8, 16]);
    mixed.idx = tile(Int32, [1024, 128], [8, 16]);
    assert_eq!(broken(Call::Mscatter(mixed), Cpu, &r), []);
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
            ("MSCATTER-ATOM-16", |c| {
                c.atomic = Add;
                c.src.dtype = Bfloat16;
                c.table.dtype = Bfloat16;
            }),
        ],
    );
    let big = Mscatter {
        src: tile(Float, [4096, 16], [8, 16]),
        ..down
    };
    assert_eq!(broken(Call::Mscatter(big), Cpu, &r), []);
}
