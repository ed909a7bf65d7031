//! Subjects that do not get as far as a case, how they are named, and how they end.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::{
    common::{command, ptodiff},
    mine, tests,
    verdicts::{run, three},
};

tests!(
    a_subject_that_does_not_start_is_wrong_usage,
    what_it_said_before_it_died_at_start_is_shown,
    one_that_is_slow_to_start_is_told_of,
    names_and_claims_are_checked_before_anything_runs,
    an_interrupt_ends_the_subject_too,
);

fn a_subject_that_does_not_start_is_wrong_usage() {
    let folder = three();
    for (behaviour, why) in [
        ("dies-at-start", "ended with code 4"),
        ("sorry", "only on Mondays"),
    ] {
        let done = run(folder.path(), behaviour, &[]);
        assert_eq!(done.code, 2, "{}{}", done.out, done.err);
        assert!(
            done.err.contains("the subject a5:mine cannot be used"),
            "{}",
            done.err
        );
        assert!(done.err.contains(why), "{}", done.err);
        assert!(!folder.path().join("out").exists());
    }
}

fn what_it_said_before_it_died_at_start_is_shown() {
    let folder = three();
    let subject = mine("dies-at-start");
    fs::write(folder.path().join("w.yaml"), "waivers: []\n").expect("a file");
    let gate = [
        "gate",
        "--cases",
        "a.yaml",
        "--baseline",
        "w.yaml",
        "--bless",
    ];
    for args in [&["run", "a.yaml"][..], &gate, &["hunt", "--count", "1"]] {
        let own = ["--as", "a5", "--subject", &subject];
        let done = ptodiff(folder.path(), &[args, &own].concat());
        let said =
            "the subject ended with code 4\n  | cannot find \\u{1b}[31mlibpto.so\n  | no board\n";
        assert_eq!(done.code, 2, "{}{}", done.out, done.err);
        assert!(done.err.ends_with(said), "{}", done.err);
    }
}

fn one_that_is_slow_to_start_is_told_of() {
    let folder = three();
    let told = "the subject a5:mine has not greeted yet: it has 60s for that\n";
    let slow = run(folder.path(), "slow-to-start", &[]);
    assert_eq!((slow.code, &slow.err[..]), (0, told), "{}", slow.out);
}

/// The terminal tells only the command: a subject that hangs would stay.
fn an_interrupt_ends_the_subject_too() {
    let folder = three();
    let run = ["run", "a.yaml", "--out", "out", "--as", "a5"];
    let hunt = [
        "hunt", "--time", "10m", "--form", "mscatter", "--as", "a5", "--quick",
    ];
    for (args, signal, says) in [
        (&run[..], "-INT", "nothing was written"),
        (&run, "-TERM", "nothing was written"),
        (&hunt, "-INT", "what was found by now follows"),
    ] {
        let note = folder.path().join("pid");
        let _ = fs::remove_file(&note);
        let subject = mine("hangs");
        let mut run = command(folder.path())
            .args(args)
            .args(["--subject", &subject, "--subject-time", "10m"])
            .env("MOCK_PID", &note)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut pid = String::new();
        until(|| {
            pid = fs::read_to_string(&note).unwrap_or_default();
            !pid.is_empty()
        });
        let own = run.id().to_string();
        let told = Command::new("kill").args([signal, &own]).status();
        assert!(told.expect("kill runs").success());
        assert_eq!(run.wait().expect("it ends").code(), Some(130));
        let mut said = String::new();
        let mut stderr = run.stderr.take().expect("piped");
        stderr.read_to_string(&mut said).expect("text");
        assert!(
            said.contains("interrupted") && said.contains(says),
            "{said}"
        );
        // One that nobody waited for has no command line any more.
        let line = format!("/proc/{pid}/cmdline");
        until(|| fs::read(&line).is_ok_and(|words| words.is_empty()) || !Path::new(&line).exists());
    }
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

fn names_and_claims_are_checked_before_anything_runs() {
    let folder = three();
    let subject = mine("right");
    let two = ["--subject", &subject, "--subject", &subject];
    for (more, why) in [
        (&["--subject", "mine"][..], "expected NAME=COMMAND"),
        (&["--subject", "Simt=x"], "names a column already"),
        (&["--subject", "mine=/no/such/program"], "cannot be run"),
        (&["--as", "a5"], "--subject"),
        (
            &[&two[..], &["--as", "a5"]].concat(),
            "two subjects are called a5:mine",
        ),
        (
            &[&two[..2], &["--as", "a5", "--target", "cpu"]].concat(),
            "takes no part",
        ),
        (
            &[&two[..2], &["--as", "a5", "--as", "cpu"]].concat(),
            "once for all",
        ),
    ] {
        let done = ptodiff(
            folder.path(),
            &[&["run", "a.yaml", "--out", "out"], more].concat(),
        );
        assert_eq!(done.code, 2, "{}{}", done.out, done.err);
        assert!(done.err.contains(why), "{}", done.err);
    }
}
