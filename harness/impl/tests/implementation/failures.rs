//! Every way to give no answer: it fails one question and no other.

use std::{path::Path, time::Duration};

use ptodiff_impl::{Answered, Ended, Limits, Trouble, Whom};

use crate::{
    common::{
        LONG, SHORT, ask, ask_on, call, counted, failure, memory, question, start, started, trouble,
    },
    shown::{differs, follow},
};

crate::tests![
    each_failure_is_told_as_its_page_has_it,
    a_crash_fails_one_question_and_shows_its_last_words,
    a_crash_while_the_question_is_sent_is_told,
    an_end_between_two_questions_fails_neither,
    a_failure_at_the_end_is_told_of_promised_calls_alone,
    one_that_ends_before_each_question_is_asked_once_more,
    a_hang_fails_one_question,
    a_hang_in_the_middle_of_an_answer_is_told,
    an_answer_too_many_is_told_of_its_question,
    memory_is_watched,
    memory_of_children_is_watched,
    standard_error_may_be_long,
    the_last_lines_of_standard_error_are_kept,
    a_process_that_reads_no_more_is_of_no_use,
];

fn each_failure_is_told_as_its_page_has_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/implementation/said");
    follow(&folder, |(): &mut (), tag, text| {
        let rows: Vec<&str> = text.lines().collect();
        let wrong = rows.chunks_exact(2).filter_map(|row| {
            let told = match tag {
                "mock unix" if cfg!(windows) => return None,
                "mock start" => start(row[0], LONG).err().expect(row[0]).to_string(),
                _ => trouble(&started(row[0], LONG)).0.to_string(),
            };
            let told = differs(row[1].strip_prefix("! ").expect(row[1]), told)?;
            Some(format!("{}\n{told}\n", row[0]))
        });
        let wrong: String = wrong.collect();
        (!wrong.is_empty()).then_some(wrong)
    });
}

fn a_crash_fails_one_question_and_shows_its_last_words() {
    let implementation = started("crashes", LONG);
    assert_eq!(counted(&implementation, Whom::Kept), 1);
    let (trouble, stderr) = trouble(&implementation);
    assert_eq!(trouble, Trouble::Crash(Ended::Code(7)));
    assert_eq!(stderr, ["lane 3 \\u{1b}[31mfell over"]);
    assert_eq!(counted(&implementation, Whom::Kept), 1);
}

fn a_crash_while_the_question_is_sent_is_told() {
    // More than stands in any pipe.
    let rows = 1 << 16;
    let implementation = started("says LEAVE", LONG);
    let failure = failure(&implementation, rows, &mut memory(rows));
    assert_eq!(failure.trouble, Trouble::Crash(Ended::Code(2)));
}

fn an_end_between_two_questions_fails_neither() {
    let implementation = started("leaves-after-answer", LONG);
    assert!(implementation.early_ends().is_none());
    // The second is more than stands in any pipe.
    for rows in [1, 1 << 16, 1] {
        assert_eq!(
            ask_on(&implementation, rows, &mut memory(rows)),
            crate::common::DONE
        );
    }
    let early = implementation.early_ends().expect("two ends");
    assert_eq!(early.times, 2);
    assert_eq!(early.last.trouble, Trouble::Crash(Ended::Code(3)));
    assert_eq!(early.last.stderr, ["good bye"]);
}

fn a_failure_at_the_end_is_told_of_promised_calls_alone() {
    for (whom, times) in [
        (Whom::Spare, None),
        (Whom::Alone, None),
        (Whom::Kept, Some(1)),
    ] {
        let implementation = started("leaks", LONG);
        for _ in 0..2 {
            counted(&implementation, whom);
        }
        implementation.finish();
        let bad = implementation.bad_ends();
        assert_eq!(bad.as_ref().map(|bad| bad.times), times);
        let failure = bad.map(|bad| bad.last.trouble);
        assert_eq!(failure, times.map(|_| Trouble::Crash(Ended::Code(23))));
    }
}

fn one_that_ends_before_each_question_is_asked_once_more() {
    let implementation = started("leaves-after-greeting", LONG);
    assert_eq!(trouble(&implementation).0, Trouble::Crash(Ended::Code(3)));
    assert_eq!(implementation.early_ends().expect("an end").times, 1);
}

fn a_hang_fails_one_question() {
    let implementation = started("slow-for", SHORT);
    let mut on = memory(1);
    on.regions[1].body_mut()[0] = 77;
    let failure = failure(&implementation, 1, &mut on);
    let limit = SHORT.time;
    assert_eq!(failure.trouble, Trouble::Time { limit, held: 0 });
    drop(implementation);
    // And goes on: with time enough that only a hang takes too long.
    let limits = Limits {
        time: Duration::from_secs(2),
        ..LONG
    };
    let implementation = started("hangs", limits);
    assert_eq!(counted(&implementation, Whom::Kept), 1);
    assert!(matches!(trouble(&implementation).0, Trouble::Time { .. }));
    assert_eq!(counted(&implementation, Whom::Kept), 1);
}

fn a_hang_in_the_middle_of_an_answer_is_told() {
    let limits = Limits {
        time: Duration::from_secs(1),
        ..LONG
    };
    let (trouble, _) = trouble(&started("half-and-hangs", limits));
    let Trouble::Time { held, .. } = trouble else {
        panic!("{trouble:?}");
    };
    assert!(held > 38, "{held}");
}

fn an_answer_too_many_is_told_of_its_question() {
    for pause in [0, 300] {
        let implementation = started("says-it-again", LONG);
        for of in ["first", "second", "third"] {
            let call = call(1);
            let mut on = memory(1);
            let answered = implementation.answer(Whom::Kept, &question(of, &call), &mut on);
            assert_eq!(answered, crate::common::DONE, "{of}");
            std::thread::sleep(Duration::from_millis(pause));
        }
        // The last one, too.
        implementation.finish();
        let extras = implementation.extras();
        let of: Vec<&str> = extras.iter().map(|extra| &extra.of[..]).collect();
        assert_eq!(of, ["first", "second", "third"], "{pause}");
        assert!(extras.iter().all(|extra| extra.said.contains("done") || extra.said.contains("answers question")));
    }
}

const LITTLE: Limits = Limits {
    memory: 64 << 20,
    ..LONG
};

fn memory_is_watched() {
    let (trouble, _) = trouble(&started("grows", LITTLE));
    let Trouble::Memory { held, limit } = trouble else {
        panic!("{trouble:?}");
    };
    assert_eq!(limit, LITTLE.memory);
    assert!(held > limit, "{held}");
    // What it needs for itself is no trouble.
    assert_eq!(ask(&started("right", LITTLE)), crate::common::DONE);
}

fn memory_of_children_is_watched() {
    let (trouble, _) = trouble(&started("grows-in-a-child", LITTLE));
    assert!(matches!(trouble, Trouble::Memory { .. }), "{trouble:?}");
}

fn standard_error_may_be_long() {
    let implementation = started("chatters", LONG);
    for _ in 0..2 {
        assert_eq!(ask(&implementation), crate::common::DONE);
    }
}

fn the_last_lines_of_standard_error_are_kept() {
    let (trouble, stderr) = trouble(&started("last-words", LONG));
    assert_eq!(trouble, Trouble::Crash(Ended::Code(1)));
    let last: Vec<String> = (936..1000).map(|n| format!("line {n}")).collect();
    assert_eq!(stderr, last);
}

fn a_process_that_reads_no_more_is_of_no_use() {
    // More than a pipe holds.
    let rows = 1 << 16;
    let deaf = failure(&started("says DEAF", LONG), rows, &mut memory(rows));
    assert_eq!(deaf.trouble, Trouble::Crash(Ended::Closed));
    let said = "the implementation closed its standard input or output and went on";
    assert_eq!(deaf.to_string(), said);
    // It answers, and leaves in the pipe what belongs to the question.
    let skips = failure(&started("says SKIP", SHORT), rows, &mut memory(rows));
    assert!(matches!(skips.trouble, Trouble::Time { .. }), "{skips}");
    // It is not told of the call behind, which is asked.
    let (large, small) = (call(rows as u64), call(1));
    let asks = [("large", &large, rows), ("small", &small, 1)];
    let mut asks = asks.map(|(of, call, rows)| (question(of, call), memory(rows)));
    let all = started("says SKIP", SHORT).answer_all(Whom::Kept, &mut asks);
    let [(Answered::Failed(first), ..), (second, ..)] = &all[..] else {
        panic!("{all:?}");
    };
    assert!(matches!(first.trouble, Trouble::Time { .. }), "{first}");
    assert_eq!(*second, crate::common::DONE);
}
