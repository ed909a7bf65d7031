//! First revision of MSCATTER: what is said beside the values of slots, which the
//! enumeration finds.

use crate::common::{calls::*, choices::with, said::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Int32};
use ScatterAtomicOp::{Add, Max, Min, None as Plain};
use ScatterOob::{Clamp, Skip, Undefined, Wrap};
use Target::A5;

/// A scatter into 4x8 of zeros, whose last index is `last` and all others 2: two rows,
/// or eight elements.
fn said(
    mode: Coalesce,
    (oob, atomic): (ScatterOob, ScatterAtomicOp),
    last: i64,
    choices: &[(&str, &str)],
) -> Said {
    let (dtype, src, idx) = match mode {
        Row => (Float, [2, 8], [2, 1]),
        Elem => (Int32, [1, 8], [1, 8]),
    };
    let call = MscatterFirst {
        oob,
        atomic,
        ..first(
            matrix(dtype, 4, 8),
            tile(dtype, src, src),
            tile(Int32, idx, idx),
        )
    };
    let mut indices = vec![2; (idx[0] * idx[1]) as usize];
    *indices.last_mut().expect("an index") = last;
    let m = memory(&[
        (Role::Table, &[0; 128]),
        (Role::Source, &[1; 64][..(src[0] * 32) as usize]),
        (Role::Index, &words(&indices)),
    ]);
    Said::of(&Call::MscatterFirst(call), &[&m], A5, &with(choices))
}

#[test]
fn what_is_cited() {
    let last = ("first-conflict", "last");
    let any = ("first-conflict", "any");
    let open = ("MSCATTER0-CONF-01", Some("MSCATTER0-CONF-01"));
    let [sum, extreme] = ["MSCATTER0-ATOM-01", "MSCATTER0-ATOM-06"];
    for (atomic, conflict, contested, single) in [
        (Plain, any, open, "MSCATTER0-SEM-02"),
        (Plain, last, ("MSCATTER0-GAP-02", None), "MSCATTER0-SEM-02"),
        (Add, any, (sum, None), sum),
        (Max, any, (extreme, None), extreme),
        (Min, any, (extreme, None), extreme),
    ] {
        let found = said(Elem, (Undefined, atomic), 0, &[conflict]).cited();
        let expected = [(single, None), contested];
        assert_eq!(found, expected, "{atomic} {conflict:?}");
    }
    let found = said(Row, (Undefined, Plain), 0, &[]).cited();
    assert_eq!(found, [("MSCATTER0-SEM-01", None); 2]);
    let nowhere = said(Row, (Undefined, Plain), 99, &[]);
    let by = [Some(nowhere.runs()[0].clause.0), nowhere.excused()];
    assert_eq!(by, [Some("MSCATTER0-OOB-01"); 2]);
    // Document 003 has clauses of its own on policies, and on what is written.
    for (mode, plain) in [(Row, "MSCATTER0-SEM-01"), (Elem, "MSCATTER0-SEM-02")] {
        for (oob, moved, kept) in [
            (Clamp, Some("MSCATTER0-OOB-03"), plain),
            (Wrap, Some("MSCATTER0-OOB-04"), plain),
            (Skip, None, "MSCATTER0-OOB-02"),
        ] {
            let said = said(mode, (oob, Plain), 99, &[]);
            let by = said.cited().into_iter().map(|(by, _)| by);
            let mut moves = by.filter(|by| by.starts_with("MSCATTER0-OOB"));
            assert_eq!(moves.next(), moved, "{mode} {oob}");
            assert_eq!(said.permits.operands[0].kept.0, kept, "{mode} {oob}");
        }
    }
}

#[test]
fn negative_indices_have_readings() {
    // MSCATTER0-GAP-05.
    let gap = Some("MSCATTER0-GAP-05");
    for (choice, freedom, excused) in [
        ("unsigned", None, None),
        ("intended", gap, None),
        ("signed", gap, gap),
    ] {
        let found = said(Row, (Clamp, Plain), -1, &[("negative-index", choice)]);
        assert_eq!((found.freedom(), found.excused()), (freedom, excused));
    }
}
