//! Options that cannot be meant together, those that need another, and their ends.

use std::{fs, process::Stdio};

use crate::common::{command, folder_with, ptodiff, scatter};

#[test]
fn any_schedule_that_has_a_number_is_traced() {
    let folder = folder_with(&scatter("one", ""));
    let trace = |number: &str| {
        let args = [
            "trace",
            "one",
            "--cases",
            ".",
            "--target",
            "a5",
            "--schedule",
            number,
        ];
        ptodiff(folder.path(), &args)
    };
    let last = trace("4294967295");
    assert_eq!((last.code, last.err.as_str()), (0, ""));
    assert_ne!(last.out, trace("2").out);
    assert_eq!(trace("4294967296").code, 2);
}

#[test]
fn a_gap_has_one_reading_in_a_run() {
    let folder = folder_with(&scatter("one", ""));
    let (precondition, dropped) = ("undefined-last=precondition", "undefined-last=dropped");
    for command in [
        &["run", "a.yaml"][..],
        &["st", "check", ".", "--suite", "a5"],
        &["hunt", "--count", "10", "--lattice", "lattice.json"],
    ] {
        let args = [command, &["--reading", precondition, "--reading", dropped]].concat();
        let done = ptodiff(folder.path(), &args);
        assert_eq!(done.code, 2, "{args:?}: {}{}", done.out, done.err);
        let said = "error: --reading gives undefined-last twice, as precondition and as dropped: one is right\n";
        assert_eq!(done.err, said, "{args:?}");
    }
    let twice = [
        "run",
        "a.yaml",
        "--out",
        "out",
        "--reading",
        precondition,
        "--reading",
        precondition,
    ];
    let done = ptodiff(folder.path(), &twice);
    assert_eq!(done.code, 0, "{}", done.err);
    let record = fs::read_to_string(folder.path().join("out/run.jsonl")).unwrap();
    let header = record.lines().next().unwrap();
    assert!(
        header.contains("\"readings\":[[\"undefined-last\",\"precondition\"]]"),
        "{header}"
    );
}

#[test]
fn one_report_has_standard_output_for_itself() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    ptodiff(at, &["run", "a.yaml", "--quiet", "--out", "out"]);
    let report =
        |more: &[&str]| ptodiff(at, &[&["report", "--from", "out/run.jsonl"], more].concat());
    for (more, both) in [
        (&["--html", "-", "--junit", "-"][..], "--html and --junit"),
        (&["--junit", "-", "--md", "-"], "--junit and --md"),
        (
            &["--html", "-", "--annotations"],
            "--html and --annotations",
        ),
        (&["--md", "-", "--text"], "--md and --text"),
    ] {
        let done = report(more);
        assert_eq!(
            (done.code, done.out.as_str()),
            (2, ""),
            "{more:?}: {}",
            done.err
        );
        let said = format!(
            "error: {both} would both go to standard output: give a PATH to one of them, or call report twice\n"
        );
        assert_eq!(done.err, said, "{more:?}");
    }
    // Lines for people and lines for the check go together, as at the end of a run.
    assert_eq!(report(&["--text", "--annotations"]).code, 0);
    assert_eq!(report(&["--html", "-", "--junit"]).code, 0);
}

#[test]
fn a_record_is_taken_from_standard_input() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    ptodiff(at, &["run", "a.yaml", "--quiet", "--out", "out"]);
    let piped = |args: &[&str]| {
        let record = fs::File::open(at.join("out/run.jsonl")).unwrap();
        let done = command(at).args(args).stdin(record).output();
        crate::common::Done::from(done.unwrap())
    };
    let text = piped(&["report", "--from", "-"]);
    let same = ptodiff(at, &["report", "--from", "out/run.jsonl"]);
    assert_eq!((text.code, text.out), (0, same.out), "{}", text.err);
    let merged = piped(&["merge", "-", "--out", "merged.jsonl"]);
    assert_eq!(merged.code, 0, "{}", merged.err);
    let twice = piped(&["merge", "-", "-", "--out", "merged.jsonl"]);
    assert_eq!(twice.code, 2, "{}", twice.out);
    let same = piped(&["diff", "out/run.jsonl", "-"]);
    assert_eq!(same.code, 0, "{}", same.err);
    // A stream has no folder for what goes beside the record.
    let beside = piped(&["report", "--from", "-", "--html"]);
    assert_eq!(beside.code, 2, "{}", beside.out);
    let said = "error: a record of standard input has no folder: say where report.html goes, as in --html PATH\n";
    assert_eq!(beside.err, said);
    let nothing = command(at)
        .args(["report", "--from", "-"])
        .stdin(Stdio::null())
        .output();
    let nothing = crate::common::Done::from(nothing.unwrap());
    assert_eq!(nothing.code, 2);
    assert!(
        nothing.err.contains("standard input: the record is empty"),
        "{}",
        nothing.err
    );
}

#[test]
fn a_lattice_asks_for_its_folder_and_for_no_case() {
    let folder = folder_with(&scatter("one", ""));
    for args in [
        &["cpp", "--lattice"][..],
        &["cpp", "--lattice", "--shapes", "8x32"],
        &["cpp", "--shapes", "8x32"],
    ] {
        let done = ptodiff(folder.path(), args);
        assert_eq!(done.code, 2, "{args:?}: {}", done.out);
        assert!(
            done.err.contains("--harness <DIR>"),
            "{args:?}: {}",
            done.err
        );
        let demanded = done.err.split("Usage").next().unwrap();
        assert!(!demanded.contains("CASE"), "{args:?}: {}", done.err);
    }
    let bare = ptodiff(folder.path(), &["cpp"]);
    assert_eq!(bare.code, 2);
    assert!(bare.err.contains("<CASE>..."), "{}", bare.err);
}
