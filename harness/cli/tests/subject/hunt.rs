//! Subjects in a hunt.

use std::{fs, path::Path};

use crate::{
    common::{Done, ptodiff},
    mine, tests,
};

tests!(
    a_right_subject_is_hunted_in_vain,
    a_wrong_one_is_found_shrunk_and_written,
    one_that_can_nothing_shows_nothing,
);

fn hunt(folder: &Path, behaviour: &str, more: &[&str]) -> Done {
    let subject = mine(behaviour);
    let own = [
        "hunt", "--quick", "--known", "none", "--form", "mscatter", "--target", "a5",
    ];
    let subject = ["--subject", &subject, "--as", "a5", "--jobs", "2"];
    ptodiff(folder, &[&own[..], &subject, more].concat())
}

fn a_right_subject_is_hunted_in_vain() {
    let folder = tempfile::tempdir().expect("a folder");
    let done = hunt(folder.path(), "right", &["--count", "1500"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(
        done.out.contains("a5:mine asked 1,500 times"),
        "{}",
        done.out
    );
    assert!(
        done.out.contains("no violation by a subject"),
        "{}",
        done.out
    );
}

fn a_wrong_one_is_found_shrunk_and_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let more = ["--count", "1500", "--rules", "legal", "--out", "found.yaml"];
    let done = hunt(folder.path(), "one-slot", &more);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(
        done.out.contains("MSCATTER a5:mine valid MSCATTER-"),
        "{}",
        done.out
    );
    assert!(
        done.out.contains("no unexplained difference"),
        "{}",
        done.out
    );
    let text = fs::read_to_string(folder.path().join("found.yaml")).expect("a file");
    // What the mock needs to go wrong is left: five rows.
    assert!(text.contains("- name: \"mine-"), "{text}");
    let cases = text.matches("  - name: ").count();
    assert_eq!(
        text.matches("shape: [1, 1, 1, 5, ").count(),
        cases,
        "{text}"
    );
    // The file runs, and shows it again.
    let subject = mine("one-slot");
    let run = [
        "run",
        "found.yaml",
        "--out",
        "out",
        "--as",
        "a5",
        "--subject",
        &subject,
    ];
    let again = ptodiff(folder.path(), &run);
    assert_eq!(again.code, 1, "{}{}", again.out, again.err);
    assert!(
        again.out.contains("MSCATTER a5:mine valid MSCATTER-"),
        "{}",
        again.out
    );
}

fn one_that_can_nothing_shows_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let done = hunt(folder.path(), "idle", &["--count", "50"]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    assert!(done.out.contains("50 of them unsupported"), "{}", done.out);
}
