//! Options that cannot be meant together, those that need another, and their ends.

use std::fs;

use crate::common::{folder_with, ptodiff, scatter};

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
    let (duty, dropped) = ("undefined-last=duty", "undefined-last=dropped");
    for command in [
        &["run", "a.yaml"][..],
        &["st", "check", ".", "--suite", "a5"],
        &["hunt", "--count", "10", "--lattice", "lattice.json"],
    ] {
        let args = [command, &["--reading", duty, "--reading", dropped]].concat();
        let done = ptodiff(folder.path(), &args);
        assert_eq!(done.code, 2, "{args:?}: {}{}", done.out, done.err);
        let said =
            "error: --reading gives undefined-last twice, as duty and as dropped: one is right\n";
        assert_eq!(done.err, said, "{args:?}");
    }
    let twice = [
        "run",
        "a.yaml",
        "--out",
        "out",
        "--reading",
        duty,
        "--reading",
        duty,
    ];
    let done = ptodiff(folder.path(), &twice);
    assert_eq!(done.code, 0, "{}", done.err);
    let record = fs::read_to_string(folder.path().join("out/run.jsonl")).unwrap();
    let header = record.lines().next().unwrap();
    assert!(
        header.contains("\"readings\":[[\"undefined-last\",\"duty\"]]"),
        "{header}"
    );
}
