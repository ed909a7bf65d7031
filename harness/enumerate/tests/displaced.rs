//! Indices that are displacements in bytes: answers worked out by hand.

use crate::common::{scatters::*, *};
use ptodiff_enumerate::{Out, enumerate, world::build};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int8, Int16, Int32, Uint8, Uint32};
use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [Cpu, A2a3, A5];

/// `index-unit=byte` on targets that have every form, and these choices.
fn bytes<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let all = [
        ("index-unit", "byte"),
        ("cpu-form", "templated"),
        ("scope", "as-the-suite"),
    ];
    [&all, more].concat()
}

/// Elements 1, 2, 3 of a row to a table of `slots`, by their displacements.
fn stored(
    [data, index]: [DType; 2],
    slots: u64,
    oob: ScatterOob,
    idx: &[i64],
    target: Target,
    choices: &[(&str, &str)],
) -> String {
    let lanes = [1, idx.len() as u64];
    let call = Mscatter {
        table: rows(data, 1, slots, slots),
        src: tile(data, [1, 32], lanes),
        idx: tile(index, [1, 8], lanes),
        oob,
        conflict: ScatterConflict::Last,
        ..elements(1)
    };
    let m = counted(data, slots as usize, idx);
    told(&Call::Mscatter(call), &[&m], target, &bytes(choices))
}

/// The first three elements of a tile, after a gather from a table of 10 to 15
/// to UB and after one to L1.
fn loaded(
    [data, index]: [DType; 2],
    oob: GatherOob,
    idx: &[i64; 3],
    target: Target,
    choices: &[(&str, &str)],
) -> [String; 2] {
    let wide = 32 / data.size() as u64;
    let table = rows(data, 1, 6, 6);
    let ub = Mgather {
        oob,
        ..build::gather(
            tile(data, [1, wide], [1, 3]),
            table,
            tile(index, [1, 8], [1, 3]),
            Elem,
        )
    };
    let in_l1 = build::l1_tile(data, [16, wide], [1, 3]);
    let l1 = MgatherL1 {
        oob,
        ..build::l1(in_l1, table, rows(index, 1, 3, 3), Elem)
    };
    let m = memory(
        data,
        &[
            (Role::Destination, &[5; 512]),
            (Role::Table, &[10, 11, 12, 13, 14, 15]),
            (Role::Index, idx),
            (Role::Scratch, &[7; 512]),
        ],
    );
    let readings = with(&bytes(choices));
    [Call::Mgather(ub), Call::MgatherL1(l1)].map(|call| {
        match enumerate(&call, &[&m], target, &readings) {
            Out::Of(r) if r.outside => text(&r.slots[..3]) + " !",
            Out::Of(r) => text(&r.slots[..3]),
            Out::Undefined(r) => format!("undefined {}", r.is_some()),
            other => panic!("{other:?}"),
        }
    })
}

#[test]
fn displacements_of_every_size() {
    for index in [Int32, Uint32] {
        for target in ALL {
            for (data, step) in [
                (Int8, 1),
                (Uint8, 1),
                (Int16, 2),
                (Half, 2),
                (Int32, 4),
                (Float, 4),
            ] {
                let types = [data, index];
                let there = [3 * step, step];
                let found = stored(types, 4, ScatterOob::Skip, &there, target, &[]);
                assert_eq!(found, ". 2 . 1", "{data} {index} {target}");
                // Slots have numbers all the same: slot 4 is the first beyond.
                let there = [3 * step, 4 * step];
                let found = stored(types, 4, ScatterOob::Clamp, &there, target, &[]);
                assert_eq!(found, ". . . 2", "{data} {index} {target}");
                let back = [5 * step, 0, 3 * step];
                let found = loaded(types, GatherOob::Zero, &back, target, &[]);
                assert_eq!(found, ["15 10 13"; 2], "{data} {index} {target}");
            }
        }
    }
    // Of numbers 6 is beyond the table.
    let numbers = [("index-unit", "element")];
    let types = [Int16, Int32];
    let found = stored(types, 4, ScatterOob::Skip, &[6, 2], A5, &numbers);
    assert_eq!(found, ". . 2 .");
}

/// What a negative displacement is taken for, and which of three answers that gives:
/// as unsigned, literally, as intended. Of an unsigned type and on CPU, which
/// converts, no reading makes a difference.
const WAYS: [(&str, DType, Target, usize); 7] = [
    ("unsigned", Int32, A2a3, 0),
    ("signed", Int32, A2a3, 1),
    ("intended", Int32, A2a3, 2),
    ("signed", Int32, A5, 1),
    ("signed", Uint32, A5, 0),
    ("intended", Uint32, A2a3, 0),
    ("signed", Int32, Cpu, 0),
];

#[test]
fn displaced_beyond_and_before_a_table_that_is_written() {
    // Slot 5 of four from element 1, and what stands before slot 0 from element 2.
    for (oob, unsigned, signed, intended) in [
        (ScatterOob::Skip, ". . . .", ". . . . !", ". . . ."),
        (ScatterOob::Clamp, ". . . 2", ". . . 1 !", "2 . . 1"),
        (ScatterOob::Wrap, ". 1 . 2", ". 1 . . !", ". 1 . 2"),
        (ScatterOob::Undefined, "undefined", "undefined", "undefined"),
    ] {
        for (choice, index, target, expected) in WAYS {
            let expected = [unsigned, signed, intended][expected];
            let choices = [("negative-index", choice)];
            let found = stored([Int16, index], 4, oob, &[10, -2], target, &choices);
            assert_eq!(found, expected, "{index} on {target} {oob} {choice}");
        }
    }
    // -2 bytes are element -1, and 2^32 - 1 is a multiple of three; an unsigned
    // 2^32 - 2 bytes would be element 2^31 - 1, which wraps to the second of three.
    for index in [Int32, Uint32] {
        for target in ALL {
            let found = stored([Int16, index], 3, ScatterOob::Wrap, &[-2], target, &[]);
            assert_eq!(found, "1 . .", "{index} {target}");
        }
    }
    // The least of all displacements: -2^30 elements of 4 bytes, even slots of two.
    let least = [i64::from(i32::MIN)];
    let found = stored([Int32, Uint32], 2, ScatterOob::Wrap, &least, A5, &[]);
    assert_eq!(found, "1 .");
}

#[test]
fn displaced_beyond_and_before_a_table_that_is_read() {
    // Slot 7 of six, what stands before slot 0, and slot 2. 2^32 - 1 is 3 of six.
    for (oob, unsigned, signed, intended) in [
        (GatherOob::Clamp, "15 15 12", "15 * 12 !", "15 10 12"),
        (GatherOob::Wrap, "11 13 12", "11 * 12 !", "11 15 12"),
        (GatherOob::Zero, "0 0 12", "0 * 12 !", "0 0 12"),
    ] {
        for (choice, index, target, expected) in WAYS {
            let expected = [unsigned, signed, intended][expected];
            let choices = [("negative-index", choice)];
            let found = loaded([Int16, index], oob, &[14, -2, 4], target, &choices);
            assert_eq!(found, [expected; 2], "{index} on {target} {oob} {choice}");
        }
    }
    let types = [Int16, Int32];
    let found = loaded(types, GatherOob::Undefined, &[14, 0, 4], A5, &[]);
    assert_eq!(found, ["undefined true"; 2]);
    // Taken literally, -1 is below capacity.
    let signed = [("negative-index", "signed")];
    let found = loaded(types, GatherOob::Undefined, &[0, -2, 4], A5, &signed);
    assert_eq!(found, ["10 * 12 !"; 2]);
}

#[test]
fn displacements_between_elements() {
    for (data, torn) in [
        (Int16, &[1, -1, 7][..]),
        (Int32, &[1, 2, 3, -1, -2, 18, 63]),
    ] {
        for &byte in torn {
            for index in [Int32, Uint32] {
                for target in ALL {
                    let types = [data, index];
                    let found = stored(types, 4, ScatterOob::Skip, &[0, byte], target, &[]);
                    assert_eq!(found, "undefined", "{data} {byte} {target}");
                    let found = loaded(types, GatherOob::Zero, &[0, byte, 0], target, &[]);
                    assert_eq!(found, ["undefined false"; 2], "{data} {byte} {target}");
                }
            }
        }
    }
    // No index without owner, but no index either.
    let dropped = [("undefined-last", "dropped")];
    let types = [Int32, Int32];
    let found = stored(types, 4, ScatterOob::Undefined, &[0, 2], A5, &dropped);
    assert_eq!(found, "undefined");
}

#[test]
fn rows_have_numbers_all_the_same() {
    // One step would be rows 2 and 0 of four bytes each.
    for target in ALL {
        let found = scattered(&two_rows(), &[2, 0], target, &bytes(&[]));
        assert_eq!(found, "9 10 . . 1 2", "{target}");
    }
    let table = rows(Int32, 3, 2, 2);
    let ub = build::gather(
        tile(Int32, [2, 8], [2, 2]),
        table,
        tile(Int32, [1, 8], [1, 2]),
        Row,
    );
    let in_l1 = build::l1_tile(Int32, [16, 8], [2, 2]);
    let l1 = build::l1(in_l1, table, rows(Int32, 1, 2, 2), Row);
    let m = loads(Int32, [&[5; 128], &[10, 11, 12, 13, 14, 15], &[2, 1]]);
    for call in [Call::Mgather(ub), Call::MgatherL1(l1)] {
        for target in ALL {
            let Out::Of(r) = enumerate(&call, &[&m], target, &with(&bytes(&[]))) else {
                panic!("{target}")
            };
            assert_eq!(text(&r.slots[..2]), "14 15", "{target}");
            assert_eq!(text(&r.slots[8..10]), "12 13", "{target}");
        }
    }
}

#[test]
fn the_documented_cpu_takes_every_call_for_elements() {
    let call = Mscatter {
        src: tile(Int32, [2, 8], [2, 1]),
        idx: tile(Int32, [2, 1], [2, 1]),
        ..two_rows()
    };
    let unit = [("index-unit", "byte")];
    assert_eq!(scattered(&call, &[20, 0], Cpu, &unit), "9 . . . . 1");
    assert_eq!(scattered(&call, &[5, 0], Cpu, &unit), "undefined");
    assert_eq!(scattered(&call, &[24, 0], Cpu, &unit), "undefined");
}

#[test]
fn elements_of_blocks() {
    // Element 17 of NZ is (1, 1): two blocks of eight make a row of sixteen.
    let unit = [("index-unit", "byte")];
    let (call, m) = blocks(Elem, [1, 1], &[68]);
    let found = told(&Call::Mscatter(call), &[&m], A2a3, &unit);
    let slots: Vec<_> = found.split(' ').collect();
    assert_eq!(slots.iter().position(|&slot| slot == "1"), Some(9));
}
