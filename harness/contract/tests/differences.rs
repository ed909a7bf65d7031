//! By which gaps slots differ between targets, and by which rows leave their table:
//! scatters and gathers, by each answer to the gaps on addresses.

use crate::common::{choices::*, said::*, scatters::*, *};
use ptodiff_contract::feeders;
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Int8, Int32};
use ScatterOob::Clamp;
use Target::{A2a3, A5, Cpu};

type Free = Option<&'static str>;

/// A scatter and a gather of the same operands.
fn both(call: &Mscatter, idx: &[i64], target: Target, choices: &[(&str, &str)]) -> (Said, Said) {
    let scattered = into_zeros(call, &[1; 32], idx, target, choices);
    let back = Mgather {
        oob: of_gather(call.oob),
        ..gather(call.src, call.table, call.idx, call.mode)
    };
    (
        scattered,
        from(&back, &zeros(&call.table), idx, target, choices),
    )
}

/// What the first slots are free by.
fn free(call: &Mscatter, idx: &[i64], target: Target, choices: &[(&str, &str)]) -> [Free; 2] {
    let (there, back) = both(call, idx, target, choices);
    assert!(there.broken.is_empty() && back.broken.is_empty());
    [there.freedom(), back.freedom()]
}

/// The preconditions that the last of these indices breaks, by which accesses are excused.
fn lost(call: &Mscatter, idx: &[i64], target: Target, choices: &[(&str, &str)]) -> [Free; 2] {
    let (there, back) = both(call, idx, target, choices);
    assert_eq!(there.all_open(), !there.broken.is_empty());
    [there, back].map(|said| {
        assert!(said.broken.len() <= 1);
        assert_eq!(said.excused(), said.clauses().first().copied());
        said.excused()
    })
}

#[test]
fn elements_of_a_padded_table() {
    // MSCATTER-GAP-18, -19, MGATHER-GAP-07: Shape<1,1,1,4,8>, rows 16 apart.
    let call = scatter(
        strided(matrix(Float, 4, 8), 3, 16),
        tile(Float, [1, 8], [1, 2]),
        tile(Int32, [1, 8], [1, 2]),
        Elem,
    );
    for (target, choice, gaps) in [
        (A2a3, "flat", [None, None]),
        (
            A2a3,
            "strided",
            ["MSCATTER-GAP-18", "MGATHER-GAP-07"].map(Some),
        ),
        (A5, "strided", [Some("MSCATTER-GAP-19"), None]),
        (Cpu, "strided", [Some("MSCATTER-GAP-18"), None]),
    ] {
        let found = free(&call, &[8, 9], target, &[("padded-elem", choice)]);
        assert_eq!(found, gaps, "{target} {choice}");
    }
}

#[test]
fn rows_of_outer_dimensions() {
    // MSCATTER-CAP-03, -04, MGATHER-CAP-02, -03: Shape<2,1,1,4,8>, Clamp.
    let mut call = Mscatter {
        table: packed(Float, [2, 1, 1, 4, 8], Layout::ND),
        oob: Clamp,
        ..rows_of_eight(1)
    };
    for (target, clauses) in [
        (A2a3, ["MSCATTER-CAP-03", "MGATHER-CAP-02"]),
        (A5, ["MSCATTER-CAP-04", "MGATHER-CAP-03"]),
    ] {
        assert_eq!(free(&call, &[6], target, &[]), clauses.map(Some));
        assert_eq!(free(&call, &[2], target, &[]), [None; 2]);
    }
    // MSCATTER-GAP-16, MGATHER-GAP-06: matrices 16 apart, 48 elements: row 5 is the
    // last that fits, if outer strides are ignored.
    let ignored = [("outer-strides", "ignored")];
    call.table = strided(packed(Float, [1, 1, 2, 4, 8], Layout::ND), 2, 16);
    assert_eq!(lost(&call, &[5], A2a3, &ignored), [None; 2]);
    let gaps = ["MSCATTER-GAP-16", "MGATHER-GAP-06"].map(Some);
    assert_eq!(lost(&call, &[6], A2a3, &ignored), gaps);
}

#[test]
fn rows_valid_columns_apart_on_a5() {
    let valid_cols = [("row-pitch", "valid-cols")];
    let of = |table| Mscatter {
        table,
        ..rows_of_eight(1)
    };
    // MSCATTER-GAP-13, MGATHER-GAP-09: rows 16 apart; A2/A3 gathers by the stride.
    let apart = of(strided(matrix(Float, 4, 8), 3, 16));
    let gaps = ["MSCATTER-GAP-13", "MGATHER-GAP-09"].map(Some);
    assert_eq!(free(&apart, &[1], A5, &valid_cols), gaps);
    assert_eq!(free(&apart, &[1], A2a3, &valid_cols), [gaps[0], None]);
    assert_eq!(free(&apart, &[1], A2a3, &[]), [None; 2]);
    // All have row 0 of a gather in one place.
    assert_eq!(free(&apart, &[0], A5, &valid_cols)[1], None);
    // MSCATTER-GAP-14: Shape<1,1,1,-1,-1>(4,16).
    let mut wide = of(matrix(Float, 4, 16));
    wide.table.shape[4] = Dim::Dynamic(16);
    let gaps = ["MSCATTER-GAP-14", "MGATHER-GAP-09"].map(Some);
    assert_eq!(free(&wide, &[1], A5, &valid_cols), gaps);
    // What A5 rejects it cannot put elsewhere.
    wide.table.shape[4] = Dim::Static(16);
    assert_eq!(free(&wide, &[1], A2a3, &valid_cols), [None; 2]);
    // Shape<1,1,1,-1,-1>(4,4): 16 elements, so row 2 leaves them.
    let mut narrow = of(matrix(Float, 4, 4));
    narrow.table.shape[4] = Dim::Dynamic(4);
    assert_eq!(lost(&narrow, &[1], A5, &valid_cols), [None; 2]);
    assert_eq!(lost(&narrow, &[2], A5, &valid_cols), gaps);
}

#[test]
fn bursts_of_whole_chunks() {
    // MSCATTER-GAP-28: int8 [2,32] valid [2,5] into a packed 4x5 table; rows 0 and 2
    // stand at bytes 0 and 10.
    let call = scatter(
        matrix(Int8, 4, 5),
        tile(Int8, [2, 32], [2, 5]),
        tile(Int32, [1, 8], [1, 2]),
        Row,
    );
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    // 32 bytes are exact as they are.
    let whole = Mscatter {
        table: matrix(Int8, 4, 32),
        src: tile(Int8, [2, 32], [2, 32]),
        ..call
    };
    let gap = Some("MSCATTER-GAP-28");
    for (call, target, choice, gap) in [
        (call, A2a3, "exact", None),
        (call, A2a3, "rounded", gap),
        (add, A2a3, "rounded", gap),
        (call, A5, "rounded", None),
        (whole, A2a3, "rounded", None),
    ] {
        let choices = [("burst-tail", choice)];
        let said = into(&call, &[0; 128], &[1; 64], &[0, 2], target, &choices);
        assert_eq!((said.freedom(), said.broken.len()), (gap, 0));
    }
    let rounded = [("burst-tail", "rounded")];
    // The last byte that a burst writes is byte 41.
    for (len, expected) in [(42, vec![]), (41, vec!["MSCATTER-GAP-28"])] {
        let said = into(&call, &vec![0; len], &[1; 64], &[0, 2], A2a3, &rounded);
        assert_eq!(said.clauses(), expected);
        assert_eq!(said.all_open(), len == 41);
    }
    // Byte 12 comes from column 12 of row 0, then from column 2 of row 1.
    let m = memory(&[(Role::Index, &padded_index(&[0, 2]))]);
    let r = with(&rounded);
    let fed = feeders(&Call::Mscatter(call), &[&m], A2a3, &r, Role::Table, 12);
    assert_eq!(fed, [lane(0, 0, 12), lane(0, 1, 2)]);
}

#[test]
fn columns_of_the_padding_in_nz_rows() {
    // MSCATTER-GAP-22: valid [1,9] to row 3 of Shape<1,2,1,16,8>: offset 158 is column 14.
    let call = Call::Mscatter(scatter(
        packed(Float, [1, 2, 1, 16, 8], Layout::NZ),
        nz_tile(Float, [16, 16], [1, 9]),
        tile(Int32, [1, 8], [1, 1]),
        Row,
    ));
    for (choice, expected) in [("moved", vec![lane(0, 0, 14)]), ("kept", vec![])] {
        let m = memory(&[(Role::Index, &padded_index(&[3]))]);
        let r = with(&[("nz-row-columns", choice)]);
        let fed = feeders(&call, &[&m], A2a3, &r, Role::Table, 158);
        assert_eq!(fed, expected);
    }
}

#[test]
fn indices_without_an_owner() {
    // MSCATTER-GAP-10: four rows, Undefined, Last, idx {1, 9}.
    let dropped = [("undefined-last", "dropped")];
    let call = rows_of_eight(2);
    let default = Mscatter {
        conflict: ScatterConflict::Default,
        ..call
    };
    let add = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..call
    };
    let gap = Some("MSCATTER-OOB-02");
    for (call, target, choices, expected) in [
        (call, A5, &dropped[..], None),
        (call, A5, &[], gap),
        (call, A2a3, &dropped, gap),
        (default, A5, &dropped, gap),
        (add, A5, &dropped, gap),
    ] {
        let said = into_zeros(&call, &numbered(2, 8), &[1, 9], target, choices);
        assert_eq!(said.clauses().first().copied(), expected);
        assert_eq!(said.all_open(), expected.is_some());
        assert_eq!(said.excused().is_some(), expected.is_some());
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
