//! Gather to L1: what the register's witnesses and hand calculation say.

use crate::common::{calls::*, choices::with, said::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Half, Int32};
use GatherExec::{Scalar, Simt};
use GatherOob::{Clamp, Undefined, Wrap, Zero};
use Target::{A2a3, A5, Cpu};

const NPUS: [Target; 2] = [A2a3, A5];
/// What the scratch holds before; the tile holds poison.
const STAGED: u16 = 0x7777;

/// 0 to n - 1 as 16-bit elements.
fn counted(n: u16) -> Vec<u8> {
    halves(&(0..n).collect::<Vec<_>>())
}

/// Table [rows, 32] with 100 * row + column.
fn hundreds(rows: u16) -> Vec<u8> {
    let element = |i| 100 * (i / 32) + i % 32;
    halves(&(0..rows * 32).map(element).collect::<Vec<_>>())
}

fn said(call: &MgatherL1, table: &[u8], idx: &[i64], target: Target, r: &Readings) -> Said {
    let elems = (call.dst.rows * call.dst.cols) as usize;
    let staged = call.scratch.map_or(0, |s| s.shape[4].get() as usize);
    let m = memory(&[
        (Role::Destination, &vec![POISON; 2 * elems]),
        (Role::Table, table),
        (Role::Index, &words(idx)),
        (Role::Scratch, &halves(&vec![STAGED; staged])),
    ]);
    Said::of(&Call::MgatherL1(*call), &[&m], target, r)
}

/// Offset in an NZ tile of 16 rows (MGATHERL1-NZ-02).
fn nz(r: usize, c: usize) -> usize {
    c / 16 * 256 + r * 16 + c % 16
}

/// half [16,32] valid `valid` from a packed table of 32 columns.
fn by_rows(valid: [u64; 2], rows: u64, oob: GatherOob) -> MgatherL1 {
    MgatherL1 {
        oob,
        ..l1(
            l1_tile(Half, [16, 32], valid),
            matrix(Half, rows, 32),
            matrix(Int32, 1, valid[0]),
            Row,
        )
    }
}

/// half [16,16] valid `valid` from `slots` elements.
fn by_elements(valid: [u64; 2], slots: u64, oob: GatherOob) -> MgatherL1 {
    MgatherL1 {
        oob,
        ..l1(
            l1_tile(Half, [16, 16], valid),
            matrix(Half, 1, slots),
            matrix(Int32, valid[0], valid[1]),
            Elem,
        )
    }
}

#[test]
fn rows_stand_in_nz_order() {
    // MGATHERL1-SEM-01, -OOB-01: rows 0..15 of eight, wrapped.
    let idx: Vec<i64> = (0..16).collect();
    let call = by_rows([16, 32], 8, Wrap);
    for target in NPUS {
        let found = said(&call, &hundreds(8), &idx, target, &Readings::default());
        for (r, c) in (0..16).flat_map(|r| (0..32).map(move |c| (r, c))) {
            assert_eq!(found.slots[nz(r, c)], short((100 * (r % 8) + c) as u16));
        }
        let p = &found.permits;
        assert!(runs(p, Role::Table).is_empty() && runs(p, Role::Index).is_empty());
        assert_eq!(found.excused(), None);
    }
}

#[test]
fn elements_stand_in_nz_order_in_tile_and_scratch() {
    // MGATHERL1-SEM-02: reversed.
    let mut call = by_elements([16, 16], 256, Undefined);
    call.scratch = Some(matrix(Half, 1, 300));
    let idx: Vec<i64> = (0..256).map(|k| 255 - k).collect();
    for exec in [Scalar, Simt] {
        let call = MgatherL1 { exec, ..call };
        let found = said(&call, &counted(256), &idx, A5, &Readings::default());
        for (r, c) in (0..16).flat_map(|r| (0..16).map(move |c| (r, c))) {
            assert_eq!(found.slots[nz(r, c)], short((255 - (16 * r + c)) as u16));
        }
        // MGATHERL1-GAP-09: the same image, and what follows is kept.
        let scratch = slots(&found.permits, Role::Scratch, 600);
        assert_eq!(scratch[..256], found.slots);
        assert_eq!(scratch[256..], vec![Slot::Kept; 44]);
    }
}

#[test]
fn capacities_and_padded_tables() {
    let r = Readings::default();
    // MGATHERL1-CAP-01: eight rows in two planes, on A5 too.
    let mut call = by_rows([2, 32], 8, Clamp);
    call.table = packed(Half, [1, 1, 2, 4, 32], Layout::ND);
    for target in NPUS {
        let s = said(&call, &hundreds(8), &[7, 8], target, &r).slots;
        assert_eq!([&s[nz(0, 3)], &s[nz(1, 3)]], [&short(703); 2]);
    }
    // MGATHERL1-CAP-02: 32 elements.
    let mut call = by_elements([1, 2], 32, Zero);
    call.table = matrix(Half, 4, 8);
    let s = said(&call, &counted(32), &[31, 32], A5, &r).slots;
    assert_eq!(s[..2], [short(31), short(0)]);
    // MGATHERL1-TABLE-02: rows 48 elements apart.
    let mut call = by_rows([2, 32], 3, Undefined);
    call.table = strided(call.table, 3, 48);
    let s = said(&call, &counted(128), &[2, 1], A5, &r).slots;
    assert_eq!([&s[nz(0, 5)], &s[nz(1, 31)]], [&short(101), &short(79)]);
    // MGATHERL1-GAP-16: elements ignore strides.
    let mut call = by_elements([1, 1], 32, Undefined);
    call.table = strided(matrix(Half, 4, 8), 3, 16);
    let s = said(&call, &counted(56), &[9], A5, &r).slots;
    assert_eq!(s[0], short(9));
}

#[test]
fn padding_after_rows() {
    // MGATHERL1-GAP-01 on valid [10,20]: columns 20..31 end the second block.
    let call = by_rows([10, 20], 8, Undefined);
    let zero = by_rows([10, 20], 8, Zero);
    for (choice, tail, rest) in [
        ("tail-zero", short(0), Slot::Kept),
        ("kept", Slot::Kept, Slot::Kept),
        ("undefined", Slot::Anything, Slot::Anything),
    ] {
        let r = with(&[("l1-row-padding", choice)]);
        let s = said(&call, &hundreds(8), &[1; 10], A5, &r).slots;
        assert_eq!(s[nz(9, 19)], short(119));
        assert_eq!([&s[nz(0, 20)], &s[nz(9, 31)]], [&tail; 2]);
        assert_eq!([&s[nz(10, 0)], &s[nz(15, 31)]], [&rest; 2]);
        // MGATHERL1-OOB-02: Zero clears the whole tile first.
        let idx = [1, 1, 1, 8, 1, 1, 1, 1, 1, 1];
        let s = said(&zero, &hundreds(8), &idx, A2a3, &r).slots;
        for (at, slot) in s.iter().enumerate().filter(|_| choice != "undefined") {
            let (row, c) = (at % 256 / 16, at / 256 * 16 + at % 16);
            let moved = row < 10 && row != 3 && c < 20;
            let value = if moved { 100 + c as u16 } else { 0 };
            assert_eq!(*slot, short(value), "({row}, {c})");
        }
    }
    // A block without a valid column is none that a transfer fills up.
    let narrow = by_rows([10, 16], 8, Undefined);
    let s = said(&narrow, &hundreds(8), &[1; 10], A5, &Readings::default()).slots;
    assert_eq!(s[nz(0, 16)], Slot::Kept);
}

#[test]
fn padding_after_elements() {
    // MGATHERL1-GAP-02, -EXEC-07, -SCRATCH-05 on valid [5,5].
    for (oob, exec, zero, expected) in [
        (Clamp, Scalar, "always", 0),
        (Clamp, Scalar, "zero-only", STAGED),
        (Undefined, Scalar, "zero-only", STAGED),
        (Zero, Scalar, "zero-only", 0),
        (Clamp, Simt, "zero-only", 0),
    ] {
        let call = MgatherL1 {
            exec,
            ..by_elements([5, 5], 64, oob)
        };
        let r = with(&[("l1-scratch-zero", zero)]);
        let found = said(&call, &counted(64), &[7; 25], A5, &r);
        assert_eq!(found.slots[nz(4, 4)], short(7));
        for at in [nz(0, 5), nz(4, 15), nz(5, 0), nz(15, 15)] {
            assert_eq!(found.slots[at], short(expected), "{oob} {exec}");
        }
        assert_eq!(slots(&found.permits, Role::Scratch, 512), found.slots);
    }
}

#[test]
fn an_unchecked_index_opens_what_it_feeds() {
    let r = Readings::default();
    let call = by_elements([1, 3], 64, Undefined);
    let found = said(&call, &counted(64), &[1, 64, 2], A5, &r);
    for role in [Role::Destination, Role::Scratch] {
        let expected = [short(1), Slot::Anything, short(2), short(0)];
        assert_eq!(slots(&found.permits, role, 512)[..4], expected);
    }
    assert_eq!(found.excused(), Some("MGATHER-OOB-02"));
    let (clause, why) = &found.broken[0];
    assert_eq!(*clause, "MGATHER-OOB-01");
    assert!(why.contains("element (0, 1): index 64"));
    let clamped = by_elements([1, 3], 64, Clamp);
    let found = said(&clamped, &counted(64), &[1, 64, 2], A5, &r);
    assert_eq!(found.broken, []);
    // Rows: the whole row.
    let call = by_rows([2, 20], 4, Undefined);
    let s = said(&call, &hundreds(4), &[4, 3], A2a3, &r).slots;
    assert_eq!([&s[nz(0, 0)], &s[nz(0, 19)]], [&Slot::Anything; 2]);
    assert_eq!(s[nz(1, 19)], short(319));
}

#[test]
fn the_index_tensor_is_read_in_line_or_by_strides() {
    // MGATHERL1-GAP-03: rows of five, sixteen apart, decoys between them; by rows
    // the stride is that of dimension 4.
    let mut call = by_elements([5, 5], 256, Undefined);
    call.idx = strided(call.idx, 3, 16);
    let idx: Vec<i64> = (0..69).collect();
    let mut broken = idx.clone();
    broken[24] = 999;
    let mut row = by_rows([3, 32], 8, Undefined);
    row.idx = strided(row.idx, 4, 2);
    for (choice, last, count, rows) in [
        ("linear", 24, 1, [1, 2, 3]),
        ("strided", 4 * 16 + 4, 0, [1, 3, 5]),
    ] {
        let r = with(&[("l1-index-pitch", choice)]);
        let found = said(&call, &counted(256), &idx, A5, &r);
        assert_eq!(found.slots[nz(4, 4)], short(last));
        let found = said(&call, &counted(256), &broken, A5, &r);
        assert_eq!(found.broken.len(), count);
        let s = said(&row, &hundreds(8), &[1, 2, 3, 4, 5], A5, &r).slots;
        let heads = [0, 1, 2].map(|r| s[nz(r, 0)].clone());
        assert_eq!(heads, rows.map(|r| short(100 * r)));
    }
}

#[test]
fn negative_indices_have_readings() {
    // MGATHERL1-GAP-04: -1 clamped on eight rows.
    let call = by_rows([1, 32], 8, Clamp);
    for (choice, row, freedom) in [
        ("unsigned", 7, None),
        ("intended", 0, Some("MGATHERL1-GAP-04")),
    ] {
        let r = with(&[("negative-index", choice)]);
        let found = said(&call, &hundreds(8), &[-1], A5, &r);
        assert_eq!(found.slots[nz(0, 1)], short(100 * row + 1));
        assert_eq!(found.freedom(), freedom);
    }
}

#[test]
fn on_the_cpu() {
    // MGATHERL1-GAP-14: valid region only, padding kept, scratch open.
    let call = by_elements([5, 5], 64, Zero);
    let mut idx = vec![7; 25];
    idx[1] = -1;
    let r = Readings {
        negative_index: NegativeIndex::Intended,
        ..suite()
    };
    let found = said(&call, &counted(64), &idx, Cpu, &r);
    assert_eq!(found.slots[..2], [short(7), short(0)]);
    for at in [nz(0, 5), nz(5, 0)] {
        assert_eq!(found.slots[at], Slot::Kept);
    }
    let scratch = slots(&found.permits, Role::Scratch, 512);
    assert_eq!(scratch, vec![Slot::Anything; 256]);
    let rows = by_rows([2, 20], 4, Undefined);
    let s = said(&rows, &hundreds(4), &[3, 1], Cpu, &suite()).slots;
    assert_eq!([&s[nz(0, 19)], &s[nz(0, 20)]], [&short(319), &Slot::Kept]);
    // Under the documents it has no such form.
    let found = said(&rows, &hundreds(4), &[3, 1], Cpu, &Readings::default());
    assert_eq!(found.excused(), Some("MGATHERL1-GAP-14"));
    assert!(found.all_open());
}
