//! What the answers to gaps on tables and shapes reject or make a precondition.

use crate::common::{choices::with, rules::*, *};
use ptodiff_contract::{Enforced, legality};
use ptodiff_isa::*;

use Enforced::{ByCaller, ByCheck};
use Target::{A2a3, A5, Cpu};

type Found = Vec<(&'static str, Enforced)>;

/// What `target` finds in a scatter and in a gather of the same operands.
fn both(call: &Mscatter, target: Target, choices: &[(&str, &str)]) -> [Found; 2] {
    let readings = with(choices);
    let gather = gather(call.src, call.table, call.idx, call.mode);
    [
        broken(Call::Mscatter(*call), target, &readings),
        broken(Call::Mgather(gather), target, &readings),
    ]
}

fn by_caller(scatter: &'static str, gather: &'static str) -> [Found; 2] {
    [vec![(scatter, ByCaller)], vec![(gather, ByCaller)]]
}

fn by_check(scatter: &'static str, gather: &'static str) -> [Found; 2] {
    [vec![(scatter, ByCheck)], vec![(gather, ByCheck)]]
}

const NOTHING: [Found; 2] = [Vec::new(), Vec::new()];

/// float [8,16] and a 16x16 table, Row.
fn row_call() -> Mscatter {
    scatter(
        matrix(DType::Float, 16, 16),
        tile(DType::Float, [8, 16], [8, 16]),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Row,
    )
}

/// float [8,16] and a 16x16 table, Elem.
fn elem_call() -> Mscatter {
    scatter(
        matrix(DType::Float, 16, 16),
        tile(DType::Float, [8, 16], [8, 16]),
        tile(DType::Int32, [8, 16], [8, 16]),
        Coalesce::Elem,
    )
}

/// half NZ tile [32,32] and Shape<1,2,2,16,16>, Row.
fn nz_call() -> Mscatter {
    scatter(
        packed(DType::Half, [1, 2, 2, 16, 16], Layout::NZ),
        nz_tile(DType::Half, [32, 32], [5, 32]),
        tile(DType::Int32, [1, 8], [1, 5]),
        Coalesce::Row,
    )
}

#[test]
fn padded_tables_by_elements() {
    let mut call = elem_call();
    call.table = strided(call.table, 3, 32);
    let precondition = [("padded-elem", "precondition")];
    let a2a3 = by_caller("MSCATTER-GAP-18", "MGATHER-GAP-07");
    let a5 = by_caller("MSCATTER-GAP-19", "MGATHER-GAP-07");
    assert_eq!(both(&call, A2a3, &precondition), a2a3);
    assert_eq!(both(&call, A5, &precondition), a5);
    assert_eq!(both(&call, Cpu, &precondition), NOTHING);
    for target in [A2a3, A5, Cpu] {
        assert_eq!(both(&call, target, &[("padded-elem", "strided")]), NOTHING);
        // The stride of a dimension of one element leaves no room.
        let mut dense = elem_call();
        dense.table = strided(dense.table, 1, 999);
        assert_eq!(both(&dense, target, &precondition), NOTHING);
    }
}

#[test]
fn widths_in_row_mode_on_a2a3() {
    // MSCATTER-GAP-17, MGATHER-GAP-10: eight of sixteen columns.
    let narrow = Mscatter {
        src: tile(DType::Float, [8, 16], [8, 8]),
        ..row_call()
    };
    let precondition = [("narrow-row", "precondition")];
    assert_eq!(both(&narrow, A2a3, &[]), NOTHING);
    assert_eq!(
        both(&narrow, A2a3, &precondition),
        by_caller("MSCATTER-GAP-17", "MGATHER-GAP-10")
    );
    assert_eq!(both(&row_call(), A2a3, &precondition), NOTHING);
    let [_, on_cpu] = both(&narrow, Cpu, &precondition);
    assert_eq!(on_cpu, [("MGATHER-GAP-10", ByCaller)]);
    // MSCATTER-GAP-28: five floats are 20 bytes, eight are 32.
    let precondition = [("burst-tail", "precondition")];
    let mut odd = narrow;
    odd.src.valid_col = Dim::Static(5);
    let [scattered, gathered] = both(&odd, A2a3, &precondition);
    assert_eq!(scattered, [("MSCATTER-GAP-28", ByCaller)]);
    assert_eq!(gathered, []);
    assert_eq!(both(&narrow, A2a3, &precondition), NOTHING);
    assert_eq!(both(&odd, A2a3, &[("burst-tail", "rounded")]), NOTHING);
    // Bursts into NZ tables are whole blocks.
    let mut nz = nz_call();
    nz.src.valid_col = Dim::Static(20);
    assert_eq!(both(&nz, A2a3, &precondition), NOTHING);
}

#[test]
fn outer_dimensions() {
    let mut call = row_call();
    call.table = packed(DType::Float, [2, 1, 1, 8, 16], Layout::ND);
    // MSCATTER-GAP-15, MGATHER-GAP-05.
    let precondition = [("row-capacity", "precondition")];
    assert_eq!(
        both(&call, A5, &precondition),
        by_caller("MSCATTER-GAP-15", "MGATHER-GAP-05")
    );
    assert_eq!(both(&call, A5, &[]), NOTHING);
    assert_eq!(both(&call, A2a3, &precondition), NOTHING);
    let by_elements = Mscatter {
        table: call.table,
        ..elem_call()
    };
    assert_eq!(both(&by_elements, A5, &precondition), NOTHING);
    // MSCATTER-GAP-16, MGATHER-GAP-06.
    call.table = strided(call.table, 0, 256);
    assert_eq!(
        both(&call, A2a3, &[]),
        by_caller("MSCATTER-GAP-16", "MGATHER-GAP-06")
    );
    for choice in ["ignored", "split"] {
        assert_eq!(both(&call, A2a3, &[("outer-strides", choice)]), NOTHING);
    }
}

#[test]
fn nz_tables() {
    // MSCATTER-GAP-22, MGATHER-GAP-57: 20 of 32 logical columns.
    let precondition = [("nz-row-columns", "precondition")];
    let mut narrow = nz_call();
    narrow.src.valid_col = Dim::Static(20);
    assert_eq!(
        both(&narrow, A2a3, &precondition),
        by_caller("MSCATTER-GAP-22", "MGATHER-GAP-57")
    );
    assert_eq!(both(&nz_call(), A2a3, &precondition), NOTHING);
    for choice in ["either", "moved", "kept"] {
        assert_eq!(both(&narrow, A2a3, &[("nz-row-columns", choice)]), NOTHING);
    }
    // MSCATTER-GAP-27, MGATHER-GAP-23.
    for dim in [3, 4] {
        let mut dynamic = nz_call();
        dynamic.table.shape[dim] = Dim::Dynamic(16);
        assert_eq!(both(&dynamic, A2a3, &[]), NOTHING);
        assert_eq!(
            both(&dynamic, A2a3, &[("nz-dynamic", "rejected")]),
            by_check("MSCATTER-GAP-27", "MGATHER-GAP-23")
        );
    }
    let mut outer = nz_call();
    outer.table.shape[2] = Dim::Dynamic(2);
    assert_eq!(both(&outer, A2a3, &[("nz-dynamic", "rejected")]), NOTHING);
}

#[test]
fn the_width_check_of_a5() {
    // MSCATTER-GAP-12, MGATHER-GAP-42: Shape[4] is 256, ValidCol 16.
    let mut call = elem_call();
    call.table = matrix(DType::Float, 1, 256);
    let both_modes = [("width-check", "both")];
    assert_eq!(both(&call, A5, &[]), NOTHING);
    assert_eq!(
        both(&call, A5, &both_modes),
        by_check("MSCATTER-GAP-12", "MGATHER-GAP-42")
    );
    assert_eq!(both(&elem_call(), A5, &both_modes), NOTHING);
    assert_eq!(both(&call, A2a3, &both_modes), NOTHING);
    let templated = [("width-check", "both"), ("cpu-form", "templated")];
    assert_eq!(both(&call, Cpu, &templated), NOTHING);
    // What is known at run time only no check sees.
    call.table.shape[4] = Dim::Dynamic(256);
    assert_eq!(both(&call, A5, &both_modes), NOTHING);
}

#[test]
fn the_row_pitch_of_a5() {
    let valid_cols = [("row-pitch", "valid-cols")];
    // MSCATTER-GAP-13, MGATHER-GAP-09: rows 32 apart.
    let mut apart = row_call();
    apart.table = strided(apart.table, 3, 32);
    assert_eq!(
        both(&apart, A5, &[]),
        by_caller("MSCATTER-GAP-13", "MGATHER-GAP-09")
    );
    assert_eq!(both(&apart, A5, &valid_cols), NOTHING);
    // MSCATTER-GAP-14: 24 columns where the check sees none.
    let mut wide = row_call();
    wide.table = matrix(DType::Float, 16, 24);
    wide.table.shape[4] = Dim::Dynamic(24);
    let unseen = by_caller("MSCATTER-GAP-14", "MGATHER-GAP-09");
    assert_eq!(both(&wide, A5, &[]), unseen);
    assert_eq!(both(&wide, A5, &valid_cols), NOTHING);
    // A tile's width that the check does not see is the same.
    let mut narrow = row_call();
    narrow.src.valid_col = Dim::Dynamic(8);
    assert_eq!(both(&narrow, A5, &[]), unseen);
    // Width and pitch: the pitch. One row has none.
    wide.table = strided(wide.table, 3, 32);
    let further = by_caller("MSCATTER-GAP-13", "MGATHER-GAP-09");
    assert_eq!(both(&wide, A5, &[]), further);
    wide.table.shape[3] = Dim::Static(1);
    assert_eq!(both(&wide, A5, &[]), unseen);
    // MSCATTER-TABLE-08: closer together than they are wide, and elements apart.
    let overlapping = by_caller("MSCATTER-TABLE-08", "MGATHER-TABLE-08");
    for (dim, stride) in [(3, 8), (4, 2)] {
        let mut call = row_call();
        call.table = strided(call.table, dim, stride);
        assert_eq!(both(&call, A5, &[]), overlapping);
        assert_eq!(both(&call, A5, &valid_cols), NOTHING);
        // Once, for strides and layout.
        call.table.layout = Layout::NZ;
        assert_eq!(both(&call, A5, &[]), overlapping);
    }
    // The check rejects a width whatever the strides.
    for stride in [8, 16, 24, 32] {
        wide.table = strided(matrix(DType::Float, 16, 24), 3, stride);
        let checked = by_check("MSCATTER-TABLE-07", "MGATHER-TABLE-07");
        assert_eq!(both(&wide, A5, &[]), checked);
    }
    wide.table = row_call().table;
    wide.table.shape[4] = Dim::Static(24);
    assert_eq!(
        both(&wide, A5, &valid_cols),
        by_check("MSCATTER-TABLE-07", "MGATHER-TABLE-07")
    );
    // The templated CPU has its own pitch.
    let mut templated = apart;
    templated.idx = tile(DType::Int32, [8, 8], [8, 1]);
    let choices = [("row-pitch", "valid-cols"), ("cpu-form", "templated")];
    let [scattered, _] = both(&templated, Cpu, &choices);
    assert_eq!(scattered, [("MSCATTER-GAP-13", ByCaller)]);
}

#[test]
fn indices_that_do_not_follow_each_other() {
    for idx in [
        tile(DType::Int32, [8, 8], [8, 1]),
        col_major(DType::Int32, [8, 8], [1, 8]),
    ] {
        let mut call = Mscatter { idx, ..row_call() };
        let rejected = [("row-index-pitch", "rejected")];
        let gaps = ["MSCATTER-GAP-36", "MGATHER-GAP-15"];
        assert_eq!(both(&call, A5, &[]), by_caller(gaps[0], gaps[1]));
        assert_eq!(both(&call, A5, &[("row-index-pitch", "logical")]), NOTHING);
        assert_eq!(both(&call, A5, &rejected), by_check(gaps[0], gaps[1]));
        call.idx.valid_row = Dim::Dynamic(idx.valid_row.get());
        assert_eq!(both(&call, A5, &rejected), by_caller(gaps[0], gaps[1]));
    }
    // Neither one column nor one row: another rule's matter.
    let square = Mscatter {
        idx: tile(DType::Int32, [8, 8], [8, 2]),
        ..row_call()
    };
    for choice in ["precondition", "rejected"] {
        let found = both(&square, A5, &[("row-index-pitch", choice)]);
        let gap = |(clause, _): &(&str, _)| ["MSCATTER-GAP-36", "MGATHER-GAP-15"].contains(clause);
        assert!(!found.iter().flatten().any(gap), "{found:?}");
    }
    // A pitch of 1 is legal.
    let down = Mscatter {
        idx: col_major(DType::Int32, [8, 1], [8, 1]),
        ..row_call()
    };
    assert_eq!(both(&down, A5, &[("row-index-pitch", "rejected")]), NOTHING);
}

#[test]
fn extents_of_zero() {
    // MSCATTER-GAP-38, MGATHER-GAP-26.
    let no_op = [("empty-extent", "no-op")];
    let mut rows = row_call();
    (rows.src.valid_row, rows.idx.valid_col) = (Dim::Dynamic(0), Dim::Dynamic(0));
    let mut cols = row_call();
    cols.src.valid_col = Dim::Dynamic(0);
    for target in [A2a3, A5] {
        assert_eq!(
            both(&rows, target, &[]),
            by_caller("MSCATTER-SHAPE-03", "MGATHER-SHAPE-03")
        );
        assert_eq!(both(&rows, target, &no_op), NOTHING);
        // No width is wrong where no column is moved.
        assert!(!both(&cols, target, &[])[0].is_empty());
        let strict = [
            ("empty-extent", "no-op"),
            ("narrow-row", "precondition"),
            ("burst-tail", "precondition"),
        ];
        assert_eq!(both(&cols, target, &strict), NOTHING);
        // MSCATTER-GAP-71, MGATHER-GAP-58: a static 0 is rejected.
        let mut fixed = rows;
        fixed.src.valid_row = Dim::Static(0);
        assert_eq!(
            both(&fixed, target, &no_op),
            by_check("MSCATTER-SHAPE-03", "MGATHER-SHAPE-03")
        );
        // MSCATTER-GAP-37: extents that differ stay a precondition.
        let mut apart = rows;
        apart.idx.valid_col = Dim::Dynamic(3);
        assert_eq!(
            both(&apart, target, &no_op).map(|found| found.len()),
            [1, 1]
        );
    }
    let mut nz = nz_call();
    nz.src.valid_col = Dim::Dynamic(0);
    let strict = [
        ("empty-extent", "no-op"),
        ("nz-row-columns", "precondition"),
    ];
    assert_eq!(both(&nz, A2a3, &strict), NOTHING);
    let templated = [("empty-extent", "no-op"), ("cpu-form", "templated")];
    let [scattered, _] = both(&rows, Cpu, &templated);
    assert_eq!(scattered, [("MSCATTER-SHAPE-03", ByCaller)]);
}

#[test]
fn padded_tables_on_the_cpu() {
    // MGATHER-GAP-08: rows 32 apart, and 4 apart, which overlap.
    for (stride, choice, legal) in [
        (32, "precondition", false),
        (32, "strided", true),
        (4, "strided", false),
    ] {
        let mut call = row_call();
        call.table = strided(call.table, 3, stride);
        let [_, gathered] = both(&call, Cpu, &[("cpu-padded-table", choice)]);
        let expected = [("MGATHER-GAP-08", ByCaller)];
        assert_eq!(gathered, &expected[usize::from(legal)..]);
    }
}

#[test]
fn what_is_found_in_words() {
    let why = |call: Call, target, clause: &str| {
        let found = legality(&call, target, &Readings::default());
        let broken = found.into_iter().find(|b| b.clause.0 == clause);
        broken.expect("it is broken").why
    };
    // MSCATTER-GAP-82 and MSCATTER-GAP-17: rows 8 apart and wider than the table.
    let mut call = row_call();
    call.table = strided(call.table, 3, 8);
    assert_eq!(
        why(Call::Mscatter(call), A2a3, "MSCATTER-GAP-82"),
        "ND table, shape [1, 1, 1, 16, 16], strides [256, 256, 256, 8, 1]"
    );
    let mut call = row_call();
    call.table = matrix(DType::Float, 16, 8);
    assert_eq!(
        why(Call::Mscatter(call), A2a3, "MSCATTER-GAP-17"),
        "ValidCol 16, ND table, shape [1, 1, 1, 16, 8], strides [128, 128, 128, 8, 1]"
    );
    // MSCATTER-SHAPE-08, -SHAPE-03.
    let mut call = elem_call();
    call.src.valid_row = Dim::Dynamic(9);
    assert_eq!(
        why(Call::Mscatter(call), A2a3, "MSCATTER-SHAPE-08"),
        "valid [9, 16] in [8, 16]"
    );
    call.src.valid_row = Dim::Static(0);
    assert_eq!(
        why(Call::Mscatter(call), A2a3, "MSCATTER-SHAPE-03"),
        "data valid [0, 16], index valid [8, 16]"
    );
    // TGATHERB-TILE-01.
    let byte_gather = Tgatherb {
        dst: col_major(DType::Int32, [8, 8], [8, 8]),
        src: tile(DType::Int32, [8, 8], [8, 8]),
        offset: tile(DType::Uint32, [8, 8], [8, 8]),
    };
    assert_eq!(
        why(Call::Tgatherb(byte_gather), A2a3, "TGATHERB-TILE-01"),
        "ColMajor tile, NoneBox boxes of 512 bytes"
    );
}

#[test]
fn each_rule_is_broken_once() {
    let r = Readings::default();
    // MSCATTER-DTYPE-01 of the CPU: tile and table of one type that is not listed.
    let mut call = elem_call();
    (call.src.dtype, call.table.dtype) = (DType::Int64, DType::Int64);
    let once = [("MSCATTER-DTYPE-01", ByCaller)];
    assert_eq!(broken(Call::Mscatter(call), Cpu, &r), once);
    call.table.dtype = DType::Uint64;
    let twice = [once[0], once[0]];
    assert_eq!(broken(Call::Mscatter(call), Cpu, &r), twice);
    // TSCATTER-MODE-02: of a form that is not there no more is asked.
    let mask = TscatterMask {
        dst: tile(DType::Int64, [1, 64], [1, 64]),
        src: tile(DType::Half, [1, 16], [1, 16]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    };
    let missing = [("TSCATTER-MODE-02", ByCheck)];
    assert_eq!(broken(Call::TscatterMask(mask), A2a3, &r), missing);
    // TGATHERB-DTYPE-03: either type may be the one that is not listed.
    let byte_gather = Tgatherb {
        dst: tile(DType::Int8, [1, 32], [1, 32]),
        src: tile(DType::Float8E4M3, [1, 32], [1, 32]),
        offset: tile(DType::Uint32, [1, 32], [1, 32]),
    };
    let found = broken(Call::Tgatherb(byte_gather), A2a3, &r);
    assert!(found.contains(&("TGATHERB-DTYPE-03", ByCheck)), "{found:?}");
}

#[test]
fn one_index_is_adjacent_to_none() {
    // MSCATTER-GAP-36, MGATHER-GAP-15.
    let call = Mscatter {
        src: tile(DType::Float, [1, 16], [1, 16]),
        idx: col_major(DType::Int32, [8, 8], [1, 1]),
        ..row_call()
    };
    for choice in ["precondition", "rejected"] {
        assert_eq!(both(&call, A5, &[("row-index-pitch", choice)]), NOTHING);
    }
}

#[test]
fn one_row_stands_apart_from_none() {
    // MGATHER-GAP-71: the stride of a single row means nothing.
    let mut call = crate::common::calls::l1(
        crate::common::calls::l1_tile(DType::Half, [16, 16], [1, 16]),
        matrix(DType::Half, 1, 16),
        matrix(DType::Int32, 1, 1),
        Coalesce::Row,
    );
    call.table = strided(call.table, 3, 1);
    for target in [A2a3, A5] {
        let found = broken(Call::MgatherL1(call), target, &Readings::default());
        let overlap = found.iter().any(|(clause, _)| *clause == "MGATHER-GAP-71");
        assert!(!overlap, "{found:?}");
    }
}
