//! MSCATTER: where stores go, worked out by hand.

use crate::common::{scatters::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Int8, Int32};
use Target::{A2a3, A5};

#[test]
fn rows_of_outer_dimensions() {
    // Two planes of two rows, ten apart: row 2 at 4 or at 10, row 3 past 13 slots.
    let dims = [[1, 1, 2, 2, 2], [20, 20, 10, 2, 1]];
    let call = Mscatter {
        table: tensor(Int32, Layout::ND, dims),
        ..two_rows()
    };
    let run = |held, idx: &[i64], target, choices| {
        let m = counted(Int32, held, idx);
        told(&Call::Mscatter(call), &[&m], target, choices)
    };
    let [ignored, split] = ["ignored", "split"].map(|c| [("outer-strides", c)]);
    let at = |first: usize| {
        let mut all = vec!["."; 14];
        (all[first], all[first + 1]) = ("1", "2");
        (all[0], all[1]) = ("9", "10");
        all.join(" ")
    };
    assert_eq!(run(14, &[2, 0], A2a3, &ignored), at(4));
    assert_eq!(run(14, &[2, 0], A2a3, &split), at(10));
    assert_eq!(run(13, &[3, 0], A2a3, &split), "undefined");
    // A5 has two rows, so row 2 is beyond them.
    assert_eq!(run(4, &[2, 0], A5, &[]), "9 10 . .");
}

#[test]
fn bursts_of_whole_chunks() {
    // int8 rows of 2 in a table of pitch 2: rounded up, 32 bytes of each row.
    let call = Mscatter {
        table: rows(Int8, 20, 2, 2),
        src: tile(Int8, [1, 32], [1, 2]),
        idx: tile(Int32, [1, 8], [1, 1]),
        ..two_rows()
    };
    let run = |held, idx: &[i64], choices| {
        let m = counted(Int8, held, idx);
        told(&Call::Mscatter(call), &[&m], A2a3, choices)
    };
    let rounded = [("burst-tail", "rounded")];
    let exact: Vec<_> = ["1", "2"].into_iter().chain(["."; 38]).collect();
    assert_eq!(run(40, &[0], &[]), exact.join(" "));
    let all: Vec<_> = (1..=32)
        .map(|i| i.to_string())
        .chain((0..8).map(|_| ".".to_owned()))
        .collect();
    assert_eq!(run(40, &[0], &rounded), all.join(" "));
    assert_eq!(run(40, &[5], &rounded), "undefined");
    let signed = [rounded[0], ("negative-index", "signed")];
    assert_eq!(run(40, &[-1], &signed), "undefined");
}

#[test]
fn the_last_one_in_blocks() {
    // (0, 8) = 9 and (1, 0) = 101 to row 1, column 9 of the table: 128 + 8 + 1.
    let mut idx = vec![16; 18];
    (idx[8], idx[9]) = (25, 25);
    let (call, m) = blocks(Elem, [2, 9], &idx);
    for (choice, expected) in [("walk", "9"), ("coordinate", "101")] {
        let choices = [("nz-elem-order", choice)];
        let found = told(&Call::Mscatter(call), &[&m], A2a3, &choices);
        let slots: Vec<_> = found.split(' ').collect();
        // (1, 8) = 109 is the last one to row 1, column 0 either way.
        assert_eq!((slots[8], slots.len()), ("109", 256));
        assert_eq!(slots[137], expected, "{choice}");
        assert_eq!(slots.iter().filter(|s| **s != ".").count(), 2);
    }
}

#[test]
fn columns_beside_the_valid_ones() {
    // Rows 0 and 1, three columns, to rows 4 and 5: at 32 and 40, blocks at 160 and 168.
    let (call, m) = blocks(Row, [2, 3], &[4, 5]);
    let run = |choice| {
        let choices = [("nz-row-columns", choice)];
        let found = told(&Call::Mscatter(call), &[&m], A2a3, &choices);
        let slots: Vec<String> = found.split(' ').map(str::to_owned).collect();
        [32, 34, 35, 43, 160, 175].map(|at| slots[at].clone())
    };
    assert_eq!(run("kept"), ["1", "3", ".", ".", ".", "."]);
    assert_eq!(run("moved"), ["1", "3", "4", "104", "9", "116"]);
    assert_eq!(run("either"), ["1", "3", "0|4", "0|104", "0|9", "0|116"]);
}

#[test]
fn batches_lie_outside_of_blocks() {
    // Two batches of one block: columns 8 to 15 are the second batch, 300 on.
    let (mut call, m) = blocks(Row, [1, 16], &[2]);
    let dims = [[2, 1, 1, 16, 8], [300, 128, 128, 8, 1]];
    call.table = tensor(Int32, Layout::NZ, dims);
    let src = m.get(Role::Source).unwrap().body();
    let src: Vec<i64> = src.chunks(4).map(|b| i64::from(b[0])).collect();
    let operands = [
        (Role::Table, &[0; 428][..]),
        (Role::Source, &src),
        (Role::Index, &[2]),
    ];
    let m = memory(Int32, &operands);
    let found = told(&Call::Mscatter(call), &[&m], A2a3, &[]);
    let slots: Vec<_> = found.split(' ').collect();
    assert_eq!(
        [16, 23, 316, 323].map(|at| slots[at]),
        ["1", "8", "9", "16"]
    );
    assert_eq!(slots.iter().filter(|s| **s != ".").count(), 16);
}

#[test]
fn where_negative_rows_lie() {
    let signed = [("negative-index", "signed")];
    let (call, m) = blocks(Row, [1, 16], &[-1]);
    let found = told(&Call::Mscatter(call), &[&m], A2a3, &signed);
    assert_eq!(found, "where a negative row lies is not told");
    // Elements split into negative parts lie before the table.
    let (call, m) = blocks(Elem, [1, 1], &[-20]);
    let found = told(&Call::Mscatter(call), &[&m], A2a3, &signed);
    assert!(found.ends_with(". . !"), "{found}");
}

#[test]
fn indices_behind_a_table_that_folds() {
    // MSCATTER-GAP-86: four numbers, three slots.
    let mut call = elements(2);
    call.table = tensor(Int32, Layout::ND, [[1, 1, 1, 2, 2], [1, 1, 1, 1, 1]]);
    let m = counted(Int32, 3, &[3, 1]);
    let found = told(&Call::Mscatter(call), &[&m], A5, &[]);
    assert_eq!(found, ". 2 . !");
    let strided = [("padded-elem", "strided")];
    let found = told(&Call::Mscatter(call), &[&m], A2a3, &strided);
    assert_eq!(found, ". 2 1");
}
