//! What the header asserts, and that it asserts no more.

use ptodiff_isa::{
    Call, Coalesce, CpuForm, CpuRowCheck, DType, Dim, GatherOob, How, Launch, Log, MaskAxis,
    MaskPattern, Mgather, MgatherL1, Model, Mscatter, MscatterFirst, Readings, ScatterAtomicOp,
    ScatterOob, Scope, Target, TscatterMask,
};
use ptodiff_model_cpu::Cpu;
use strum::VariantArray;

use crate::common::{dynamic, flat, full, gather, gather_l1, memory, reading, rows, scatter, tile};

use DType::{Float, Half, Int32};

const NONE: [&str; 0] = [];

fn clauses(call: Call, readings: &Readings) -> Vec<&'static str> {
    let found = Cpu.check(&call, readings);
    found.into_iter().map(|r| r.clause.0).collect()
}

/// By default, which is as under the templated form.
fn rejected(call: Call) -> Vec<&'static str> {
    let found = clauses(call, &Readings::default());
    let templated = reading(|r| r.cpu_form = CpuForm::Templated);
    assert_eq!(clauses(call, &templated), found);
    found
}

fn scatter_of(data: DType, table: DType, index: DType) -> Mscatter {
    scatter(flat(table, 64), full(data, [2, 32]), full(index, [2, 32]))
}

fn gather_of(data: DType, table: DType, index: DType) -> Mgather {
    let (dst, idx) = (full(data, [2, 32]), full(index, [2, 32]));
    let (mode, oob) = (Coalesce::Elem, GatherOob::Undefined);
    gather(mode, oob, dst, flat(table, 64), idx)
}

fn l1_of(data: DType, table: DType, index: DType) -> MgatherL1 {
    let (dst, idx) = (full(data, [16, 32]), flat(index, 512));
    gather_l1(
        Coalesce::Elem,
        GatherOob::Undefined,
        dst,
        flat(table, 64),
        idx,
    )
}

// MSCATTER-DTYPE-04, -05, MGATHER-DTYPE-04: an integral index; elements of equal
// size, not of equal type.
#[test]
fn index_and_element_types() {
    let of = |data, table, index, scattered: &[&str], gathered: &[&str]| {
        let found = rejected(Call::Mscatter(scatter_of(data, table, index)));
        assert_eq!(found, scattered, "{data} {table} {index}");
        let found = rejected(Call::Mgather(gather_of(data, table, index)));
        assert_eq!(found, gathered, "{data} {table} {index}");
        let found = rejected(Call::MgatherL1(l1_of(data, table, index)));
        assert_eq!(found, gathered, "{data} {table} {index}");
    };
    for &index in DType::VARIANTS {
        if index.is_integer() {
            of(Float, Int32, index, &[], &[]);
        } else {
            of(
                Float,
                Float,
                index,
                &["MSCATTER-DTYPE-04"],
                &["MGATHER-DTYPE-04"],
            );
        }
    }
    of(
        Float,
        Half,
        Int32,
        &["MSCATTER-DTYPE-05"],
        &["MGATHER-DTYPE-04"],
    );
    let both = ["MSCATTER-DTYPE-04", "MSCATTER-DTYPE-05"];
    of(Half, Float, Half, &both, &["MGATHER-DTYPE-04"; 2]);
}

#[test]
fn every_rejection_is_told_with_its_reason() {
    let why = |call: Call| -> Vec<String> {
        let found = Cpu.check(&call, &Readings::default());
        found.into_iter().map(|r| r.why).collect()
    };
    let mut call = gather_of(Float, Half, Half);
    call.mode = Coalesce::Row;
    let expected = [
        "index dtype half",
        "tile of float (4 bytes) with table of half (2 bytes)",
        "Row index of valid shape [2, 32] for 2 rows",
    ];
    assert_eq!(why(Call::Mgather(call)), expected);
    let (dst, src) = (full(Half, [2, 32]), full(Half, [2, 32]));
    let (pattern, axis) = (MaskPattern::P1000, MaskAxis::Col);
    let call = TscatterMask {
        dst,
        src,
        pattern,
        axis,
    };
    let expected = ["the mask form on cpu", "the column axis"];
    assert_eq!(why(Call::TscatterMask(call)), expected);
    assert_eq!(Cpu.target(), Target::Cpu);
}

fn row_gather(idx: [u64; 2]) -> Mgather {
    let (dst, idx) = (full(Float, [4, 8]), tile(Int32, [8, 8], idx));
    let (mode, oob) = (Coalesce::Row, GatherOob::Undefined);
    gather(mode, oob, dst, rows(Float, 16, 8), idx)
}

// MGATHER-MODE-06, and MGATHER-GAP-12 where the caller owes it.
#[test]
fn a_row_gather_has_an_index_a_row() {
    let owed = reading(|r| r.cpu_row_check = CpuRowCheck::Precondition);
    for valid in [[1, 4], [4, 1]] {
        assert_eq!(rejected(Call::Mgather(row_gather(valid))), NONE);
    }
    for valid in [[2, 2], [1, 5], [4, 8], [5, 1], [1, 1]] {
        let call = Call::Mgather(row_gather(valid));
        assert_eq!(rejected(call), ["MGATHER-MODE-06"], "{valid:?}");
        assert_eq!(clauses(call, &owed), NONE);
    }
    // The header asserts the rest either way.
    let mut call = row_gather([2, 2]);
    call.idx.dtype = Float;
    assert_eq!(clauses(Call::Mgather(call), &owed), ["MGATHER-DTYPE-04"]);
    // It needs every extent in it static, of which the columns of the tile are none.
    for (change, expected) in [
        ((|c| c.idx = dynamic(c.idx)) as fn(&mut Mgather), &[][..]),
        (|c| c.idx.valid_row = Dim::Dynamic(2), &[]),
        (|c| c.idx.valid_col = Dim::Dynamic(2), &[]),
        (|c| c.dst.valid_row = Dim::Dynamic(4), &[]),
        (|c| c.dst.valid_col = Dim::Dynamic(8), &["MGATHER-MODE-06"]),
    ] {
        let mut call = row_gather([2, 2]);
        change(&mut call);
        assert_eq!(rejected(Call::Mgather(call)), expected);
    }
}

// MSCATTER0-API-01: A5 alone has this form.
#[test]
fn the_first_revision_is_rejected_and_does_not_run() {
    let tile = full(Int32, [1, 2]);
    let call = Call::MscatterFirst(MscatterFirst {
        table: flat(Int32, 4),
        src: tile,
        idx: tile,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    });
    assert_eq!(rejected(call), ["MSCATTER0-API-01"]);
    let found = Cpu.check(&call, &Readings::default());
    assert_eq!(found[0].why, "the first revision of MSCATTER on cpu");
    let before = memory(&call, &[&[0; 16], &[1; 8], &[0; 8]]);
    let mut memory = before.clone();
    let ended = Cpu.execute(&call, &mut memory, &How::default(), &mut Log::default());
    assert!(ended.is_err());
    assert_eq!(memory, before);
}

// TSCATTER-GAP-09: MODE-02 for the form, SHAPE-02 for the axis.
#[test]
fn the_mask_form_is_the_suites() {
    let suite = reading(|r| r.scope = Scope::AsTheSuite);
    for (axis, expected) in [
        (MaskAxis::Row, &["TSCATTER-MODE-02"][..]),
        (MaskAxis::Col, &["TSCATTER-MODE-02", "TSCATTER-SHAPE-02"]),
    ] {
        let call = Call::TscatterMask(TscatterMask {
            // No shape fits; that is nobody's business here.
            dst: full(Half, [3, 3]),
            src: full(Float, [2, 8]),
            pattern: MaskPattern::P1000,
            axis,
        });
        assert_eq!(rejected(call), expected);
        assert_eq!(clauses(call, &suite), NONE);
    }
}
