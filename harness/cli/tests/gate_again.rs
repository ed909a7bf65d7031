//! What a gate takes together, and the commands that it proposes: they mean the
//! same files and subjects as the one that proposes them.

use std::{fs, path::Path};

use crate::common::{Done, ptodiff, scatter};

/// A folder with the cases `one` and `two` in `mine`, the second with `extra`
/// lines, and no waiver in `known`.
fn folder(extra: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("known")).unwrap();
    fs::create_dir_all(at.join("mine")).unwrap();
    fs::write(at.join("known/waivers.yaml"), "waivers: []\n").unwrap();
    let two = scatter("two", extra).replace("cases:\n", "");
    let text = format!("{}{two}", scatter("one", ""));
    fs::write(at.join("mine/a.yaml"), text).unwrap();
    folder
}

fn gate(at: &Path, more: &[&str]) -> Done {
    ptodiff(at, &[&["gate"], more].concat())
}

fn says(done: &Done, code: i32, text: &str, part: &str) {
    assert_eq!(done.code, code, "{}{}", done.out, done.err);
    assert!(text.contains(part), "`{part}` is not in:\n{text}");
}

#[test]
fn a_record_is_not_run_again_so_that_nothing_may_be_said_of_running() {
    let folder = folder("");
    let at = folder.path();
    let run = ptodiff(at, &["run", "mine", "--quiet", "--out", "out"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for more in [
        &["--subject", "x=true"][..],
        &["--subject", "x=true", "--as", "a5"],
        &["--as", "a5"],
        &["--subject-time", "9s"],
        &["--subject-memory", "64"],
        &["--cases", "mine"],
    ] {
        let done = gate(
            at,
            &[&["--from", "out/run.jsonl", "--bless"], more].concat(),
        );
        let said = format!("{} ", more[0]);
        says(&done, 2, &done.err, "cannot be used with");
        says(&done, 2, &done.err, &said);
    }
}
