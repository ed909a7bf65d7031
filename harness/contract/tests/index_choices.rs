//! MSCATTER: where indices are read and what becomes of those that own nothing,
//! by each answer to the gaps.

use crate::common::{choices::*, scatters::*, *};
use ptodiff_isa::*;

use Target::{A2a3, A5};

#[test]
fn indices_through_the_layout_of_their_tile() {
    // MSCATTER-GAP-36 (c): [3,1] RowMajor, decoys in the other columns.
    let call = Mscatter {
        idx: tile(DType::Int32, [3, 8], [3, 1]),
        ..rows_of_eight(3)
    };
    let mut idx = vec![0; 24];
    (idx[0], idx[8], idx[16]) = (2, 1, 3);
    let operands: [&[u8]; 3] = [&[0; 128], &numbered(3, 8), &words(&idx)];
    let (p, preconditions) = run(&call, operands, A5, &[("row-index-pitch", "logical")]);
    let rows = [None, Some(2.0), Some(1.0), Some(3.0)];
    assert_eq!(fills(&slots(&p, Role::Table, 128)), rows);
    assert!(preconditions.is_empty());
}

#[test]
fn indices_without_an_owner() {
    // MSCATTER-GAP-10: four rows, Undefined, Last, idx {1, 9}.
    let dropped = [("undefined-last", "dropped")];
    let call = rows_of_eight(2);
    let operands: [&[u8]; 3] = [&[0; 128], &numbered(2, 8), &padded_index(&[1, 9])];
    let (p, preconditions) = run(&call, operands, A5, &dropped);
    assert_eq!(
        fills(&slots(&p, Role::Table, 128)),
        [None, Some(1.0), None, None]
    );
    assert!(preconditions.is_empty() && p.oob_accesses.is_none());
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
        let (p, preconditions) = run(&call, operands, target, choices);
        assert_eq!(preconditions, ["MSCATTER-OOB-02"]);
        assert!(all_open(&p, 128));
    }
    // The scalar path owns no slots.
    for (cols, fits) in [(1, false), (2, true)] {
        let mut elem = eight(8);
        elem.src.valid_col = Dim::Static(cols);
        elem.idx.valid_col = Dim::Static(cols);
        let operands: [&[u8]; 3] = [&[0; 32], &words(&up_to(8)), &padded_index(&[9, 3])];
        let (_, preconditions) = run(&elem, operands, A5, &dropped);
        assert_eq!(preconditions.is_empty(), fits);
    }
}

#[test]
fn no_rows_and_no_columns() {
    // MSCATTER-GAP-38 (a): nothing happens, whatever the indices.
    let mut rows = rows_of_eight(2);
    (rows.src.valid_row, rows.idx.valid_col) = (Dim::Dynamic(0), Dim::Dynamic(0));
    let mut cols = rows_of_eight(2);
    cols.src.valid_col = Dim::Dynamic(0);
    cols.conflict = ScatterConflict::Default;
    let operands: [&[u8]; 3] = [&[0; 128], &numbered(2, 8), &padded_index(&[1, 99])];
    for call in [rows, cols] {
        for target in [A2a3, A5] {
            let (p, preconditions) = run(&call, operands, target, &[("empty-extent", "no-op")]);
            assert!(runs(&p, Role::Table).is_empty() && preconditions.is_empty());
            assert!(p.oob_accesses.is_none() && p.operands[0].guards_free.is_none());
            let (p, _) = run(&call, operands, target, &[]);
            assert!(all_open(&p, 128));
        }
    }
}
