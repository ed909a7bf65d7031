//! Every way to give no answer: it fails one question and no other.

use std::time::Duration;

use ptodiff_impl::{Answered, Ended, Limits, Trouble, Whom};

use crate::common::{
    LONG, SHORT, ask, ask_on, call, calls_of_process, memory, question, started, trouble,
};

crate::tests![
    a_crash_fails_one_question_and_shows_its_last_words,
    a_crash_by_a_signal_is_told,
    a_crash_while_the_question_is_sent_is_told,
    an_end_between_two_questions_fails_neither,
    one_that_ends_before_each_question_is_asked_once_more,
    a_hang_fails_one_question,
    a_hang_in_the_middle_of_an_answer_is_told,
    answers_that_make_no_sense_are_told,
    half_an_answer_is_told,
    a_flood_is_stopped,
    an_answer_too_many_is_told_of_its_question,
    memory_is_watched,
    memory_of_children_is_watched,
    standard_error_may_be_long,
    the_last_lines_of_standard_error_are_kept,
    a_process_that_closes_its_output_is_of_no_use,
    a_process_that_reads_no_more_is_of_no_use,
    an_answer_that_is_no_text_is_told,
];

fn a_crash_fails_one_question_and_shows_its_last_words() {
    let implementation = started("crashes", LONG);
    assert_eq!(calls_of_process(&implementation), 1);
    let (trouble, stderr) = trouble(&implementation);
    assert_eq!(trouble, Trouble::Crash(Ended::Code(7)));
    assert_eq!(stderr, ["lane 3 \\u{1b}[31mfell over"]);
    assert_eq!(calls_of_process(&implementation), 1);
}

fn a_crash_by_a_signal_is_told() {
    let (trouble, _) = trouble(&started("aborts", LONG));
    assert_eq!(trouble, Trouble::Crash(Ended::Signal(6)));
    assert_eq!(
        trouble.to_string(),
        "the implementation was ended by signal 6 (SIGABRT)"
    );
}

fn a_crash_while_the_question_is_sent_is_told() {
    // More than stands in any pipe.
    let rows = 1 << 16;
    let implementation = started("says LEAVE", LONG);
    let Answered::Failed(failure) = ask_on(&implementation, rows, &mut memory(rows)) else {
        panic!("an answer");
    };
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

fn one_that_ends_before_each_question_is_asked_once_more() {
    let implementation = started("leaves-after-greeting", LONG);
    assert_eq!(trouble(&implementation).0, Trouble::Crash(Ended::Code(3)));
    assert_eq!(implementation.early_ends().expect("an end").times, 1);
}

fn a_hang_fails_one_question() {
    let implementation = started("slow-for", SHORT);
    let mut on = memory(1);
    on.regions[1].body_mut()[0] = 77;
    let Answered::Failed(failure) = ask_on(&implementation, 1, &mut on) else {
        panic!("an answer");
    };
    let limit = SHORT.time;
    assert_eq!(failure.trouble, Trouble::Time { limit, held: 0 });
    drop(implementation);
    // And goes on: with time enough that only a hang takes too long.
    let limits = Limits {
        time: Duration::from_secs(2),
        ..LONG
    };
    let implementation = started("hangs", limits);
    assert_eq!(calls_of_process(&implementation), 1);
    assert!(matches!(trouble(&implementation).0, Trouble::Time { .. }));
    assert_eq!(calls_of_process(&implementation), 1);
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

fn answers_that_make_no_sense_are_told() {
    let part = |role: &str, bytes: u32| format!(r#"{{"role":"{role}","bytes":{bytes}}}"#);
    let done = |regions: &[String], bytes: u32| {
        let regions = regions.join(",");
        format!(r#"{{"kind":"done","id":0,"regions":[{regions}],"bytes":{bytes}}}"#)
    };
    let destination = part("destination", 48);
    for (answer, why) in [
        ("hello".to_owned(), "`hello` is no frame: not a JSON object"),
        ("[1]".to_owned(), "not a JSON object"),
        (
            r#"{"kind":"bye","id":0}"#.to_owned(),
            "unknown variant `bye`",
        ),
        (r#"{"id":0}"#.to_owned(), "missing field `kind`"),
        (r#"{"kind":"hangs"}"#.to_owned(), "missing field `id`"),
        (
            r#"{"kind":"hangs","id":1}"#.to_owned(),
            "it answers question 1, and was asked question 0",
        ),
        (
            r#"{"kind":"hello","protocol":1}"#.to_owned(),
            "a greeting in the place",
        ),
        (
            r#"{"kind":"hangs","id":0,"bytes":48}"#.to_owned(),
            "unknown field `bytes`",
        ),
        (
            r#"{"kind":"rejected","id":0,"claus":"TSCATTER-LEG-01"}"#.to_owned(),
            "unknown field `claus`",
        ),
        (
            r#"{"kind":"done","id":0,"regions":[{"role":"table","bytes":0,"at":1}]}"#.to_owned(),
            "unknown field `at`",
        ),
        (
            r#"{"kind":"done","id":0,"out_of_bounds":-1,"regions":[]}"#.to_owned(),
            "invalid value",
        ),
        (done(&[], 0), "the destination did not come back"),
        (
            done(&[part("source", 48)], 48),
            "the destination did not come back",
        ),
        (done(&[part("table", 48)], 48), "the call has no table"),
        (done(&[part("tile", 48)], 48), "unknown variant `tile`"),
        (
            done(&[part("destination", 32)], 32),
            "the destination has 48 bytes, not 32",
        ),
        (
            done(&[destination.clone(), destination.clone()], 96),
            "the destination came twice",
        ),
        (
            done(std::slice::from_ref(&destination), 0),
            "the regions have 48 bytes, and 0 came",
        ),
        (
            done(&[destination.clone(), part("source", 48)], 48),
            "the regions have 96 bytes, and 48 came",
        ),
    ] {
        // As many raw bytes as it announces.
        let parsed: Option<serde_json::Value> = serde_json::from_str(&answer).ok();
        let bytes = parsed.and_then(|v| v.get("bytes")?.as_u64()).unwrap_or(0);
        let behaviour = match bytes {
            0 => "raw".to_owned(),
            bytes => format!("raw-with-{bytes}"),
        };
        let implementation = started(&format!("{behaviour} '{answer}'"), LONG);
        let (trouble, _) = trouble(&implementation);
        let Trouble::Garbage(said) = &trouble else {
            panic!("{answer}: {trouble:?}");
        };
        assert!(said.contains(why), "{answer}: {said}");
    }
}

fn half_an_answer_is_told() {
    let (first, _) = trouble(&started("half-a-line", LONG));
    let ended = Ended::Code(0);
    assert_eq!(first, Trouble::Half { held: 20, ended });
    let (second, _) = trouble(&started("half-the-bytes", LONG));
    let Trouble::Half { held, ended } = second else {
        panic!("{second:?}");
    };
    assert_eq!(ended, Ended::Code(5));
    assert!(held > 38, "{held}");
}

fn a_flood_is_stopped() {
    for (behaviour, why) in [
        ("no-end-of-line", "a line of more than 65536 bytes"),
        (
            r#"raw '{"kind":"done","id":0,"bytes":97}'"#,
            "97 raw bytes announced, where at most 96 make sense",
        ),
        ("twice", "bytes after the answer"),
    ] {
        let (trouble, _) = trouble(&started(behaviour, LONG));
        assert_eq!(trouble, Trouble::Flood(why.to_owned()));
    }
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

fn a_process_that_closes_its_output_is_of_no_use() {
    for (then, ended) in [
        ("sleep 600", Ended::Closed),
        // On its way to an end it has a moment to get there.
        ("sleep 0.1; exit 3", Ended::Code(3)),
    ] {
        let (trouble, _) = trouble(&started(&format!("closes-its-output '{then}'"), LONG));
        assert_eq!(trouble, Trouble::Crash(ended));
    }
}

fn a_process_that_reads_no_more_is_of_no_use() {
    // More than a pipe holds.
    let rows = 1 << 16;
    let implementation = started("says DEAF", LONG);
    let Answered::Failed(failure) = ask_on(&implementation, rows, &mut memory(rows)) else {
        panic!("an answer");
    };
    assert_eq!(failure.trouble, Trouble::Crash(Ended::Closed));
    let said = "the implementation closed its standard input or output and went on";
    assert_eq!(failure.to_string(), said);
    // It answers, and leaves in the pipe what belongs to the question.
    let implementation = started("says SKIP", SHORT);
    let Answered::Failed(failure) = ask_on(&implementation, rows, &mut memory(rows)) else {
        panic!("an answer");
    };
    assert!(matches!(failure.trouble, Trouble::Time { .. }), "{failure}");
}

fn an_answer_that_is_no_text_is_told() {
    let (trouble, _) = trouble(&started("no-utf-8", LONG));
    assert!(matches!(trouble, Trouble::Garbage(_)), "{trouble:?}");
}
