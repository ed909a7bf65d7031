//! How the kernel around the call is entered and left (MSCATTER-LAUNCH-10,
//! MGATHER-LAUNCH-11, MSCATTER-CACHE-02).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;
use ptodiff_model_a5::A5;

const DIRECT: Launch = Launch {
    dyn_ub_bytes: None,
    dispatch: Dispatch::Direct,
    flush: CacheFlush::Appended,
};

/// How a call ends, with a trace and without one, its events, and whether memory changed.
fn run(call: Call) -> (End, Vec<Event>, bool) {
    let before = memory(&[
        (Role::Table, vec![3; 4096]),
        (Role::Source, vec![2; 4096]),
        (Role::Destination, vec![1; 4096]),
        (Role::Index, vec![0; 4096]),
        (Role::Scratch, vec![4; 4096]),
    ]);
    let mut after = before.clone();
    let mut log = Log {
        trace: Some(Vec::new()),
        ..Log::default()
    };
    assert_eq!(A5.check(&call, &Readings::default()), []);
    let end = A5.execute(&call, &mut after, &How::default(), &mut log);
    let mut silent = before.clone();
    let without = A5.execute(&call, &mut silent, &How::default(), &mut Log::default());
    assert_eq!(without, end, "{call:?}");
    assert!(silent == after, "{call:?}");
    (
        end.expect("it runs"),
        log.trace.expect("a trace"),
        before != after,
    )
}

fn hangs(call: Call) {
    let (end, events, changed) = run(call);
    assert_eq!((end, changed), (End::Hung, false), "{call:?}");
    assert!(is_launch(events.last().expect("a launch")));
    assert_eq!(count(&events, is_launch), 1);
}

fn returns(call: Call) {
    let (end, events, changed) = run(call);
    assert_eq!((end, changed), (End::Finished, true), "{call:?}");
    assert_eq!(count(&events, is_launch), 0);
}

#[test]
fn launch_10_a_simt_scatter_hangs_before_anything_is_written() {
    use ScatterConflict::{Default as Any, Last};
    let (data, table) = (tile(Int32, 2, 8), rows(Int32, 4, 8));
    for conflict in [Any, Last] {
        for (mode, idx) in [(Row, tile(Int32, 1, 2)), (Elem, tile(Int32, 2, 8))] {
            for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
                hangs(Call::Mscatter(Mscatter {
                    atomic,
                    conflict,
                    launch: DIRECT,
                    ..mscatter(mode, table, data, idx)
                }));
            }
        }
    }
    for idx in [tile(Int32, 2, 1), tile(Int32, 2, 8)] {
        hangs(Call::MscatterFirst(MscatterFirst {
            launch: DIRECT,
            ..mscatter_first(table, data, idx)
        }));
    }
}

#[test]
fn gather_launch_11_a_simt_gather_hangs() {
    for (mode, idx) in [(Row, tile(Int32, 1, 2)), (Elem, tile(Int32, 2, 8))] {
        hangs(Call::Mgather(Mgather {
            launch: DIRECT,
            ..mgather(mode, rows(Int32, 4, 8), tile(Int32, 2, 8), idx)
        }));
    }
}

#[test]
fn launch_03_the_scalar_path_returns_under_a_direct_dispatch() {
    let one = valid(Int32, 1, 8, 1, 1);
    let table = flat(Int32, 64);
    returns(Call::Mscatter(Mscatter {
        launch: DIRECT,
        ..mscatter(Elem, table, one, one)
    }));
    returns(Call::Mgather(Mgather {
        launch: DIRECT,
        ..mgather(Elem, table, one, one)
    }));
}

#[test]
fn l1_gap_22_only_the_simt_executor_hangs() {
    let dst = nz(Int32, 16, 8, 2, 8);
    let scratch = Some(flat(Int32, 128));
    let table = rows(Int32, 4, 8);
    let elem = MgatherL1 {
        launch: DIRECT,
        ..mgather_l1(Elem, table, dst, rows(Int32, 2, 8), scratch)
    };
    returns(Call::MgatherL1(elem));
    returns(Call::MgatherL1(MgatherL1 {
        launch: DIRECT,
        ..mgather_l1(Row, table, dst, flat(Int32, 2), None)
    }));
    hangs(Call::MgatherL1(MgatherL1 {
        exec: GatherExec::Simt,
        ..elem
    }));
}

const UNFLUSHED: Launch = Launch {
    dyn_ub_bytes: None,
    dispatch: Dispatch::Standard,
    flush: CacheFlush::Missing,
};

/// Which of four lines of 64 bytes the host reads new.
fn lines(call: Call, schedule: Schedule) -> [bool; 4] {
    let mut memory = memory(&[
        (Role::Table, vec![0; 256]),
        (Role::Source, vec![1; 256]),
        (Role::Index, bytes(&[0, 1, 2, 3])),
    ]);
    execute(call, &mut memory, how(schedule));
    let table = memory.get(Role::Table).expect("a table").body();
    let mut lines = table.chunks(64).map(|line| {
        // A line is read as one piece.
        assert!(line.iter().all(|byte| *byte == line[0]));
        line[0] == 1
    });
    [(); 4].map(|()| lines.next().expect("four lines"))
}

#[test]
fn cache_02_without_a_flush_the_schedule_decides_line_by_line() {
    let current = Call::Mscatter(Mscatter {
        launch: UNFLUSHED,
        ..mscatter(
            Row,
            rows(Int32, 4, 16),
            tile(Int32, 4, 16),
            tile(Int32, 1, 4),
        )
    });
    let first = Call::MscatterFirst(MscatterFirst {
        launch: UNFLUSHED,
        ..mscatter_first(rows(Int32, 4, 16), tile(Int32, 4, 16), tile(Int32, 4, 1))
    });
    for call in [current, first] {
        assert_eq!(lines(call, Schedule::InOrder), [false; 4]);
        assert_eq!(lines(call, Schedule::Reversed), [true; 4]);
        let drawn: std::collections::BTreeSet<_> = (0..300)
            .map(|seed| lines(call, Schedule::Shuffled(seed)))
            .collect();
        assert_eq!(drawn.len(), 16);
        let again = |seed| lines(call, Schedule::Shuffled(seed));
        assert_eq!(again(7), again(7));
    }
}

#[test]
fn cache_02_the_scalar_path_stands_in_the_cache_too() {
    let one = valid(Int32, 1, 8, 1, 1);
    let call = Mscatter {
        launch: UNFLUSHED,
        ..mscatter(Elem, flat(Int32, 4), one, one)
    };
    let run = |schedule| scatter_how(&call, how(schedule), &[5; 4], &[9; 8], &[2; 8]);
    assert_eq!(run(Schedule::InOrder), [5; 4]);
    assert_eq!(run(Schedule::Reversed), [5, 5, 9, 5]);
}

#[test]
fn cache_02_a_oob_access_store_shares_the_fate_of_its_line() {
    let call = Call::Mscatter(Mscatter {
        launch: UNFLUSHED,
        conflict: ScatterConflict::Default,
        ..mscatter(Row, rows(Int32, 1, 8), tile(Int32, 1, 8), tile(Int32, 1, 1))
    });
    for (schedule, expected) in [(Schedule::InOrder, FENCE), (Schedule::Reversed, 1)] {
        let mut memory = memory(&[
            (Role::Table, vec![0; 32]),
            (Role::Source, vec![1; 32]),
            (Role::Index, bytes(&[1])),
        ]);
        let log = execute(call, &mut memory, how(schedule));
        assert_eq!(log.oob_accesses.count, 8);
        let table = memory.get(Role::Table).expect("a table");
        assert_eq!(table.bytes()[GUARD + 32..][..32], [expected; 32]);
    }
}

#[test]
fn cache_02_the_line_before_the_table_is_one_of_its_own() {
    let one = valid(Int32, 1, 8, 1, 2);
    let call = Call::Mscatter(Mscatter {
        launch: UNFLUSHED,
        conflict: ScatterConflict::Default,
        ..mscatter(Elem, flat(Int32, 16), one, one)
    });
    let drawn: std::collections::BTreeSet<_> = (0..40)
        .map(|seed| {
            let mut memory = memory(&[
                (Role::Table, vec![0; 64]),
                (Role::Source, vec![1; 32]),
                (Role::Index, bytes(&[-1, 0, 0, 0, 0, 0, 0, 0])),
            ]);
            let mut how = reading(|readings| readings.negative_index = NegativeIndex::Signed);
            how.schedule = Schedule::Shuffled(seed);
            execute(call, &mut memory, how);
            let table = memory.get(Role::Table).expect("a table").bytes();
            (table[GUARD - 1] == 1, table[GUARD] == 1)
        })
        .collect();
    assert_eq!(drawn.len(), 4);
}

#[test]
fn gathers_do_not_look_at_the_flush() {
    let call = Mgather {
        launch: UNFLUSHED,
        ..mgather(Row, rows(Int32, 2, 8), tile(Int32, 1, 8), tile(Int32, 1, 1))
    };
    assert_eq!(gather(&call, &[0; 8], &[7; 16], &[1]), [7; 8]);
}

#[test]
fn cache_02_lines_are_counted_from_the_tables_first_byte() {
    let call = Call::Mscatter(Mscatter {
        launch: UNFLUSHED,
        ..mscatter(
            Row,
            rows(Int32, 2, 16),
            tile(Int32, 2, 16),
            tile(Int32, 1, 2),
        )
    });
    for seed in 0..40 {
        let mut memory = memory(&[
            (Role::Table, vec![0; 128]),
            (Role::Source, vec![1; 128]),
            (Role::Index, bytes(&[0, 1])),
        ]);
        // The table begins 40 bytes into its memory.
        let table = memory.get_mut(Role::Table).expect("a table");
        *table = Region::new(Role::Table, vec![0; 200], 40..168);
        execute(call, &mut memory, how(Schedule::Shuffled(seed)));
        let table = memory.get(Role::Table).expect("a table").body();
        for line in table.chunks(64) {
            assert!(line.iter().all(|byte| *byte == line[0]), "seed {seed}");
        }
    }
}
