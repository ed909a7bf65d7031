//! Answers worked out by hand, of what the tests of the contract hold against nothing:
//! steps that bring a part of the operands, slots that only a large tile tells apart, and
//! tables that they do not draw.

use crate::common::{scatters::*, *};
use ptodiff_enumerate::{Out, enumerate, world::build};
use ptodiff_isa::*;

use Coalesce::Elem;
use DType::{Int8, Int16, Int32};
use ScatterAtomicOp::Add;
use Target::{A2a3, A5, Cpu};

#[test]
fn chunks_follow_each_other() {
    let call = elements(2);
    let add = Mscatter {
        atomic: Add,
        ..call
    };
    let first = counted(Int32, 4, &[3, 1]);
    // The second chunk has no table of its own.
    let second = memory(Int32, &[(Role::Source, &[50, 60]), (Role::Index, &[3, 3])]);
    for (call, expected) in [(call, ". 2 . 50|60"), (add, ". 2 . 111")] {
        let found = told(&Call::Mscatter(call), &[&first, &second], A5, &[]);
        assert_eq!(found, expected);
    }
}

#[test]
fn steps_share_the_scratch() {
    // Of the second step nothing but tile and indices is there.
    let (table, dst) = (rows(Int32, 2, 3, 3), build::l1_tile(Int32, [16, 8], [2, 3]));
    let call = Call::MgatherL1(build::l1(dst, table, table, Elem));
    let first = [
        (Role::Destination, &[5; 128][..]),
        (Role::Index, &[0, 1, 2, 3, 4, 5]),
        (Role::Table, &[10, 11, 12, 13, 14, 15]),
        (Role::Scratch, &[7; 130]),
    ];
    let second = [
        (Role::Destination, &[6; 128][..]),
        (Role::Index, &[5, 4, 3, 2, 1, 0]),
    ];
    let steps = [memory(Int32, &first), memory(Int32, &second)];
    let only = with(&[("l1-scratch-zero", "zero-only")]);
    let out = enumerate(&call, &[&steps[0], &steps[1]], A2a3, &only);
    let Out::Of(r) = out else { panic!("{out:?}") };
    assert_eq!(text(&r.slots[..4]), "15 14 13 7");
    let scratch = r.scratch.expect("a scratch");
    assert_eq!(text(&scratch[..4]), "15 14 13 .");
}

#[test]
fn an_earlier_gather_counts_though_what_it_delivered_is_gone() {
    let data = tile(Int32, [1, 8], [1, 2]);
    let call = Call::Mgather(build::gather(data, rows(Int32, 1, 6, 6), data, Elem));
    let step = |idx: [i64; 8]| {
        let table = [10, 11, 12, 13, 14, 15];
        operands(LOADS, Int32, [&[5; 8], &table, &idx])
    };
    let [bad, good] = [[3, 6, 0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0, 0]].map(step);
    let found = told(&call, &[&bad, &good], A5, &[]);
    assert_eq!(found, "undefined: 14 10 . . . . . . !");
}

#[test]
fn negative_indices_of_16_bits() {
    // -32768 is slot 32768, or none; -1 is row 65535.
    for (choice, dst, index, held) in [
        ("flat", [1, 32_769], -32_768, 32_769),
        ("row", [65_536, 1], -1, 65_536),
    ] {
        let call = Call::TscatterIndex(TscatterIndex {
            dst: tile(Int8, dst, [1, 1]),
            src: tile(Int8, [1, 1], [1, 1]),
            idx: tile(Int16, [1, 2], [1, 1]),
        });
        let m = operands(TILES, Int8, [&vec![9; held], &[5], &[index]]);
        for target in [Cpu, A2a3, A5] {
            let run = |negative| {
                let choices = [
                    ("tscatter-negative-index", negative),
                    ("tscatter-index", choice),
                ];
                told(&call, &[&m], target, &choices)
            };
            assert!(run("unsigned").ends_with(" . 5"), "{target}");
            assert_eq!(run("signed"), "undefined", "{target}");
            assert_eq!(run("intended"), "undefined", "{target}");
        }
    }
}

#[test]
fn negative_indices_on_cpu() {
    // MSCATTER-GAP-01: of three slots, 2^32 - 1 wraps to the first and -1 to the last.
    use ScatterOob::{Clamp, Skip, Undefined, Wrap};
    let (table, m) = (rows(Int32, 1, 3, 3), counted(Int32, 3, &[-1, 1]));
    let before = ". 2 . !";
    for (negative, expected) in [
        ("unsigned", ["undefined", ". 2 .", ". 2 1", "1 2 ."]),
        ("signed", [before; 4]),
        ("intended", ["undefined", ". 2 .", "1 2 .", ". 2 1"]),
    ] {
        for (oob, expected) in [Undefined, Skip, Clamp, Wrap].into_iter().zip(expected) {
            let call = Call::Mscatter(Mscatter {
                table,
                oob,
                ..elements(2)
            });
            let run = |target, form| {
                let choices = [("negative-index", negative), ("cpu-form", form)];
                told(&call, &[&m], target, &choices)
            };
            assert_eq!(run(Cpu, "templated"), expected, "{negative} {oob}");
            assert_eq!(run(A2a3, "templated"), expected, "{negative} {oob}");
            // No policies, no bounds (MSCATTER-GAP-41).
            assert_eq!(run(Cpu, "documented"), "undefined", "{negative} {oob}");
        }
        // 001 Tile Constraints (CPU): a gather casts to uint32_t.
        let data = tile(Int32, [1, 1], [1, 1]);
        let call = Call::Mgather(Mgather {
            oob: GatherOob::Wrap,
            ..build::gather(data, table, data, Elem)
        });
        let m = operands(LOADS, Int32, [&[5], &[10, 11, 12], &[-1]]);
        let found = told(&call, &[&m], Cpu, &[("negative-index", negative)]);
        assert_eq!(found, "10", "{negative}");
    }
}

#[test]
fn rows_of_the_first_revision_beyond_a_table_that_goes_on() {
    // MSCATTER0-GAP-03: of three times two rows, row 3 is none of Shape[3].
    let mut table = rows(Int32, 2, 2, 2);
    table.shape[0] = Dim::Static(3);
    let call = Call::MscatterFirst(MscatterFirst {
        oob: ScatterOob::Clamp,
        ..build::first(
            table,
            tile(Int32, [2, 2], [2, 2]),
            tile(Int32, [2, 1], [2, 1]),
        )
    });
    let m = counted(Int32, 12, &[3, 0]);
    let run = |choice| told(&call, &[&m], A5, &[("first-row-capacity", choice)]);
    assert_eq!(run("rows"), "3 4 1 2 . . . . . . . .");
    assert_eq!(run("elements"), "undefined");
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

#[test]
fn an_element_before_a_table_of_blocks() {
    // Split into negative parts, -20 lies before the table.
    let (call, m) = blocks(Elem, [1, 1], &[-20]);
    let signed = [("negative-index", "signed")];
    let found = told(&Call::Mscatter(call), &[&m], A2a3, &signed);
    assert!(found.ends_with(". . !"), "{found}");
}
