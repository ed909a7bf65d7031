//! What implementations answer that keep to the protocol.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use ptodiff_impl::{Answered, Ask, Implementation, Limits, Whom};
use ptodiff_isa::{Memory, NegativeIndex, Readings, Region, Role, Schedule, Scope};
use serde_json::{Value, json};

use crate::{
    common::{DONE, GUARD, LONG, ask, ask_on, call, counted, memory, question, started},
    mock::RIGHT,
};

crate::tests![
    a_right_one_leaves_what_it_should,
    a_wrong_slot_and_an_out_of_bounds_write_are_seen,
    what_does_not_come_back_is_as_it_was,
    one_process_answers_many_questions,
    the_other_answers_come_through,
    readings_schedule_and_regions_are_told,
    large_questions_and_early_answers_do_not_block,
    several_threads_have_a_process_each,
    threads_do_not_wait_for_each_other,
    one_process_runs_unless_it_takes_more,
    no_call_runs_where_one_ran_of_which_nothing_is_promised,
    with_one_process_the_kind_that_it_is_for_comes_first,
    many_calls_are_answered_at_once,
    of_many_only_what_fails_is_asked_again_alone,
    a_batch_that_is_answered_as_a_whole_costs_no_start_for_each_of_its_calls,
    what_goes_wrong_in_a_batch_costs_one_call_and_no_other,
    an_answer_too_many_in_a_batch_is_told_of_its_question,
    each_answer_of_a_batch_has_the_time_of_one,
    what_it_says_of_itself_is_kept_within_bounds,
    of_a_sparse_region_go_and_come_the_parts_that_are_no_zeros,
];

fn after(implementation: &Implementation) -> Memory {
    let mut on = memory(1);
    assert_eq!(ask_on(implementation, 1, &mut on), DONE);
    on
}

fn copied() -> Memory {
    let mut on = memory(1);
    let source = on.regions[1].body().to_vec();
    on.regions[0].body_mut().copy_from_slice(&source);
    on
}

fn a_right_one_leaves_what_it_should() {
    let implementation = started("right", LONG);
    assert_eq!(implementation.name(), "mock");
    assert_eq!(implementation.introduced(), "toy \\u{1b} a5");
    assert_eq!(after(&implementation), copied());
}

fn of_a_sparse_region_go_and_come_the_parts_that_are_no_zeros() {
    let implementation = started("sparse", LONG);
    assert!(implementation.takes_sparse());
    assert!(!started("right", LONG).takes_sparse());
    let table = |parts: &[(usize, u8)]| {
        let mut table = Region::sparse(Role::Table, 1 << 34, 64..(1 << 34) - 64).expect("room");
        for (at, value) in parts {
            table.part_mut(*at..*at + 1).expect("inside").fill(*value);
        }
        table
    };
    let mut on = memory(1);
    on.regions.push(table(&[(5000, 6), (1 << 33, 9)]));
    assert_eq!(ask_on(&implementation, 1, &mut on), DONE);
    let far = 3 << 32;
    let left = [
        (5000, 7),
        (1 << 33, 9),
        (far, 8),
        (far + 1, 8),
        (far + 2, 8),
        (far + 3, 8),
    ];
    assert!(on.regions[2] == table(&left), "other bytes came back");
    assert_eq!(on.regions[0], copied().regions[0]);
}

fn a_wrong_slot_and_an_out_of_bounds_write_are_seen() {
    let mut wrong = copied();
    wrong.regions[0].body_mut()[5] ^= 0x80;
    assert_eq!(after(&started("wrong", LONG)), wrong);
    let mut outside = copied();
    outside.regions[0].bytes_mut()[0] = 0;
    assert_eq!(after(&started("writes-outside", LONG)), outside);
}

fn what_does_not_come_back_is_as_it_was() {
    let on = after(&started(&format!("raw '{RIGHT}'"), LONG));
    let destination = on.get(Role::Destination).expect("a destination");
    assert_eq!(destination.bytes(), [7; 32 + 2 * GUARD]);
    assert_eq!(on.regions[1], memory(1).regions[1]);
}

fn one_process_answers_many_questions() {
    let implementation = started("counts", LONG);
    for n in 1..=200 {
        assert_eq!(ask(&implementation), Answered::Done { out_of_bounds: n });
    }
}

fn the_other_answers_come_through() {
    let rejected = |clause: Option<&str>| Answered::Rejected {
        clause: clause.map(str::to_owned),
        why: "no\\nsuch type".to_owned(),
    };
    for (behaviour, answered) in [
        ("rejects", rejected(None)),
        ("rejects clause", rejected(Some("TSCATTER-LEG-01"))),
        ("knows-it-hangs", Answered::Hangs),
        (
            "has-not",
            Answered::Unsupported {
                // As long as a compiler's message about templates.
                why: "no masks, ".repeat(300),
            },
        ),
    ] {
        let implementation = started(behaviour, LONG);
        // The process goes on: none of these is a failure.
        for _ in 0..2 {
            let mut on = memory(1);
            assert_eq!(ask_on(&implementation, 1, &mut on), answered);
            assert_eq!(on, memory(1));
        }
    }
}

fn readings_schedule_and_regions_are_told() {
    let implementation = started("says ECHO", LONG);
    let told = |readings, schedule| {
        let call = call(1);
        let ask = Ask {
            readings: &readings,
            schedule,
            ..question("a case", &call)
        };
        let answered = implementation.answer(Whom::Kept, &ask, &mut memory(1));
        let Answered::Unsupported { why } = answered else {
            panic!("{answered:?}");
        };
        serde_json::from_str::<Value>(&why).expect("JSON")
    };
    let regions = json!([
        {"role": "destination", "body": [8, 32], "bytes": 48},
        {"role": "source", "body": [8, 32], "bytes": 48},
    ]);
    assert_eq!(
        told(Readings::default(), Schedule::InOrder),
        json!([{}, {"order": "in-order"}, regions])
    );
    let others = Readings {
        scope: Scope::AsTheSuite,
        // It is about no call by mask.
        negative_index: NegativeIndex::Intended,
        ..Readings::default()
    };
    assert_eq!(
        told(others, Schedule::Shuffled(5)),
        json!([
            {"scope": "as-the-suite"},
            {"order": "shuffled", "seed": 5},
            regions
        ])
    );
}

fn large_questions_and_early_answers_do_not_block() {
    // Larger than any pipe, in both directions.
    let rows = 1 << 16;
    let right = started("right", LONG);
    let mut on = memory(rows);
    assert_eq!(ask_on(&right, rows, &mut on), DONE);
    assert_eq!(on.regions[0].body(), on.regions[1].body());
    let early = started("says EARLY", LONG);
    for _ in 0..2 {
        let mut on = memory(rows);
        assert_eq!(ask_on(&early, rows, &mut on), DONE);
        assert!(on.regions[0].bytes().iter().all(|byte| *byte == 7));
        assert_eq!(on.regions[1], memory(rows).regions[1]);
    }
}

fn several_threads_have_a_process_each() {
    let implementation = started("counts", LONG);
    let asker = || {
        let answers = (0..50).map(|_| counted(&implementation, Whom::Kept));
        answers.collect::<Vec<u64>>()
    };
    let all: Vec<u64> = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..4).map(|_| scope.spawn(asker)).collect();
        let answers = askers.into_iter().map(|a| a.join().expect("answers"));
        answers.flatten().collect()
    });
    assert_eq!(all.len(), 200);
    // Every process counts from 1 and misses none: there were at most four.
    let firsts = all.iter().filter(|n| **n == 1).count();
    assert!((1..=4).contains(&firsts), "{firsts} processes");
    let counts: BTreeSet<u64> = all.iter().copied().collect();
    assert_eq!(counts.last().copied(), Some(counts.len() as u64));
}

fn threads_do_not_wait_for_each_other() {
    let noted = tempfile::NamedTempFile::new().expect("a file");
    // Each of two processes answers once both were asked.
    let implementation = started(&format!("meets '{}'", noted.path().display()), LONG);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert_eq!(ask(&implementation), DONE));
        }
    });
}

/// How often a process greeted, by the notes of the mocks.
fn starts(noted: &tempfile::NamedTempFile) -> usize {
    let text = std::fs::read_to_string(noted).expect("text");
    text.lines().filter(|line| *line == "start").count()
}

fn one_process_runs_unless_it_takes_more() {
    let own = Limits { jobs: None, ..LONG };
    for (behaviour, limits, most) in [
        ("alone", own, 1),
        ("takes-two", own, 2),
        (
            "takes-two",
            Limits {
                jobs: Some(1),
                ..LONG
            },
            1,
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let implementation = started(
            &format!("{behaviour} '{}'", folder.path().display()),
            limits,
        );
        assert_eq!(implementation.jobs(), most, "{behaviour}");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for whom in [Whom::Kept, Whom::Spare, Whom::Alone, Whom::Kept] {
                        // It answers how many of it there are.
                        let all = counted(&implementation, whom);
                        assert!((1..=most as u64).contains(&all), "{all}");
                    }
                });
            }
        });
    }
}

fn no_call_runs_where_one_ran_of_which_nothing_is_promised() {
    let implementation = started("counts", LONG);
    use Whom::{Alone, Kept, Spare};
    let asked = [Kept, Spare, Spare, Kept, Alone, Alone, Kept, Spare];
    let calls = asked.map(|whom| counted(&implementation, whom));
    assert_eq!(calls, [1, 1, 2, 2, 1, 1, 3, 3]);
}

fn with_one_process_the_kind_that_it_is_for_comes_first() {
    let one = Limits {
        jobs: Some(1),
        ..LONG
    };
    let implementation = started("counts", one);
    use Whom::{Kept, Spare};
    assert_eq!(implementation.kinds(), [Kept, Spare]);
    counted(&implementation, Spare);
    assert_eq!(implementation.kinds(), [Spare, Kept]);
    counted(&implementation, Kept);
    assert_eq!(implementation.kinds(), [Kept, Spare]);
    assert!(implementation.turn().is_some());
    assert!(started("counts", LONG).turn().is_none());
}

/// A call of one row for each label, and its memory.
fn many<'a>(call: &'a ptodiff_isa::Call, of: &'a [String]) -> Vec<(Ask<'a>, Memory)> {
    let one = |of: &'a String| (question(of, call), memory(1));
    of.iter().map(one).collect()
}

/// Answers of one that is asked all at once.
fn answers(implementation: &Implementation, asks: &mut [(Ask<'_>, Memory)]) -> Vec<Answered> {
    let all = implementation.answer_all(Whom::Kept, asks);
    all.into_iter().map(|(answered, ..)| answered).collect()
}

fn many_calls_are_answered_at_once() {
    let (call, of) = (call(1), ["a", "b", "c", "d", "e"].map(str::to_owned));
    // It tells how many it was asked before it answered the first of them.
    for (behaviour, told) in [("batches 2", [2, 2, 2, 2, 1]), ("counts", [1, 2, 3, 4, 5])] {
        let implementation = started(behaviour, LONG);
        let mut asks = many(&call, &of);
        let all = answers(&implementation, &mut asks);
        let done = told.map(|out_of_bounds| Answered::Done { out_of_bounds });
        assert_eq!(all, done, "{behaviour}");
        for (_, memory) in &asks {
            assert_eq!(memory, &copied());
        }
    }
}

fn of_many_only_what_fails_is_asked_again_alone() {
    let noted = tempfile::NamedTempFile::new().expect("a file");
    let call = call(1);
    let of: Vec<String> = (0..8).map(|n: u8| n.to_string()).collect();
    let implementation = started(&format!("dies-at-77 '{}'", noted.path().display()), LONG);
    let mut asks = many(&call, &of);
    asks[3].1.regions[1].body_mut()[0] = 77;
    let all = answers(&implementation, &mut asks);
    for (n, answered) in all.iter().enumerate() {
        match n {
            3 => assert!(matches!(answered, Answered::Failed(_)), "{answered:?}"),
            _ => assert_eq!(*answered, DONE, "{n}"),
        }
    }
    // The first, one for it alone, one for those behind it.
    assert_eq!(starts(&noted), 3);
    assert!(implementation.extras().is_empty());
}

/// One that answers a batch when it has run all of it does not tell which call it died of.
fn a_batch_that_is_answered_as_a_whole_costs_no_start_for_each_of_its_calls() {
    let noted = tempfile::NamedTempFile::new().expect("a file");
    let call = call(1);
    let of: Vec<String> = (0..8).map(|n: u8| n.to_string()).collect();
    let behaviour = format!("batches '8-dies:{}'", noted.path().display());
    let implementation = started(&behaviour, LONG);
    let told = Arc::new(Mutex::new(String::new()));
    let tell = Arc::clone(&told);
    implementation.at_first_failure(move |of, _| of.clone_into(&mut tell.lock().expect("it")));
    let mut asks = many(&call, &of);
    asks[5].1.regions[1].body_mut()[0] = 77;
    let all = answers(&implementation, &mut asks);
    let failed = |n: usize| matches!(all[n], Answered::Failed(_));
    assert_eq!((0..8).filter(|n| failed(*n)).collect::<Vec<_>>(), [5]);
    assert_eq!(*told.lock().expect("it"), "5");
    // That of the batch, of its first call alone, of those behind it, of what died there, and
    // of those behind that.
    assert_eq!(starts(&noted), 5);
}

/// All mocks are right when they are asked for one call: of each batch one failure stands, not
/// as one that was seen twice. None stands that a call before may have done, which may do anything.
fn what_goes_wrong_in_a_batch_costs_one_call_and_no_other() {
    let call = call(1);
    let of: Vec<String> = (0..7).map(|n: u8| n.to_string()).collect();
    let limits = Limits {
        time: Duration::from_secs(2),
        ..LONG
    };
    for (behaviour, whom, wrong) in [
        ("swapped", Whom::Kept, &[1, 4][..]),
        ("short", Whom::Spare, &[2, 5]),
        ("falls", Whom::Kept, &[0, 3]),
        ("falls", Whom::Spare, &[]),
    ] {
        let implementation = started(&format!("batches 3-{behaviour}"), limits);
        let mut asks = many(&call, &of);
        let all = implementation.answer_all(whom, &mut asks);
        assert_eq!(all.len(), of.len(), "{behaviour}");
        for (n, (answered, _, twice)) in all.iter().enumerate() {
            match wrong.contains(&n) {
                true => assert!(
                    matches!(answered, Answered::Failed(_)) && !twice,
                    "{behaviour} {n}: {all:?}"
                ),
                false => {
                    let is_done = matches!(answered, Answered::Done { .. });
                    assert!(is_done, "{behaviour} {n}: {answered:?}");
                    assert_eq!(asks[n].1, copied(), "{behaviour} {n}");
                }
            }
        }
    }
}

/// Of the first or the last of it. The call behind it is asked again alone, and has done nothing
/// wrong.
fn an_answer_too_many_in_a_batch_is_told_of_its_question() {
    for (how, wrong) in [("twice", "a"), ("more", "d")] {
        let implementation = started(&format!("batches 4-{how}"), LONG);
        let of = ["a", "b", "c", "d", "e"].map(str::to_owned);
        let call = call(1);
        let all = implementation.answer_all(Whom::Kept, &mut many(&call, &of));
        let mut all = all.iter();
        assert!(all.all(|(answered, ..)| matches!(answered, Answered::Done { .. })));
        implementation.finish();
        let extras = implementation.extras();
        let of: Vec<&str> = extras.iter().map(|extra| &extra.of[..]).collect();
        assert_eq!(of, [wrong]);
    }
}

fn each_answer_of_a_batch_has_the_time_of_one() {
    let call = call(1);
    let of: Vec<String> = (0..8).map(|n: u8| n.to_string()).collect();
    // All together take longer.
    let limits = Limits {
        time: Duration::from_secs(2),
        ..LONG
    };
    let implementation = started("batches 8-slow", limits);
    let all = implementation.answer_all(Whom::Kept, &mut many(&call, &of));
    let all = all.into_iter().map(|(answered, took, _)| (answered, took));
    let (all, took): (Vec<Answered>, Vec<Duration>) = all.unzip();
    assert_eq!(all, vec![Answered::Done { out_of_bounds: 8 }; 8]);
    // What it takes for one is counted for that one; the last two come together.
    let slow = Duration::from_millis(300);
    let each = |took: &Duration| *took > slow && *took < limits.time;
    assert!(took[..7].iter().all(each), "{took:?}");
}

fn what_it_says_of_itself_is_kept_within_bounds() {
    let long = "x".repeat(5000);
    let greeting = format!(r#"{{"kind":"hello","protocol":2,"name":"{long}","batch":0,"jobs":0}}"#);
    let implementation = started(&format!("says '{greeting}'"), LONG);
    let kept = format!("{}...", &long[..4000]);
    assert_eq!(implementation.introduced(), kept);
    assert_eq!(implementation.batch(), 1);
    let most = r#"{"kind":"hello","protocol":2,"name":"","batch":4000000000,"jobs":0}"#;
    let own = Limits { jobs: None, ..LONG };
    let implementation = started(&format!("says '{most}'"), own);
    assert_eq!((implementation.batch(), implementation.jobs()), (4096, 1));
    let why = format!(r#"{{"kind":"unsupported","id":0,"why":"{long}"}}"#);
    let Answered::Unsupported { why } = ask(&started(&format!("raw '{why}'"), LONG)) else {
        panic!("another answer");
    };
    assert_eq!(why, kept);
}
