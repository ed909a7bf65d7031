//! What a gate takes together, and the commands that it proposes: they mean the
//! same files and implementations as the one that proposes them.

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

const FILES: [&str; 4] = ["--cases", "mine", "--baseline", "known/waivers.yaml"];

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
        &["--impl", "x=true"][..],
        &["--impl", "x=true", "--as", "a5"],
        &["--as", "a5"],
        &["--impl-time", "9s"],
        &["--impl-memory", "64"],
        &["--cases", "mine"],
    ] {
        let from = [
            "--from",
            "out/run.jsonl",
            "--baseline",
            "known/waivers.yaml",
        ];
        let done = gate(at, &[&from[..], &["--bless"], more].concat());
        let said = format!("{} ", more[0]);
        says(&done, 2, &done.err, "cannot be used with");
        says(&done, 2, &done.err, &said);
    }
}

#[test]
fn where_there_is_no_baseline_the_command_makes_the_one_that_was_named() {
    let folder = folder("");
    let at = folder.path();
    let done = gate(at, &FILES);
    let command = "ptodiff gate --cases mine --baseline known/waivers.yaml --bless --write";
    says(&done, 2, &done.err, &format!("`{command}` makes one"));
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(ptodiff(at, &words).code, 0);
    says(&gate(at, &FILES), 0, "", "");
}

#[test]
fn what_a_blessing_takes_in_is_that_of_the_same_files() {
    let folder = folder("");
    let at = folder.path();
    gate(at, &[&FILES[..], &["--bless", "--write"]].concat());
    let bless = "`ptodiff gate --cases mine --baseline known/waivers.yaml --bless`";
    fs::write(at.join("mine/b.yaml"), scatter("three", "")).unwrap();
    let more = gate(at, &FILES);
    says(&more, 0, &more.out, &format!("; {bless} takes them in"));
    fs::remove_file(at.join("mine/a.yaml")).unwrap();
    let less = gate(at, &FILES);
    // Each of many failures names the option alone.
    let same = "accept the loss: the same command with `--bless`\n";
    says(&less, 1, &less.out, same);
}

#[test]
fn the_command_beside_a_violation_shows_it_and_says_so() {
    let folder = folder("");
    let at = folder.path();
    gate(at, &[&FILES[..], &["--bless", "--write"]].concat());
    let wrong = scatter("two", "    rejected: {a5: MSCATTER-TILE-01}\n");
    fs::write(at.join("mine/a.yaml"), wrong).unwrap();
    let done = gate(at, &FILES);
    says(
        &done,
        1,
        &done.out,
        "fix it, or waive the failure group in known/waivers.yaml; \
         to see it: ptodiff run mine/a.yaml --filter '=a/two' --seed 0\n",
    );
}
