//! How the kernel around the call is entered and left (MSCATTER-LAUNCH-10,
//! MGATHER-LAUNCH-11, MSCATTER-CACHE-02).

use std::collections::BTreeSet;

use crate::common::*;
use ptodiff_model_a5::A5;

const DIRECT: Launch = Launch {
    dyn_ub_bytes: None,
    dispatch: Dispatch::Direct,
    flush: CacheFlush::Appended,
};

const UNFLUSHED: Launch = Launch {
    dyn_ub_bytes: None,
    dispatch: Dispatch::Standard,
    flush: CacheFlush::Missing,
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
fn launch_10_and_11_a_simt_kernel_hangs_before_anything_is_written() {
    use ScatterConflict::{Default as Any, Last};
    let (data, table, launch) = (tile(Int32, 2, 8), rows(Int32, 4, 8), DIRECT);
    for (mode, idx) in [(Row, tile(Int32, 1, 2)), (Elem, data)] {
        for conflict in [Any, Last] {
            for atomic in [ScatterAtomicOp::None, ScatterAtomicOp::Add] {
                let call = mscatter(mode, table, data, idx);
                hangs(Call::Mscatter(call.with(|c| {
                    (c.atomic, c.conflict, c.launch) = (atomic, conflict, launch)
                })));
            }
        }
        let call = mgather(mode, table, data, idx);
        hangs(Call::Mgather(Mgather { launch, ..call }));
    }
    for idx in [tile(Int32, 2, 1), data] {
        let call = mscatter_first(table, data, idx);
        hangs(Call::MscatterFirst(MscatterFirst { launch, ..call }));
    }
    // L1-GAP-22: into L1 only the SIMT executor hangs.
    let (dst, scratch) = (nz(Int32, 16, 8, 2, 8), Some(flat(Int32, 128)));
    let elem = mgather_l1(Elem, table, dst, rows(Int32, 2, 8), scratch);
    let row = mgather_l1(Row, table, dst, flat(Int32, 2), None);
    for call in [elem, row] {
        returns(Call::MgatherL1(MgatherL1 { launch, ..call }));
    }
    let exec = GatherExec::Simt;
    hangs(Call::MgatherL1(
        elem.with(|c| (c.exec, c.launch) = (exec, launch)),
    ));
    // LAUNCH-03: so does not the scalar path.
    let (one, table) = (valid(Int32, 1, 8, 1, 1), flat(Int32, 64));
    let call = mscatter(Elem, table, one, one);
    returns(Call::Mscatter(Mscatter { launch, ..call }));
    let call = mgather(Elem, table, one, one);
    returns(Call::Mgather(Mgather { launch, ..call }));
}

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
    let (data, table, launch) = (tile(Int32, 4, 16), rows(Int32, 4, 16), UNFLUSHED);
    let current = mscatter(Row, table, data, tile(Int32, 1, 4));
    let first = mscatter_first(table, data, tile(Int32, 4, 1));
    for call in [
        Call::Mscatter(Mscatter { launch, ..current }),
        Call::MscatterFirst(MscatterFirst { launch, ..first }),
    ] {
        assert_eq!(lines(call, Schedule::InOrder), [false; 4]);
        assert_eq!(lines(call, Schedule::Reversed), [true; 4]);
        let of = |seed| lines(call, Schedule::Shuffled(seed));
        let drawn: BTreeSet<_> = (0..300).map(of).collect();
        assert_eq!((drawn.len(), of(7)), (16, of(7)));
    }
    // The scalar path stands in the cache, too; a gather does not look at the flush.
    let one = valid(Int32, 1, 8, 1, 1);
    let call = mscatter(Elem, flat(Int32, 4), one, one).with(|c| c.launch = launch);
    let operands = [
        (Role::Table, bytes(&[5; 4])),
        (Role::Source, bytes(&[9; 8])),
        (Role::Index, bytes(&[2; 8])),
    ];
    let call = Call::Mscatter(call);
    let run = |schedule| items::<i32>(&left(call, how(schedule), &operands, Role::Table));
    assert_eq!(run(Schedule::InOrder), [5; 4]);
    assert_eq!(run(Schedule::Reversed), [5, 5, 9, 5]);
    let call = mgather(Row, rows(Int32, 2, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
    let operands = [
        (Role::Table, bytes(&[7; 16])),
        (Role::Index, bytes(&[1])),
        (Role::Destination, bytes(&[0; 8])),
    ];
    let call = Call::Mgather(Mgather { launch, ..call });
    let after = left(call, how(Schedule::InOrder), &operands, Role::Destination);
    assert_eq!(items::<i32>(&after), [7; 8]);
}
