//! Calls that never return, and tables that are read too early.

use crate::common::{calls::*, choices::with, said::*, scatters::*, *};
use ptodiff_contract::{duties, hangs};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32};
use Target::{A2a3, A5, Cpu};

const DIRECT: Launch = Launch {
    dyn_ub_bytes: None,
    dispatch: Dispatch::Direct,
    flush: CacheFlush::Appended,
};

/// A call by each path, and why it hangs when entered directly.
fn calls() -> Vec<(Call, Option<&'static str>)> {
    let float = |rows, cols| tile(Float, [rows, 8], [rows, cols]);
    let words = |rows, cols| tile(Int32, [rows, 8], [rows, cols]);
    let (table, halves) = (matrix(Float, 4, 8), matrix(Half, 4, 8));
    let scatter = |src, idx, mode| Call::Mscatter(scatter(table, src, idx, mode));
    let gather = |dst, idx, mode| Call::Mgather(gather(dst, table, idx, mode));
    let old = |src, idx| Call::MscatterFirst(first(table, src, idx));
    let to_l1 = |mode, exec| {
        let dst = l1_tile(Half, [16, 16], [3, 3]);
        let call = l1(dst, halves, matrix(Int32, 3, 3), mode);
        Call::MgatherL1(MgatherL1 { exec, ..call })
    };
    let one = |dtype| tile(dtype, [1, 1], [1, 1]);
    let mut runtime = float(1, 8);
    runtime.valid_col = Dim::Dynamic(1);
    let scatters = Some("MSCATTER-LAUNCH-10");
    let gathers = Some("MGATHER-LAUNCH-11");
    vec![
        (scatter(float(1, 1), words(1, 1), Row), scatters),
        (scatter(float(1, 2), words(1, 2), Elem), scatters),
        // MSCATTER-LAUNCH-03, MSCATTER-GAP-35: the scalar path.
        (scatter(float(1, 1), words(1, 1), Elem), None),
        (scatter(runtime, words(1, 1), Elem), None),
        (gather(float(1, 1), words(1, 1), Row), gathers),
        (gather(float(2, 1), words(2, 1), Elem), gathers),
        (gather(float(1, 1), words(1, 1), Elem), None),
        // MSCATTER0-LAUNCH-01: a SIMT kernel whatever the shape.
        (old(float(1, 8), words(1, 8)), scatters),
        (old(one(Float), one(Int32)), scatters),
        (to_l1(Elem, GatherExec::Simt), Some("MGATHERL1-GAP-22")),
        (to_l1(Elem, GatherExec::Scalar), None),
        (to_l1(Row, GatherExec::Scalar), None),
    ]
}

fn launched(mut call: Call, launch: Launch) -> Call {
    *call.launch_mut().expect("it launches a kernel") = launch;
    call
}

#[test]
fn a_direct_call_waits_for_its_first_simt_launch() {
    let hung =
        |call: &Call, target, choices: &[_]| hangs(call, target, &with(choices)).map(|c| c.0);
    for (call, expected) in calls() {
        let direct = launched(call, DIRECT);
        assert_eq!(hung(&direct, A5, &[]), expected, "{call:?}");
        assert_eq!(hung(&direct, Cpu, &[]), None);
        assert_eq!(hung(&direct, A2a3, &[]), None);
        assert_eq!(hung(&call, A5, &[]), None);
    }
    // MSCATTER-GAP-38, MGATHER-GAP-26: what has nothing to do launches nothing.
    let empty = Tile {
        valid_row: Dim::Dynamic(0),
        ..tile(Float, [8, 8], [8, 8])
    };
    let (table, idx) = (matrix(Float, 4, 8), tile(Int32, [1, 8], [1, 8]));
    for call in [
        Call::Mscatter(scatter(table, empty, idx, Row)),
        Call::Mgather(gather(empty, table, idx, Row)),
    ] {
        let direct = launched(call, DIRECT);
        assert!(hung(&direct, A5, &[]).is_some());
        assert_eq!(hung(&direct, A5, &[("empty-extent", "no-op")]), None);
    }
}

#[test]
fn without_a_flush_old_slots_may_be_read() {
    let missing = Launch {
        flush: CacheFlush::Missing,
        ..Launch::default()
    };
    let cache = Some(Clause("MSCATTER-CACHE-02"));
    let flushed = Call::Mscatter(eight(8));
    let of = eight(8);
    let old = Call::MscatterFirst(first(of.table, of.src, of.idx));
    let [stale, old] = [flushed, old].map(|call| launched(call, missing));
    let m = memory(&[
        (Role::Table, &words(&[9; 8])),
        (Role::Source, &words(&up_to(8))),
        (Role::Index, &words(&[0, 1, 2, 3, 4, 5, 6, 6])),
    ]);
    for (call, target, expected) in [
        (flushed, A5, None),
        (stale, A5, cache),
        (stale, A2a3, None),
        (old, A5, cache),
    ] {
        let found = Said::of(&call, &[&m], target, &Readings::default());
        assert!(
            found.runs().iter().all(|r| r.or_kept == expected),
            "{call:?}"
        );
        assert_eq!(
            [&found.slots[3], &found.slots[7]],
            [&Slot::word(3), &Slot::Kept]
        );
    }
    // A later call may build on what an earlier one left unwritten, and on nothing else.
    let later = memory(&[
        (Role::Source, &words(&up_to(8))),
        (Role::Index, &words(&[3; 8])),
    ]);
    let found = Said::of(&stale, &[&m, &later], A5, &Readings::default());
    assert!(found.runs().iter().all(|r| r.or_kept == cache));
    assert_eq!(
        [2, 3, 4, 7].map(|slot| &found.slots[slot]),
        [&Slot::word(2), &Slot::Anything, &Slot::word(4), &Slot::Kept]
    );
}

/// 000 and 001, Pipe / Synchronisation Model, and 002, Mask scatter zero fill: what the caller
/// owes, a target.
#[test]
fn what_the_caller_owes() {
    let data = tile(Float, [1, 8], [1, 8]);
    let (idx, table) = (tile(Int32, [1, 8], [1, 8]), matrix(Float, 4, 8));
    let scatter = Call::Mscatter(scatter(table, data, idx, Elem));
    let gather = Call::Mgather(gather(data, table, idx, Elem));
    let by_mask = Call::blank(Form::TscatterMask);
    for (call, target, expected) in [
        (by_mask, A5, vec!["TSCATTER-MASK-12", "TSCATTER-GAP-19"]),
        (by_mask, A2a3, vec!["TSCATTER-GAP-19"]),
        (scatter, Cpu, vec![]),
        (gather, Cpu, vec![]),
        (scatter, A2a3, vec!["MSCATTER-SYNC-01"]),
        (scatter, A5, vec!["MSCATTER-SYNC-12", "MSCATTER-CACHE-02"]),
        (gather, A2a3, vec!["MGATHER-SYNC-01"]),
        (gather, A5, vec!["MGATHER-SYNC-11", "MGATHER-SYNC-12"]),
    ] {
        let all = duties(&call, target);
        let clauses: Vec<_> = all.into_iter().map(|(_, by)| by.0).collect();
        assert_eq!(clauses, expected, "{target}");
    }
}
