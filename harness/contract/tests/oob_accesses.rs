//! Why an access outside the table is excused: a negative index, or strides by
//! which the table is smaller than its shape.

use crate::common::{calls::*, choices::with, said::*, *};
use ptodiff_contract::legality;
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::Int32;
use ScatterOob::{Clamp, Skip, Undefined};
use Target::{A2a3, A5, Cpu};

const NPUS: &[Target] = &[A2a3, A5];
const ALL: &[Target] = &[A2a3, A5, Cpu];

/// Shape<1,1,1,2,2>, rows one element apart: capacity 4, three elements.
fn fewer() -> GlobalTensor {
    strided(matrix(Int32, 2, 2), 3, 1)
}

/// int32 [1,8] valid [1,2], Elem.
fn two(table: GlobalTensor, oob: ScatterOob) -> Call {
    let data = tile(Int32, [1, 8], [1, 2]);
    Call::Mscatter(Mscatter {
        oob,
        ..scatter(table, data, data, Elem)
    })
}

/// Two lanes gathered from [`fewer`], to UB and to L1.
fn to_ub() -> Call {
    let data = tile(Int32, [1, 8], [1, 2]);
    Call::Mgather(gather(data, fewer(), data, Elem))
}

fn to_l1() -> MgatherL1 {
    let dst = l1_tile(Int32, [16, 8], [1, 2]);
    l1(dst, fewer(), matrix(Int32, 1, 2), Elem)
}

/// The first revision, whose tiles are full.
fn full_first() -> Call {
    let full = tile(Int32, [1, 8], [1, 8]);
    Call::MscatterFirst(first(fewer(), full, full))
}

/// What is said of a legal call whose data breaks nothing either; the table has as
/// many elements as its strides reach.
fn said(call: &Call, idx: &[i64], target: Target, readings: &Readings) -> Said {
    let image = vec![0; 512];
    let table = call.table().expect("a table");
    let m = memory(&[
        (Role::Table, &zeros(table)),
        (Role::Source, &image),
        (Role::Destination, &image),
        (Role::Index, &padded_index(idx)),
        (Role::Scratch, &image),
    ]);
    assert!(legality(call, target, readings).is_empty(), "{call:?}");
    let said = Said::of(call, &[&m], target, readings);
    assert_eq!(said.broken, []);
    said
}

#[test]
fn behind_a_table_of_fewer_elements() {
    let data = tile(Int32, [1, 8], [1, 2]);
    let without = MgatherL1 {
        scratch: None,
        ..to_l1()
    };
    // The case of one column, by elements on the CPU (MSCATTER-INDEX-07).
    let column = Mscatter {
        src: tile(Int32, [1, 8], [1, 1]),
        idx: tile(Int32, [1, 1], [1, 1]),
        ..scatter(fewer(), data, data, Row)
    };
    for (call, targets, gap) in [
        (two(fewer(), Undefined), ALL, "MSCATTER-GAP-86"),
        (Call::Mscatter(column), &[Cpu], "MSCATTER-GAP-86"),
        // Of strides by elements the first revision says nothing: document 000
        // holds (MSCATTER0-GAP-11).
        (full_first(), &[A5], "MSCATTER-GAP-86"),
        (to_ub(), ALL, "MGATHER-GAP-07"),
        (Call::MgatherL1(to_l1()), NPUS, "MGATHERL1-GAP-27"),
        // The CPU goes by its form to UB (MGATHERL1-GAP-14).
        (Call::MgatherL1(without), &[Cpu], "MGATHER-GAP-07"),
    ] {
        for &target in targets {
            let r = match (&call, target) {
                (Call::MgatherL1(_), Cpu) => suite(),
                _ => Readings::default(),
            };
            let found = said(&call, &[3, 1], target, &r);
            assert_eq!(found.excused(), Some(gap), "{target} {call:?}");
            // The last one that the table has.
            let inside = said(&call, &[2, 1], target, &r);
            assert_eq!(inside.excused(), None, "{target} {call:?}");
        }
    }
    // The register's numbers: slot 1 is written or read, 3 lies behind.
    for &target in ALL {
        let call = two(fewer(), Undefined);
        let found = said(&call, &[3, 1], target, &Readings::default());
        let expected = [Slot::Kept, Slot::word(0), Slot::Kept];
        assert_eq!(found.slots, expected);
        assert!(found.permits.operands[0].guards_free.is_some());
        let found = said(&to_ub(), &[3, 1], target, &Readings::default());
        let expected = [Slot::Anything, Slot::word(0), Slot::Kept];
        assert_eq!(found.slots[..3], expected);
        assert_eq!(found.cited()[0].0, "MGATHER-GAP-07");
    }
    // A CPU with A5's form.
    let templated = with(&[("cpu-form", "templated")]);
    let found = said(&two(fewer(), Undefined), &[3, 1], Cpu, &templated);
    assert_eq!(found.excused(), Some("MSCATTER-GAP-86"));
}

#[test]
fn before_the_table() {
    // MSCATTER-GAP-01 (b): -1 is below capacity, whatever the strides, so under
    // Undefined too, where MSCATTER-OOB-03 is about indices at or above capacity.
    let signed = with(&[("negative-index", "signed")]);
    let full = tile(Int32, [1, 8], [1, 8]);
    let row = |table, src, oob| {
        Call::Mscatter(Mscatter {
            oob,
            ..scatter(table, src, tile(Int32, [1, 8], [1, 1]), Row)
        })
    };
    let nz = packed(Int32, [1, 1, 1, 16, 8], Layout::NZ);
    let block = nz_tile(Int32, [16, 8], [1, 8]);
    let mut calls = vec![
        (two(fewer(), Undefined), NPUS, "MSCATTER-GAP-01"),
        (two(fewer(), Skip), NPUS, "MSCATTER-GAP-01"),
        (two(matrix(Int32, 2, 2), Clamp), NPUS, "MSCATTER-GAP-01"),
        (full_first(), &[A5], "MSCATTER0-GAP-05"),
        (to_ub(), NPUS, "MGATHER-GAP-02"),
        (Call::MgatherL1(to_l1()), NPUS, "MGATHERL1-GAP-04"),
    ];
    for oob in [Undefined, Skip, Clamp] {
        calls.push((row(matrix(Int32, 2, 8), full, oob), NPUS, "MSCATTER-GAP-01"));
        // A row before an NZ table spoils all of it.
        calls.push((row(nz, block, oob), &[A2a3], "MSCATTER-GAP-01"));
        let found = said(&row(nz, block, oob), &[-1], A2a3, &signed);
        assert!(found.all_open());
    }
    for (call, targets, gap) in calls {
        for &target in targets {
            let found = said(&call, &[-1, 1], target, &signed);
            assert_eq!(found.excused(), Some(gap), "{target} {call:?}");
        }
    }
}
