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
fn every_promised_combination_has_a_case() {
    let out = ptodiff(&["coverage", "--axes"]);
    let text = text(&out);
    assert!(out.status.success(), "{text}");
    assert_eq!(text.lines().count(), 4, "{text}");
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split_whitespace().collect();
        let all: usize = cells[1].parse().expect("a number");
        assert!(
            all > 300 && cells[2] == cells[1] && cells[3] == "0",
            "{row}"
        );
    }
}

#[test]
fn a_combination_that_lost_its_cases_is_named() {
    let without = "!((dtype(half) | dtype(bfloat16_t)) & atomic(add) & oob(wrap)) & !file(~tscatter_axes_mask)";
    let out = ptodiff(&["coverage", "--axes", "-E", without]);
    let text = text(&out);
    assert_eq!(out.status.code(), Some(1), "{text}");
    let on = |target: &str| {
        let part = text.split(&format!("\nmissing on {target}\n")).nth(1);
        part.and_then(|part| part.split("\n\n").next())
            .unwrap_or_default()
    };
    let add = "mode=Row oob=Wrap atomic=Add";
    for (target, line) in [
        (
            "cpu",
            format!(
                "mscatter cpu-form=templated {add} conflict=Default elements=half tile=RowMajor table=ND"
            ),
        ),
        (
            "a2a3",
            format!("mscatter {add} elements=half tile=RowMajor table=ND"),
        ),
        (
            "a5",
            format!("mscatter {add} conflict=Last elements=half tile=ColMajor table=ND"),
        ),
        (
            "cpu",
            "tscatter-mask mask=P0100 axis=Col elements=int16 tile=RowMajor".to_owned(),
        ),
        (
            "a5",
            "tscatter-mask mask=P0100 axis=Row elements=int64 tile=ColMajor".to_owned(),
        ),
    ] {
        assert!(
            on(target).lines().any(|l| l.trim() == line),
            "no {line} on {target} in\n{text}"
        );
    }
    // Nothing that the documents do not promise: half is no type of Max, A2/A3 has no axis.
    assert!(!text.contains("atomic=Max"), "{text}");
    assert!(!on("a2a3").contains("axis=Col"), "{text}");
}

#[test]
fn a_combination_is_listed_with_the_cases_in_which_its_target_has_a_result() {
    // A5 alone has Max, and A2/A3 rejects the call.
    let mut args = vec!["coverage", "--axes", "--format", "json", "--filter"];
    args.extend([
        "mscatter_combinations_elem/elem_max_undefined",
        "cases/clauses",
    ]);
    let lines = json(&ptodiff(&args));
    let with: Vec<&Value> = lines.iter().map(|l| &l["combination"]).collect();
    let with = with.iter().filter(|c| c["cases"] != serde_json::json!([]));
    let told: Vec<String> = with
        .map(|c| {
            format!(
                "{} {} {}",
                c["party"], c["parameters"]["conflict"], c["cases"]
            )
        })
        .collect();
    let id = |conflict| format!("[\"mscatter_combinations_elem/elem_max_undefined_{conflict}\"]");
    let (default, last) = (id("default"), id("last"));
    let wanted = [
        format!("\"a5\" \"Default\" {default}"),
        format!("\"a5\" \"Last\" {last}"),
    ];
    assert_eq!(told, wanted);
}

#[test]
fn gaps_say_what_is_unclear_how_it_may_be_read_and_what_targets_do() {
    let of = |filter: &str| ptodiff(&["gaps", "cases/gaps/tgatherb.yaml", "--filter", filter]);
    let out = text(&of("TGATHERB-GAP-01"));
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
    let mut lines = json(&ptodiff(&["gaps", "--format", "json"]));
    let gaps = entries().iter().filter(|e| e.gap.is_some()).count();
    assert_eq!(lines.len(), gaps);
    for line in &lines {
        let cases = line["cases"].as_array().expect("cases");
        assert_eq!(cases.is_empty(), line["no_case"].is_string(), "{line}");
    }
    let ours = "gaps --format json --filter mgather --target a2a3";
    let own = json(&ptodiff(&ours.split(' ').collect::<Vec<_>>()));
    let targets = |line: &Value| line["targets"].as_array().cloned().unwrap_or_default();
    lines.retain(|line| {
        line["gap"]
            .as_str()
            .is_some_and(|gap| gap.starts_with("MGATHER"))
    });
    lines.retain(|line| targets(line).contains(&"a2a3".into()));
    assert_eq!(own, lines);
    let none = of("TGATHERB-GAP-99");
    assert_eq!(none.status.code(), Some(3));
    let near = String::from_utf8_lossy(&of("mgahter").stderr).into_owned();
    assert!(near.contains("did you mean `MGATHER`?"), "{near}");
}

#[test]
fn a_clause_is_explained_with_its_source_its_cases_and_its_rules() {
    let explain = |what: &str, cases: &str| text(&ptodiff(&["explain", what, "--cases", cases]));
    let out = explain("MSCATTER-OOB-02", "cases/clauses/mscatter_bounds.yaml");
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
    let few = "cases/regressions";
    let test = explain("MSCATTER-API-05", few);
    assert!(
        test.contains("row_is_0_and_elem_1  harness/isa/tests/words.rs"),
        "{test}"
    );
    let without = explain("TSCATTER-MASK-12", few);
    assert!(without.contains("without "), "{without}");
    // What a negative index is decides which slots it is about; no rows are another matter.
    let open = explain("MGATHER-OOB-05", few);
    let gap = "gap     MGATHER-GAP-02: What a negative int32_t index is on the NPUs";
    assert!(open.contains(gap), "{open}");
    assert!(open.contains(" negative-index=unsigned\n"), "{open}");
    assert!(!open.contains("MGATHER-GAP-03"), "{open}");
    // The words of the gap name this one.
    let named = explain("MGATHER-OOB-13", few);
    assert!(named.contains("gap     MGATHER-GAP-"), "{named}");
    let gap = explain("TGATHERB-GAP-01", few);
    assert!(gap.contains("* a ") && gap.contains("rule "), "{gap}");
}

#[test]
fn a_run_on_one_target_covers_no_other() {
    let out = tempfile::tempdir().expect("a folder");
    let folder = out.path().to_str().expect("a path");
    let file = "cases/clauses/mscatter_bounds.yaml";
    let args = ["run", file, "-q", "--target", "a5", "--out", folder];
    let done = ptodiff(&[&args[..], &["--filter", "skip_rows"]].concat());
    assert!(done.status.success());
    let written = fs::read_to_string(out.path().join("coverage.json")).expect("the coverage");
    let written: Value = serde_json::from_str(&written).expect("JSON");
    let clauses = written["clauses"].as_array().expect("clauses");
    let found = clauses.iter().find(|c| c["id"] == "MSCATTER-OOB-04");
    let found = found.expect("the clause");
    assert_eq!(found["missing"], serde_json::json!(["a2a3"]));
    assert_eq!(found["status"], "not-covered");
    // The record says the same.
    let record = out.path().join("run.jsonl");
    let record = ["--from", record.to_str().expect("a path")];
    let args = ["coverage", file, "--format", "json"];
    let lines = json(&ptodiff(&[&args[..], &record].concat()));
    let again = lines
        .iter()
        .find(|l| l["clause"]["id"] == "MSCATTER-OOB-04");
    assert_eq!(&again.expect("the clause")["clause"], found);
    let others = ["coverage", "--axes", "--filter", "tgatherb"];
    let none = ptodiff(&[&others[..], &record].concat());
    assert_eq!(none.status.code(), Some(3));
    let told = String::from_utf8_lossy(&none.stderr);
    assert!(
        told.contains("none of 1 case in the record is selected; PATHS names the files"),
        "{told}"
    );
}
