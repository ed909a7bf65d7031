//! First revision of MSCATTER: what the register's witnesses and hand
//! calculation say.

use crate::common::{calls::*, choices::with, said::*, scatters::*, *};
use ptodiff_isa::*;

use DType::{Float, Int32};
use ScatterOob::{Clamp, Skip, Undefined, Wrap};
use Target::A5;

/// What is said of a scatter of `src`.
fn said(
    call: &MscatterFirst,
    table: &[u8],
    src: &[u8],
    idx: &[i64],
    choices: &[(&str, &str)],
) -> Said {
    let m = memory(&[
        (Role::Table, table),
        (Role::Source, src),
        (Role::Index, &words(idx)),
    ]);
    Said::of(&Call::MscatterFirst(*call), &[&m], A5, &with(choices))
}

/// Rows of float, numbered, into a 4x8 table of zeros.
fn by_rows(oob: ScatterOob, idx: &[i64], choices: &[(&str, &str)]) -> Said {
    let rows = idx.len() as u64;
    let call = MscatterFirst {
        oob,
        ..first(
            matrix(Float, 4, 8),
            tile(Float, [rows, 8], [rows, 8]),
            tile(Int32, [rows, 1], [rows, 1]),
        )
    };
    said(&call, &[0; 128], &numbered(idx.len(), 8), idx, choices)
}

/// int32 [1, 8] into a 4x8 table, by elements.
fn eight_elements() -> MscatterFirst {
    let full = tile(Int32, [1, 8], [1, 8]);
    first(matrix(Int32, 4, 8), full, full)
}

/// 0 to 7 into zeros.
fn by_elements(oob: ScatterOob, idx: &[i64; 8]) -> Said {
    let call = MscatterFirst {
        oob,
        ..eight_elements()
    };
    said(&call, &[0; 128], &words(&up_to(8)), idx, &[])
}

#[test]
fn rows_and_elements() {
    // MSCATTER0-SEM-01.
    let found = by_rows(Undefined, &[3, 0], &[]);
    assert_eq!(fills(&found.slots), [Some(2.0), None, None, Some(1.0)]);
    assert_eq!(found.cited()[0], ("MSCATTER0-SEM-01", None));
    // MSCATTER0-SEM-02.
    let found = by_elements(Undefined, &[7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(found.slots[..8], [7, 6, 5, 4, 3, 2, 1, 0].map(Slot::word));
    assert_eq!(found.slots[8..], vec![Slot::Kept; 24]);
    assert_eq!(found.cited()[0].0, "MSCATTER0-SEM-02");
    // MSCATTER0-GAP-01 (b): src [8,1], index 3 is slot 3.
    let column = tile(Int32, [8, 1], [8, 1]);
    let call = first(matrix(Int32, 4, 8), column, column);
    let idx = [3, 4, 5, 6, 7, 8, 9, 31];
    let elem = [("first-mode", "elem")];
    let s = said(&call, &[0; 128], &words(&up_to(8)), &idx, &elem).slots;
    assert_eq!([&s[3], &s[31]], [&Slot::word(0), &Slot::word(7)]);
    assert_eq!(s[24], Slot::Kept);
}

#[test]
fn policies() {
    // MSCATTER0-OOB-02 to -04, by rows and by elements.
    for (oob, idx, expected) in [
        (Skip, [1, 4], [None, Some(1.0), None, None]),
        (Clamp, [0, 9], [Some(1.0), None, None, Some(2.0)]),
        (Wrap, [0, 35], [Some(1.0), None, None, Some(2.0)]),
    ] {
        let found = by_rows(oob, &idx, &[]);
        assert_eq!(fills(&found.slots), expected, "{oob}");
        assert_eq!(found.broken, []);
    }
    // Capacity is 4 * 8 (MSCATTER0-CAP-02): 70 is slot 31 or 70 - 64 = 6.
    let idx = [0, 1, 2, 3, 4, 5, 6, 70];
    assert_eq!(by_elements(Skip, &idx).slots[31], Slot::Kept);
    assert_eq!(by_elements(Clamp, &idx).slots[31], Slot::word(7));
    assert_eq!(by_elements(Wrap, &idx).slots[6], Slot::any_word(&[6, 7]));
    // MSCATTER0-OOB-01.
    let found = by_elements(Undefined, &idx);
    assert!(found.all_open());
    assert_eq!(found.excused(), Some("MSCATTER0-OOB-01"));
    assert_eq!(found.clauses(), ["MSCATTER0-OOB-01"]);
}

#[test]
fn row_policies_over_elements() {
    // MSCATTER0-GAP-03 (b): 32 "rows", of which the table has four.
    let gap = Some("MSCATTER0-GAP-03");
    for (oob, last, expected) in [
        // 9 is let through.
        (Clamp, 9, gap),
        (Skip, 9, gap),
        (Wrap, 41, gap),
        // 33 is dropped, 35 is row 3.
        (Skip, 33, None),
        (Wrap, 35, None),
        (Undefined, 9, Some("MSCATTER0-OOB-01")),
        (Undefined, 3, None),
    ] {
        let found = by_rows(oob, &[0, last], &[("first-row-capacity", "elements")]);
        let about = format!("{oob} {last}");
        assert_eq!(found.clauses().first().copied(), expected, "{about}");
        assert_eq!(found.excused(), expected, "{about}");
        if oob == Wrap && expected.is_none() {
            let rows = [Some(1.0), None, None, Some(2.0)];
            assert_eq!(fills(&found.slots), rows);
        }
    }
}

#[test]
fn survivors() {
    let last = [("first-conflict", "last")];
    // MSCATTER0-CONF-01 and -GAP-02: all 256 to slot 0.
    let full = tile(Int32, [16, 16], [16, 16]);
    let call = first(matrix(Int32, 16, 16), full, full);
    let found = |choices: &[_]| said(&call, &[0; 1024], &words(&up_to(256)), &[0; 256], choices);
    let any = found(&[]);
    assert_eq!(any.slots[0], Slot::any_word(&up_to(256)));
    assert_eq!(any.freedom(), Some("MSCATTER0-CONF-01"));
    assert_eq!(found(&last).slots[0], Slot::word(255));
    assert_eq!(found(&last).cited()[0].0, "MSCATTER0-GAP-02");
    // MSCATTER0-GAP-13: rows of 1s and 2s to row 2 may mix.
    let either = Slot::any_of(&[1_f32, 2.0].map(f32::to_le_bytes));
    let found = by_rows(Undefined, &[2, 2], &[]);
    assert_eq!(found.slots[16..24], vec![either; 8]);
    let found = by_rows(Undefined, &[2, 2], &last);
    assert_eq!(fills(&found.slots)[2], Some(2.0));
}

#[test]
fn atomics() {
    use ScatterAtomicOp::{Add, Max, Min};
    // MSCATTER0-ATOM-01, -06: 5 with 3, 9 and -4.
    let src = words(&[3, 9, -4, 3, 9, -4, 3, 9]);
    let table = words(&[5; 32]);
    for (atomic, result, clause) in [
        (Add, 33, "MSCATTER0-ATOM-01"),
        (Max, 9, "MSCATTER0-ATOM-06"),
        (Min, -4, "MSCATTER0-ATOM-06"),
    ] {
        let call = MscatterFirst {
            atomic,
            ..eight_elements()
        };
        let found = said(&call, &table, &src, &[2; 8], &[]);
        assert_eq!(found.slots[2], Slot::word(result));
        assert_eq!(found.cited()[0].0, clause);
    }
    // MSCATTER-GAP-05: it saturates by the choice of A5 alone.
    let most = i64::from(i32::MAX);
    for (choice, sum) in [("saturate", most), ("mte3-saturates", most + 8)] {
        let call = MscatterFirst {
            atomic: Add,
            ..eight_elements()
        };
        let choices = [("add-overflow", choice)];
        let found = said(
            &call,
            &words(&[most; 32]),
            &words(&[1; 8]),
            &[0; 8],
            &choices,
        );
        assert_eq!(found.slots[0], Slot::word(sum));
    }
}

#[test]
fn negative_indices_have_readings() {
    // MSCATTER0-GAP-05: -1 clamped is the last row or the first.
    for (choice, expected) in [
        ("unsigned", [None, Some(1.0), None, Some(2.0)]),
        ("intended", [Some(2.0), Some(1.0), None, None]),
    ] {
        let found = by_rows(Clamp, &[1, -1], &[("negative-index", choice)]);
        assert_eq!(fills(&found.slots), expected);
    }
    let found = by_rows(Clamp, &[1, -1], &[("negative-index", "signed")]);
    assert_eq!(found.excused(), Some("MSCATTER0-GAP-05"));
}
