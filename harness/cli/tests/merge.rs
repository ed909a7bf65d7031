//! A run in parts: which case is in which, and one record of them all.

use std::{collections::BTreeSet, fs, path::Path};

use crate::common::{Done, folder_with, ptodiff, scatter};

/// Twelve cases.
fn folder() -> tempfile::TempDir {
    folder_with(&cases(12))
}

fn cases(count: usize) -> String {
    let one = |n: usize| scatter(&format!("c{n}"), "").replace("cases:\n", "");
    let all: String = (0..count).map(one).collect();
    format!("cases:\n{all}")
}

fn run(at: &Path, more: &[&str]) -> Done {
    ptodiff(at, &[&["run", "a.yaml", "--quiet"], more].concat())
}

/// The ids of a record.
fn ids(at: &Path, record: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(at.join(record)).unwrap();
    let id = |line: &str| {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        case["id"].as_str().unwrap().to_owned()
    };
    let cases = text.lines().skip(1);
    let cases = cases.filter(|line| !line.starts_with("{\"end\":"));
    cases.map(id).collect()
}

fn parts(at: &Path, count: usize) -> Vec<String> {
    let part = |n| {
        let (partition, out) = (format!("hash:{n}/{count}"), format!("part-{n}"));
        let done = run(at, &["--partition", &partition, "--out", &out]);
        assert_eq!(done.code, 0, "{}", done.err);
        format!("{out}/run.jsonl")
    };
    (1..=count).map(part).collect()
}

fn merge(at: &Path, parts: &[String], out: &str) -> Done {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    ptodiff(at, &[&["merge"], &parts[..], &["--out", out]].concat())
}

#[test]
fn merged_parts_are_byte_for_byte_the_record_of_a_whole_run() {
    let folder = folder();
    let at = folder.path();
    run(at, &["--out", "whole"]);
    let whole = fs::read(at.join("whole/run.jsonl")).unwrap();
    for count in [1, 3] {
        let mut parts = parts(at, count);
        // In any order.
        parts.reverse();
        let done = merge(at, &parts, "merged.jsonl");
        assert_eq!(done.code, 0, "{}", done.err);
        let records = if count == 1 { "record" } else { "records" };
        assert_eq!(
            done.out,
            format!("12 cases of {count} {records}: merged.jsonl\n")
        );
        assert!(
            fs::read(at.join("merged.jsonl")).unwrap() == whole,
            "{count} parts"
        );
    }
}

#[test]
fn no_case_moves_when_others_are_added() {
    let folder = folder();
    let at = folder.path();
    let before: Vec<_> = parts(at, 2).iter().map(|part| ids(at, part)).collect();
    fs::write(at.join("a.yaml"), cases(30)).unwrap();
    let after: Vec<_> = parts(at, 2).iter().map(|part| ids(at, part)).collect();
    for (before, after) in before.iter().zip(&after) {
        assert!(before.is_subset(after), "{before:?} {after:?}");
    }
    assert_eq!(after.iter().map(BTreeSet::len).sum::<usize>(), 30);
}

#[test]
fn a_missing_part_comes_with_the_command_that_makes_it() {
    let folder = folder();
    let at = folder.path();
    let own = ["--filter", "c1", "--seed", "4", "--no-details", "-j", "1"];
    run(at, &[&own[..], &["--out", "whole"]].concat());
    for n in ["1/2", "2/2"] {
        let out = format!("part-{}", &n[..1]);
        run(at, &[&own[..], &["--partition", n, "--out", &out]].concat());
    }
    // Cut off in the middle of a case.
    let record = at.join("part-2/run.jsonl");
    let text = fs::read(&record).unwrap();
    fs::write(&record, &text[..text.len() - 200]).unwrap();
    let cut = merge(
        at,
        &["part-1/run.jsonl", "part-2/run.jsonl"].map(str::to_owned),
        "m.jsonl",
    );
    fs::remove_file(&record).unwrap();
    let missing = merge(at, &["part-1/run.jsonl".to_owned()], "m.jsonl");
    let again =
        "ptodiff run a.yaml --filter c1 --seed 4 --no-details --quiet --partition 2/2 --out part-2";
    for done in [cut, missing] {
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(&format!("\n  {again}\n")), "{}", done.err);
        assert!(!at.join("m.jsonl").exists());
    }
    let words: Vec<&str> = again.split(' ').skip(1).collect();
    assert_eq!(ptodiff(at, &words).code, 0);
    let done = merge(
        at,
        &["part-1/run.jsonl", "part-2/run.jsonl"].map(str::to_owned),
        "m.jsonl",
    );
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(fs::read(at.join("m.jsonl")).unwrap() == fs::read(at.join("whole/run.jsonl")).unwrap());
}

#[test]
fn parts_that_are_missing_double_or_of_another_run_are_named() {
    let folder = folder();
    let at = folder.path();
    let parts = parts(at, 3);
    let rejected = |parts: &[String], why: &str| {
        let done = merge(at, parts, "merged.jsonl");
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(why), "`{why}` is not in:\n{}", done.err);
        assert!(!at.join("merged.jsonl").exists());
    };
    rejected(&parts[1..], "part 1 of 3 is missing");
    let doubled = [&parts[..], &parts[1..2]].concat();
    rejected(&doubled, "give each part once");
    let none = [&parts[..], &["none.jsonl".to_owned()]].concat();
    rejected(&none, "cannot read none.jsonl");
    run(
        at,
        &["--partition", "hash:3/3", "--seed", "7", "--out", "part-3"],
    );
    rejected(&parts, "seeds differ");
    let usage = ptodiff(at, &["merge", "--out", "merged.jsonl"]);
    assert_eq!(usage.code, 2, "{}", usage.out);
}

#[test]
fn a_text_that_is_no_partition_is_rejected() {
    let folder = folder();
    for (text, why) in [
        ("2", "expected K/N"),
        ("0/4", "no part 0 of 4"),
        ("hash:4/3", "no part 4 of 3"),
        ("hash:x/3", "no number"),
    ] {
        let done = run(folder.path(), &["--partition", text]);
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(why), "{}", done.err);
    }
}

#[test]
fn a_part_without_cases_is_no_failure() {
    let folder = folder_with(&scatter("only", ""));
    let at = folder.path();
    let sizes: Vec<usize> = parts(at, 3).iter().map(|p| ids(at, p).len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 1);
}

#[test]
fn a_part_of_a_run_does_not_pass_for_a_whole_one() {
    let folder = folder();
    let at = folder.path();
    let parts = parts(at, 2);
    fs::write(at.join("waivers.yaml"), "waivers: []\n").unwrap();
    run(at, &["--out", "whole"]);
    let gate = |record: &str, more: &[&str]| {
        let args = ["gate", "--baseline", "waivers.yaml", "--from", record];
        ptodiff(at, &[&args, more].concat())
    };
    assert_eq!(gate("whole/run.jsonl", &["--bless", "--write"]).code, 0);
    assert_eq!(gate("whole/run.jsonl", &[]).code, 0);
    let done = gate(&parts[0], &[]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(done.out.contains("ptodiff merge"), "{}", done.out);
    let blessed = gate(&parts[0], &["--bless", "--write"]);
    assert_eq!(blessed.code, 2, "{}", blessed.out);
    assert!(blessed.err.contains("ptodiff merge"), "{}", blessed.err);
}

#[test]
fn what_a_run_was_not_told_is_called_so_where_another_was() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    run(at, &["--out", "plain"]);
    run(
        at,
        &["--out", "read", "--reading", "undefined-last=dropped"],
    );
    let parts = ["plain/run.jsonl", "read/run.jsonl"].map(str::to_owned);
    let done = merge(at, &parts, "merged.jsonl");
    assert_eq!(done.code, 2, "{}", done.out);
    let said = "their readings differ (those of the cases and undefined-last=dropped)";
    assert!(done.err.contains(said), "{}", done.err);
}
