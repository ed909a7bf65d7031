//! MGATHER to L1: answers worked out by hand.

use crate::common::*;
use ptodiff_enumerate::{Out, enumerate};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::Int32;
use GatherExec::{Scalar, Simt};
use GatherOob::{Clamp, Wrap, Zero};
use Target::{A2a3, A5, Cpu};

/// int32 Mat [16, 8] valid [2, 3].
fn to_l1(mode: Coalesce, oob: GatherOob) -> MgatherL1 {
    let staged = rows(Int32, 1, 130, 130);
    let dst = Tile {
        location: TileType::Mat,
        ..nz_tile(Int32, [16, 8], [2, 3])
    };
    MgatherL1 {
        dst,
        table: rows(Int32, 2, 3, 3),
        idx: rows(Int32, 2, 3, 3),
        scratch: (mode == Elem).then_some(staged),
        mode,
        oob,
        exec: Scalar,
        launch: Launch::default(),
    }
}

/// Slots 0, 2, 3, 8, 10 and 127 of the tile, then of the scratch, and slot 128 of that.
fn in_l1(
    call: &MgatherL1,
    idx: &[i64],
    target: Target,
    choices: &[(&str, &str)],
) -> [Vec<String>; 2] {
    let table: Vec<_> = (10..16).collect();
    let m = memory(
        Int32,
        &[
            (Role::Destination, &[5; 128]),
            (Role::Table, &table),
            (Role::Index, idx),
            (Role::Scratch, &[7; 130]),
        ],
    );
    let out = enumerate(&Call::MgatherL1(*call), &[&m], target, &with(choices));
    let Out::Of(r) = out else { panic!("{out:?}") };
    assert!(!r.outside);
    let of = |slots: &[_], at: &[usize]| at.iter().map(|&at| text(&slots[at..=at])).collect();
    let some = [0, 2, 3, 8, 10, 127, 128];
    let scratch = r.scratch.map_or(Vec::new(), |slots| of(&slots, &some));
    [of(&r.slots, &some[..6]), scratch]
}

#[test]
fn rows_to_l1() {
    let call = to_l1(Row, Clamp);
    for (padding, tail, rest) in [
        ("tail-zero", "0", "."),
        ("kept", ".", "."),
        ("undefined", "*", "*"),
    ] {
        let choices = [("l1-row-padding", padding)];
        let [tile, scratch] = in_l1(&call, &[1, 0], A2a3, &choices);
        assert_eq!(tile, ["13", "15", tail, "10", "12", rest], "{padding}");
        assert!(scratch.is_empty());
    }
    let zero = to_l1(Row, Zero);
    let [tile, _] = in_l1(&zero, &[9, 0], A5, &[("l1-row-padding", "kept")]);
    assert_eq!(tile, ["0", "0", "0", "10", "12", "0"]);
    let suite = [("scope", "as-the-suite")];
    let [tile, _] = in_l1(&call, &[1, 0], Cpu, &suite);
    assert_eq!(tile, ["13", "15", ".", "10", "12", "."]);
}

#[test]
fn elements_to_l1() {
    let idx = [5, 4, 3, 2, 1, 9];
    for (oob, exec, choice, target, last, padding) in [
        (Clamp, Scalar, "always", A2a3, "15", "0"),
        (Clamp, Scalar, "zero-only", A2a3, "15", "7"),
        (Clamp, Simt, "zero-only", A5, "15", "0"),
        (Zero, Scalar, "zero-only", A5, "0", "0"),
        (Wrap, Scalar, "always", A5, "13", "0"),
    ] {
        let call = MgatherL1 {
            exec,
            ..to_l1(Elem, oob)
        };
        let [tile, scratch] = in_l1(&call, &idx, target, &[("l1-scratch-zero", choice)]);
        assert_eq!(
            tile,
            ["15", "13", padding, "12", last, padding],
            "{oob} {exec} {choice}"
        );
        assert_eq!(scratch[..2], tile[..2]);
        // What follows the image is kept.
        assert_eq!(scratch[6], ".");
    }
    let call = to_l1(Elem, Clamp);
    let [tile, scratch] = in_l1(&call, &idx, Cpu, &[("scope", "as-the-suite")]);
    assert_eq!(tile, ["15", "13", ".", "12", "15", "."]);
    assert_eq!(scratch, ["*"; 7]);
}

#[test]
fn steps_share_the_scratch() {
    // Of the second step nothing but tile and indices is there.
    let call = to_l1(Elem, Clamp);
    let table: Vec<_> = (10..16).collect();
    let first = [
        (Role::Destination, &[5; 128][..]),
        (Role::Index, &[0, 1, 2, 3, 4, 5]),
        (Role::Table, &table),
        (Role::Scratch, &[7; 130]),
    ];
    let second = [
        (Role::Destination, &[6; 128][..]),
        (Role::Index, &[5, 4, 3, 2, 1, 0]),
    ];
    let steps = [memory(Int32, &first), memory(Int32, &second)];
    let only = with(&[("l1-scratch-zero", "zero-only")]);
    let out = enumerate(&Call::MgatherL1(call), &[&steps[0], &steps[1]], A2a3, &only);
    let Out::Of(r) = out else { panic!("{out:?}") };
    assert_eq!(text(&r.slots[..4]), "15 14 13 7");
    assert_eq!(
        r.scratch.map(|s| text(&s[..4])),
        Some("15 14 13 .".to_owned())
    );
}

#[test]
fn indices_of_a_tensor() {
    // Two rows of indices, five apart.
    let mut call = to_l1(Elem, Zero);
    call.idx = rows(Int32, 2, 3, 5);
    let idx = [0, 1, 2, 9, 9, 3, 4, 5];
    let [linear, _] = in_l1(&call, &idx, A5, &[]);
    assert_eq!(linear, ["10", "12", "0", "0", "13", "0"]);
    let [strided, _] = in_l1(&call, &idx, A5, &[("l1-index-pitch", "strided")]);
    assert_eq!(strided, ["10", "12", "0", "13", "15", "0"]);
}

#[test]
fn what_is_not_looked_into() {
    let mut call = to_l1(Elem, Zero);
    assert_eq!(
        told(&Call::MgatherL1(call), &[], Cpu, &[]),
        "CPU has no gather to L1"
    );
    call.exec = Simt;
    call.launch.dispatch = Dispatch::Direct;
    assert_eq!(
        told(&Call::MgatherL1(call), &[], A5, &[]),
        "a direct call may never return"
    );
    assert_eq!(
        told(&Call::MgatherL1(call), &[], A2a3, &[]),
        "there is no step"
    );
}
