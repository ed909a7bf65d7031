//! MGATHER: what stands where, by each answer to the gaps on addresses and padding.

use crate::common::{said::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::Int32;
use GatherOob::{Clamp, Undefined, Zero};
use Target::{A2a3, A5, Cpu};

/// int32 destination over a table of the same, Row.
fn rows(dst: Tile, table: GlobalTensor) -> Mgather {
    let n = dst.valid_row.get();
    gather(dst, table, tile(Int32, [1, 8], [1, n]), Row)
}

/// A gather from a table of `held` words that hold their number.
fn run(call: &Mgather, held: i64, idx: &[i64], target: Target, choices: &[(&str, &str)]) -> Said {
    let table = words(&(0..held).collect::<Vec<_>>());
    from(call, &table, idx, target, choices)
}

fn eight_from(first: i64) -> Vec<Slot> {
    (first..first + 8).map(Slot::word).collect()
}

#[test]
fn elements_of_a_padded_table() {
    // MGATHER-GAP-07: rows 16 apart, index 8 is row 1.
    let data = tile(Int32, [1, 8], [1, 2]);
    let table = strided(matrix(Int32, 4, 8), 3, 16);
    let call = gather(data, table, data, Elem);
    for (target, choice, expected, gap) in [
        (A2a3, "flat", [8, 31], None),
        (A2a3, "strided", [16, 55], Some("MGATHER-GAP-07")),
        (A5, "strided", [8, 31], None),
        (Cpu, "strided", [8, 31], None),
    ] {
        let said = run(&call, 56, &[8, 31], target, &[("padded-elem", choice)]);
        assert_eq!(said.slots[..2], expected.map(Slot::word));
        assert_eq!(said.freedom(), gap, "{target} {choice}");
    }
}

#[test]
fn rows_of_outer_dimensions() {
    // MGATHER-GAP-06: Shape<1,1,2,3,8>, matrices 64 apart; row 3 at 24 or at 64.
    let table = packed(Int32, [1, 1, 2, 3, 8], Layout::ND);
    let call = rows(tile(Int32, [2, 8], [2, 8]), strided(table, 2, 64));
    for (choice, first) in [("ignored", 24), ("split", 64)] {
        let said = run(&call, 88, &[3, 0], A2a3, &[("outer-strides", choice)]);
        assert_eq!(said.slots, [eight_from(first), eight_from(0)].concat());
        assert_eq!(said.broken, []);
    }
    // Matrices 8 apart: 32 elements, of which row 4 would begin at 32.
    let call = Mgather {
        table: strided(table, 2, 8),
        ..call
    };
    let ignored = [("outer-strides", "ignored")];
    let said = run(&call, 32, &[4, 3], A2a3, &ignored);
    assert_eq!(said.slots[..8], vec![Slot::Anything; 8]);
    assert_eq!(said.slots[8..], eight_from(24));
    assert_eq!(said.excused(), Some("MGATHER-GAP-06"));
    assert_eq!(said.clauses(), ["MGATHER-GAP-06"]);
    assert_eq!(run(&call, 32, &[2, 3], A2a3, &ignored).broken, []);
}

#[test]
fn rows_valid_columns_apart_on_a5() {
    // MGATHER-GAP-09: stride 16, and 16 dynamic columns: row 1 from element 8 on.
    let valid_cols = [("row-pitch", "valid-cols")];
    let dst = tile(Int32, [2, 8], [2, 8]);
    let apart = rows(dst, strided(matrix(Int32, 4, 8), 3, 16));
    let mut wide = rows(dst, matrix(Int32, 4, 16));
    wide.table.shape[4] = Dim::Dynamic(16);
    for call in [apart, wide] {
        let said = run(&call, 64, &[1, 0], A5, &valid_cols);
        assert_eq!(said.slots, [eight_from(8), eight_from(0)].concat());
        let freedoms: Vec<_> = said.cited().into_iter().map(|(_, free)| free).collect();
        assert_eq!(freedoms, [Some("MGATHER-GAP-09"), None]);
        let said = run(&call, 64, &[1, 0], A2a3, &valid_cols);
        assert_eq!(said.slots[..8], eight_from(16));
    }
    // Four columns in the shape, so row 2 leaves the table.
    let mut narrow = rows(dst, matrix(Int32, 4, 4));
    narrow.table.shape[4] = Dim::Dynamic(4);
    let said = run(&narrow, 16, &[1, 2], A5, &valid_cols);
    assert_eq!(said.slots[..8], eight_from(8));
    assert_eq!(said.slots[8..], vec![Slot::Anything; 8]);
    assert_eq!(said.clauses(), ["MGATHER-GAP-09"]);
}

#[test]
fn indices_through_the_layout_of_their_tile() {
    // MGATHER-GAP-15 (b): decoys in the other columns.
    let call = Mgather {
        idx: tile(Int32, [2, 8], [2, 1]),
        ..rows(tile(Int32, [2, 8], [2, 8]), matrix(Int32, 4, 8))
    };
    let mut idx = [0; 16];
    (idx[0], idx[8]) = (3, 1);
    let said = run(&call, 32, &idx, A5, &[("row-index-pitch", "logical")]);
    assert_eq!(said.slots, [eight_from(24), eight_from(8)].concat());
}

#[test]
fn padded_tables_on_the_cpu() {
    // MGATHER-GAP-08 (b): row 1 from element 16 on.
    let table = strided(matrix(Int32, 4, 8), 3, 16);
    let call = rows(tile(Int32, [1, 8], [1, 8]), table);
    let said = run(&call, 56, &[1], Cpu, &[("cpu-padded-table", "strided")]);
    assert_eq!(said.slots, eight_from(16));
    assert!(run(&call, 56, &[1], Cpu, &[]).all_open());
}

/// What the slots of a row beside its three valid columns hold, if they agree:
/// the rest of the first 32 bytes, and what follows.
fn beside(row: &[Slot]) -> [&Slot; 2] {
    let same = |from: usize, to: usize| {
        assert!(row[from..to].iter().all(|x| *x == row[from]), "{row:?}");
        &row[from]
    };
    [same(3, 8), same(8, 16)]
}

#[test]
fn padding_of_nd_rows() {
    // MGATHER-GAP-18, -19: valid [2,3] in [3,16], a table of two rows of three,
    // row 1 out of bounds: of row 0, of row 1, and row 2, which is not valid.
    let dst = tile(Int32, [3, 16], [2, 3]);
    let call = Mgather {
        oob: Zero,
        ..rows(dst, matrix(Int32, 2, 3))
    };
    let [kept, any, zero] = [&Slot::Kept, &Slot::Anything, &Slot::word(0)];
    let nd = |fill, padding| [("nd-zero-fill", fill), ("gather-padding", padding)];
    for (target, fill, padding, tail, still) in [
        (A2a3, "inline", "burst-tail", any, kept),
        (A2a3, "inline", "kept", kept, kept),
        (A2a3, "inline", "undefined", any, any),
        (A2a3, "whole-tile", "burst-tail", any, zero),
        (A2a3, "whole-tile", "kept", zero, zero),
        (A2a3, "whole-tile", "undefined", any, zero),
        (A5, "whole-tile", "burst-tail", kept, kept),
        (A5, "whole-tile", "undefined", any, any),
        (Cpu, "whole-tile", "kept", kept, kept),
        (Cpu, "inline", "undefined", any, any),
    ] {
        let said = run(&call, 6, &[1, 9], target, &nd(fill, padding));
        let (s, about) = (&said.slots, format!("{target} {fill} {padding}"));
        assert_eq!(s[..3], [3, 4, 5].map(Slot::word), "{about}");
        assert_eq!(s[16..19], [0; 3].map(Slot::word), "{about}");
        assert_eq!(beside(&s[..16]), [tail, still], "{about}");
        assert_eq!(beside(&s[16..32]), [still, still], "{about}");
        assert!(s[32..].iter().all(|x| x == still), "{about}");
        // Nobody else zeroes what is not valid.
        let cited = said.cited();
        let mut zeroed = cited.iter().filter(|(by, _)| *by == "MGATHER-GAP-19");
        assert_eq!(zeroed.clone().count() > 0, still == zero, "{about}");
        assert!(zeroed.all(|(_, free)| free.is_some()), "{about}");
    }
    // Other policies fill nothing.
    let clamp = Mgather { oob: Clamp, ..call };
    let said = run(&clamp, 6, &[1, 9], A2a3, &nd("whole-tile", "kept"));
    assert!(said.slots[32..].iter().all(|x| x == kept));
}

#[test]
fn padding_of_other_tiles() {
    let open = [("gather-padding", "undefined")];
    // ColMajor [8,3] valid [5,2] on A5; Row and Elem.
    let dst = col_major(Int32, [8, 3], [5, 2]);
    let across = rows(dst, matrix(Int32, 4, 2));
    let idx = col_major(Int32, [8, 2], [5, 2]);
    let elem = gather(dst, across.table, idx, Elem);
    for call in [across, elem] {
        let said = run(&call, 8, &[1; 16], A5, &open);
        for (at, slot) in said.slots.iter().enumerate() {
            let valid = at % 8 < 5 && at / 8 < 2;
            assert_eq!(*slot != Slot::Anything, valid, "{at}");
        }
    }
    // ND rows below the valid ones: one of three.
    let low = rows(tile(Int32, [3, 8], [1, 8]), matrix(Int32, 4, 8));
    let said = run(&low, 32, &[1], A2a3, &open);
    assert_eq!(said.slots[8..], vec![Slot::Anything; 16]);
    // An NZ tile by elements, valid [3,9] in [16,16].
    let nz = Mgather {
        dst: nz_tile(Int32, [16, 16], [3, 9]),
        table: packed(Int32, [1, 2, 1, 16, 8], Layout::NZ),
        idx: tile(Int32, [3, 16], [3, 9]),
        ..elem
    };
    let said = run(&nz, 256, &[1; 48], A2a3, &open);
    for (at, slot) in said.slots.iter().enumerate() {
        let (r, c) = (at % 128 / 8, at / 128 * 8 + at % 8);
        assert_eq!(*slot != Slot::Anything, r < 3 && c < 9, "{at}");
    }
    let said = run(&nz, 256, &[1; 48], A2a3, &[]);
    let kept = said.slots.iter().filter(|x| **x == Slot::Kept);
    assert_eq!(kept.count(), 256 - 27);
}

#[test]
fn columns_of_the_padding_in_nz_rows() {
    // MGATHER-GAP-57: [16,16] valid [2,9], row 3 of a table that holds its own
    // offsets, so columns 9 to 15 are 153 to 159; row 1 of the tile is 9 under
    // Zero, else row 0 of the table.
    let call = |oob| Mgather {
        oob,
        ..rows(
            nz_tile(Int32, [16, 16], [2, 9]),
            packed(Int32, [1, 2, 1, 16, 8], Layout::NZ),
        )
    };
    let [kept, any, zero] = [&Slot::Kept, &Slot::Anything, &Slot::word(0)];
    let [both, zero_or] = [[POISON; 4], [0; 4]].map(|b| Slot::any_of(&[b, 153_u32.to_le_bytes()]));
    let brought = Slot::word(153);
    for (oob, columns, padding, expected, below) in [
        (Clamp, "either", "burst-tail", &both, kept),
        (Clamp, "either", "undefined", any, any),
        (Clamp, "moved", "burst-tail", &brought, kept),
        (Clamp, "moved", "undefined", &brought, any),
        (Clamp, "kept", "burst-tail", kept, kept),
        (Clamp, "kept", "undefined", kept, any),
        (Zero, "either", "undefined", &zero_or, zero),
        (Zero, "moved", "kept", &brought, zero),
        (Zero, "kept", "undefined", zero, zero),
    ] {
        let choices = [("nz-row-columns", columns), ("gather-padding", padding)];
        let s = run(&call(oob), 256, &[3, 99], A2a3, &choices).slots;
        let about = format!("{oob} {columns} {padding}");
        assert_eq!(s[..8], eight_from(24), "{about}");
        let found = [&s[128], &s[129], &s[128 + 16]];
        assert_eq!(found, [&Slot::word(152), expected, below], "{about}");
        assert!(oob != Zero || s[128 + 9] == *zero, "{about}");
    }
    // An index that leads nowhere opens what its row may touch.
    for (columns, expected) in [("moved", any), ("kept", kept)] {
        let choices = [("nz-row-columns", columns)];
        let s = run(&call(Undefined), 256, &[99, 3], A2a3, &choices).slots;
        assert_eq!([&s[0], &s[128], &s[129]], [any, any, expected]);
    }
}

#[test]
fn an_index_out_of_bounds_spoils_the_call_or_its_own_slots() {
    // MGATHER-GAP-69: number 9 of four under Undefined, by element and by row.
    let two = tile(Int32, [1, 8], [1, 2]);
    let elem = gather(two, matrix(Int32, 1, 4), two, Elem);
    let row = rows(tile(Int32, [2, 8], [2, 8]), matrix(Int32, 4, 8));
    for target in [Cpu, A2a3, A5] {
        for call in [elem, row] {
            for (choice, broken) in [("call", 1), ("slots", 0)] {
                let choices = [("undefined-gather", choice)];
                let said = run(&call, 32, &[1, 9], target, &choices);
                assert_eq!(said.broken.len(), broken, "{target}");
            }
        }
        let said = run(&elem, 4, &[1, 9], target, &[("undefined-gather", "slots")]);
        assert_eq!(said.slots[..2], [Slot::word(1), Slot::Anything], "{target}");
    }
}
