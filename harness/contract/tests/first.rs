//! First revision of MSCATTER: what the register's witnesses and hand
//! calculation say.

use crate::common::{calls::*, scatters::*, *};
use ptodiff_contract::{Feeder, Permits, data_preconditions, feeders};
use ptodiff_isa::*;

use Target::A5;

fn scattered_first(
    call: &MscatterFirst,
    [table, src, idx]: [&[u8]; 3],
    readings: &Readings,
) -> Permits {
    let operands = [
        (Role::Table, table),
        (Role::Source, src),
        (Role::Index, idx),
    ];
    answer(&Call::MscatterFirst(*call), &operands, A5, readings)
}

/// float [rows, 8] into a 4x8 table, by rows.
fn by_rows(rows: u64) -> MscatterFirst {
    first(
        matrix(DType::Float, 4, 8),
        tile(DType::Float, [rows, 8], [rows, 8]),
        tile(DType::Int32, [rows, 1], [rows, 1]),
    )
}

/// int32 [1, 8] into a 4x8 table, by elements.
fn by_elements() -> MscatterFirst {
    first(
        matrix(DType::Int32, 4, 8),
        tile(DType::Int32, [1, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 8]),
    )
}

fn row_fills(call: &MscatterFirst, idx: &[i64], readings: &Readings) -> Vec<Option<f32>> {
    let rows = call.src.rows as usize;
    let table = [0; 128];
    let p = scattered_first(call, [&table, &numbered(rows, 8), &words(idx)], readings);
    fills(&slots(&p, Role::Table, 128))
}

fn precondition(call: &MscatterFirst, idx: &[i64], readings: &Readings) -> Option<&'static str> {
    let m = memory(&[(Role::Index, &words(idx))]);
    let found = data_preconditions(&Call::MscatterFirst(*call), &[&m], A5, readings);
    found.first().map(|b| b.clause.0)
}

#[test]
fn rows_and_elements() {
    let r = Readings::default();
    // MSCATTER0-SEM-01.
    let found = row_fills(&by_rows(2), &[3, 0], &r);
    assert_eq!(found, [Some(2.0), None, None, Some(1.0)]);
    let p = scattered_first(
        &by_rows(2),
        [&[0; 128], &numbered(2, 8), &words(&[3, 0])],
        &r,
    );
    assert_eq!(runs(&p, Role::Table)[0].clause.0, "MSCATTER0-SEM-01");
    assert_eq!(runs(&p, Role::Table)[0].freedom, None);
    // MSCATTER0-SEM-02.
    let p = scattered_first(
        &by_elements(),
        [
            &[0; 128],
            &words(&up_to(8)),
            &words(&[7, 6, 5, 4, 3, 2, 1, 0]),
        ],
        &r,
    );
    let found = slots(&p, Role::Table, 128);
    assert_eq!(found[..8], [7, 6, 5, 4, 3, 2, 1, 0].map(Slot::word));
    assert_eq!(found[8..], vec![Slot::Kept; 24]);
    assert_eq!(runs(&p, Role::Table)[0].clause.0, "MSCATTER0-SEM-02");
}

#[test]
fn one_column_by_elements() {
    // MSCATTER0-GAP-01 (b): src [8,1], index 3 is slot 3.
    let call = first(
        matrix(DType::Int32, 4, 8),
        tile(DType::Int32, [8, 1], [8, 1]),
        tile(DType::Int32, [8, 1], [8, 1]),
    );
    let readings = Readings {
        first_mode: FirstMode::Elem,
        ..Readings::default()
    };
    let idx = [3, 4, 5, 6, 7, 8, 9, 31];
    let p = scattered_first(
        &call,
        [&[0; 128], &words(&up_to(8)), &words(&idx)],
        &readings,
    );
    let found = slots(&p, Role::Table, 128);
    assert_eq!(found[3], Slot::word(0));
    assert_eq!(found[31], Slot::word(7));
    assert_eq!(found[24], Slot::Kept);
}

#[test]
fn policies() {
    let r = Readings::default();
    // MSCATTER0-OOB-02 to -04, by rows and by elements.
    let mut call = by_rows(2);
    for (oob, idx, expected) in [
        (ScatterOob::Skip, [1, 4], [None, Some(1.0), None, None]),
        (
            ScatterOob::Clamp,
            [0, 9],
            [Some(1.0), None, None, Some(2.0)],
        ),
        (
            ScatterOob::Wrap,
            [0, 35],
            [Some(1.0), None, None, Some(2.0)],
        ),
    ] {
        call.oob = oob;
        assert_eq!(row_fills(&call, &idx, &r), expected, "{oob}");
        assert_eq!(precondition(&call, &idx, &r), None);
    }
    let mut call = by_elements();
    let idx = [0, 1, 2, 3, 4, 5, 6, 70];
    // Capacity is 4 * 8 (MSCATTER0-CAP-02): 70 is slot 31 or 70 - 64 = 6.
    for (oob, slot, value) in [
        (ScatterOob::Skip, 31, Slot::Kept),
        (ScatterOob::Clamp, 31, Slot::word(7)),
    ] {
        call.oob = oob;
        let p = scattered_first(&call, [&[0; 128], &words(&up_to(8)), &words(&idx)], &r);
        assert_eq!(slots(&p, Role::Table, 128)[slot], value);
    }
    call.oob = ScatterOob::Wrap;
    let p = scattered_first(&call, [&[0; 128], &words(&up_to(8)), &words(&idx)], &r);
    assert_eq!(slots(&p, Role::Table, 128)[6], Slot::any_word(&[6, 7]));
    // MSCATTER0-OOB-01.
    call.oob = ScatterOob::Undefined;
    let p = scattered_first(&call, [&[0; 128], &words(&up_to(8)), &words(&idx)], &r);
    assert_eq!(slots(&p, Role::Table, 128), vec![Slot::Anything; 32]);
    assert_eq!(p.oob_accesses.map(|c| c.0), Some("MSCATTER0-OOB-01"));
    assert_eq!(precondition(&call, &idx, &r), Some("MSCATTER0-OOB-01"));
}

#[test]
fn row_policies_over_elements() {
    // MSCATTER0-GAP-03 (b): 32 "rows", of which the table has four.
    let elements = Readings {
        first_row_capacity: FirstRowCapacity::Elements,
        ..Readings::default()
    };
    for (oob, last, expected) in [
        // 9 is let through.
        (ScatterOob::Clamp, 9, Some("MSCATTER0-GAP-03")),
        (ScatterOob::Skip, 9, Some("MSCATTER0-GAP-03")),
        (ScatterOob::Wrap, 41, Some("MSCATTER0-GAP-03")),
        // 33 is dropped, 35 is row 3.
        (ScatterOob::Skip, 33, None),
        (ScatterOob::Wrap, 35, None),
        (ScatterOob::Undefined, 9, Some("MSCATTER0-OOB-01")),
        (ScatterOob::Undefined, 3, None),
    ] {
        let call = MscatterFirst { oob, ..by_rows(2) };
        let idx = [0, last];
        assert_eq!(
            precondition(&call, &idx, &elements),
            expected,
            "{oob} {last}"
        );
        let operands = [&[0; 128][..], &numbered(2, 8), &words(&idx)];
        let p = scattered_first(&call, operands, &elements);
        assert_eq!(p.oob_accesses.map(|c| c.0), expected, "{oob} {last}");
        if oob == ScatterOob::Wrap && expected.is_none() {
            let found = fills(&slots(&p, Role::Table, 128));
            assert_eq!(found, [Some(1.0), None, None, Some(2.0)]);
        }
    }
}

#[test]
fn survivors() {
    let any = Readings::default();
    let last = Readings {
        first_conflict: FirstConflict::Last,
        ..any
    };
    // MSCATTER0-CONF-01 and -GAP-02: all 256 to slot 0.
    let call = first(
        matrix(DType::Int32, 16, 16),
        tile(DType::Int32, [16, 16], [16, 16]),
        tile(DType::Int32, [16, 16], [16, 16]),
    );
    let operands = [&[0; 1024][..], &words(&up_to(256)), &[0; 1024]];
    let p = scattered_first(&call, operands, &any);
    let found = slots(&p, Role::Table, 1024);
    assert_eq!(found[0], Slot::any_word(&up_to(256)));
    let freedom = runs(&p, Role::Table)[0].freedom;
    assert_eq!(freedom, Some(Clause("MSCATTER0-CONF-01")));
    let p = scattered_first(&call, operands, &last);
    assert_eq!(slots(&p, Role::Table, 1024)[0], Slot::word(255));
    assert_eq!(runs(&p, Role::Table)[0].clause.0, "MSCATTER0-GAP-02");
    // MSCATTER0-GAP-13: rows of 1s and 2s to row 2 may mix.
    let operands = [&[0; 128][..], &numbered(2, 8), &words(&[2, 2])];
    let p = scattered_first(&by_rows(2), operands, &any);
    let either = Slot::any_word(&[0x3F80_0000, 0x4000_0000]);
    let found = slots(&p, Role::Table, 128);
    assert_eq!(found[16..24], vec![either; 8]);
    let p = scattered_first(&by_rows(2), operands, &last);
    assert_eq!(fills(&slots(&p, Role::Table, 128))[2], Some(2.0));
}

#[test]
fn atomics() {
    let r = Readings::default();
    let mut table = vec![0; 32];
    table[2] = 100;
    // MSCATTER0-ATOM-01: 100 + 1 + .. + 8.
    let add = MscatterFirst {
        atomic: ScatterAtomicOp::Add,
        ..by_elements()
    };
    let src: Vec<i64> = (1..9).collect();
    let operands = [&words(&table)[..], &words(&src), &words(&[2; 8])];
    let p = scattered_first(&add, operands, &r);
    assert_eq!(slots(&p, Role::Table, 128)[2], Slot::word(136));
    assert_eq!(runs(&p, Role::Table)[0].clause.0, "MSCATTER0-ATOM-01");
    // MSCATTER0-ATOM-06: 5 with 3, 9 and -4.
    table[0] = 5;
    let src = [3, 9, -4, 3, 9, -4, 3, 9];
    for (atomic, best) in [(ScatterAtomicOp::Max, 9), (ScatterAtomicOp::Min, -4)] {
        let call = MscatterFirst { atomic, ..add };
        let operands = [&words(&table)[..], &words(&src), &[0; 32]];
        let p = scattered_first(&call, operands, &r);
        assert_eq!(slots(&p, Role::Table, 128)[0], Slot::word(best));
        assert_eq!(runs(&p, Role::Table)[0].clause.0, "MSCATTER0-ATOM-06");
    }
}

#[test]
fn negative_indices_have_readings() {
    // MSCATTER0-GAP-05: -1 clamped is the last row or the first.
    let call = MscatterFirst {
        oob: ScatterOob::Clamp,
        ..by_rows(2)
    };
    for (negative_index, expected) in [
        (NegativeIndex::Unsigned, [None, Some(1.0), None, Some(2.0)]),
        (NegativeIndex::Intended, [Some(2.0), Some(1.0), None, None]),
    ] {
        let readings = Readings {
            negative_index,
            ..Readings::default()
        };
        assert_eq!(row_fills(&call, &[1, -1], &readings), expected);
    }
    let literal = Readings {
        negative_index: NegativeIndex::Signed,
        ..Readings::default()
    };
    let operands = [&[0; 128][..], &numbered(2, 8), &words(&[1, -1])];
    let p = scattered_first(&call, operands, &literal);
    assert_eq!(p.oob_accesses.map(|c| c.0), Some("MSCATTER0-GAP-05"));
}

#[test]
fn feeders_of_a_row() {
    let call = MscatterFirst {
        oob: ScatterOob::Wrap,
        ..by_rows(3)
    };
    let m = memory(&[(Role::Index, &words(&[2, 1, 6]))]);
    let call = Call::MscatterFirst(call);
    let found = feeders(
        &call,
        &[&m],
        A5,
        &Readings::default(),
        Role::Table,
        2 * 8 + 5,
    );
    let at = |r| Feeder { step: 0, r, c: 5 };
    assert_eq!(found, [at(0), at(2)]);
}
