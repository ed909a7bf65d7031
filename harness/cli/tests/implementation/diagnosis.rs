//! What may be behind the failures of an implementation, from a run to its reports.

use std::fs;

use crate::{
    common::ptodiff,
    tests,
    verdicts::{run, three},
};

tests!(
    a_run_names_the_mistake_and_so_does_what_is_made_of_its_record,
    what_nothing_known_explains_is_told_as_such,
    who_asks_for_no_diagnosis_gets_none,
    a_diagnosis_needs_the_cases_of_the_run,
);

/// The mock does so with one of the three only.
const SHORT: &str =
    "weak: leaves out the last row: explains 1 of 1 failure, but contradicts 2 of 2 passes";

fn a_run_names_the_mistake_and_so_does_what_is_made_of_its_record() {
    let folder = three();
    let done = run(folder.path(), "short", &["--diagnosis", "10m"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.out.contains(SHORT), "{}", done.out);
    let again = ptodiff(folder.path(), &["report", "--from", "out/run.jsonl"]);
    assert!(again.out.contains(SHORT), "{}", again.out);
    let written = fs::read_to_string(folder.path().join("out/summary.txt")).expect("a summary");
    assert!(written.contains(SHORT), "{written}");
    for name in ["summary.md", "report.html", "run.jsonl"] {
        let written = fs::read_to_string(folder.path().join("out").join(name)).expect("a report");
        assert!(written.contains("leaves out the last row"), "{name}");
    }
    // What is merged has none, and the command that makes it.
    let merge = ["merge", "out/run.jsonl", "--out", "whole.jsonl"];
    let merged = ptodiff(folder.path(), &merge);
    let says = "\n  ptodiff diagnose whole.jsonl says what may be behind failures\n";
    assert!(merged.out.ends_with(says), "{}{}", merged.out, merged.err);
    let whole = fs::read_to_string(folder.path().join("whole.jsonl")).expect("a record");
    assert!(!whole.contains("leaves out the last row"), "{whole}");
    // Explained: what is wrong is known.
    let told = ptodiff(folder.path(), &["diagnose", "whole.jsonl", "--time", "10m"]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    assert!(told.out.contains(SHORT), "{}", told.out);
    assert!(
        told.out
            .ends_with("1 failure group with values to look at, 1 explained\n"),
        "{}",
        told.out
    );
}

fn what_nothing_known_explains_is_told_as_such() {
    let folder = three();
    let done = run(folder.path(), "one-slot", &[]);
    assert_eq!(done.code, 1, "{}", done.err);
    let told = ptodiff(
        folder.path(),
        &["diagnose", "out/run.jsonl", "--time", "10m"],
    );
    assert_eq!(told.code, 1, "{}{}", told.out, told.err);
    let nothing = "diagnosis  nothing known explains it";
    assert!(told.out.contains(nothing), "{}", told.out);
}

fn who_asks_for_no_diagnosis_gets_none() {
    let folder = three();
    let done = run(folder.path(), "short", &["--diagnosis", "0"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(!done.out.contains("diagnosis"), "{}", done.out);
    let record = fs::read_to_string(folder.path().join("out/run.jsonl")).expect("a record");
    assert!(!record.contains("diagnosis"), "{record}");
}

fn a_diagnosis_needs_the_cases_of_the_run() {
    let folder = three();
    run(folder.path(), "short", &["--diagnosis", "10m"]);
    fs::rename(folder.path().join("a.yaml"), folder.path().join("b.yaml")).expect("a new name");
    let told = ptodiff(folder.path(), &["diagnose", "out", "--time", "10m"]);
    assert_eq!(told.code, 2, "{}{}", told.out, told.err);
    assert!(told.err.contains("a.yaml is not here"), "{}", told.err);
    let told = ptodiff(folder.path(), &["diagnose", "out", "--cases", "b.yaml"]);
    // Ids begin with the name of the file.
    assert_eq!(told.code, 2, "{}{}", told.out, told.err);
    ptodiff(folder.path(), &["run", "b.yaml", "--out", "models"]);
    let told = ptodiff(folder.path(), &["diagnose", "models"]);
    assert_eq!(told.code, 3, "{}{}", told.out, told.err);
}
