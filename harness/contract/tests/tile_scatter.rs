//! TSCATTER: what is said beside the values of slots, which the enumeration finds, and
//! indices that only a large destination tells apart; of indices that name slots and of
//! those that name rows (TSCATTER-GAP-22).

use crate::common::{calls::*, choices::with, said::*, *};
use ptodiff_isa::*;

use DType::{Half, Int8, Int16, Int32};
use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [Cpu, A2a3, A5];
const ROW: (&str, &str) = ("tscatter-index", "row");

/// int32 [1,8] valid [1,`cols`] into [2,8].
fn eight(cols: u64) -> TscatterIndex {
    TscatterIndex {
        dst: tile(Int32, [2, 8], [2, 8]),
        src: tile(Int32, [1, 8], [1, cols]),
        idx: tile(Int32, [1, 8], [1, cols]),
    }
}

/// Two rows of so many valid columns out of eight.
fn two_rows(dst: Tile, cols: u64) -> TscatterIndex {
    TscatterIndex {
        dst,
        src: tile(Int32, [2, 8], [2, cols]),
        idx: tile(Int32, [2, 8], [2, cols]),
    }
}

/// What is said of the source 1, 2, 3 and on, and indices of any type.
fn said_of(call: &TscatterIndex, idx: &[u8], target: Target, choices: &[(&str, &str)]) -> Said {
    let bytes = |t: &Tile| (t.rows * t.cols) as usize * t.dtype.size();
    let element = |v: u64| v.to_le_bytes()[..call.src.dtype.size()].to_vec();
    let src = 1..=call.src.rows * call.src.cols;
    let m = memory(&[
        (Role::Destination, &vec![POISON; bytes(&call.dst)]),
        (Role::Source, &src.flat_map(element).collect::<Vec<_>>()),
        (Role::Index, idx),
    ]);
    Said::of(&Call::TscatterIndex(*call), &[&m], target, &with(choices))
}

fn said(call: &TscatterIndex, idx: &[i64], target: Target, choices: &[(&str, &str)]) -> Said {
    said_of(call, &filled_up(idx, &call.idx), target, choices)
}

/// Nothing is promised, by this clause.
fn is_lost(said: &Said, clause: &str) {
    assert!(said.all_open());
    let guards = said.permits.operands[0].guards_free;
    assert_eq!(guards.map(|c| c.0), Some(clause));
    assert_eq!(said.excused(), Some(clause));
}

#[test]
fn colliding_elements() {
    // TSCATTER-CONF-01 to -03.
    for (target, clause, freedom) in [
        (A2a3, "TSCATTER-CONF-02", "TSCATTER-CONF-02"),
        (A5, "TSCATTER-CONF-02", "TSCATTER-CONF-02"),
        (Cpu, "TSCATTER-CONF-03", "TSCATTER-CONF-01"),
    ] {
        let found = said(&eight(2), &[0; 8], target, &[]);
        assert_eq!(found.cited(), [(clause, Some(freedom))]);
        assert_eq!(found.runs()[0].or_kept, None);
    }
}

#[test]
fn slots_that_no_index_addresses() {
    let gap = "TSCATTER-GAP-02";
    for (choice, expected) in [
        ("kept", None),
        ("zero", Some((gap, None))),
        ("undefined", Some((gap, Some(gap)))),
    ] {
        let choices = [("tscatter-unaddressed", choice)];
        let found = said(&eight(2), &[8, 10], A5, &choices);
        let cited = found.cited();
        let mut beside = cited.iter().filter(|(by, _)| *by == gap);
        assert_eq!(beside.next().copied(), expected);
        assert_eq!(found.permits.operands[0].kept.0, gap);
    }
}

#[test]
fn negative_indices() {
    // TSCATTER-GAP-06: int16 -1 is 65535 when read as unsigned, slot and row.
    let line = TscatterIndex {
        dst: tile(Int8, [1, 1 << 16], [1, 1 << 16]),
        src: tile(Int8, [1, 32], [1, 1]),
        idx: tile(Int16, [1, 16], [1, 1]),
    };
    let column = TscatterIndex {
        dst: tile(Int8, [1 << 16, 1], [1 << 16, 1]),
        ..line
    };
    let idx = halves(&[0xFFFF; 16]);
    for target in ALL {
        for negative in ["unsigned", "signed", "intended"] {
            let negative_ = ("tscatter-negative-index", negative);
            let found = said_of(&line, &idx, target, &[negative_]);
            let rows = said_of(&column, &idx, target, &[negative_, ROW]);
            for found in [found, rows] {
                let placed = negative == "unsigned";
                assert_eq!(found.all_open(), !placed);
                assert_eq!(found.broken.is_empty(), placed);
                assert!(!placed || found.slots[65535] == Slot::One(vec![1]));
                let by = found.cited()[0].0;
                assert_eq!(by == "TSCATTER-GAP-06", placed, "{by} {target}");
            }
        }
    }
    // 600 has a bit that in a narrower type were a sign.
    let call = TscatterIndex {
        dst: tile(Half, [1, 1024], [1, 1024]),
        src: tile(Half, [1, 16], [1, 1]),
        ..line
    };
    let signed = [("tscatter-negative-index", "signed")];
    let found = said_of(&call, &halves(&[600; 16]), A5, &signed);
    assert_eq!(found.slots[600], short(1));
}

#[test]
fn an_index_names_a_row() {
    for target in ALL {
        let found = said(&eight(8), &[1; 8], target, &[ROW]);
        assert_eq!(found.cited(), [("TSCATTER-GAP-22", None)]);
        // Row 0 is where the slots 0 to 7 are.
        let found = said(&eight(1), &[0], target, &[ROW]);
        assert_eq!(found.cited(), [("TSCATTER-SEM-01", None)]);
        // A destination in boxes has no rows.
        let boxes = TscatterIndex {
            dst: nz_tile(Int32, [16, 16], [16, 16]),
            ..eight(8)
        };
        is_lost(&said(&boxes, &[3; 8], target, &[ROW]), "TSCATTER-GAP-22");
    }
}

#[test]
fn rows_and_columns_that_the_destination_has_not() {
    let gap = "TSCATTER-GAP-22";
    // Storage [4,8], valid [2,3].
    let dst = tile(Int32, [4, 8], [2, 3]);
    for target in ALL {
        let beyond = match target {
            Cpu => "TSCATTER-GAP-08",
            A2a3 | A5 => "TSCATTER-OOB-01",
        };
        for (range, cols, [first, second], expected) in [
            // The padding is storage, too.
            ("storage", 2, [0, 3], None),
            ("valid", 3, [0, 1], None),
            ("storage", 4, [0, 1], None),
            // Rows 4 and 2, whose numbers are of slots.
            ("storage", 2, [0, 4], Some((gap, 0, 4))),
            ("valid", 2, [0, 2], Some((gap, 0, 2))),
            // Column 3 of row 0: slot 0 is a valid one.
            ("valid", 4, [0, 1], Some((gap, 3, 0))),
            // Row 3 is no valid one, nor is slot 3; slot 32 is none at all.
            ("valid", 2, [0, 3], Some((beyond, 0, 3))),
            ("storage", 2, [0, 32], Some((beyond, 0, 32))),
        ] {
            let idx = [[first; 8], [second; 8]].concat();
            let choices = [ROW, ("tscatter-range", range)];
            let found = said(&two_rows(dst, cols as u64), &idx, target, &choices);
            let Some((clause, c, row)) = expected else {
                assert!(found.broken.is_empty() && !found.all_open());
                continue;
            };
            is_lost(&found, clause);
            let r = usize::from(c == 0);
            let why = format!(
                "step 0, element ({r}, {c}): row {row}, column {c} is no slot of the destination"
            );
            assert_eq!(found.broken, [(clause, why)]);
        }
    }
    // A column that not even the storage has.
    let narrow = two_rows(tile(Int32, [4, 2], [4, 2]), 3);
    let idx = [[0; 8], [1; 8]].concat();
    is_lost(&said(&narrow, &idx, A5, &[ROW]), gap);
}

#[test]
fn two_elements_in_one_slot_of_a_row_break_a_precondition() {
    let call = two_rows(tile(Int32, [4, 8], [4, 8]), 2);
    let indices = |[a, b, c, d]: [i64; 4]| [a, b, 9, 9, 9, 9, 9, 9, c, d];
    for target in ALL {
        // Twice column 1 of row 2.
        let found = said(&call, &indices([0, 2, 1, 2]), target, &[ROW]);
        let gap = "TSCATTER-GAP-22";
        is_lost(&found, gap);
        let why = "step 0, element (1, 1): row 2, column 1 was named before";
        assert_eq!(found.broken, [(gap, why.to_owned())]);
        // One row in two columns is no such thing.
        let found = said(&call, &indices([2, 2, 1, 3]), target, &[ROW]);
        assert_eq!(found.broken, []);
    }
}
