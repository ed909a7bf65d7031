//! Preconditions that operand data break.

use crate::common::{choices::with, *};
use ptodiff_contract::{Broken, Enforced, data_preconditions, feeders};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32};
use Target::{A2a3, A5, Cpu};

/// What the indices of each step break.
fn found(call: Call, steps: &[Vec<u8>], target: Target, choices: &[(&str, &str)]) -> Vec<Broken> {
    let of = |idx: &Vec<u8>| memory(&[(Role::Index, idx)]);
    let steps: Vec<_> = steps.iter().map(of).collect();
    let steps: Vec<_> = steps.iter().collect();
    data_preconditions(&call, &steps, target, &with(choices))
}

fn three_rows(oob: ScatterOob) -> Call {
    Call::Mscatter(Mscatter {
        oob,
        ..scatter(
            matrix(Float, 4, 8),
            tile(Float, [3, 8], [3, 8]),
            tile(Int32, [1, 8], [1, 3]),
            Row,
        )
    })
}

/// float [1,8] valid [1,`cols`] into 4x8, Elem.
fn elements(cols: u64) -> Mscatter {
    scatter(
        matrix(Float, 4, 8),
        tile(Float, [1, 8], [1, cols]),
        tile(Int32, [1, 8], [1, cols]),
        Elem,
    )
}

#[test]
fn indices_above_capacity_break_a_precondition() {
    let bad = padded_index(&[3, 4, 9]);
    // Entries past the valid ones do not count (MSCATTER-SEM-05).
    let good = words(&[3, 0, 1, 77, 77, 77, 77, 77]);
    let steps = [good, bad.clone(), bad.clone()];
    let call = three_rows(ScatterOob::Undefined);
    for target in [A2a3, A5] {
        assert_eq!(found(call, &steps[..1], target, &[]), []);
        let all = found(call, &steps, target, &[]);
        assert_eq!(all.len(), 2);
        let why = "step 1, row 1: index 4 is not below capacity 4";
        assert_eq!((all[0].clause.0, &all[0].why[..]), ("MSCATTER-OOB-02", why));
        assert_eq!(all[0].enforced, Enforced::ByCaller);
    }
    assert_eq!(found(three_rows(ScatterOob::Skip), &[bad], A5, &[]), []);
    // The CPU has no policy and counts elements (MSCATTER-OOB-16, -17).
    let skipping = Mscatter {
        oob: ScatterOob::Skip,
        ..elements(2)
    };
    let all = found(
        Call::Mscatter(skipping),
        &[padded_index(&[31, 32])],
        Cpu,
        &[],
    );
    assert_eq!(all[0].clause.0, "MSCATTER-OOB-16");
    assert!(all[0].why.contains("element (0, 1)"));
    // Negative numbers, by reading (MSCATTER-GAP-01).
    for (choice, broken) in [("unsigned", 1), ("signed", 0), ("intended", 1)] {
        let choices = [("negative-index", choice)];
        let all = found(call, &[padded_index(&[-1, 0, 1])], A5, &choices);
        assert_eq!(all.len(), broken);
    }
    let of = elements(8);
    let call = Call::Mgather(gather(of.src, of.table, of.idx, Elem));
    let all = found(call, &[words(&[0, 1, 2, 3, 4, 5, 6, 32])], A5, &[]);
    assert_eq!(all[0].clause.0, "MGATHER-OOB-01");
}

#[test]
fn extents_that_no_operand_covers_are_not_walked() {
    let mut call = elements(8);
    for (rows, cols) in [(1 << 62, 0), (1 << 62, 1), (u64::MAX, u64::MAX), (9, 1)] {
        call.src.valid_row = Dim::Dynamic(rows);
        call.src.valid_col = Dim::Dynamic(cols);
        let all = found(Call::Mscatter(call), &[words(&[99; 8])], A5, &[]);
        assert_eq!(all, []);
    }
}

#[test]
fn rows_are_named_by_what_is_wrong_with_their_index() {
    // MSCATTER-OOB-02, and MSCATTER-GAP-14: sixteen elements, rows of eight.
    let mut table = matrix(Float, 4, 4);
    table.shape[4] = Dim::Dynamic(4);
    let data = tile(Float, [2, 8], [2, 8]);
    let call = Call::Mscatter(scatter(table, data, tile(Int32, [1, 8], [1, 2]), Row));
    for (index, why) in [
        (4, "step 0, row 1: index 4 is not below capacity 4"),
        (
            2,
            "step 0, row 1: index 2 leads past the table's 16 elements",
        ),
    ] {
        let choices = [("row-pitch", "valid-cols")];
        let all = found(call, &[padded_index(&[0, index])], A5, &choices);
        assert_eq!(all[0].why, why);
    }
}

/// TSCATTER of [2,8] by indices of another type.
fn tscatter(idx: DType) -> Call {
    Call::TscatterIndex(TscatterIndex {
        dst: tile(Half, [2, 16], [2, 16]),
        src: tile(Half, [2, 16], [2, 2]),
        idx: tile(idx, [2, 32 / idx.size() as u64], [2, 2]),
    })
}

#[test]
fn positions_are_named_by_their_index() {
    // TSCATTER-GAP-08: the CPU takes indices of any width.
    for dtype in [DType::Uint8, DType::Int16, Int32, DType::Int64] {
        let mut idx = vec![0; 64];
        idx[32 + dtype.size()] = 99;
        let all = found(tscatter(dtype), &[idx.clone()], Cpu, &[]);
        let why = "step 0, element (1, 1): index 99 is no slot of the destination";
        assert_eq!(all[0].why, why);
        idx[32 + dtype.size()] = 9;
        let m = memory(&[(Role::Index, &idx)]);
        let r = Readings::default();
        let fed = feeders(&tscatter(dtype), &[&m], Cpu, &r, Role::Destination, 9);
        assert_eq!(fed, [lane(0, 1, 1)], "{dtype}");
    }
}

#[test]
fn too_short_an_index_operand_breaks_none() {
    for target in [A2a3, A5, Cpu] {
        for (call, n) in [(Call::Mscatter(elements(8)), 8), (tscatter(Int32), 16)] {
            let whole = words(&vec![99; n]);
            let short = whole[..2 * n].to_vec();
            assert_eq!(found(call, &[whole], target, &[]).len(), 1);
            assert_eq!(found(call, &[short], target, &[]), []);
        }
    }
}
