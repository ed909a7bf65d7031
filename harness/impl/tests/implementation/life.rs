//! How implementations start, and how they and what they started come to an end.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use ptodiff_impl::{Answered, Ended, Implementation, Limits, Place, StartError, TRIES, Trouble};
use ptodiff_isa::Target;
use tempfile::NamedTempFile;

use crate::common::{DONE, LONG, SHORT, ask, command, start, started, trouble};

crate::tests![
    one_that_dies_at_start_is_tried_five_times,
    one_that_starts_no_more_is_given_up,
    only_starts_in_a_row_are_counted,
    one_that_never_greets_is_waited_for_once,
    what_cannot_be_started_is_told,
    a_child_that_keeps_the_pipes_open_hides_no_crash,
    children_are_ended_with_a_hang,
    the_end_of_input_ends_it,
    one_that_ignores_the_end_is_ended,
];

fn file() -> NamedTempFile {
    NamedTempFile::new().expect("a file")
}

fn with(behaviour: &str, file: &NamedTempFile) -> String {
    format!("{behaviour} '{}'", file.path().display())
}

fn lines(file: &NamedTempFile) -> Vec<String> {
    let text = fs::read_to_string(file.path()).expect("text");
    text.lines().map(str::to_owned).collect()
}

fn error(behaviour: &str) -> StartError {
    match start(behaviour, LONG) {
        Ok(_) => panic!("`{behaviour}` started"),
        Err(error) => error,
    }
}

fn one_that_dies_at_start_is_tried_five_times() {
    let starts = file();
    let StartError::Failed(failure) = error(&with("dies-at-start", &starts)) else {
        panic!("another error");
    };
    let why = "the implementation ended with code 4".to_owned();
    assert_eq!(failure.trouble, Trouble::NoStart { tries: TRIES, why });
    assert_eq!(failure.stderr, ["no board"]);
    assert_eq!(lines(&starts).len(), 5);
}

fn one_that_starts_no_more_is_given_up() {
    let starts = file();
    let implementation = started(&with("dies-after-first", &starts), LONG);
    assert_eq!(trouble(&implementation).0, Trouble::Crash(Ended::Code(3)));
    let begun = Instant::now();
    for _ in 0..3 {
        let (trouble, stderr) = trouble(&implementation);
        assert!(
            matches!(trouble, Trouble::NoStart { tries: 5, .. }),
            "{trouble:?}"
        );
        assert_eq!(stderr, ["device busy"]);
        assert_eq!(lines(&starts).len(), 6);
    }
    // A device that is back within seconds would have been met.
    assert!(begun.elapsed() >= Duration::from_secs(4), "{begun:?}");
}

fn only_starts_in_a_row_are_counted() {
    let starts = file();
    let implementation = started(&with("starts-one-time-in-five", &starts), LONG);
    for started in [5, 10, 15] {
        assert_eq!(trouble(&implementation).0, Trouble::Crash(Ended::Code(3)));
        assert_eq!(lines(&starts).len(), started);
    }
}

fn one_that_never_greets_is_waited_for_once() {
    let starts = file();
    let limits = Limits {
        start: Duration::from_millis(300),
        ..LONG
    };
    let Err(StartError::Failed(failure)) = start(&with("never-greets", &starts), limits) else {
        panic!("another error, or none");
    };
    let limit = limits.start;
    assert_eq!(failure.trouble, Trouble::Time { limit, held: 0 });
    assert_eq!(lines(&starts).len(), 1);
}

fn what_cannot_be_started_is_told() {
    let start = |name: &str, command: &str| {
        Implementation::start(name, command, Target::Cpu, LONG, Place::default()).err()
    };
    let right = command("right");
    assert_eq!(
        start("a:b", &right),
        Some(StartError::Name("a:b".to_owned()))
    );
    assert_eq!(start("a", "'x"), Some(StartError::Command("'x".to_owned())));
    let missing = start("a", "/no/such/program x");
    let Some(StartError::Program { program, .. }) = missing else {
        panic!("{missing:?}");
    };
    assert_eq!(program, "/no/such/program");
    assert!(start("a", &right).is_none());
}

/// Whether the process is there and has not ended.
#[cfg(windows)]
fn lives(pid: &str) -> bool {
    let list = std::process::Command::new("tasklist").output();
    let list = list.expect("it lists").stdout;
    let list = String::from_utf8_lossy(&list);
    list.split_ascii_whitespace().any(|word| word == pid)
}

/// Whether the process is there and has not ended.
#[cfg(unix)]
fn lives(pid: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    let state = stat
        .rsplit_once(')')
        .and_then(|(_, rest)| rest.trim().chars().next());
    !matches!(state, Some('Z' | 'X'))
}

/// That the process is gone, or will be in a moment.
fn goes(pid: &str) {
    let gone = (0..2000).any(|_| {
        let lives = lives(pid);
        if lives {
            thread::sleep(Duration::from_millis(10));
        }
        !lives
    });
    assert!(gone, "{pid} goes on");
}

fn child(noted: &NamedTempFile) -> String {
    let lines = lines(noted);
    assert_eq!(lines.len(), 1);
    lines[0].clone()
}

fn a_child_that_keeps_the_pipes_open_hides_no_crash() {
    let noted = file();
    let implementation = started(&with("leaves-a-child", &noted), LONG);
    assert_eq!(trouble(&implementation).0, Trouble::Crash(Ended::Code(6)));
    goes(&child(&noted));
}

fn children_are_ended_with_a_hang() {
    let noted = file();
    let implementation = started(&with("hangs-with-a-child", &noted), SHORT);
    assert!(matches!(trouble(&implementation).0, Trouble::Time { .. }));
    goes(&child(&noted));
}

fn the_end_of_input_ends_it() {
    let noted = file();
    let implementation = started(&with("says-good-bye", &noted), LONG);
    assert_eq!(ask(&implementation), DONE);
    assert_eq!(lines(&noted).len(), 1);
    drop(implementation);
    assert_eq!(lines(&noted)[1..], ["good bye"]);
    goes(&lines(&noted)[0]);
}

fn one_that_ignores_the_end_is_ended() {
    let noted = file();
    let implementation = started(&with("stays", &noted), LONG);
    assert_eq!(ask(&implementation), Answered::Done { out_of_bounds: 0 });
    drop(implementation);
    goes(&child(&noted));
}
