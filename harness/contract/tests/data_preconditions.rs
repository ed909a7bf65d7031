//! Preconditions that operand data break.

use crate::common::*;
use ptodiff_contract::{Enforced, Feeder, data_preconditions, feeders};
use ptodiff_isa::*;

use Enforced::ByCaller;
use Target::{A2a3, A5, Cpu};

#[test]
fn indices_above_capacity_break_a_precondition() {
    let mut call = scatter(
        matrix(DType::Float, 4, 8),
        tile(DType::Float, [3, 8], [3, 8]),
        tile(DType::Int32, [1, 8], [1, 3]),
        Coalesce::Row,
    );
    let preconditions = |call: &Mscatter, steps: &[&[i64]], target, readings: &Readings| {
        let all: Vec<_> = steps
            .iter()
            .map(|idx| memory(&[(Role::Index, &words(idx))]))
            .collect();
        let all: Vec<_> = all.iter().collect();
        data_preconditions(&Call::Mscatter(*call), &all, target, readings)
    };
    let r = Readings::default();
    let bad: &[i64] = &[3, 4, 9, 0, 0, 0, 0, 0];
    // Entries past the valid ones do not count (MSCATTER-SEM-05).
    let good: &[i64] = &[3, 0, 1, 77, 77, 77, 77, 77];
    for target in [A2a3, A5] {
        assert_eq!(preconditions(&call, &[good], target, &r), []);
        let found = preconditions(&call, &[good, bad, bad], target, &r);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].clause.0, "MSCATTER-OOB-02");
        assert_eq!(found[0].enforced, ByCaller);
        assert_eq!(
            found[0].why,
            "step 1, row 1: index 4 is not below capacity 4"
        );
    }
    call.oob = ScatterOob::Skip;
    assert_eq!(preconditions(&call, &[bad], A5, &r), []);
    // The CPU has no policy and counts elements (MSCATTER-OOB-16, -17).
    let mut elem = scatter(
        matrix(DType::Float, 1, 30),
        tile(DType::Float, [1, 8], [1, 2]),
        tile(DType::Int32, [1, 8], [1, 2]),
        Coalesce::Elem,
    );
    elem.oob = ScatterOob::Skip;
    let found = preconditions(&elem, &[&[29, 30, 0, 0, 0, 0, 0, 0]], Cpu, &r);
    assert_eq!(found[0].clause.0, "MSCATTER-OOB-16");
    assert!(found[0].why.contains("element (0, 1)"));
    // Negative numbers, by reading (MSCATTER-GAP-01).
    call.oob = ScatterOob::Undefined;
    let negative: &[i64] = &[-1, 0, 1, 0, 0, 0, 0, 0];
    for (negative_index, broken) in [
        (NegativeIndex::Unsigned, 1),
        (NegativeIndex::Signed, 0),
        (NegativeIndex::Intended, 1),
    ] {
        let r = Readings {
            negative_index,
            ..r
        };
        assert_eq!(preconditions(&call, &[negative], A5, &r).len(), broken);
    }
    let g = gather(
        tile(DType::Float, [1, 8], [1, 8]),
        matrix(DType::Float, 1, 8),
        tile(DType::Uint32, [1, 8], [1, 8]),
        Coalesce::Elem,
    );
    let m = memory(&[(Role::Index, &words(&[0, 1, 2, 3, 4, 5, 6, 8]))]);
    let found = data_preconditions(&Call::Mgather(g), &[&m], A5, &r);
    assert_eq!(found[0].clause.0, "MGATHER-OOB-01");
}

#[test]
fn extents_that_no_operand_covers_are_not_walked() {
    let mut call = scatter(
        matrix(DType::Float, 4, 8),
        tile(DType::Float, [1, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Elem,
    );
    let m = memory(&[(Role::Index, &words(&[99; 8]))]);
    for (rows, cols) in [(1 << 62, 0), (1 << 62, 1), (u64::MAX, u64::MAX), (9, 1)] {
        call.src.valid_row = Dim::Dynamic(rows);
        call.src.valid_col = Dim::Dynamic(cols);
        let found = data_preconditions(&Call::Mscatter(call), &[&m], A5, &Readings::default());
        assert_eq!(found, []);
    }
}

/// What is said of the index operand alone.
fn said(call: Call, idx: &[u8], target: Target, readings: &Readings) -> Vec<String> {
    let m = memory(&[(Role::Index, idx)]);
    let found = data_preconditions(&call, &[&m], target, readings);
    found.into_iter().map(|b| b.why).collect()
}

#[test]
fn rows_are_named_by_what_is_wrong_with_their_index() {
    // MSCATTER-OOB-02, and MSCATTER-GAP-14: sixteen elements, rows of eight.
    let mut table = matrix(DType::Float, 4, 4);
    table.shape[4] = Dim::Dynamic(4);
    let call = Call::Mscatter(scatter(
        table,
        tile(DType::Float, [2, 8], [2, 8]),
        tile(DType::Int32, [1, 8], [1, 2]),
        Coalesce::Row,
    ));
    let valid_cols = choices::with(&[("row-pitch", "valid-cols")]);
    for (index, why) in [
        (4, "step 0, row 1: index 4 is not below capacity 4"),
        (
            2,
            "step 0, row 1: index 2 leads past the table's 16 elements",
        ),
    ] {
        let idx = words(&[0, index, 0, 0, 0, 0, 0, 0]);
        assert_eq!(said(call, &idx, A5, &valid_cols), [why]);
    }
}

/// TSCATTER of [2,8] by indices of another type.
fn tscatter(idx: DType) -> Call {
    Call::TscatterIndex(TscatterIndex {
        dst: tile(DType::Half, [2, 16], [2, 16]),
        src: tile(DType::Half, [2, 16], [2, 2]),
        idx: tile(idx, [2, 32 / idx.size() as u64], [2, 2]),
    })
}

#[test]
fn positions_are_named_by_their_index() {
    // TSCATTER-GAP-08: the CPU takes indices of any width.
    for dtype in [DType::Uint8, DType::Int16, DType::Int32, DType::Int64] {
        let size = dtype.size();
        let mut idx = vec![0; 64];
        idx[32 + size] = 99;
        let why = "step 0, element (1, 1): index 99 is no slot of the destination";
        assert_eq!(
            said(tscatter(dtype), &idx, Cpu, &Readings::default()),
            [why]
        );
        idx[32 + size] = 9;
        let m = memory(&[(Role::Index, &idx)]);
        let r = Readings::default();
        let found = feeders(&tscatter(dtype), &[&m], Cpu, &r, Role::Destination, 9);
        let lane = Feeder {
            step: 0,
            r: 1,
            c: 1,
        };
        assert_eq!(found, [lane], "{dtype}");
    }
}

#[test]
fn too_short_an_index_operand_breaks_none() {
    let r = Readings::default();
    let idx = words(&[99; 8]);
    let elem = scatter(
        matrix(DType::Float, 4, 8),
        tile(DType::Float, [1, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 8]),
        Coalesce::Elem,
    );
    for target in [A2a3, A5, Cpu] {
        for call in [Call::Mscatter(elem), tscatter(DType::Int32)] {
            let whole = if matches!(call, Call::Mscatter(_)) {
                idx.clone()
            } else {
                idx.repeat(2)
            };
            assert_eq!(said(call, &whole, target, &r).len(), 1);
            let short = &whole[..whole.len() / 2];
            assert_eq!(said(call, short, target, &r), [""; 0]);
        }
    }
}
