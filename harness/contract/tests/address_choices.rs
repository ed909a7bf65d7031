//! MSCATTER: where tables whose strides leave room, and bursts into them, are
//! written to, and where indices are read, by each answer to the gaps.

use crate::common::{choices::*, said::*, scatters::*, *};
use ptodiff_contract::feeders;
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Int8, Int32};
use Target::{A2a3, A5, Cpu};

#[test]
fn elements_of_a_padded_table() {
    // MSCATTER-GAP-18, -19: Shape<1,1,2,3,8>, rows 10 and matrices 64 apart;
    // 8 is row 1, 25 is the second element of matrix 1.
    let table = packed(Float, [1, 1, 2, 3, 8], Layout::ND);
    let call = scatter(
        strided(strided(table, 2, 64), 3, 10),
        tile(Float, [1, 8], [1, 2]),
        tile(Int32, [1, 8], [1, 2]),
        Elem,
    );
    // The CPU has one matrix: Shape<1,1,1,4,8>, rows 16 apart.
    let one = Mscatter {
        table: strided(matrix(Float, 4, 8), 3, 16),
        ..call
    };
    for (call, target, choice, idx, places, gap) in [
        (call, A2a3, "flat", [8, 25], [8, 25], None),
        (
            call,
            A2a3,
            "strided",
            [8, 25],
            [10, 65],
            Some("MSCATTER-GAP-18"),
        ),
        (
            call,
            A5,
            "strided",
            [8, 25],
            [8, 25],
            Some("MSCATTER-GAP-19"),
        ),
        (
            one,
            A2a3,
            "strided",
            [8, 9],
            [16, 17],
            Some("MSCATTER-GAP-18"),
        ),
        (one, Cpu, "strided", [8, 9], [8, 9], Some("MSCATTER-GAP-18")),
    ] {
        let choices = [("padded-elem", choice)];
        let said = into_zeros(&call, &numbered(1, 8), &idx, target, &choices);
        assert_eq!(written(&said), places.map(|at| (at, 1.0)));
        assert_eq!((said.freedom(), said.broken.len()), (gap, 0));
    }
}

/// Rows of eight into Shape<1,1,2,4,8> with this stride for DIM_2.
fn two_matrices(stride: u64) -> Mscatter {
    Mscatter {
        table: strided(packed(Float, [1, 1, 2, 4, 8], Layout::ND), 2, stride),
        ..rows_of_eight(2)
    }
}

#[test]
fn rows_of_outer_dimensions() {
    let two = numbered(2, 8);
    // MSCATTER-GAP-16: 96 elements, row 4 at 32 or at 64.
    for (choice, start) in [("ignored", 32), ("split", 64)] {
        let choices = [("outer-strides", choice)];
        let said = into_zeros(&two_matrices(64), &two, &[4, 1], A2a3, &choices);
        assert_eq!(written(&said), filled(&[(8, 2.0), (start, 1.0)]));
        assert_eq!(said.broken, []);
    }
    // 48 elements: row 5 is the last that fits, if outer strides are ignored.
    let ignored = [("outer-strides", "ignored")];
    let said = into_zeros(&two_matrices(16), &two, &[0, 5], A2a3, &ignored);
    assert!(said.broken.is_empty() && !said.all_open());
    let said = into_zeros(&two_matrices(16), &two, &[0, 6], A2a3, &ignored);
    assert!(said.all_open());
    assert_eq!(said.clauses(), ["MSCATTER-GAP-16"]);
    assert_eq!(said.excused(), Some("MSCATTER-GAP-16"));
    // (c): matrices 12 apart, so row 4 is 12 to 19 and shares four with row 1.
    let split = [("outer-strides", "split")];
    for (atomic, shared) in [(ScatterAtomicOp::None, 2.0), (ScatterAtomicOp::Add, 3.0)] {
        let call = Mscatter {
            atomic,
            ..two_matrices(12)
        };
        let said = into_zeros(&call, &two, &[4, 1], A2a3, &split);
        let expected = (8..20).map(|at| match at {
            8..12 => (at, 2.0),
            12..16 => (at, shared),
            _ => (at, 1.0),
        });
        assert_eq!(written(&said), expected.collect::<Vec<_>>());
    }
}

/// int8 [2,32] valid [2,5] into a packed 4x5 table, Row.
fn five_bytes() -> Mscatter {
    scatter(
        matrix(Int8, 4, 5),
        tile(Int8, [2, 32], [2, 5]),
        tile(Int32, [1, 8], [1, 2]),
        Row,
    )
}

#[test]
fn bursts_of_whole_chunks() {
    // MSCATTER-GAP-28: rows 0 and 2 stand at bytes 0 and 10.
    let src: Vec<u8> = (0..64).collect();
    let byte = |v: u8| Slot::One(vec![v]);
    let mut exact = vec![Slot::Kept; 64];
    for c in 0..5 {
        exact[c] = byte(c as u8);
        exact[10 + c] = byte(32 + c as u8);
    }
    let [mut rounded, mut summed] = [vec![Slot::Kept; 64], vec![Slot::Kept; 64]];
    for at in 0..42 {
        let v = at as u8;
        rounded[at] = byte(if v < 10 { v } else { 22 + v });
        summed[at] = byte(match v {
            0..10 => 100 + v,
            10..32 => 100 + v + 22 + v,
            _ => 100 + 22 + v,
        });
    }
    let call = five_bytes();
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    let gap = Some("MSCATTER-GAP-28");
    for (call, target, choice, expected, gap) in [
        (call, A2a3, "exact", &exact, None),
        (call, A2a3, "rounded", &rounded, gap),
        (add, A2a3, "rounded", &summed, gap),
        (call, A5, "rounded", &exact, None),
    ] {
        let choices = [("burst-tail", choice)];
        let said = into(&call, &[100; 64], &src, &[0, 2], target, &choices);
        assert_eq!(said.slots, *expected, "{target} {choice}");
        assert_eq!((said.freedom(), said.broken.len()), (gap, 0));
    }
    let rounded = [("burst-tail", "rounded")];
    // Byte 12 comes from column 12 of row 0, then from column 2 of row 1.
    let m = memory(&[(Role::Index, &padded_index(&[0, 2]))]);
    let call = Call::Mscatter(five_bytes());
    let fed = feeders(&call, &[&m], A2a3, &with(&rounded), Role::Table, 12);
    assert_eq!(fed, [lane(0, 0, 12), lane(0, 1, 2)]);
    // The last byte that a burst writes is byte 41.
    for (len, expected) in [(42, vec![]), (41, vec!["MSCATTER-GAP-28"])] {
        let said = into(
            &five_bytes(),
            &vec![100; len],
            &src,
            &[0, 2],
            A2a3,
            &rounded,
        );
        assert_eq!(said.clauses(), expected);
        assert_eq!(said.all_open(), len == 41);
    }
    // 32 bytes are exact as they are.
    let whole = Mscatter {
        table: matrix(Int8, 4, 32),
        src: tile(Int8, [2, 32], [2, 32]),
        ..five_bytes()
    };
    let said = into_zeros(&whole, &src, &[3, 0], A2a3, &rounded);
    assert_eq!((said.freedom(), said.broken.len()), (None, 0));
}

#[test]
fn columns_of_the_padding_in_nz_rows() {
    // MSCATTER-GAP-22: src(0, c) = c, valid [1,9], to row 3 of Shape<1,2,1,16,8>:
    // column 8 + i stands at 128 + 24 + i.
    let mut src = vec![0.0; 256];
    for c in 0..16 {
        src[c / 8 * 128 + c % 8] = c as f32;
    }
    let call = scatter(
        packed(Float, [1, 2, 1, 16, 8], Layout::NZ),
        nz_tile(Float, [16, 16], [1, 9]),
        tile(Int32, [1, 8], [1, 1]),
        Row,
    );
    for (choice, last) in [("moved", 16), ("kept", 9)] {
        let choices = [("nz-row-columns", choice)];
        for (atomic, plus) in [(ScatterAtomicOp::None, 0.0), (ScatterAtomicOp::Add, 1.0)] {
            let call = Mscatter { atomic, ..call };
            let ones = floats(&[1.0; 256]);
            let said = into(&call, &ones, &floats(&src), &[3], A2a3, &choices);
            let expected = (0..last).map(|c| (c / 8 * 128 + 24 + c % 8, c as f32 + plus));
            assert_eq!(written(&said), expected.collect::<Vec<_>>(), "{choice}");
        }
        // Offset 158 is column 14.
        let m = memory(&[(Role::Index, &padded_index(&[3]))]);
        let r = with(&choices);
        let fed = feeders(&Call::Mscatter(call), &[&m], A2a3, &r, Role::Table, 158);
        let expected = [lane(0, 0, 14)];
        assert_eq!(fed, expected[usize::from(choice == "kept")..]);
    }
}

#[test]
fn rows_valid_columns_apart_on_a5() {
    let valid_cols = [("row-pitch", "valid-cols")];
    let of = |table| Mscatter {
        table,
        ..rows_of_eight(1)
    };
    let found = |call: &Mscatter, row, target, choices: &[_]| {
        into_zeros(call, &numbered(1, 8), &[row], target, choices)
    };
    // MSCATTER-GAP-13: rows 16 apart; A2/A3 goes by the stride.
    let apart = of(strided(matrix(Float, 4, 8), 3, 16));
    for (target, start) in [(A5, 8), (A2a3, 16)] {
        let said = found(&apart, 1, target, &valid_cols);
        assert_eq!(written(&said), filled(&[(start, 1.0)]));
        assert_eq!(said.freedom(), Some("MSCATTER-GAP-13"));
    }
    assert_eq!(found(&apart, 1, A2a3, &[]).freedom(), None);
    // MSCATTER-GAP-14: Shape<1,1,1,-1,-1>(4,16).
    let mut wide = of(matrix(Float, 4, 16));
    wide.table.shape[4] = Dim::Dynamic(16);
    let said = found(&wide, 1, A5, &valid_cols);
    assert_eq!(written(&said), filled(&[(8, 1.0)]));
    assert_eq!(said.freedom(), Some("MSCATTER-GAP-14"));
    // What A5 rejects it cannot put elsewhere.
    wide.table.shape[4] = Dim::Static(16);
    assert_eq!(found(&wide, 1, A2a3, &valid_cols).freedom(), None);
    // Shape<1,1,1,-1,-1>(4,4): 16 elements, so row 2 leaves them.
    let mut narrow = of(matrix(Float, 4, 4));
    narrow.table.shape[4] = Dim::Dynamic(4);
    for (row, expected) in [(1, vec![]), (2, vec!["MSCATTER-GAP-14"])] {
        let said = found(&narrow, row, A5, &valid_cols);
        assert_eq!(said.clauses(), expected);
        assert_eq!(said.all_open(), row == 2);
    }
}

#[test]
fn indices_through_the_layout_of_their_tile() {
    // MSCATTER-GAP-36 (c): [3,1] RowMajor, decoys in the other columns.
    let call = Mscatter {
        idx: tile(Int32, [3, 8], [3, 1]),
        ..rows_of_eight(3)
    };
    let mut idx = [0; 24];
    (idx[0], idx[8], idx[16]) = (2, 1, 3);
    let logical = [("row-index-pitch", "logical")];
    let said = into_zeros(&call, &numbered(3, 8), &idx, A5, &logical);
    let rows = [None, Some(2.0), Some(1.0), Some(3.0)];
    assert_eq!(fills(&said.slots), rows);
    assert_eq!(said.broken, []);
}

#[test]
fn indices_without_an_owner() {
    // MSCATTER-GAP-10: four rows, Undefined, Last, idx {1, 9}.
    let dropped = [("undefined-last", "dropped")];
    let call = rows_of_eight(2);
    let said = into_zeros(&call, &numbered(2, 8), &[1, 9], A5, &dropped);
    assert_eq!(fills(&said.slots), [None, Some(1.0), None, None]);
    assert!(said.broken.is_empty() && said.excused().is_none());
    let default = Mscatter {
        conflict: ScatterConflict::Default,
        ..call
    };
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    for (call, target, choices) in [
        (call, A5, &[][..]),
        (call, A2a3, &dropped),
        (default, A5, &dropped),
        (add, A5, &dropped),
    ] {
        let said = into_zeros(&call, &numbered(2, 8), &[1, 9], target, choices);
        assert_eq!(said.clauses(), ["MSCATTER-OOB-02"]);
        assert!(said.all_open());
    }
    // The scalar path owns no slots.
    for (cols, fits) in [(1, false), (2, true)] {
        let mut elem = eight(8);
        elem.src.valid_col = Dim::Static(cols);
        elem.idx.valid_col = Dim::Static(cols);
        let said = into_zeros(&elem, &words(&up_to(8)), &[9, 3], A5, &dropped);
        assert_eq!(said.broken.is_empty(), fits);
    }
}
