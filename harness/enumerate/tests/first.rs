//! MSCATTER, first revision: answers worked out by hand.

use crate::common::{scatters::*, *};
use ptodiff_isa::*;

use DType::Int32;
use ScatterAtomicOp::Add;
use Target::{A2a3, A5};

/// The first revision: [2, 2] to a table of 2 x 2, by row or by element.
fn first(by_row: bool) -> MscatterFirst {
    let width = if by_row { 1 } else { 2 };
    MscatterFirst {
        table: rows(Int32, 2, 2, 2),
        src: tile(Int32, [2, 2], [2, 2]),
        idx: tile(Int32, [2, width], [2, width]),
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Clamp,
        launch: Launch::default(),
    }
}

#[test]
fn the_first_revision() {
    let run = |call: &MscatterFirst, idx: &[i64], choices: &[(&str, &str)]| {
        let m = counted(Int32, 4, idx);
        told(&Call::MscatterFirst(*call), &[&m], A5, choices)
    };
    let (by_row, by_element) = (first(true), first(false));
    let last = [("first-conflict", "last")];
    assert_eq!(run(&by_row, &[1, 1], &[]), ". . 1|3 2|4");
    assert_eq!(run(&by_row, &[1, 1], &last), ". . 3 4");
    assert_eq!(run(&by_element, &[0, 3, 3, 3], &[]), "1 . . 2|3|4");
    assert_eq!(run(&by_element, &[0, 3, 3, 3], &last), "1 . . 4");
    // MSCATTER0-GAP-03: row 9 is row 1 of two, or row 3, behind the table.
    assert_eq!(run(&by_row, &[9, 0], &[]), "3 4 1 2");
    let elements = [("first-row-capacity", "elements")];
    assert_eq!(run(&by_row, &[9, 0], &elements), "undefined");
    // Also where the memory goes on: row 3 is none of Shape[3] rows.
    let mut batches = by_row;
    batches.table.shape[0] = Dim::Static(3);
    let m = counted(Int32, 12, &[3, 0]);
    let found = told(&Call::MscatterFirst(batches), &[&m], A5, &elements);
    assert_eq!(found, "undefined");
    // This revision counts elements under either reading (MSCATTER-GAP-87).
    let unit = [("index-unit", "byte")];
    assert_eq!(run(&by_element, &[0, 3, 3, 3], &unit), "1 . . 2|3|4");
    let add = MscatterFirst {
        atomic: Add,
        ..by_row
    };
    assert_eq!(run(&add, &[1, 1], &last), ". . 4 6");
    // One column each: a row, or an element.
    let column = MscatterFirst {
        table: rows(Int32, 4, 1, 1),
        src: tile(Int32, [2, 1], [2, 1]),
        ..by_row
    };
    for mode in ["row", "elem"] {
        assert_eq!(run(&column, &[3, 1], &[("first-mode", mode)]), ". 2 . 1");
    }
    let m = counted(Int32, 4, &[0, 1]);
    let found = told(&Call::MscatterFirst(by_row), &[&m], A2a3, &[]);
    assert_eq!(found, "the first revision is A5's alone");
}
