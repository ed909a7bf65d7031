//! Gather to L1: what is said beside the values of slots, which the enumeration finds.

use crate::common::{calls::*, choices::with, said::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Half, Int32};
use GatherExec::{Scalar, Simt};
use GatherOob::{Clamp, Zero};
use Target::A5;

fn said(call: &MgatherL1, idx: &[i64], target: Target, r: &Readings) -> Said {
    let m = memory(&[
        (Role::Destination, &[POISON; 1024]),
        (Role::Table, &[7; 512]),
        (Role::Index, &words(idx)),
        (Role::Scratch, &[5; 1024]),
    ]);
    Said::of(&Call::MgatherL1(*call), &[&m], target, r)
}

/// half [16,32] valid [2,20] from eight rows.
fn by_rows(oob: GatherOob) -> MgatherL1 {
    MgatherL1 {
        oob,
        ..l1(
            l1_tile(Half, [16, 32], [2, 20]),
            matrix(Half, 8, 32),
            matrix(Int32, 1, 2),
            Row,
        )
    }
}

/// half [16,32] valid [1,3] from 64 elements.
fn by_elements(oob: GatherOob) -> MgatherL1 {
    MgatherL1 {
        oob,
        ..l1(
            l1_tile(Half, [16, 32], [1, 3]),
            matrix(Half, 1, 64),
            matrix(Int32, 1, 3),
            Elem,
        )
    }
}

#[test]
fn why_padding_holds_what_it_holds() {
    let (tail, staged) = ("MGATHERL1-GAP-01", "MGATHERL1-GAP-02");
    let elem = |oob, exec| MgatherL1 {
        exec,
        ..by_elements(oob)
    };
    let [padding, scratch] = ["l1-row-padding", "l1-scratch-zero"].map(|gap| move |to| (gap, to));
    let zero_only = scratch("zero-only");
    let by = |clause| Some((clause, None));
    let open = |clause| Some((clause, Some(clause)));
    for (call, choice, expected) in [
        (by_rows(Clamp), padding("tail-zero"), by(tail)),
        (by_rows(Clamp), padding("undefined"), open(tail)),
        (by_rows(Clamp), padding("kept"), None),
        (by_rows(Zero), zero_only, by("MGATHERL1-OOB-02")),
        (elem(Clamp, Scalar), scratch("always"), by(staged)),
        (elem(Clamp, Scalar), zero_only, open(staged)),
        (elem(Zero, Scalar), zero_only, by("MGATHERL1-SCRATCH-05")),
        (elem(Clamp, Simt), zero_only, by("MGATHERL1-EXEC-07")),
    ] {
        // What stands in valid columns is from the table.
        let found = said(&call, &[1, 2, 3], A5, &with(&[choice]));
        let mut beside = found.cited();
        beside.retain(|(by, _)| !by.starts_with("MGATHERL1-SEM"));
        assert_eq!(beside.first().copied(), expected, "{call:?} {choice:?}");
        let kept = found.permits.operands.iter().map(|o| o.kept.0);
        assert!(kept.eq([tail, "MGATHER-GAP-50", "MGATHER-GAP-50", "MGATHERL1-GAP-09"]));
    }
}
