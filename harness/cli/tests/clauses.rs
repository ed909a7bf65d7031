//! Numbers of clauses wherever the project names them: each is one of the
//! register, and each of the register is in use.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use crate::common::{command, root};
use ptodiff_register::{entries, find};
use serde_json::Value;

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            // Cases and clauses that are wrong on purpose name what does not exist.
            if !["target", ".git", "out", "bad", "tests"].contains(&name.as_str()) {
                files(&path, all);
            }
        } else if [".rs", ".yaml", ".md"].iter().any(|e| name.ends_with(e)) {
            all.push(path);
        }
    }
}

/// The words of `text` that have the form of a clause's number.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let documents = entries().iter().filter_map(|e| e.id.split('-').next());
    let documents: BTreeSet<&str> = documents.collect();
    text.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-'))
        .filter(move |word| {
            let parts: Vec<&str> = word.split('-').collect();
            matches!(parts.as_slice(), [document, group, number]
                if documents.contains(document)
                    && !group.is_empty()
                    && number.len() == 2
                    && number.bytes().all(|b| b.is_ascii_digit()))
        })
}

#[test]
fn the_project_names_no_clause_that_the_register_has_not() {
    let mut all = Vec::new();
    files(&root(), &mut all);
    let mut unknown: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut named = 0;
    for path in all {
        let text = fs::read_to_string(&path).expect("text");
        for number in numbers(&text) {
            named += 1;
            // `99` stands for a number that is wrong on purpose.
            if find(number).is_none() && !number.ends_with("-99") {
                unknown.insert(number.to_owned(), path.clone());
            }
        }
    }
    assert!(named > 5000, "only {named} numbers found");
    assert!(unknown.is_empty(), "{unknown:#?}");
}

fn ptodiff(args: &[&str]) -> Output {
    command(&root()).args(args).output().expect("it starts")
}

fn text(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn json(out: &Output) -> Vec<Value> {
    let text = text(out);
    let lines = text.lines();
    lines
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect()
}

#[test]
fn every_clause_has_a_case_that_covers_it_or_a_reason_and_every_gap_a_case_or_one() {
    let out = ptodiff(&["coverage", "--all"]);
    let text = text(&out);
    assert!(out.status.success(), "{text}");
    for entry in entries() {
        assert!(text.contains(&format!("  {} ", entry.id)), "{}", entry.id);
    }
}

#[test]
fn a_clause_that_lost_its_case_fails_the_coverage() {
    let out = ptodiff(&["coverage", "--filter", "tgatherb", "--format", "json"]);
    assert_eq!(out.status.code(), Some(1));
    let lines = json(&out);
    let status = |id: &str| {
        let found = lines.iter().find_map(|l| {
            let of = l.get("clause").or_else(|| l.get("gap"))?;
            (of["id"] == id).then(|| of["status"].as_str().expect("a status").to_owned())
        });
        found.unwrap_or_else(|| panic!("no line for {id}"))
    };
    assert_eq!(status("TGATHERB-SEM-01"), "covered");
    assert_eq!(status("TSCATTER-SEM-01"), "not-covered");
    assert_eq!(status("TSCATTER-MASK-12"), "not-coverable");
    assert_eq!(status("TGATHERB-GAP-01"), "run");
    assert_eq!(status("TSCATTER-GAP-01"), "not-told-apart");
}

#[test]
fn the_axes_say_what_ran_was_rejected_and_never_tried() {
    let mut args = vec!["coverage", "--axes", "--format", "json"];
    args.extend(["--filter", "mscatter_combinations_elem/elem_max"]);
    args.extend(["--filter", "mscatter_atomic_dtypes/"]);
    let lines = json(&ptodiff(&args));
    let came = |target: &str, mode: &str, dtype: &str, atomic: &str| -> Vec<String> {
        let all = lines.iter().filter_map(|l| l.get("combination"));
        let those = all.filter(|c| {
            let has = |name: &str, value: &str| {
                let parameters = c["parameters"].as_array().expect("parameters");
                parameters.iter().any(|p| p[0] == name && p[1] == value)
            };
            c["form"] == "MSCATTER"
                && c["target"] == target
                && has("mode", mode)
                && has("dtype", dtype)
                && has("atomic", atomic)
        });
        let mut came: Vec<_> = those
            .map(|c| c["came"].as_str().expect("what came").to_owned())
            .collect();
        came.sort();
        came.dedup();
        came
    };
    assert_eq!(came("a5", "Elem", "int32_t", "Max"), ["never", "ran"]);
    assert_eq!(
        came("a2a3", "Elem", "int32_t", "Max"),
        ["never", "rejected"]
    );
    assert_eq!(came("a5", "Row", "half", "Max"), ["never"]);
}

#[test]
fn gaps_say_what_is_unclear_how_it_may_be_read_and_what_targets_do() {
    let out = text(&ptodiff(&["gaps", "--filter", "TGATHERB-GAP-01"]));
    for part in [
        "TGATHERB-GAP-01",
        "cpu, a2a3, a5",
        "* a ",
        "--reading tgatherb-unaligned=rounded-down",
        "cases/gaps/tgatherb.yaml",
        "destination[0-1] = 770 1027",
        "destination[0-1] = 513 1027",
    ] {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
    let lines = json(&ptodiff(&["gaps", "--format", "json"]));
    let gaps = entries().iter().filter(|e| e.gap.is_some()).count();
    assert_eq!(lines.len(), gaps);
    for line in &lines {
        let cases = line["cases"].as_array().expect("cases");
        assert_eq!(cases.is_empty(), line["no_case"].is_string(), "{line}");
    }
    let none = ptodiff(&["gaps", "--filter", "TGATHERB-GAP-99"]);
    assert_eq!(none.status.code(), Some(3));
}

#[test]
fn a_clause_is_explained_with_its_source_its_cases_and_its_rules() {
    let out = text(&ptodiff(&["explain", "MSCATTER-OOB-02"]));
    for part in [
        "000 Out-of-Bounds Behaviour",
        "to see",
        "case    mscatter_",
        "cases/clauses/mscatter_",
        "rule ",
        "harness/contract/src/",
    ] {
        assert!(out.contains(part), "no `{part}` in\n{out}");
    }
    let test = text(&ptodiff(&["explain", "MSCATTER-API-05"]));
    assert!(
        test.contains("row_is_0_and_elem_1  harness/isa/tests/words.rs"),
        "{test}"
    );
    let without = text(&ptodiff(&["explain", "TSCATTER-MASK-12"]));
    assert!(without.contains("without "), "{without}");
    let gap = text(&ptodiff(&["explain", "TGATHERB-GAP-01"]));
    assert!(gap.contains("* a ") && gap.contains("rule "), "{gap}");
}

#[test]
fn a_run_on_one_target_covers_no_other() {
    let out = tempfile::tempdir().expect("a folder");
    let folder = out.path().to_str().expect("a path");
    let args = ["run", "-q", "--target", "a5", "--out", folder, "--filter"];
    let done = ptodiff(&[&args[..], &["mscatter_bounds/skip_rows"]].concat());
    assert!(done.status.success());
    let written = fs::read_to_string(out.path().join("coverage.json")).expect("the coverage");
    let written: Value = serde_json::from_str(&written).expect("JSON");
    let clauses = written["clauses"].as_array().expect("clauses");
    let found = clauses.iter().find(|c| c["id"] == "MSCATTER-OOB-04");
    let found = found.expect("the clause");
    assert_eq!(found["missing"], serde_json::json!(["a2a3"]));
    assert_eq!(found["status"], "not-covered");
}
