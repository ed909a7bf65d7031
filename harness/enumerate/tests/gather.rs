//! MGATHER to UB: answers worked out by hand.

use crate::common::*;
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::Int32;
use Target::{A2a3, A5, Cpu};

/// [2, 8] valid [2, 2] from a table of three rows of two, Row.
fn two_rows(oob: GatherOob) -> Mgather {
    Mgather {
        dst: tile(Int32, [2, 8], [2, 2]),
        table: rows(Int32, 3, 2, 2),
        idx: tile(Int32, [1, 8], [1, 2]),
        mode: Row,
        oob,
        launch: Launch::default(),
    }
}

/// Elements 10, 11, 12 and so on in the table, 5 in the destination.
fn counted(held: usize, tile: usize, idx: &[i64]) -> Memory {
    let mut all = idx.to_vec();
    all.resize(tile.max(8), 77);
    let table: Vec<_> = (10..10 + held as i64).collect();
    loads(Int32, [&vec![5; tile], &table, &all])
}

fn gathered(call: &Mgather, idx: &[i64], target: Target, choices: &[(&str, &str)]) -> String {
    let m = counted(6, 16, idx);
    told(&Call::Mgather(*call), &[&m], target, choices)
}

#[test]
fn rows_and_their_padding() {
    // Rows 2 and 0; the rest of their 32 bytes is open on A2/A3.
    let call = two_rows(GatherOob::Undefined);
    let kept = "14 15 . . . . . . 10 11 . . . . . .";
    let tail = "14 15 * * * * * * 10 11 * * * * * *";
    for (target, padding, expected) in [
        (Cpu, "burst-tail", kept),
        (A2a3, "burst-tail", tail),
        (A5, "burst-tail", kept),
        (A2a3, "kept", kept),
        (A2a3, "undefined", tail),
        (Cpu, "undefined", tail),
    ] {
        let choices = [("gather-padding", padding)];
        assert_eq!(
            gathered(&call, &[2, 0], target, &choices),
            expected,
            "{target} {padding}"
        );
    }
    // Of a wider tile only the last 32 bytes that a burst fills.
    let wide = Mgather {
        dst: tile(Int32, [1, 16], [1, 2]),
        idx: tile(Int32, [1, 8], [1, 1]),
        ..call
    };
    let expected = "14 15 * * * * * * . . . . . . . .";
    assert_eq!(gathered(&wide, &[2], A2a3, &[]), expected);
    // Elements have no bursts.
    let elements = Mgather {
        idx: tile(Int32, [2, 8], [2, 2]),
        mode: Elem,
        ..call
    };
    let idx = [5, 0, 77, 77, 77, 77, 77, 77, 3, 3];
    let expected = "15 10 . . . . . . 13 13 . . . . . .";
    for target in [Cpu, A2a3, A5] {
        assert_eq!(gathered(&elements, &idx, target, &[]), expected);
    }
}

#[test]
fn policies_and_negative_indices() {
    // Row 9 of three, and row -1.
    for (oob, beyond, unsigned, intended) in [
        (GatherOob::Clamp, "14 15", "14 15", "10 11"),
        (GatherOob::Wrap, "10 11", "10 11", "14 15"),
        (GatherOob::Zero, "0 0", "0 0", "0 0"),
    ] {
        for (target, choice, row, outside) in [
            (A5, "unsigned", unsigned, ""),
            (A5, "signed", "* *", " !"),
            (A5, "intended", intended, ""),
            (Cpu, "signed", unsigned, ""),
            (Cpu, "intended", unsigned, ""),
        ] {
            let choices = [("negative-index", choice)];
            let found = gathered(&two_rows(oob), &[9, -1], target, &choices);
            let expected = format!("{beyond} . . . . . . {row} . . . . . .{outside}");
            assert_eq!(found, expected, "{oob} {choice}");
        }
    }
}

#[test]
fn an_index_that_nothing_takes_care_of() {
    let call = two_rows(GatherOob::Undefined);
    let left = "* * . . . . . . 10 11 . . . . . . !";
    assert_eq!(
        gathered(&call, &[3, 0], A5, &[]),
        format!("undefined: {left}")
    );
    let slots = [("undefined-gather", "slots")];
    assert_eq!(gathered(&call, &[3, 0], A5, &slots), left);
    // An earlier call counts too, though what it delivered is gone.
    let [bad, good] = [[3, 0], [0, 0]].map(|idx| counted(6, 16, &idx));
    let found = told(&Call::Mgather(call), &[&bad, &good], A5, &[]);
    assert!(
        found.starts_with("undefined: 10 11 .") && found.ends_with('!'),
        "{found}"
    );
}

#[test]
fn zeroes_of_rows() {
    let call = two_rows(GatherOob::Zero);
    for (fill, expected) in [
        ("inline", "0 0 . . . . . . 10 11 * * * * * *"),
        ("whole-tile", "0 0 0 0 0 0 0 0 10 11 * * * * * *"),
    ] {
        let choices = [("nd-zero-fill", fill)];
        assert_eq!(gathered(&call, &[7, 0], A2a3, &choices), expected, "{fill}");
        let expected = "0 0 . . . . . . 10 11 . . . . . .";
        assert_eq!(gathered(&call, &[7, 0], A5, &choices), expected);
    }
    // Without columns not even a fill happens.
    let mut empty = call;
    empty.dst.valid_col = Dim::Dynamic(0);
    let choices = [
        ("nd-zero-fill", "whole-tile"),
        ("gather-padding", "undefined"),
    ];
    assert_eq!(
        gathered(&empty, &[0, 0], A2a3, &choices),
        [". "; 16].concat().trim()
    );
}

#[test]
fn rows_that_stand_apart() {
    // Rows of two, three apart; on A5 they are two apart whatever the table says.
    let call = Mgather {
        table: rows(Int32, 3, 2, 3),
        ..two_rows(GatherOob::Undefined)
    };
    let run = |target, choices| {
        let m = counted(8, 16, &[2, 1]);
        told(&Call::Mgather(call), &[&m], target, choices)
    };
    let three = "16 17 . . . . . . 13 14 . . . . . .";
    let two = "14 15 . . . . . . 12 13 . . . . . .";
    assert_eq!(run(A2a3, &[("gather-padding", "kept")]), three);
    assert_eq!(run(A5, &[("row-pitch", "valid-cols")]), two);
    assert_eq!(run(Cpu, &[("cpu-padded-table", "strided")]), three);
    // A row that is not all there spoils all that it feeds.
    let short = counted(7, 16, &[2, 1]);
    let kept = [("gather-padding", "kept")];
    let found = told(&Call::Mgather(call), &[&short], A2a3, &kept);
    assert_eq!(found, "undefined: * * . . . . . . 13 14 . . . . . . !");
}

#[test]
fn blocks() {
    // Row 1 of an NZ table, which holds 10 + its own offset, to row 0; three columns are valid.
    let call = |oob| Mgather {
        dst: nz_tile(Int32, [16, 8], [1, 3]),
        table: tensor(Int32, Layout::NZ, [[1, 1, 1, 16, 8], [128, 128, 128, 8, 1]]),
        idx: tile(Int32, [1, 1], [1, 1]),
        ..two_rows(oob)
    };
    let run = |oob, choices: &[(&str, &str)]| {
        let m = counted(128, 128, &[1]);
        let found = told(&Call::Mgather(call(oob)), &[&m], A2a3, choices);
        let slots: Vec<_> = found.split(' ').map(str::to_owned).collect();
        [0, 2, 3, 8].map(|at| slots[at].clone())
    };
    let columns = |choice| [("nz-row-columns", choice)];
    use GatherOob::{Clamp, Zero};
    assert_eq!(run(Clamp, &columns("either")), ["18", "20", "5|21", "."]);
    assert_eq!(run(Clamp, &columns("moved")), ["18", "20", "21", "."]);
    assert_eq!(run(Clamp, &columns("kept")), ["18", "20", ".", "."]);
    assert_eq!(run(Zero, &columns("either")), ["18", "20", "0|21", "0"]);
    assert_eq!(run(Zero, &columns("kept")), ["18", "20", "0", "0"]);
    let torn = [("nz-row-columns", "kept"), ("gather-padding", "undefined")];
    let m = counted(128, 128, &[1]);
    let found = told(&Call::Mgather(call(Clamp)), &[&m], A2a3, &torn);
    assert_eq!(found, "two readings speak of the same columns");
}

#[test]
fn what_is_not_looked_into() {
    let mut direct = two_rows(GatherOob::Zero);
    direct.launch.dispatch = Dispatch::Direct;
    assert_eq!(
        gathered(&direct, &[0, 0], A5, &[]),
        "a direct call may never return"
    );
    let short = counted(6, 12, &[0, 0]);
    let call = Call::Mgather(two_rows(GatherOob::Zero));
    assert_eq!(told(&call, &[&short], A5, &[]), "an operand is too short");
}
