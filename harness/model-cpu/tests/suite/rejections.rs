//! What the header asserts, and that it asserts no more.

use ptodiff_isa::{Call, Coalesce, CpuForm, DType, Dim, GatherOob, Model, Readings, Target};
use ptodiff_isa::{
    GatherExec, How, Launch, Layout, Log, MaskAxis, MaskPattern, Mgather, MgatherL1,
};
use ptodiff_isa::{Mscatter, MscatterFirst, ScatterAtomicOp, ScatterOob, Scope, Tgatherb};
use ptodiff_isa::{TileType, TscatterIndex, TscatterMask};
use ptodiff_model_cpu::Cpu;

use crate::common::{
    col_major, dynamic, flat, full, gather, rows, scatter, scatter_memory, table, tile,
};

fn rejected(call: Call) -> Vec<&'static str> {
    let readings = Readings::default();
    let found = Cpu.check(&call, &readings);
    let templated = Readings {
        cpu_form: CpuForm::Templated,
        ..readings
    };
    assert_eq!(found, Cpu.check(&call, &templated));
    found.into_iter().map(|r| r.clause.0).collect()
}

fn scatter_of(data: DType, table: DType, index: DType) -> Mscatter {
    scatter(flat(table, 64), full(data, [2, 32]), full(index, [2, 32]))
}

fn gather_of(data: DType, table: DType, index: DType) -> Mgather {
    gather(
        Coalesce::Elem,
        GatherOob::Undefined,
        full(data, [2, 32]),
        flat(table, 64),
        full(index, [2, 32]),
    )
}

#[test]
fn it_speaks_for_cpu() {
    assert_eq!(Cpu.target(), Target::Cpu);
}

#[test]
fn an_index_dtype_is_integral() {
    for dtype in [
        DType::Int8,
        DType::Uint8,
        DType::Int16,
        DType::Uint16,
        DType::Int32,
        DType::Uint32,
        DType::Int64,
        DType::Uint64,
    ] {
        let call = scatter_of(DType::Float, DType::Float, dtype);
        assert!(rejected(Call::Mscatter(call)).is_empty(), "{dtype}");
        let call = gather_of(DType::Float, DType::Float, dtype);
        assert!(rejected(Call::Mgather(call)).is_empty(), "{dtype}");
    }
    for dtype in [DType::Float, DType::Half, DType::Bfloat16, DType::Hifloat8] {
        let call = scatter_of(DType::Float, DType::Float, dtype);
        assert_eq!(rejected(Call::Mscatter(call)), ["MSCATTER-DTYPE-04"]);
        let call = gather_of(DType::Float, DType::Float, dtype);
        assert_eq!(rejected(Call::Mgather(call)), ["MGATHER-DTYPE-04"]);
    }
}

#[test]
fn elements_have_equal_size_and_need_no_equal_type() {
    let call = scatter_of(DType::Float, DType::Int32, DType::Int32);
    assert!(rejected(Call::Mscatter(call)).is_empty());
    let call = scatter_of(DType::Float, DType::Half, DType::Int32);
    assert_eq!(rejected(Call::Mscatter(call)), ["MSCATTER-DTYPE-05"]);
    let call = gather_of(DType::Float, DType::Int32, DType::Int32);
    assert!(rejected(Call::Mgather(call)).is_empty());
    let call = gather_of(DType::Uint8, DType::Int16, DType::Int32);
    assert_eq!(rejected(Call::Mgather(call)), ["MGATHER-DTYPE-04"]);
}

#[test]
fn every_rejection_is_told_with_its_reason() {
    let mut call = gather_of(DType::Float, DType::Half, DType::Half);
    call.mode = Coalesce::Row;
    let found = Cpu.check(&Call::Mgather(call), &Readings::default());
    let clauses: Vec<_> = found.iter().map(|r| r.clause.0).collect();
    assert_eq!(
        clauses,
        ["MGATHER-DTYPE-04", "MGATHER-DTYPE-04", "MGATHER-MODE-06"]
    );
    assert_eq!(found[0].why, "index dtype half");
    assert_eq!(
        found[1].why,
        "tile of float (4 bytes) with table of half (2 bytes)"
    );
    assert_eq!(found[2].why, "Row index of valid shape [2, 32] for 2 rows");

    let tile = full(DType::Half, [2, 32]);
    let mask = Call::TscatterMask(TscatterMask {
        dst: tile,
        src: tile,
        pattern: MaskPattern::P1000,
        axis: MaskAxis::Col,
    });
    let found = Cpu.check(&mask, &Readings::default());
    assert_eq!(found[0].why, "the mask form on cpu");
    assert_eq!(found[1].why, "the column axis");
}

fn row_gather(idx_valid: [u64; 2]) -> Mgather {
    gather(
        Coalesce::Row,
        GatherOob::Undefined,
        full(DType::Float, [4, 8]),
        rows(DType::Float, 16, 8),
        tile(DType::Int32, [8, 8], idx_valid),
    )
}

#[test]
fn a_row_gather_has_an_index_a_row() {
    for valid in [[1, 4], [4, 1]] {
        assert!(rejected(Call::Mgather(row_gather(valid))).is_empty());
    }
    for valid in [[2, 2], [1, 5], [4, 8], [5, 1], [1, 1]] {
        assert_eq!(
            rejected(Call::Mgather(row_gather(valid))),
            ["MGATHER-MODE-06"],
            "{valid:?}"
        );
    }
}

#[test]
fn the_row_rule_needs_every_extent_static() {
    let illegal = row_gather([2, 2]);
    let mut call = illegal;
    call.idx = dynamic(call.idx);
    assert!(rejected(Call::Mgather(call)).is_empty());
    let mut call = illegal;
    call.idx.valid_row = Dim::Dynamic(2);
    assert!(rejected(Call::Mgather(call)).is_empty());
    let mut call = illegal;
    call.idx.valid_col = Dim::Dynamic(2);
    assert!(rejected(Call::Mgather(call)).is_empty());
    let mut call = illegal;
    call.dst.valid_row = Dim::Dynamic(4);
    assert!(rejected(Call::Mgather(call)).is_empty());
    // The number of columns is no part of the rule.
    let mut call = illegal;
    call.dst.valid_col = Dim::Dynamic(8);
    assert_eq!(rejected(Call::Mgather(call)), ["MGATHER-MODE-06"]);
}

#[test]
fn a_scatter_has_no_mode_to_check() {
    let mut call = scatter_of(DType::Float, DType::Float, DType::Int32);
    call.mode = Coalesce::Row;
    assert!(rejected(Call::Mscatter(call)).is_empty());
}

#[test]
fn preconditions_are_not_rejected() {
    let mut call = scatter_of(DType::Hifloat8, DType::Uint8, DType::Int64);
    call.src = col_major(tile(DType::Hifloat8, [3, 5], [0, 9]));
    call.src.location = TileType::Mat;
    call.idx.location = TileType::Mat;
    call.idx.rows = 1;
    call.atomic = ScatterAtomicOp::Max;
    call.table = table(DType::Uint8, [2, 3, 0, 7, 11]);
    call.table.layout = Layout::NZ;
    assert!(rejected(Call::Mscatter(call)).is_empty());
    let mut call = gather_of(DType::Half, DType::Bfloat16, DType::Int16);
    call.dst = col_major(tile(DType::Half, [3, 5], [9, 0]));
    call.dst.location = TileType::Mat;
    call.table = table(DType::Bfloat16, [2, 3, 0, 7, 11]);
    call.table.layout = Layout::DN;
    assert!(rejected(Call::Mgather(call)).is_empty());
}

// MSCATTER0-API-01: A5 alone has this form.
#[test]
fn the_first_revision_is_rejected_and_does_not_run() {
    let tile = full(DType::Int32, [1, 2]);
    let call = Call::MscatterFirst(MscatterFirst {
        table: flat(DType::Int32, 4),
        src: tile,
        idx: tile,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    });
    assert_eq!(rejected(call), ["MSCATTER0-API-01"]);
    let found = Cpu.check(&call, &Readings::default());
    assert_eq!(found[0].why, "the first revision of MSCATTER on cpu");
    let before = scatter_memory(&[0; 16], &[1; 8], &[0; 8]);
    let mut memory = before.clone();
    let ended = Cpu.execute(&call, &mut memory, &How::default(), &mut Log::default());
    assert!(ended.is_err());
    assert_eq!(memory, before);
}

fn l1_of(data: DType, table: DType, index: DType) -> MgatherL1 {
    MgatherL1 {
        dst: full(data, [16, 32]),
        table: flat(table, 64),
        idx: flat(index, 512),
        scratch: None,
        mode: Coalesce::Elem,
        oob: GatherOob::Undefined,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    }
}

// 001, Header-level enforcement: nothing about scratch, executor, form of
// the tile or shape of the indices, in either scope.
#[test]
fn a_gather_to_l1_meets_the_same_header() {
    let of = |call| rejected(Call::MgatherL1(call));
    assert!(of(l1_of(DType::Float, DType::Int32, DType::Int64)).is_empty());
    let call = l1_of(DType::Float, DType::Float, DType::Half);
    assert_eq!(of(call), ["MGATHER-DTYPE-04"]);
    let call = l1_of(DType::Float, DType::Half, DType::Uint8);
    assert_eq!(of(call), ["MGATHER-DTYPE-04"]);
    let call = l1_of(DType::Half, DType::Float, DType::Half);
    assert_eq!(of(call), ["MGATHER-DTYPE-04", "MGATHER-DTYPE-04"]);

    let mut call = l1_of(DType::Int64, DType::Uint64, DType::Int32);
    call.mode = Coalesce::Row;
    call.exec = GatherExec::Simt;
    call.dst = tile(DType::Int64, [3, 5], [9, 0]);
    call.idx = table(DType::Int32, [2, 2, 2, 2, 2]);
    call.scratch = Some(flat(DType::Half, 1));
    call.table.layout = Layout::NZ;
    assert!(of(call).is_empty());
}

// TSCATTER-GAP-09: MODE-02 for the form, SHAPE-02 for the axis.
#[test]
fn the_mask_form_is_the_suites() {
    let src = full(DType::Float, [2, 8]);
    let (row, col) = (
        ["TSCATTER-MODE-02"],
        ["TSCATTER-MODE-02", "TSCATTER-SHAPE-02"],
    );
    for (axis, expected) in [(MaskAxis::Row, &row[..]), (MaskAxis::Col, &col[..])] {
        let call = Call::TscatterMask(TscatterMask {
            // No shape fits; that is nobody's business here.
            dst: full(DType::Half, [3, 3]),
            src,
            pattern: MaskPattern::P1000,
            axis,
        });
        assert_eq!(rejected(call), expected);
        let suite = Readings {
            scope: Scope::AsTheSuite,
            ..Readings::default()
        };
        assert!(Cpu.check(&call, &suite).is_empty());
    }
}

// TSCATTER-GAP-08, TGATHERB-GAP-08: what binds the NPUs is a precondition here.
#[test]
fn tile_to_tile_calls_are_not_checked() {
    let mut odd = col_major(tile(DType::Int64, [3, 5], [9, 0]));
    odd.location = TileType::Mat;
    let (dst, src) = (odd, full(DType::Hifloat8, [1, 3]));
    let idx = full(DType::Half, [7, 7]);
    assert!(rejected(Call::TscatterIndex(TscatterIndex { dst, src, idx })).is_empty());
    let offset = idx;
    assert!(rejected(Call::Tgatherb(Tgatherb { dst, src, offset })).is_empty());
}
