//! `ptodiff selftest`: the score of the tester.

use crate::common::{folder_with, ptodiff, root};
use serde_json::Value;

fn lines(out: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("JSON");
    out.lines().map(parse).collect()
}

#[test]
fn wrong_models_of_one_form_are_all_caught_on_any_number_of_threads() {
    let of = |jobs: &str| {
        let args = ["selftest", "cases/clauses", "--filter", "tscatter-mask"];
        ptodiff(&root(), &[&args[..], &["--jobs", jobs]].concat())
    };
    let (one, two) = (of("1"), of("2"));
    assert_eq!((one.code, one.err.as_str()), (0, ""), "{}", one.out);
    assert_eq!(one.out, two.out);
    let mut models: Vec<&str> = one.out.lines().collect();
    let score = models.pop().expect("a score");
    let n = models.len();
    assert!(n >= 8, "{models:?}");
    for line in &models {
        assert!(line.starts_with("caught tscatter-mask-a5-"), "{line}");
        assert!(line.contains(" a5   TSCATTER-"), "{line}");
        assert!(line.contains("; draw "), "{line}");
    }
    assert_eq!(
        score,
        format!(
            "{n} wrong models: {n} caught by the cases, {n} by 2,000 draws of a hunt, 0 missed"
        )
    );
    let none = of("0");
    assert_eq!(none.code, 2, "{}", none.err);
}

#[test]
fn a_model_that_no_case_and_no_draw_catches_fails_the_self_test() {
    // One gather is no test of a scatter.
    let folder = folder_with(
        "cases:\n  - name: x\n    instruction: MGATHER\n    dtype: float\n    tile: {shape: [1, 8]}\n    \
         index: {shape: [1, 8], valid: [1, 1]}\n    table: {shape: [1, 1, 1, 4, 8]}\n",
    );
    let args = [
        "selftest",
        ".",
        "--filter",
        "mscatter-cpu-adds",
        "--hunt-count",
        "0",
    ];
    let done = ptodiff(folder.path(), &args);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(
        done.out.starts_with("MISSED mscatter-cpu-adds"),
        "{}",
        done.out
    );
    assert!(
        done.out
            .contains("no case; no draw\n       it adds to the slot"),
        "{}",
        done.out
    );
    assert!(
        done.out
            .ends_with(" 0 caught by the cases, 0 by 0 draws of a hunt, 1 missed\n")
    );
}

#[test]
fn as_json_all_cases_that_catch_a_model_are_counted() {
    let run = |more: &[&str]| {
        let mut args = vec!["selftest", "cases/clauses", "--format", "json"];
        args.extend(["--filter", "tgatherb-cpu-wraps"]);
        args.extend(more);
        let done = ptodiff(&root(), &args);
        assert_eq!(done.code, 0, "{}", done.out);
        lines(&done.out)
    };
    let [first, all] = [run(&[]), run(&["--all"])];
    assert_eq!(first.len(), 2);
    assert_eq!(first[0]["name"], "tgatherb-cpu-wraps");
    assert_eq!(first[0]["target"], "cpu");
    assert_eq!(first[0]["clause"], "TGATHERB-OOB-02");
    // Without --all the first ends it.
    assert_eq!(first[0].get("cases"), None);
    assert_eq!(first[0]["case"], all[0]["case"]);
    assert!(all[0]["cases"].as_u64() > Some(1), "{}", all[0]);
    let score = serde_json::json!({"models": 1, "by_cases": 1, "by_hunt": 1, "missed": 0});
    assert_eq!(all[1], score);
}

#[test]
fn no_model_of_that_name_is_nothing_to_run() {
    let done = ptodiff(&root(), &["selftest", "--filter", "no-such-model"]);
    assert_eq!(done.code, 3);
    assert!(
        done.err.contains("no wrong model has such a name"),
        "{}",
        done.err
    );
}

#[test]
fn no_wrong_result_is_accepted_but_in_stated_intervals() {
    let run = |more: &[&str]| {
        let args = [
            "selftest",
            "--loose",
            "cases/clauses/mscatter_specials.yaml",
            "--count",
            "300",
        ];
        ptodiff(&root(), &[&args[..], more].concat())
    };
    let [text, json] = [run(&[]), run(&["--format", "json", "--jobs", "1"])];
    assert_eq!((text.code, text.err.as_str()), (0, ""), "{}", text.out);
    assert_eq!((json.code, json.err.as_str()), (0, ""), "{}", json.out);
    assert!(
        text.out.starts_with("form            dtype  "),
        "{}",
        text.out
    );
    assert!(text.out.contains(" 0 accepted, "), "{}", text.out);
    let mut kinds = lines(&json.out);
    let score = kinds.pop().expect("a score");
    assert_eq!(score["accepted"], 0);
    assert!(score["calls"].as_u64() > Some(300), "{score}");
    // A row each, and a row for each example of what lies in an interval.
    let examples = kinds.iter().filter(|kind| kind.get("example").is_some());
    let rows = 2 + kinds.len() + examples.count();
    assert_eq!(text.out.lines().count(), rows);
    let sum = |key: &str| {
        kinds
            .iter()
            .map(|kind| kind[key].as_u64().expect(key))
            .sum::<u64>()
    };
    assert_eq!(score["offered"], sum("offered"));
    assert!(
        kinds
            .iter()
            .any(|k| k["dtype"] == "half" && k["permit"] == "one of")
    );
}

#[test]
fn what_is_loose_has_options_of_its_own() {
    for args in [
        &["selftest", "--count", "5"][..],
        &["selftest", "--loose", "--filter", "tgatherb"],
        &["selftest", "--loose", "--all"],
        &["selftest", "--loose", "--count", "many"],
    ] {
        assert_eq!(ptodiff(&root(), args).code, 2, "{args:?}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let nothing = ptodiff(folder.path(), &["selftest", "--loose", ".", "--count", "0"]);
    assert_eq!(nothing.code, 3, "{}", nothing.err);
}
