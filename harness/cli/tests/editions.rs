//! Editions, and readings of one target, as a user chooses them.

use std::fs;

use tempfile::TempDir;

use crate::common::{Done, ptodiff};

/// Slots that no index names hold 9 before the call; the index names slot 4, or row 4,
/// which is not there.
const CASES: &str = "cases:
  - name: one
    instruction: TSCATTER
    dtype: int32_t
    source: {shape: [1, 8], valid: [1, 1], data: {values: [7]}}
    destination: {shape: [1, 8], data: {values: [9, 9, 9, 9, 9, 9, 9, 9]}}
    index: {shape: [1, 8], valid: [1, 1], data: {values: [4]}}
";

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("a.yaml"), CASES).expect("written");
    folder
}

fn run(folder: &TempDir, more: &[&str]) -> Done {
    let told = [
        &["run", "a.yaml", "--out", "out", "--status-level", "all"],
        more,
    ]
    .concat();
    ptodiff(folder.path(), &told)
}

#[test]
fn a_run_under_an_edition_and_what_counts_more() {
    let folder = folder();
    assert!(run(&folder, &[]).out.contains("agree  a/one"));
    let later = run(&folder, &["--edition", "spec-0.58"]);
    assert!(later.out.contains("undefined  a/one"), "{}", later.out);
    let flat = ["--edition", "spec-0.58", "--reading", "tscatter-index=flat"];
    assert!(run(&folder, &flat).out.contains("agree  a/one"));
    // CPU keeps what the NPUs zero, and that is permitted by the gap.
    let library = run(
        &folder,
        &["--edition", "library-2026-08", "--show", "permitted"],
    );
    assert_eq!(library.code, 0, "{}", library.out);
    assert!(library.out.contains("permitted  a/one"), "{}", library.out);
    assert!(library.out.contains("TSCATTER-GAP-02"), "{}", library.out);
    let all = [
        "--edition",
        "library-2026-08",
        "--reading",
        "tscatter-unaddressed=zero",
    ];
    assert!(run(&folder, &all).out.contains("agree  a/one"));
}

#[test]
fn an_edition_stands_in_the_configuration() {
    let folder = folder();
    let config = folder.path().join("ptodiff.toml");
    fs::write(&config, "[run]\nedition = \"spec-0.58\"\n").expect("written");
    let done = run(&folder, &[]);
    assert!(done.out.contains("undefined  a/one"), "{}", done.out);
    assert!(done.err.contains("edition spec-0.58"), "{}", done.err);
    let own = run(&folder, &["--edition", "documents"]);
    assert!(own.out.contains("agree  a/one"), "{}", own.out);
    fs::write(&config, "[run]\nedition = \"spec-0.59\"\n").expect("written");
    let done = run(&folder, &[]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("did you mean `spec-0.58`?"),
        "{}",
        done.err
    );
}

#[test]
fn what_changes_between_two_editions() {
    let folder = folder();
    let here = folder.path();
    let done = ptodiff(
        here,
        &["diff", "--editions", "documents,spec-0.58", "a.yaml"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    for part in [
        "documents -> spec-0.58: 1 of 1 case change",
        "tscatter-index=row",
        "a result -> nothing promised, 1 case",
        "a/one",
    ] {
        assert!(done.out.contains(part), "`{part}`: {}", done.out);
    }
    let same = ptodiff(
        here,
        &["diff", "--editions", "documents,documents", "a.yaml"],
    );
    assert!(same.out.contains("0 of 1 case change"), "{}", same.out);
    for (asked, says) in [
        (
            &["diff", "--editions", "documents", "a.yaml"][..],
            "expected two editions",
        ),
        (
            &["diff", "--editions", "documents,new", "a.yaml"],
            "the editions are",
        ),
        (&["diff", "a.yaml"], "diff takes two records"),
        (
            &["diff", "--editions", "documents,spec-0.58", "b.yaml"],
            "b.yaml",
        ),
        (
            &["run", "a.yaml", "--reading", "npu:scope=documented"],
            "npu:scope",
        ),
    ] {
        let done = ptodiff(here, asked);
        assert_eq!(done.code, 2, "{asked:?}");
        assert!(done.err.contains(says), "{asked:?}: {}", done.err);
    }
    let told = ptodiff(here, &["explain", "library-2026-08"]);
    assert!(
        told.out.contains("reads   cpu:tscatter-unaddressed=kept"),
        "{}",
        told.out
    );
}
