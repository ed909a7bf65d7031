//! MGATHER: what the register's witnesses and hand calculation say.

use crate::common::{said::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32};
use GatherOob::{Clamp, Undefined, Wrap, Zero};
use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [A2a3, A5, Cpu];

fn up_to(n: usize) -> Vec<u8> {
    floats(&(0..n).map(|i| i as f32).collect::<Vec<_>>())
}

/// float [rows, 8] from a table of `table` rows, Row.
fn rows(rows: u64, table: u64) -> Mgather {
    gather(
        tile(Float, [rows, 8], [rows, 8]),
        matrix(Float, table, 8),
        tile(Int32, [1, 8], [1, rows]),
        Row,
    )
}

/// float [1, 8] with three valid columns from `slots` elements, Elem.
fn three(slots: u64) -> Mgather {
    gather(
        tile(Float, [1, 8], [1, 3]),
        matrix(Float, 1, slots),
        tile(Int32, [1, 8], [1, 3]),
        Elem,
    )
}

/// Table [n, 8] with 100 * row + column + 1.
fn table_of(n: usize) -> Vec<u8> {
    let element = |i: usize| (100 * (i / 8) + i % 8 + 1) as f32;
    floats(&(0..n * 8).map(element).collect::<Vec<_>>())
}

/// The first column of each row of eight, whose rows are one table row each, or zeros.
fn heads(slots: &[Slot]) -> Vec<f32> {
    let head = |row: &[Slot]| {
        let Slot::One(b) = &row[0] else {
            panic!("{row:?}");
        };
        let head = f32::from_le_bytes(b[..].try_into().unwrap());
        for (c, slot) in row.iter().enumerate().filter(|_| head != 0.0) {
            assert_eq!(*slot, Slot::float(head + c as f32));
        }
        head
    };
    slots.chunks(8).map(head).collect()
}

#[test]
fn rows_are_copied() {
    // MGATHER-SEM-01: one run for the whole destination, repeated rows included.
    for target in ALL {
        let said = from(&rows(3, 5), &table_of(5), &[4, 0, 4], target, &[]);
        assert_eq!(heads(&said.slots), [401.0, 1.0, 401.0]);
        assert_eq!(said.cited(), [("MGATHER-SEM-01", None)]);
        assert!(runs(&said.permits, Role::Table).is_empty());
        assert_eq!(said.excused(), None);
    }
}

#[test]
fn policies() {
    for target in ALL {
        // MGATHER-OOB-04, -05, -06 on four rows.
        for (oob, idx, expected) in [
            (Clamp, [3, 4, 100], [301.0, 301.0, 301.0]),
            (Wrap, [9, 3, 4], [101.0, 301.0, 1.0]),
            (Zero, [1, 4, 3], [101.0, 0.0, 301.0]),
        ] {
            let call = Mgather { oob, ..rows(3, 4) };
            let said = from(&call, &table_of(4), &idx, target, &[]);
            assert_eq!(heads(&said.slots), expected, "{target} {oob}");
        }
        // MGATHER-OOB-05, -07 by elements.
        for (oob, idx, expected) in [
            (Wrap, [9, 10, 23], [9.0, 0.0, 3.0]),
            (Zero, [7, 10, 1], [7.0, 0.0, 1.0]),
        ] {
            let call = Mgather { oob, ..three(10) };
            let said = from(&call, &up_to(10), &idx, target, &[]);
            assert_eq!(said.slots[..3], expected.map(Slot::float));
            assert_eq!(said.slots[3..], vec![Slot::Kept; 5]);
        }
    }
}

#[test]
fn undefined_opens_what_the_index_feeds() {
    // MGATHER-OOB-02, -03: row 0 open, row 1 exact.
    for (target, clause) in [
        (A2a3, "MGATHER-OOB-02"),
        (A5, "MGATHER-OOB-02"),
        (Cpu, "MGATHER-OOB-03"),
    ] {
        let said = from(&rows(2, 4), &table_of(4), &[9, 0], target, &[]);
        assert_eq!(said.slots[..8], vec![Slot::Anything; 8]);
        assert_eq!(heads(&said.slots[8..]), [1.0]);
        assert_eq!(said.excused(), Some(clause));
        assert_eq!(said.permits.operands[0].guards_free, None);
    }
}

#[test]
fn negative_indices() {
    // MGATHER-OOB-10 and MGATHER-GAP-02: ten elements, index -1.
    let cases = [
        (Cpu, "signed", [9.0, 5.0, 0.0], Some("MGATHER-OOB-10")),
        (A5, "unsigned", [9.0, 5.0, 0.0], None),
        (A2a3, "intended", [0.0, 9.0, 0.0], Some("MGATHER-GAP-02")),
    ];
    for (target, choice, expected, freedom) in cases {
        for (oob, x) in [Clamp, Wrap, Zero].into_iter().zip(expected) {
            let call = Mgather { oob, ..three(10) };
            let choices = [("negative-index", choice)];
            let said = from(&call, &up_to(10), &[-1, 0, 1], target, &choices);
            assert_eq!(said.slots[..3], [x, 0.0, 1.0].map(Slot::float));
            assert_eq!(said.freedom(), freedom, "{target} {oob}");
        }
    }
    let call = Mgather {
        oob: Clamp,
        ..three(10)
    };
    let signed = [("negative-index", "signed")];
    let said = from(&call, &up_to(10), &[-1, 0, 1], A5, &signed);
    assert_eq!(said.slots[..2], [Slot::Anything, Slot::float(0.0)]);
    assert_eq!(said.excused(), Some("MGATHER-GAP-02"));
}

#[test]
fn row_pitch_by_target() {
    // MGATHER-TABLE-05: rows 24 apart on A2/A3.
    let mut call = rows(2, 4);
    call.table = strided(call.table, 3, 24);
    let said = from(&call, &up_to(80), &[3, 1], A2a3, &[]);
    assert_eq!(heads(&said.slots), [72.0, 24.0]);
    // MGATHER-TABLE-04: Shape[4] apart on the CPU, and the tile narrower.
    let wide = Mgather {
        table: matrix(Float, 4, 12),
        ..rows(1, 4)
    };
    for target in [Cpu, A2a3] {
        let said = from(&wide, &up_to(48), &[2], target, &[]);
        assert_eq!(heads(&said.slots), [24.0]);
    }
    // MGATHER-CAP-02, -03: Shape<1,1,2,3,8>, Clamp.
    let outer = Mgather {
        table: packed(Float, [1, 1, 2, 3, 8], Layout::ND),
        oob: Clamp,
        ..rows(3, 4)
    };
    for (target, expected, clause) in [
        (A2a3, [501.0, 501.0, 101.0], "MGATHER-CAP-02"),
        (A5, [201.0, 201.0, 101.0], "MGATHER-CAP-03"),
    ] {
        let said = from(&outer, &table_of(6), &[5, 6, 1], target, &[]);
        assert_eq!(heads(&said.slots), expected);
        assert_eq!(said.freedom(), Some(clause));
        assert_eq!(said.runs().last().unwrap().freedom, None);
    }
}

#[test]
fn column_major_tiles_on_a5() {
    // MGATHER-GAP-38: ColMajor [8,4], table width 4, rows backwards.
    let call = gather(
        col_major(Float, [8, 4], [8, 4]),
        matrix(Float, 8, 4),
        col_major(Int32, [8, 1], [8, 1]),
        Row,
    );
    let said = from(&call, &up_to(32), &[7, 6, 5, 4, 3, 2, 1, 0], A5, &[]);
    let expected = (0..32).map(|i| Slot::float(((7 - i % 8) * 4 + i / 8) as f32));
    assert_eq!(said.slots, expected.collect::<Vec<_>>());
    // MGATHER-TILE-10: index tile of the other layout.
    let elem = gather(
        tile(Float, [8, 8], [8, 8]),
        matrix(Float, 8, 8),
        col_major(Int32, [8, 8], [8, 8]),
        Elem,
    );
    let idx: Vec<i64> = (0..64).map(|i| 63 - (i % 8 * 8 + i / 8)).collect();
    let said = from(&elem, &up_to(64), &idx, A5, &[]);
    let expected = (0..64).map(|i| Slot::float(63.0 - i as f32));
    assert_eq!(said.slots, expected.collect::<Vec<_>>());
}

#[test]
fn a_cpu_index_column() {
    // MGATHER-TILE-12: [4,1] RowMajor in [4,8], decoys beside it.
    let call = Mgather {
        idx: tile(Int32, [4, 8], [4, 1]),
        ..rows(4, 6)
    };
    let mut idx = vec![5; 32];
    for (r, row) in [2, 0, 3, 1].into_iter().enumerate() {
        idx[r * 8] = row;
    }
    let said = from(&call, &table_of(6), &idx, Cpu, &[]);
    assert_eq!(heads(&said.slots), [201.0, 1.0, 301.0, 101.0]);
}

/// half table Shape<1,2,2,16,16> whose logical (r, c) holds 64r + c.
fn nz_table() -> Vec<u8> {
    let mut all = vec![0; 1024];
    for (r, c) in (0..32).flat_map(|r| (0..32).map(move |c| (r, c))) {
        all[nz_at(r, c)] = (64 * r + c) as u16;
    }
    halves(&all)
}

/// Where (r, c) stands in table and tile of 32 rows (MGATHER-NZ-05, -06).
fn nz_at(r: usize, c: usize) -> usize {
    c / 16 * 512 + r * 16 + c % 16
}

fn nz(valid: [u64; 2], mode: Coalesce, oob: GatherOob) -> Mgather {
    let idx = match mode {
        Row => tile(Int32, [1, 24], [1, valid[0]]),
        Elem => tile(Int32, [2, 32], valid),
    };
    let table = packed(Half, [1, 2, 2, 16, 16], Layout::NZ);
    Mgather {
        oob,
        ..gather(nz_tile(Half, [32, 32], valid), table, idx, mode)
    }
}

fn half(r: usize, c: usize) -> [u8; 2] {
    ((64 * r + c) as u16).to_le_bytes()
}

fn half_slot(r: usize, c: usize) -> Slot {
    Slot::One(half(r, c).to_vec())
}

#[test]
fn nz_rows() {
    let found = |call, idx: &[i64]| from(&call, &nz_table(), idx, A2a3, &[]).slots;
    let s = found(nz([2, 32], Row, Undefined), &[17, 31]);
    for c in 0..32 {
        assert_eq!(s[nz_at(0, c)], half_slot(17, c));
        assert_eq!(s[nz_at(1, c)], half_slot(31, c));
    }
    assert_eq!(s.iter().filter(|s| **s == Slot::Kept).count(), 1024 - 64);
    // MGATHER-GAP-57: columns from 20 on kept or brought.
    let s = found(nz([1, 20], Row, Undefined), &[17, 31]);
    assert_eq!(s[nz_at(0, 19)], half_slot(17, 19));
    assert_eq!(s[nz_at(0, 20)], Slot::any_of(&[[POISON; 2], half(17, 20)]));
    // MGATHER-OOB-13: Zero fills the tile first; MGATHER-CAP-05: 32 rows.
    let s = found(nz([2, 20], Row, Zero), &[17, 32]);
    assert_eq!(s[0], half_slot(17, 0));
    for (r, c) in [(1, 0), (1, 26), (31, 16)] {
        assert_eq!(s[nz_at(r, c)], half_slot(0, 0));
    }
    assert_eq!(s[nz_at(0, 20)], Slot::any_of(&[[0; 2], half(17, 20)]));
    let s = found(nz([2, 32], Row, Clamp), &[17, 32]);
    assert_eq!(s[nz_at(1, 0)], half_slot(31, 0));
}

#[test]
fn nz_elements() {
    // MGATHER-INDEX-04: 564 is logical (17,20). MGATHER-CAP-06: 1024 wraps to 0.
    let mut idx: Vec<i64> = vec![0; 64];
    (idx[0], idx[1], idx[2], idx[32 + 20]) = (564, 1024, 1023, 33);
    let call = nz([2, 32], Elem, Wrap);
    let s = from(&call, &nz_table(), &idx, A2a3, &[]).slots;
    let expected = [half_slot(17, 20), half_slot(0, 0), half_slot(31, 31)];
    assert_eq!(s[..3], expected);
    assert_eq!(s[nz_at(1, 20)], half_slot(1, 1));
}

/// Two steps of a gather of one row of eight, whose table is that of the first.
fn two_steps(call: Mgather, indices: [i64; 2], choices: &[(&str, &str)]) -> Said {
    let [first, last] = indices.map(|i| padded_index(&[i]));
    let dst = (Role::Destination, &[POISON; 32][..]);
    let first = memory(&[dst, (Role::Table, &table_of(4)), (Role::Index, &first)]);
    let last = memory(&[dst, (Role::Index, &last)]);
    let readings = choices::with(choices);
    Said::of(&Call::Mgather(call), &[&first, &last], A5, &readings)
}

#[test]
fn an_access_outside_is_excused_in_whichever_step_it_happens() {
    let said = two_steps(rows(1, 4), [1, 2], &[]);
    assert_eq!(heads(&said.slots), [201.0]);
    // MGATHER-GAP-02 (b): -1 passes the clamp and reads the row before the table.
    let call = Mgather {
        oob: Clamp,
        ..rows(1, 4)
    };
    for (indices, excused) in [
        ([0, 1], None),
        ([0, -1], Some("MGATHER-GAP-02")),
        ([-1, 0], Some("MGATHER-GAP-02")),
    ] {
        let said = two_steps(call, indices, &[("negative-index", "signed")]);
        assert_eq!(said.excused(), excused);
    }
}
