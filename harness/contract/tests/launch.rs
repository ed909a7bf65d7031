//! Calls that never return, and tables that are read too early.

use crate::common::{calls::*, scatters::*, *};
use ptodiff_contract::{duties, hangs, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::{A2a3, A5, Cpu};

const DIRECT: Launch = Launch {
    dyn_ub_bytes: None,
    dispatch: Dispatch::Direct,
    flush: CacheFlush::Appended,
};

fn hung(call: &Call, target: Target) -> Option<&'static str> {
    hangs(call, target, &Readings::default()).map(|c| c.0)
}

/// A call by each path, and why it hangs when entered directly.
fn calls(launch: Launch) -> Vec<(Call, Option<&'static str>)> {
    let float = |rows, cols| tile(DType::Float, [rows, 8], [rows, cols]);
    let words = |rows, cols| tile(DType::Int32, [rows, 8], [rows, cols]);
    let table = matrix(DType::Float, 4, 8);
    let scatter = |src, idx, mode| {
        Call::Mscatter(Mscatter {
            launch,
            ..scatter(table, src, idx, mode)
        })
    };
    let gather = |dst, idx, mode| {
        Call::Mgather(Mgather {
            launch,
            ..gather(dst, table, idx, mode)
        })
    };
    let old = |src, idx| {
        Call::MscatterFirst(MscatterFirst {
            launch,
            ..first(table, src, idx)
        })
    };
    let to_l1 = |mode, exec| {
        let dst = l1_tile(DType::Half, [16, 16], [3, 3]);
        let table = matrix(DType::Half, 4, 8);
        Call::MgatherL1(MgatherL1 {
            launch,
            exec,
            ..l1(dst, table, matrix(DType::Int32, 3, 3), mode)
        })
    };
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
        (
            old(
                tile(DType::Float, [1, 1], [1, 1]),
                tile(DType::Int32, [1, 1], [1, 1]),
            ),
            scatters,
        ),
        (to_l1(Elem, GatherExec::Simt), Some("MGATHERL1-GAP-22")),
        (to_l1(Elem, GatherExec::Scalar), None),
        (to_l1(Row, GatherExec::Scalar), None),
    ]
}

#[test]
fn a_direct_call_waits_for_its_first_simt_launch() {
    for (call, expected) in calls(DIRECT) {
        assert_eq!(hung(&call, A5), expected, "{call:?}");
        for target in [Cpu, A2a3] {
            assert_eq!(hung(&call, target), None);
        }
    }
    for (call, _) in calls(Launch::default()) {
        assert_eq!(hung(&call, A5), None);
    }
}

#[test]
fn nothing_is_promised_of_a_call_that_hangs() {
    let call = Mscatter {
        launch: DIRECT,
        ..eight(8)
    };
    let operands = [&words(&[0; 8])[..], &words(&up_to(8)), &words(&up_to(8))];
    let [table, src, idx] = operands;
    let p = scattered(&call, table, src, idx, A5, &Readings::default());
    assert_eq!(slots(&p, Role::Table, 32), vec![Slot::Anything; 8]);
    assert_eq!(p.oob_accesses.map(|c| c.0), Some("MSCATTER-LAUNCH-10"));
    let p = scattered(&call, table, src, idx, A2a3, &Readings::default());
    assert_eq!(slots(&p, Role::Table, 32)[3], Slot::word(3));
}

#[test]
fn without_a_flush_old_slots_may_be_read() {
    let missing = Launch {
        flush: CacheFlush::Missing,
        ..Launch::default()
    };
    let cache = Some(Clause("MSCATTER-CACHE-02"));
    let flushed = eight(8);
    let stale = Mscatter {
        launch: missing,
        ..flushed
    };
    let first = MscatterFirst {
        launch: missing,
        ..first(flushed.table, flushed.src, flushed.idx)
    };
    let m = memory(&[
        (Role::Table, &words(&[9; 8])),
        (Role::Source, &words(&up_to(8))),
        (Role::Index, &words(&[0, 1, 2, 3, 4, 5, 6, 6])),
    ]);
    for (call, target, expected) in [
        (Call::Mscatter(flushed), A5, None),
        (Call::Mscatter(stale), A5, cache),
        (Call::Mscatter(stale), A2a3, None),
        (Call::MscatterFirst(first), A5, cache),
    ] {
        let p = permits(&call, &[&m], target, &Readings::default()).unwrap();
        let table = runs(&p, Role::Table);
        assert!(!table.is_empty());
        assert!(table.iter().all(|r| r.or_kept == expected), "{call:?}");
        assert_eq!(slots(&p, Role::Table, 32)[3], Slot::word(3));
        assert_eq!(slots(&p, Role::Table, 32)[7], Slot::Kept);
    }
    // A later call may build on what an earlier one left unwritten.
    let stale = Call::Mscatter(stale);
    let p = permits(&stale, &[&m, &m], A5, &Readings::default()).unwrap();
    assert_eq!(slots(&p, Role::Table, 32)[3], Slot::Anything);
    assert_eq!(slots(&p, Role::Table, 32)[7], Slot::Kept);
}

#[test]
fn what_has_nothing_to_do_launches_nothing() {
    // MSCATTER-GAP-38, MGATHER-GAP-26.
    let empty = Tile {
        valid_row: Dim::Dynamic(0),
        ..tile(DType::Float, [8, 8], [8, 8])
    };
    let idx = tile(DType::Int32, [1, 8], [1, 8]);
    let table = matrix(DType::Float, 4, 8);
    let scatter = Mscatter {
        launch: DIRECT,
        ..scatter(table, empty, idx, Row)
    };
    let gather = Mgather {
        launch: DIRECT,
        ..gather(empty, table, idx, Row)
    };
    for call in [Call::Mscatter(scatter), Call::Mgather(gather)] {
        let under = |empty_extent| {
            let readings = Readings {
                empty_extent,
                ..Readings::default()
            };
            hangs(&call, A5, &readings).is_some()
        };
        assert!(under(EmptyExtent::Precondition) && !under(EmptyExtent::NoOp));
    }
}

/// 000 and 001, Pipe / Synchronisation Model: what the caller owes, a target.
#[test]
fn what_the_caller_owes() {
    let owed = |call: &Call, target| {
        let all = duties(call, target)?;
        Ok::<_, Clause>(all.into_iter().map(|(_, by)| by.0).collect::<Vec<_>>())
    };
    let (data, idx) = (
        tile(DType::Float, [1, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 8]),
    );
    let table = matrix(DType::Float, 4, 8);
    let scatter = Call::Mscatter(scatter(table, data, idx, Elem));
    let gather = Call::Mgather(gather(data, table, idx, Elem));
    for call in [&scatter, &gather] {
        assert_eq!(owed(call, Target::Cpu), Ok(vec![]));
    }
    assert_eq!(owed(&scatter, Target::A2a3), Ok(vec!["MSCATTER-SYNC-01"]));
    assert_eq!(
        owed(&scatter, Target::A5),
        Ok(vec!["MSCATTER-SYNC-12", "MSCATTER-CACHE-02"])
    );
    assert_eq!(owed(&gather, Target::A2a3), Ok(vec!["MGATHER-SYNC-01"]));
    assert_eq!(
        owed(&gather, Target::A5),
        Ok(vec!["MGATHER-SYNC-11", "MGATHER-SYNC-12"])
    );
}
