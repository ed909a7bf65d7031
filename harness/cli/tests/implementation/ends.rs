//! How implementations end.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use tempfile::TempDir;

use crate::{
    common::{command, folder_with, scatter},
    mine,
};

/// The tests, by name.
pub(crate) const TESTS: [(&str, fn()); 5] = [
    (
        "an_interrupt_ends_the_implementation_too",
        an_interrupt_ends_the_implementation_too,
    ),
    (
        "a_closed_terminal_ends_it_though_nobody_can_be_told",
        a_closed_terminal_ends_it_though_nobody_can_be_told,
    ),
    (
        "one_that_is_to_outlive_its_terminal_does",
        one_that_is_to_outlive_its_terminal_does,
    ),
    (
        "whatever_kills_the_command_nobody_outlives_it",
        whatever_kills_the_command_nobody_outlives_it,
    ),
    (
        "what_the_machine_lacks_is_nobodys_fault",
        what_the_machine_lacks_is_nobodys_fault,
    ),
];

/// A scatter into a table of five rows, where the mock is wrong, between two others.
fn three() -> TempDir {
    let case = |name: &str| scatter(name, "").replace("cases:\n", "");
    let odd = case("odd").replace("4, 8]", "5, 8]");
    folder_with(&format!("cases:\n{}{odd}{}", case("first"), case("last")))
}

/// Starts a command that soon waits for an implementation: with the implementation's number.
fn hanging(folder: &Path, mut start: Command, args: &[&str]) -> (Child, String) {
    let note = folder.join("pid");
    let _ = fs::remove_file(&note);
    let implementation = mine("hangs");
    let child = start
        .args(args)
        .args(["--impl", &implementation, "--impl-time", "10m"])
        .env("MOCK_PID", &note)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pid = String::new();
    until(|| {
        pid = fs::read_to_string(&note).unwrap_or_default();
        pid.ends_with('\n')
    });
    (child, pid)
}

fn tell(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let told = Command::new("kill").args([signal, &pid]).status();
    assert!(told.expect("kill runs").success());
}

/// Waits for the end of an implementation, its child and its child's child, that were
/// started by a command that is gone.
fn goes(pids: &str) {
    let pids: Vec<&str> = pids.split_whitespace().collect();
    assert_eq!(pids.len(), 3, "{pids:?}");
    for pid in pids {
        // One that nobody waited for has no command line any more.
        let line = format!("/proc/{pid}/cmdline");
        until(|| fs::read(&line).is_ok_and(|words| words.is_empty()) || !Path::new(&line).exists());
    }
}

const RUN: [&str; 6] = ["run", "a.yaml", "--out", "out", "--as", "a5"];

/// The terminal tells only the command: an implementation that hangs would stay.
fn an_interrupt_ends_the_implementation_too() {
    let folder = three();
    let hunt = [
        "hunt", "--time", "10m", "--form", "mscatter", "--as", "a5", "--quick",
    ];
    for (args, signal, says) in [
        (&RUN[..], "-INT", "nothing was written"),
        (&RUN, "-TERM", "nothing was written"),
        (&hunt, "-INT", "what was found by now follows"),
    ] {
        let (mut run, pid) = hanging(folder.path(), command(folder.path()), args);
        tell(&run, signal);
        assert_eq!(run.wait().expect("it ends").code(), Some(130));
        let mut said = String::new();
        let mut stderr = run.stderr.take().expect("piped");
        stderr.read_to_string(&mut said).expect("text");
        assert!(
            said.contains("interrupted") && said.contains(says),
            "{said}"
        );
        goes(&pid);
    }
}

/// The command, started by other words.
fn by(folder: &Path, words: &[&str]) -> Command {
    let own = command(folder);
    let mut start = Command::new(words[0]);
    start.args(&words[1..]).arg(own.get_program());
    start.current_dir(folder);
    start
}

fn a_closed_terminal_ends_it_though_nobody_can_be_told() {
    let folder = three();
    // Whoever runs the tests may have told them to ignore it.
    let start = by(folder.path(), &["env", "--default-signal=HUP"]);
    let (mut run, pid) = hanging(folder.path(), start, &RUN);
    drop(run.stderr.take());
    tell(&run, "-HUP");
    let mut ended = None;
    until(|| {
        ended = run.try_wait().expect("it can be waited for");
        ended.is_some()
    });
    assert_eq!(ended.and_then(|status| status.code()), Some(130));
    goes(&pid);
}

fn one_that_is_to_outlive_its_terminal_does() {
    let folder = three();
    let start = by(
        folder.path(),
        &["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""],
    );
    let (mut run, pid) = hanging(folder.path(), start, &RUN);
    tell(&run, "-HUP");
    thread::sleep(Duration::from_millis(300));
    assert_eq!(run.try_wait().expect("it can be waited for"), None);
    tell(&run, "-TERM");
    assert_eq!(run.wait().expect("it ends").code(), Some(130));
    goes(&pid);
}

/// Nothing can be caught here: who is left must know by himself.
fn whatever_kills_the_command_nobody_outlives_it() {
    let folder = three();
    let hunt = [
        "hunt", "--time", "10m", "--form", "mscatter", "--as", "a5", "--quick",
    ];
    for (args, signal) in [(&RUN[..], "-KILL"), (&RUN, "-QUIT"), (&hunt, "-KILL")] {
        // Tests that run in the background of a shell ignore it.
        let start = by(folder.path(), &["env", "--default-signal=QUIT"]);
        let (mut run, pids) = hanging(folder.path(), start, args);
        tell(&run, signal);
        assert_eq!(run.wait().expect("it ends").code(), None);
        goes(&pids);
    }
}

/// With few open files, and one more each time until they are enough: nothing is said of the
/// implementation, nor `written`, where files run out as one more process is to be started.
fn ends_where_files_run_out(folder: &Path, args: &[&str], written: &str) {
    let own = mine("crashes");
    let mut codes = Vec::new();
    while codes.last() != Some(&1) {
        let limit = format!("ulimit -n {}; exec \"$0\" \"$@\"", 5 + codes.len());
        let done: crate::common::Done = by(folder, &["sh", "-c", &limit])
            .args(args)
            .args(["--jobs", "1", "--as", "a5", "--impl", &own])
            .output()
            .expect("it starts")
            .into();
        if done.code == 70 && done.err.contains("the implementation") {
            let why = "Too many open files (os error 24); nothing is said of it\n";
            assert!(done.err.ends_with(why), "{}", done.err);
            assert!(!done.out.contains("a5:mine crash"), "{}", done.out);
            assert!(!folder.join(written).exists());
        }
        codes.push(done.code);
        let known = [1, 2, 70].contains(&done.code) && codes.len() < 40;
        assert!(known, "{codes:?}");
    }
    // Too few even to begin, too few to go on, enough.
    let between = codes.iter().filter(|code| **code == 70).count();
    assert!(between > 2, "{codes:?}");
}

fn what_the_machine_lacks_is_nobodys_fault() {
    let folder = three();
    let run = ["run", "a.yaml", "--out", "out"];
    ends_where_files_run_out(folder.path(), &run, "out/run.jsonl");
    let hunt = "hunt --quick --count 60 --known none --form mscatter --target a5 --rules legal \
         --diagnosis 0 --out found.yaml";
    let hunt: Vec<&str> = hunt.split_whitespace().collect();
    ends_where_files_run_out(folder.path(), &hunt, "found.yaml");

    let large = scatter("large", "").replace("4, 8]", "262144, 128]");
    fs::write(folder.path().join("a.yaml"), large).expect("a file");
    let limit = "ulimit -v 600000; exec \"$0\" \"$@\"";
    let done = by(folder.path(), &["sh", "-c", limit])
        .args(["run", "a.yaml", "--out", "out", "--jobs", "1"])
        .output()
        .expect("it starts");
    let said = String::from_utf8(done.stderr).expect("text");
    assert_eq!(done.status.code(), Some(70), "{said}");
    assert!(said.contains("memory"), "{said}");
}

/// Waits for it, and not for ever.
fn until(mut done: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if done() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("it did not come");
}
