//! TSCATTER: what the register's witnesses and hand calculation say, of indices
//! that name slots and of those that name rows (TSCATTER-GAP-22).

use crate::common::{calls::*, choices::with, said::*, scatters::up_to, *};
use ptodiff_isa::*;

use DType::{Half, Int8, Int16, Int32, Int64, Uint32};
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

/// The slots that are written, and the word in each.
fn written(said: &Said) -> Vec<(usize, i64)> {
    let word = |(at, slot): (usize, &Slot)| match slot {
        Slot::Kept => None,
        Slot::One(b) => Some((at, i64::from(i32::from_le_bytes(b[..].try_into().unwrap())))),
        other => panic!("{other:?}"),
    };
    said.slots.iter().enumerate().filter_map(word).collect()
}

/// Nothing is promised, by this clause.
fn is_lost(said: &Said, clause: &str) {
    assert!(said.all_open());
    let guards = said.permits.operands[0].guards_free;
    assert_eq!(guards.map(|c| c.0), Some(clause));
    assert_eq!(said.excused(), Some(clause));
}

#[test]
fn offsets_count_storage() {
    for target in ALL {
        // TSCATTER-SEM-01.
        let idx = [15, 14, 13, 12, 11, 10, 9, 8];
        let found = said(&eight(8), &idx, target, &[]);
        assert_eq!(found.slots[8..], [8, 7, 6, 5, 4, 3, 2, 1].map(Slot::word));
        assert_eq!(found.slots[..8], vec![Slot::Kept; 8]);
        // TSCATTER-SEM-02: decoys outside the valid region.
        let found = said(&eight(3), &[0, 1, 2, 9, 9, 9, 9, 99], target, &[]);
        assert_eq!(written(&found), [(0, 1), (1, 2), (2, 3)]);
        // TSCATTER-SEM-04: row 1 begins after 16 padded columns. TSCATTER-GAP-07:
        // storage order of a ColMajor tile too.
        for (dst, at) in [
            (tile(Int32, [2, 16], [2, 8]), 16),
            (col_major(Int32, [8, 4], [8, 4]), 1),
        ] {
            let call = TscatterIndex { dst, ..eight(1) };
            let found = said(&call, &[at], target, &[]);
            assert_eq!(written(&found), [(at as usize, 1)]);
        }
    }
}

#[test]
fn colliding_elements() {
    // TSCATTER-CONF-01 to -03.
    let either = Slot::any_word(&[1, 2]);
    for (target, slot, clause, freedom) in [
        (A2a3, &either, "TSCATTER-CONF-02", "TSCATTER-CONF-02"),
        (A5, &either, "TSCATTER-CONF-02", "TSCATTER-CONF-02"),
        (Cpu, &Slot::word(2), "TSCATTER-CONF-03", "TSCATTER-CONF-01"),
    ] {
        let found = said(&eight(2), &[0; 8], target, &[]);
        assert_eq!(found.slots[0], *slot);
        assert_eq!(found.cited()[0], (clause, Some(freedom)));
        assert_eq!(found.runs()[0].or_kept, None);
    }
    // The last one in row-major order, whatever the layout: positions (0,0), (1,0),
    // (0,1), (1,1) in storage, of which (0,1) and (1,0) collide.
    let down = TscatterIndex {
        src: col_major(Int32, [2, 2], [2, 2]),
        idx: col_major(Int32, [2, 2], [2, 2]),
        ..eight(2)
    };
    let found = said(&down, &[1, 0, 0, 2], Cpu, &[]);
    assert_eq!(found.slots[0], Slot::word(2));
}

#[test]
fn slots_that_no_index_addresses() {
    // TSCATTER-GAP-02, of slots 8 to 15 and of rows.
    for (choice, expected) in [
        ("kept", Slot::Kept),
        ("zero", Slot::word(0)),
        ("undefined", Slot::Anything),
    ] {
        let unaddressed = ("tscatter-unaddressed", choice);
        for target in ALL {
            let found = said(&eight(2), &[8, 10], target, &[unaddressed]);
            let rows = said(&eight(2), &[1, 0], target, &[unaddressed, ROW]);
            for (said, one, two) in [(found, 8, 10), (rows, 8, 1)] {
                for (at, slot) in said.slots.iter().enumerate() {
                    match at {
                        _ if at == one => assert_eq!(*slot, Slot::word(1)),
                        _ if at == two => assert_eq!(*slot, Slot::word(2)),
                        _ => assert_eq!(*slot, expected, "{at}"),
                    }
                }
            }
        }
    }
}

#[test]
fn an_index_out_of_range_takes_every_promise_away() {
    // TSCATTER-OOB-01, TSCATTER-GAP-08.
    for (target, clause) in [
        (A2a3, "TSCATTER-OOB-01"),
        (A5, "TSCATTER-OOB-01"),
        (Cpu, "TSCATTER-GAP-08"),
    ] {
        let found = said(&eight(2), &[0, 16], target, &[]);
        is_lost(&found, clause);
        assert_eq!(found.permits.operands[1].guards_free, None);
        assert_eq!(found.clauses(), [clause]);
        assert_eq!(said(&eight(2), &[0, 15, 99], target, &[]).broken, []);
    }
}

#[test]
fn padding_may_be_addressed_or_not() {
    // TSCATTER-GAP-05: slot 8 of [2,16] is padding where [2,8] is valid.
    let call = TscatterIndex {
        dst: tile(Int32, [2, 16], [2, 8]),
        ..eight(1)
    };
    for (slot, is_valid) in [(7, true), (8, false), (16, true), (23, true), (24, false)] {
        let found = said(&call, &[slot], A5, &[]);
        assert_eq!(written(&found), [(slot as usize, 1)]);
        let found = said(&call, &[slot], A5, &[("tscatter-range", "valid")]);
        assert_eq!(found.broken.is_empty(), is_valid);
        assert_eq!(found.all_open(), !is_valid);
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
            let negative_ = ("negative-index", negative);
            let found = said_of(&line, &idx, target, &[negative_]);
            let rows = said_of(&column, &idx, target, &[negative_, ROW]);
            for found in [found, rows] {
                let placed = negative == "unsigned";
                assert_eq!(found.all_open(), !placed);
                assert_eq!(found.broken.is_empty(), placed);
                assert!(!placed || found.slots[65535] == Slot::One(vec![1]));
            }
        }
    }
    // 600 has a bit that in a narrower type were a sign.
    let call = TscatterIndex {
        dst: tile(Half, [1, 1024], [1, 1024]),
        src: tile(Half, [1, 16], [1, 1]),
        ..line
    };
    let signed = [("negative-index", "signed")];
    let found = said_of(&call, &halves(&[600; 16]), A5, &signed);
    assert_eq!(found.slots[600], short(1));
}

#[test]
fn widths_and_regions() {
    // Eight bytes by four, as the suite has it on A5.
    let wide = TscatterIndex {
        dst: tile(Int64, [1, 4], [1, 4]),
        src: tile(Int64, [1, 4], [1, 2]),
        idx: tile(Uint32, [1, 8], [1, 2]),
    };
    let found = said_of(
        &wide,
        &padded_index(&[3, 1]),
        A5,
        &[("scope", "as-the-suite")],
    );
    let eight_bytes = |v: u64| Slot::One(v.to_le_bytes().to_vec());
    assert_eq!(
        [&found.slots[3], &found.slots[1]],
        [&eight_bytes(1), &eight_bytes(2)]
    );
    // TSCATTER-GAP-03 (b): one row of indices for two of the source.
    let two = TscatterIndex {
        src: tile(Int32, [2, 8], [2, 8]),
        ..eight(8)
    };
    let by_index = ("tscatter-extent", "index");
    let found = said(&two, &up_to(8), A5, &[by_index]);
    assert_eq!(found.slots[7], Slot::word(8));
    assert_eq!(found.slots[8..], vec![Slot::Kept; 8]);
    let found = said(&two, &[1; 8], A2a3, &[by_index, ROW]);
    assert_eq!(found.slots[..8], vec![Slot::Kept; 8]);
    assert_eq!(found.slots[8..], [1, 2, 3, 4, 5, 6, 7, 8].map(Slot::word));
    // TSCATTER-GAP-20: no extent, no write.
    let mut none = eight(8);
    none.src.valid_row = Dim::Dynamic(0);
    let found = said(&none, &[99; 8], A5, &[]);
    assert_eq!(found.slots, vec![Slot::Kept; 16]);
}

#[test]
fn an_index_names_a_row() {
    // The register's witness: the second row is 1 to 8.
    for target in ALL {
        for range in ["storage", "valid"] {
            let choices = [ROW, ("tscatter-range", range)];
            let found = said(&eight(8), &[1; 8], target, &choices);
            assert_eq!(found.slots[..8], vec![Slot::Kept; 8]);
            assert_eq!(found.slots[8..], [1, 2, 3, 4, 5, 6, 7, 8].map(Slot::word));
            assert_eq!(found.broken, []);
            assert_eq!(found.cited()[0], ("TSCATTER-GAP-22", None));
        }
        // Row 0 is where the slots 0 to 7 are.
        let found = said(&eight(1), &[0], target, &[ROW]);
        assert_eq!(written(&found), [(0, 1)]);
        assert_eq!(found.cited()[0].0, "TSCATTER-SEM-01");
        // By the layout of the destination: element (r, c) holds 8 * r + c + 1.
        let mut idx = [99; 16];
        (idx[0], idx[1], idx[8], idx[9]) = (3, 0, 1, 2);
        for (dst, expected) in [
            (
                tile(Int32, [4, 8], [4, 2]),
                [(1, 2), (8, 9), (17, 10), (24, 1)],
            ),
            (
                col_major(Int32, [8, 4], [4, 2]),
                [(1, 9), (3, 1), (8, 2), (10, 10)],
            ),
        ] {
            let found = said(&two_rows(dst, 2), &idx, target, &[ROW]);
            assert_eq!(written(&found), expected);
            assert_eq!(found.broken, []);
        }
        // A destination in boxes has no rows.
        let boxes = TscatterIndex {
            dst: nz_tile(Int32, [16, 16], [16, 16]),
            ..eight(8)
        };
        let found = said(&boxes, &[3; 8], target, &[ROW]);
        is_lost(&found, "TSCATTER-GAP-22");
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
                assert_eq!(found.broken, []);
                let all = [(first, 0), (second, 8)]
                    .into_iter()
                    .flat_map(|(row, from)| {
                        (0..cols).map(move |c| ((8 * row + c) as usize, from + c + 1))
                    });
                assert_eq!(written(&found), all.collect::<Vec<_>>());
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
        assert_eq!(written(&found), [(8, 9), (16, 1), (17, 2), (25, 10)]);
        assert_eq!(found.broken, []);
    }
}
