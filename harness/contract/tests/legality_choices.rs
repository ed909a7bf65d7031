//! What the answers to gaps on tables and shapes reject or make a precondition.

use crate::common::{choices::with, rules::*, *};
use ptodiff_contract::{Enforced, legality};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32, Int64, Uint32};
use Dim::{Dynamic, Static};
use Target::{A2a3, A5, Cpu};

type Found = Vec<(&'static str, Enforced)>;

/// Answers to gaps, and what is found under them in a scatter and in a gather of
/// the same operands.
type Answers<'a> = [(&'a [(&'a str, &'a str)], [Found; 2])];

/// What `target` finds in a scatter and in a gather of the same operands.
fn both(call: &Mscatter, target: Target, choices: &[(&str, &str)]) -> [Found; 2] {
    let readings = with(choices);
    [Call::Mscatter(*call), gathered(*call)].map(|call| broken(call, target, &readings))
}

/// Holds what is found under each answer to what is expected.
fn answers(call: &Mscatter, target: Target, expected: &Answers<'_>) {
    for (choices, expected) in expected {
        let found = both(call, target, choices);
        assert_eq!(found, *expected, "{target} {choices:?} {call:?}");
    }
}

fn by_caller(scatter: &'static str, gather: &'static str) -> [Found; 2] {
    [vec![(scatter, ByCaller)], vec![(gather, ByCaller)]]
}

fn by_check(scatter: &'static str, gather: &'static str) -> [Found; 2] {
    [vec![(scatter, ByCheck)], vec![(gather, ByCheck)]]
}

const NOTHING: [Found; 2] = [Vec::new(), Vec::new()];

/// float [8,16] and a 16x16 table, Elem.
fn elem_call() -> Mscatter {
    Mscatter {
        idx: tile(Int32, [8, 16], [8, 16]),
        mode: Elem,
        ..row_call()
    }
}

/// half NZ tile [32,32] valid [5,`cols`] and Shape<1,2,2,16,16>, Row.
fn nz_call(cols: u64) -> Mscatter {
    scatter(
        packed(Half, [1, 2, 2, 16, 16], Layout::NZ),
        nz_tile(Half, [32, 32], [5, cols]),
        tile(Int32, [1, 8], [1, 5]),
        Row,
    )
}

#[test]
fn padded_tables_by_elements() {
    let mut call = elem_call();
    call.table = strided(call.table, 3, 32);
    let precondition = [("padded-elem", "precondition")];
    let [on_a2a3, on_a5] = ["MSCATTER-GAP-18", "MSCATTER-GAP-19"];
    for (target, gap) in [(A2a3, on_a2a3), (A5, on_a5)] {
        let expected = by_caller(gap, "MGATHER-GAP-07");
        answers(&call, target, &[(&precondition, expected)]);
    }
}

#[test]
fn widths_in_row_mode_on_a2a3() {
    // MSCATTER-GAP-17, MGATHER-GAP-10: eight of sixteen columns.
    let narrow = Mscatter {
        src: tile(Float, [8, 16], [8, 8]),
        ..row_call()
    };
    let precondition = [("narrow-row", "precondition")];
    let gaps = by_caller("MSCATTER-GAP-17", "MGATHER-GAP-10");
    answers(&narrow, A2a3, &[(&[], NOTHING), (&precondition, gaps)]);
    let [_, on_cpu] = both(&narrow, Cpu, &precondition);
    assert_eq!(on_cpu, [("MGATHER-GAP-10", ByCaller)]);
    // MSCATTER-GAP-28: five floats are 20 bytes, eight are 32. Bursts into NZ
    // tables are whole blocks.
    let mut odd = narrow;
    odd.src.valid_col = Static(5);
    let precondition = [("burst-tail", "precondition")];
    let gap = [vec![("MSCATTER-GAP-28", ByCaller)], vec![]];
    answers(&odd, A2a3, &[(&precondition, gap)]);
    for whole in [narrow, nz_call(20)] {
        answers(&whole, A2a3, &[(&precondition, NOTHING)]);
    }
}

#[test]
fn outer_dimensions() {
    let mut call = row_call();
    call.table = packed(Float, [2, 1, 1, 8, 16], Layout::ND);
    // MSCATTER-GAP-15, MGATHER-GAP-05.
    let precondition = [("row-capacity", "precondition")];
    let gaps = by_caller("MSCATTER-GAP-15", "MGATHER-GAP-05");
    answers(&call, A5, &[(&precondition, gaps), (&[], NOTHING)]);
    // MSCATTER-GAP-16, MGATHER-GAP-06.
    call.table = strided(call.table, 0, 256);
    let gaps = by_caller("MSCATTER-GAP-16", "MGATHER-GAP-06");
    answers(&call, A2a3, &[(&[], gaps)]);
}

#[test]
fn nz_tables() {
    // MSCATTER-GAP-22, MGATHER-GAP-57: 20 of 32 logical columns.
    let precondition = [("nz-row-columns", "precondition")];
    let gaps = by_caller("MSCATTER-GAP-22", "MGATHER-GAP-57");
    answers(&nz_call(20), A2a3, &[(&precondition, gaps)]);
    // MSCATTER-GAP-27, MGATHER-GAP-23, of the dimensions of a block alone.
    let gaps = by_check("MSCATTER-GAP-27", "MGATHER-GAP-23");
    for (dim, extent, expected) in [(3, 16, gaps.clone()), (4, 16, gaps), (2, 2, NOTHING)] {
        let mut dynamic = nz_call(32);
        dynamic.table.shape[dim] = Dynamic(extent);
        let rejected = [("nz-dynamic", "rejected")];
        answers(&dynamic, A2a3, &[(&[], NOTHING), (&rejected, expected)]);
    }
}

#[test]
fn the_width_check_of_a5() {
    // MSCATTER-GAP-12, MGATHER-GAP-42: Shape[4] is 256, ValidCol 16.
    let mut call = elem_call();
    call.table = matrix(Float, 1, 256);
    let both_modes = [("width-check", "both")];
    let gaps = by_check("MSCATTER-GAP-12", "MGATHER-GAP-42");
    answers(&call, A5, &[(&[], NOTHING), (&both_modes, gaps)]);
}

#[test]
fn the_row_pitch_of_a5() {
    let valid_cols = &[("row-pitch", "valid-cols")][..];
    // MSCATTER-GAP-13, MGATHER-GAP-09: rows 32 apart.
    let mut apart = row_call();
    apart.table = strided(apart.table, 3, 32);
    answers(&apart, A5, &[(valid_cols, NOTHING)]);
    // MSCATTER-GAP-14: 24 columns where the check sees none, of one row.
    let mut wide = row_call();
    wide.table = strided(matrix(Float, 16, 24), 3, 32);
    wide.table.shape[4] = Dynamic(24);
    answers(&wide, A5, &[(valid_cols, NOTHING)]);
    wide.table.shape[3] = Static(1);
    let unseen = by_caller("MSCATTER-GAP-14", "MGATHER-GAP-09");
    answers(&wide, A5, &[(&[], unseen)]);
    // MSCATTER-TABLE-08: closer together than they are wide, and elements apart.
    let overlapping = by_caller("MSCATTER-TABLE-08", "MGATHER-TABLE-08");
    for (dim, stride) in [(3, 8), (4, 2)] {
        let mut call = row_call();
        call.table = strided(call.table, dim, stride);
        let both = [(&[][..], overlapping.clone()), (valid_cols, NOTHING)];
        answers(&call, A5, &both);
    }
}

#[test]
fn indices_that_do_not_follow_each_other() {
    let gaps = ["MSCATTER-GAP-36", "MGATHER-GAP-15"];
    let owed = by_caller(gaps[0], gaps[1]);
    let rejected = &[("row-index-pitch", "rejected")][..];
    for idx in [
        tile(Int32, [8, 8], [8, 1]),
        col_major(Int32, [8, 8], [1, 8]),
    ] {
        let mut call = Mscatter { idx, ..row_call() };
        answers(
            &call,
            A5,
            &[(&[], owed.clone()), (rejected, by_check(gaps[0], gaps[1]))],
        );
        call.idx.valid_row = Dynamic(idx.valid_row.get());
        answers(&call, A5, &[(rejected, owed.clone())]);
    }
    // Neither one column nor one row: another rule's matter.
    let square = Mscatter {
        idx: tile(Int32, [8, 8], [8, 2]),
        ..row_call()
    };
    let found = both(&square, A5, rejected);
    let mut clauses = found.iter().flatten().map(|(clause, _)| clause);
    assert!(clauses.all(|clause| !gaps.contains(clause)), "{found:?}");
}

#[test]
fn extents_of_zero() {
    // MSCATTER-GAP-38, MGATHER-GAP-26: no width is wrong where no column is moved.
    let mut cols = row_call();
    cols.src.valid_col = Dynamic(0);
    let no_op = ("empty-extent", "no-op");
    let strict = [
        no_op,
        ("narrow-row", "precondition"),
        ("burst-tail", "precondition"),
    ];
    // MSCATTER-GAP-71, MGATHER-GAP-58: a static 0 is rejected.
    let mut fixed = row_call();
    (fixed.src.valid_row, fixed.idx.valid_col) = (Static(0), Dynamic(0));
    for target in [A2a3, A5] {
        answers(&cols, target, &[(&strict, NOTHING)]);
        let rejected = by_check("MSCATTER-SHAPE-03", "MGATHER-SHAPE-03");
        answers(&fixed, target, &[(&[no_op], rejected)]);
    }
}

#[test]
fn what_is_found_in_words() {
    let close = Mscatter {
        table: strided(row_call().table, 3, 8),
        ..row_call()
    };
    let wider = Mscatter {
        table: matrix(Float, 16, 8),
        ..row_call()
    };
    let [mut nine, mut none] = [elem_call(), elem_call()];
    nine.src.valid_row = Dynamic(9);
    none.src.valid_row = Static(0);
    let by_offset = Tgatherb {
        dst: col_major(Int32, [8, 8], [8, 8]),
        src: tile(Int32, [8, 8], [8, 8]),
        offset: tile(Uint32, [8, 8], [8, 8]),
    };
    for (call, clause, why) in [
        (
            Call::Mscatter(close),
            "MSCATTER-GAP-82",
            "rows overlap: ND table, shape [1, 1, 1, 16, 16], strides [256, 256, 256, 8, 1]",
        ),
        (
            Call::Mscatter(wider),
            "MSCATTER-GAP-17",
            "ValidCol is 16, rows of the table have 8: ND table, shape [1, 1, 1, 16, 8], strides [128, 128, 128, 8, 1]",
        ),
        (
            Call::Mscatter(nine),
            "MSCATTER-SHAPE-08",
            "more is valid than the tile has: valid [9, 16] in [8, 16]",
        ),
        (
            Call::Mscatter(none),
            "MSCATTER-SHAPE-03",
            "there is no valid element: data valid [0, 16], index valid [8, 16]",
        ),
        (
            Call::Tgatherb(by_offset),
            "TGATHERB-TILE-01",
            "ColMajor tile, NoneBox boxes of 512 bytes",
        ),
    ] {
        let found = legality(&call, A2a3, &Readings::default());
        let broken = found.into_iter().find(|b| b.clause.0 == clause);
        assert_eq!(broken.expect("it is broken").why, why);
    }
}

#[test]
fn each_type_is_told_once() {
    // MSCATTER-DTYPE-01 of the CPU: tile and table of one type that is not listed.
    let mut call = elem_call();
    (call.src.dtype, call.table.dtype) = (Int64, Int64);
    let once = ("MSCATTER-DTYPE-01", ByCaller);
    let r = Readings::default();
    assert_eq!(broken(Call::Mscatter(call), Cpu, &r), [once]);
    call.table.dtype = DType::Uint64;
    assert_eq!(broken(Call::Mscatter(call), Cpu, &r), [once, once]);
}
