//! Gather to L1: every constraint with a call that keeps it and one that breaks it.

use crate::common::{calls::*, rules::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::*;
use Dim::{Dynamic, Static};
use Target::{A2a3, A5, Cpu};

/// half [16,32] valid [10,20] from an 8x20 table.
fn row_call() -> MgatherL1 {
    l1(
        l1_tile(Half, [16, 32], [10, 20]),
        matrix(Half, 8, 20),
        matrix(Int32, 1, 10),
        Row,
    )
}

/// half [16,16] valid [5,5] from 256 elements.
fn elem_call() -> MgatherL1 {
    l1(
        l1_tile(Half, [16, 16], [5, 5]),
        matrix(Half, 1, 256),
        matrix(Uint32, 5, 5),
        Elem,
    )
}

fn of(c: &mut MgatherL1, dtype: DType) {
    (c.dst.dtype, c.table.dtype) = (dtype, dtype);
    if let Some(scratch) = &mut c.scratch {
        scratch.dtype = dtype;
    }
}

#[test]
fn rows_on_both_npus() {
    for (target, element, wide) in [
        (A2a3, "MGATHERL1-DTYPE-01", "MGATHERL1-EXEC-03"),
        (A5, "MGATHERL1-DTYPE-02", "MGATHERL1-GAP-06"),
    ] {
        rules(
            target,
            &Readings::default(),
            Call::MgatherL1,
            row_call(),
            &[
                (element, |c| of(c, Int64)),
                ("MGATHERL1-DTYPE-03", |c| of(c, Uint64)),
                ("MGATHERL1-DTYPE-05", |c| c.idx.dtype = Int16),
                ("MGATHERL1-DTYPE-05", |c| c.idx.dtype = Int64),
                ("MGATHERL1-DTYPE-06", |c| c.table.dtype = Bfloat16),
                ("MGATHERL1-TABLE-01", |c| c.table.layout = Layout::NZ),
                ("MGATHERL1-TILE-01", |c| c.dst.location = TileType::Vec),
                ("MGATHERL1-TILE-01", |c| c.dst.blayout = BLayout::RowMajor),
                ("MGATHERL1-TILE-01", |c| c.dst.slayout = SLayout::ColMajor),
                ("MGATHERL1-TILE-01", |c| c.dst.fractal = 1024),
                ("MGATHERL1-TILE-02", |c| c.dst.cols = 24),
                ("MGATHERL1-TILE-03", |c| c.dst.rows = 24),
                ("MGATHERL1-GAP-05", |c| c.scratch = Some(c.table)),
                (wide, |c| c.exec = GatherExec::Simt),
            ],
            &[
                ("MGATHERL1-GAP-28", |c| c.idx = matrix(Int32, 1, 9)),
                ("MGATHERL1-GAP-26", |c| c.table.shape[3] = Dynamic(0)),
                ("MGATHERL1-GAP-26", |c| c.table.stride[3] = Dynamic(1 << 61)),
                ("MGATHERL1-GAP-16", |c| {
                    let table = packed(Half, [1, 1, 2, 4, 20], Layout::ND);
                    c.table = strided(table, 2, 96);
                }),
                ("MGATHERL1-GAP-17", |c| c.table = matrix(Half, 8, 19)),
                ("MGATHER-GAP-71", |c| {
                    c.table.stride[4] = Static(2);
                    c.table.stride[3] = Static(40);
                }),
                ("MGATHER-GAP-71", |c| c.table = strided(c.table, 3, 16)),
                ("MGATHERL1-DYN-01", |c| {
                    c.dst.valid_row = Dynamic(17);
                    c.idx = matrix(Int32, 1, 17);
                }),
            ],
        );
        // MGATHERL1-TABLE-02, -GAP-16: padded rows, and outer dimensions that continue them.
        let mut call = row_call();
        let outer = packed(Half, [1, 1, 2, 4, 20], Layout::ND);
        call.table = strided(strided(outer, 3, 48), 2, 4 * 48);
        call.table.stride[1] = Static(8 * 48);
        call.table.stride[0] = Static(8 * 48);
        let call = Call::MgatherL1(call);
        assert_eq!(broken(call, target, &Readings::default()), []);
    }
}

#[test]
fn elements_on_both_npus() {
    for target in [A2a3, A5] {
        rules(
            target,
            &Readings::default(),
            Call::MgatherL1,
            elem_call(),
            &[
                ("MGATHERL1-GAP-05", |c| c.scratch = None),
                ("MGATHERL1-SCRATCH-01", |c| {
                    c.scratch = Some(matrix(Float, 1, 256))
                }),
            ],
            &[
                ("MGATHERL1-SCRATCH-02", |c| {
                    c.scratch = Some(matrix(Half, 1, 255))
                }),
                ("MGATHERL1-GAP-08", |c| {
                    c.scratch = Some(strided(matrix(Half, 16, 16), 3, 32))
                }),
                ("MGATHERL1-GAP-28", |c| c.idx = matrix(Uint32, 1, 24)),
            ],
        );
        // Any shape of enough places in one piece will do.
        let mut call = elem_call();
        call.scratch = Some(packed(Half, [2, 1, 4, 4, 16], Layout::ND));
        let call = Call::MgatherL1(call);
        assert_eq!(broken(call, target, &Readings::default()), []);
    }
    let simt = MgatherL1 {
        exec: GatherExec::Simt,
        ..elem_call()
    };
    let r = Readings::default();
    let call = Call::MgatherL1(simt);
    assert_eq!(broken(call, A2a3, &r), [("MGATHERL1-EXEC-03", ByCheck)]);
    assert_eq!(broken(call, A5, &r), []);
    // MGATHERL1-DTYPE-01, -02: 8-bit floats on A5 only.
    let mut eight = elem_call();
    eight.dst = l1_tile(Int8, [16, 32], [5, 5]);
    eight.scratch = Some(matrix(Int8, 16, 32));
    of(&mut eight, Hifloat8);
    let call = Call::MgatherL1(eight);
    assert_eq!(broken(call, A2a3, &r), [("MGATHERL1-DTYPE-01", ByCheck)]);
    assert_eq!(broken(call, A5, &r), []);
}

#[test]
fn a_strided_index_must_have_the_shape() {
    // MGATHERL1-GAP-28: 25 indices in one line are enough only when read so.
    let mut call = elem_call();
    call.idx = matrix(Uint32, 1, 25);
    let mut r = Readings::default();
    assert_eq!(broken(Call::MgatherL1(call), A5, &r), []);
    r.l1_index_pitch = L1IndexPitch::Strided;
    let found = broken(Call::MgatherL1(call), A5, &r);
    assert_eq!(found, [("MGATHERL1-GAP-28", ByCaller)]);
    call.idx = strided(matrix(Uint32, 5, 5), 3, 16);
    assert_eq!(broken(Call::MgatherL1(call), A5, &r), []);
    // All rows in one place are fewer elements than are read.
    call.idx = strided(matrix(Uint32, 5, 5), 3, 0);
    let found = broken(Call::MgatherL1(call), A5, &r);
    assert_eq!(found, [("MGATHERL1-GAP-28", ByCaller)]);
    let mut call = row_call();
    assert_eq!(broken(Call::MgatherL1(call), A5, &r), []);
    call.idx = matrix(Int32, 10, 1);
    let found = broken(Call::MgatherL1(call), A5, &r);
    assert_eq!(found, [("MGATHERL1-GAP-28", ByCaller)]);
}

#[test]
fn on_the_cpu() {
    for call in [row_call(), elem_call()] {
        let found = broken(Call::MgatherL1(call), Cpu, &Readings::default());
        assert_eq!(found, [("MGATHERL1-GAP-14", ByCaller)]);
        // What the header asserts it asserts under any reading.
        let mut unequal = call;
        unequal.table.dtype = Float;
        let found = broken(Call::MgatherL1(unequal), Cpu, &Readings::default());
        assert!(found.contains(&("MGATHER-DTYPE-04", ByCheck)), "{found:?}");
        // Executor and scratch make no difference there.
        for exec in [GatherExec::Scalar, GatherExec::Simt] {
            for scratch in [None, call.scratch] {
                let call = MgatherL1 {
                    exec,
                    scratch,
                    ..call
                };
                assert_eq!(broken(Call::MgatherL1(call), Cpu, &suite()), []);
            }
        }
    }
    rules(
        Cpu,
        &suite(),
        Call::MgatherL1,
        row_call(),
        &[
            ("MGATHER-DTYPE-04", |c| c.idx.dtype = Half),
            ("MGATHER-DTYPE-04", |c| c.table.dtype = Float),
        ],
        &[
            ("MGATHER-DTYPE-03", |c| c.idx.dtype = Int16),
            ("MGATHER-DTYPE-01", |c| of(c, Int64)),
            ("MGATHER-GAP-35", |c| of(c, Hifloat8)),
            ("MGATHERL1-TILE-01", |c| c.dst.location = TileType::Vec),
            ("MGATHERL1-TILE-02", |c| c.dst.cols = 24),
            ("MGATHERL1-TILE-03", |c| c.dst.rows = 10),
            ("MGATHERL1-TABLE-01", |c| c.table.layout = Layout::DN),
            ("MGATHERL1-GAP-28", |c| c.idx = matrix(Int32, 1, 9)),
            ("MGATHERL1-GAP-17", |c| c.table = matrix(Half, 8, 19)),
            ("MGATHER-TABLE-03", |c| {
                c.table = packed(Half, [1, 1, 2, 4, 20], Layout::ND)
            }),
            ("MGATHER-GAP-08", |c| c.table = strided(c.table, 3, 48)),
        ],
    );
}
