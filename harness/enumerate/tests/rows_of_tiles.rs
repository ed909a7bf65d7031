//! TSCATTER by row: answers worked out by hand.

use crate::common::*;
use ptodiff_isa::*;

use DType::{Int8, Int16, Int32};
use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [Cpu, A2a3, A5];

fn by_row<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("tscatter-index", "row")], more].concat()
}

/// Elements 1, 2 and 3, 4 to `dst`.
fn scattered(dst: Tile, idx: [i64; 4], target: Target, choices: &[(&str, &str)]) -> String {
    let call = TscatterIndex {
        dst,
        src: tile(Int32, [2, 2], [2, 2]),
        idx: tile(Int32, [2, 2], [2, 2]),
    };
    let held = vec![9; (dst.rows * dst.cols) as usize];
    let m = tiles(Int32, [&held, &[1, 2, 3, 4], &idx]);
    let choices = by_row(choices);
    told(&Call::TscatterIndex(call), &[&m], target, &choices)
}

/// [3, 3] valid [2, 2].
fn square() -> Tile {
    tile(Int32, [3, 3], [2, 2])
}

#[test]
fn elements_keep_their_column() {
    for target in ALL {
        let run = |dst, idx| scattered(dst, idx, target, &[]);
        assert_eq!(run(square(), [2, 0, 0, 2]), "3 2 . . . . 1 4 .", "{target}");
        // Two elements in one row have two slots.
        assert_eq!(run(square(), [1, 1, 0, 0]), "3 4 . 1 2 . . . .", "{target}");
        let columns = col_major(Int32, [3, 3], [2, 2]);
        assert_eq!(run(columns, [2, 0, 0, 2]), "3 . 1 2 . 4 . . .", "{target}");
    }
    // As numbers of slots: 2, 0, 0 and 2.
    let flat = [("tscatter-index", "flat")];
    let found = scattered(square(), [2, 0, 0, 2], Cpu, &flat);
    assert_eq!(found, "3 . 4 . . . . . .");
}

#[test]
fn rows_and_columns_that_are_not_there() {
    let valid = [("tscatter-range", "valid")];
    for target in ALL {
        let run = |dst, idx, choices: &[_]| scattered(dst, idx, target, choices);
        // Row 2 is padding, row 3 is not there, nor is row 2^32 - 1.
        assert_eq!(run(square(), [2, 0, 0, 2], &valid), "undefined");
        let inside = "3 2 . 1 4 . . . .";
        assert_eq!(run(square(), [1, 0, 0, 1], &valid), inside);
        assert_eq!(run(square(), [3, 0, 0, 2], &[]), "undefined");
        assert_eq!(run(square(), [-1, 0, 0, 2], &[]), "undefined");
        // Column 1 is padding of one tile; another has one column. Slots 0 to 3 are there.
        let narrow = tile(Int32, [3, 3], [3, 1]);
        assert_eq!(run(narrow, [1, 0, 0, 1], &[]), inside);
        assert_eq!(run(narrow, [1, 0, 0, 1], &valid), "undefined");
        let column = tile(Int32, [6, 1], [6, 1]);
        assert_eq!(run(column, [1, 0, 0, 1], &[]), "undefined");
    }
}

#[test]
fn slots_of_no_element() {
    for target in ALL {
        let run = |choice| {
            let choices = [("tscatter-unaddressed", choice)];
            scattered(square(), [1, 0, 0, 1], target, &choices)
        };
        assert_eq!(run("kept"), "3 2 . 1 4 . . . .", "{target}");
        assert_eq!(run("zero"), "3 2 0 1 4 0 0 0 0", "{target}");
        assert_eq!(run("undefined"), "3 2 * 1 4 * * * *", "{target}");
    }
}

#[test]
fn two_elements_in_one_slot() {
    for target in ALL {
        for idx in [[1, 0, 1, 2], [0, 1, 2, 1]] {
            assert_eq!(
                scattered(square(), idx, target, &[]),
                "undefined",
                "{target}"
            );
        }
    }
}

#[test]
fn which_tile_tells_the_region() {
    // The second row of the indices is not valid: 3 and 4 stay.
    let call = TscatterIndex {
        dst: square(),
        src: tile(Int32, [2, 2], [2, 2]),
        idx: tile(Int32, [2, 2], [1, 2]),
    };
    let m = tiles(Int32, [&[9; 9], &[1, 2, 3, 4], &[2, 0, 77, 77]]);
    let choices = by_row(&[("tscatter-extent", "index")]);
    let found = told(&Call::TscatterIndex(call), &[&m], A5, &choices);
    assert_eq!(found, ". 2 . . . . 1 . .");
}

#[test]
fn a_negative_row_of_16_bits() {
    // -1 is row 65535, or none.
    let call = TscatterIndex {
        dst: tile(Int8, [65_536, 1], [1, 1]),
        src: tile(Int8, [1, 1], [1, 1]),
        idx: tile(Int16, [1, 1], [1, 1]),
    };
    let m = tiles(Int8, [&[9; 65_536], &[5], &[-1]]);
    for target in ALL {
        let run = |choice| {
            let choices = by_row(&[("negative-index", choice)]);
            told(&Call::TscatterIndex(call), &[&m], target, &choices)
        };
        assert!(run("unsigned").ends_with(" . 5"), "{target}");
        assert_eq!(run("signed"), "undefined", "{target}");
        assert_eq!(run("intended"), "undefined", "{target}");
    }
}
