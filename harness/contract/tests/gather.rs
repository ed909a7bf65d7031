//! MGATHER: what is said beside the values of slots, which the enumeration finds.

use crate::common::{said::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32};
use GatherOob::{Clamp, Undefined, Zero};
use Target::{A2a3, A5, Cpu};

/// float [rows, 8] from a table of four rows, Row.
fn rows(rows: u64) -> Mgather {
    gather(
        tile(Float, [rows, 8], [rows, 8]),
        matrix(Float, 4, 8),
        tile(Int32, [1, 8], [1, rows]),
        Row,
    )
}

#[test]
fn negative_indices() {
    // MGATHER-OOB-10 and MGATHER-GAP-02: ten elements, index -1.
    let call = Mgather {
        oob: Clamp,
        ..gather(
            tile(Float, [1, 8], [1, 3]),
            matrix(Float, 1, 10),
            tile(Int32, [1, 8], [1, 3]),
            Elem,
        )
    };
    let [cpu, npu] = ["MGATHER-OOB-10", "MGATHER-GAP-02"];
    for (target, choice, clause, freedom, excused) in [
        (Cpu, "unsigned", cpu, None, None),
        (Cpu, "signed", cpu, Some(cpu), None),
        (A5, "unsigned", npu, None, None),
        (A2a3, "intended", npu, Some(npu), None),
        (A5, "signed", npu, Some(npu), Some(npu)),
    ] {
        let choices = [("negative-index", choice)];
        for oob in [Clamp, Zero] {
            let call = Mgather { oob, ..call };
            let said = from(&call, &[7; 40], &[-1, 0, 1], target, &choices);
            assert_eq!(said.cited()[0], (clause, freedom), "{target} {choice}");
            assert_eq!(said.excused(), excused, "{target} {choice}");
        }
    }
}

#[test]
fn padding_that_zero_clears() {
    // MGATHER-GAP-19: valid [2,3] in [3,16]; nobody else clears what is not valid.
    let idx = tile(Int32, [1, 8], [1, 2]);
    let dst = tile(Int32, [3, 16], [2, 3]);
    let nd = gather(dst, matrix(Int32, 2, 3), idx, Row);
    for (target, oob, fill, clears) in [
        (A2a3, Zero, "inline", false),
        (A2a3, Zero, "whole-tile", true),
        (A2a3, Clamp, "whole-tile", false),
        (A5, Zero, "whole-tile", false),
        (Cpu, Zero, "whole-tile", false),
    ] {
        let call = Mgather { oob, ..nd };
        let said = from(&call, &[7; 24], &[1, 0], target, &[("nd-zero-fill", fill)]);
        let gap = "MGATHER-GAP-19";
        let cited = said.cited().contains(&(gap, Some(gap)));
        assert_eq!(cited, clears, "{target} {oob} {fill}");
    }
    // MGATHER-OOB-13 clears an NZ tile, MGATHER-GAP-57 brings columns from 20 on.
    let nz = |oob| Mgather {
        oob,
        ..gather(
            nz_tile(Half, [32, 32], [2, 20]),
            packed(Half, [1, 2, 2, 16, 16], Layout::NZ),
            idx,
            Row,
        )
    };
    let gap = "MGATHER-GAP-57";
    for (oob, choice, brought) in [
        (Zero, "either", Some((gap, Some(gap)))),
        (Undefined, "moved", Some((gap, None))),
        (Undefined, "kept", None),
    ] {
        let choices = [("nz-row-columns", choice)];
        let cited = from(&nz(oob), &[7; 2048], &[17, 3], A2a3, &choices).cited();
        let mut found = cited.iter().filter(|(by, _)| *by == gap);
        assert_eq!(found.next().copied(), brought, "{choice}");
        assert_eq!(cited.contains(&("MGATHER-OOB-13", None)), oob == Zero);
    }
}

#[test]
fn padding_that_may_change() {
    // MGATHER-GAP-18, of rows of three columns in eight.
    let call = Mgather {
        dst: tile(Float, [2, 8], [2, 3]),
        table: matrix(Float, 4, 3),
        ..rows(2)
    };
    let gap = "MGATHER-GAP-18";
    for (target, choice, open) in [
        (A2a3, "burst-tail", true),
        (A5, "burst-tail", false),
        (A2a3, "kept", false),
        (Cpu, "undefined", true),
    ] {
        let choices = [("gather-padding", choice)];
        let said = from(&call, &[7; 48], &[1, 0], target, &choices);
        let cited = said.cited().contains(&(gap, Some(gap)));
        assert_eq!(cited, open, "{target} {choice}");
        assert_eq!(said.permits.operands[0].kept.0, gap);
    }
}

#[test]
fn where_two_readings_speak_of_the_same_columns() {
    // MGATHER-GAP-18 and -57, of which brute force says nothing together: [16,16] valid
    // [2,9], row 3 of a table that holds its own offsets, so column 9 is 153; row 1 of the
    // tile is 9 under Zero, else row 0 of the table.
    let call = |oob| Mgather {
        oob,
        ..gather(
            nz_tile(Int32, [16, 16], [2, 9]),
            packed(Int32, [1, 2, 1, 16, 8], Layout::NZ),
            tile(Int32, [1, 8], [1, 2]),
            Row,
        )
    };
    let [kept, any, zero] = [&Slot::Kept, &Slot::Anything, &Slot::word(0)];
    let brought = Slot::word(153);
    let zero_or = Slot::Several(vec![vec![0; 4], 153_u32.to_le_bytes().to_vec()]);
    let table = words(&(0..256).collect::<Vec<_>>());
    for (oob, columns, expected, below) in [
        (Clamp, "either", any, any),
        (Clamp, "moved", &brought, any),
        (Clamp, "kept", kept, any),
        (Zero, "either", &zero_or, zero),
        (Zero, "moved", &brought, zero),
        (Zero, "kept", zero, zero),
    ] {
        let choices = [("nz-row-columns", columns), ("gather-padding", "undefined")];
        let s = from(&call(oob), &table, &[3, 99], A2a3, &choices).slots;
        let found = [&s[128], &s[129], &s[128 + 16]];
        assert_eq!(
            found,
            [&Slot::word(152), expected, below],
            "{oob} {columns}"
        );
        assert!(oob != Zero || s[128 + 9] == *zero, "{columns}");
    }
    // An index that leads nowhere opens what its row may touch.
    for (columns, expected) in [("moved", any), ("kept", kept)] {
        let choices = [("nz-row-columns", columns), ("gather-padding", "undefined")];
        let s = from(&call(Undefined), &table, &[99, 3], A2a3, &choices).slots;
        assert_eq!([&s[0], &s[128], &s[129]], [any, any, expected]);
    }
}
