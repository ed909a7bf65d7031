//! What comes of each kind of implementation.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    common::{Done, folder_with, ptodiff, root, scatter},
    mine, tests,
};

tests!(
    the_models_conform_as_implementations,
    each_mock_fails_its_case_and_no_other,
    an_end_after_an_answer_is_told_and_fails_no_case,
    what_is_not_supported_is_no_violation,
    an_implementation_is_held_to_the_readings_of_the_call,
    no_call_harms_another,
    what_is_not_seen_again_is_flaky,
    what_is_wrong_alike_in_each_schedule_is_asked_again_once,
    a_rejection_has_the_clause_that_was_given_and_no_other,
    a_run_on_a_target_leaves_out_the_cases_of_others,
    all_readings_are_held_against_what_an_implementation_left,
);

/// Three scatters of which the second has a table of five rows.
pub(crate) fn three() -> TempDir {
    let case = |name: &str, rows: u32| {
        format!(
            "  - name: {name}\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int32_t\n    \
             tile: {{shape: [2, 8]}}\n    index: {{shape: [2, 8], data: seq}}\n    \
             table: {{shape: [1, 1, 1, {rows}, 8]}}\n"
        )
    };
    folder_with(&format!(
        "cases:\n{}{}{}",
        case("first", 4),
        case("odd", 5),
        case("last", 4)
    ))
}

/// Runs `a.yaml` in `folder` beside a mock that is A5.
pub(crate) fn run(folder: &Path, behaviour: &str, more: &[&str]) -> Done {
    let implementation = mine(behaviour);
    let own = ["run", "a.yaml", "--jobs", "1", "--out", "out", "--as", "a5"];
    let implementation = ["--impl", &implementation];
    ptodiff(
        folder,
        &[&own[..], &implementation, quick(more), more].concat(),
    )
}

/// No diagnosis where none is asked for: it takes the processor for seconds.
pub(crate) fn quick(more: &[&str]) -> &'static [&'static str] {
    match more.contains(&"--diagnosis") {
        true => &[],
        false => &["--diagnosis", "0"],
    }
}

/// The cases of the record in `folder`.
pub(crate) fn record(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("out/run.jsonl")).expect("a record");
    let lines = text.lines().skip(1);
    lines
        .filter(|line| !line.starts_with("{\"end\":") && !line.starts_with("{\"diagnosis\":"))
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect()
}

fn the_models_conform_as_implementations() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = root().join("cases/clauses");
    let implementation = mine("right");
    // One of four cases: all forms, types and policies are among them.
    let own = "--quiet --no-details --schedules 2 --partition 1/4 --out out --impl";
    let own: Vec<&str> = own.split(' ').collect();
    let run = ["run", cases.to_str().expect("UTF-8")];
    let done = ptodiff(
        folder.path(),
        &[&run[..], &own, &[&implementation]].concat(),
    );
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let mut conform = [0; 3];
    for case in record(folder.path()) {
        let targets = case["targets"].as_object().expect("parties");
        for (n, target) in ["cpu", "a2a3", "a5"].iter().enumerate() {
            let verdict = |party: &str| targets.get(party).map(|t| t["verdict"].clone());
            let own = verdict(&format!("{target}:mine"));
            assert_eq!(own, verdict(target), "{} of {}", target, case["id"]);
            conform[n] += usize::from(own == Some("conforms".into()));
        }
    }
    assert!(conform.iter().all(|n| *n > 50), "{conform:?}");
}

fn each_mock_fails_its_case_and_no_other() {
    for (behaviour, place) in [
        ("one-slot", "valid MSCATTER-SEM-02"),
        (
            "crashes",
            "crash - the implementation ended with code #: lane # \\u{#}[#",
        ),
        (
            "half",
            "crash - the implementation ended with code # in the middle of an answer, after # bytes of it",
        ),
        (
            "hangs",
            "timeout - no whole answer within #: # bytes of one had come",
        ),
        ("says-hangs", "hang - never returns"),
        (
            "garbage",
            "protocol - an answer that makes no sense: `Segmentation fault (core dumped)` is no frame: not a JSON object",
        ),
        (
            "floods",
            "protocol - more output than an answer can have: a line of more than # bytes",
        ),
        (
            "grows",
            "memory - the implementation held # bytes of memory, and may hold #",
        ),
        (
            "declines",
            "rejection - rejects what the contract lets pass: static_assert: five rows",
        ),
        (
            "names-no-clause",
            "protocol - it rejects by MSCATTER-XYZ-#, which is no clause",
        ),
    ] {
        let folder = three();
        // Only what hangs is to be waited for.
        let time = if behaviour == "hangs" { "5s" } else { "5m" };
        let limits = ["--impl-time", time, "--impl-memory", "256"];
        let done = run(folder.path(), behaviour, &limits);
        assert_eq!(done.code, 1, "{behaviour}: {}{}", done.out, done.err);
        let found: Vec<Value> = record(folder.path())
            .iter()
            .map(|case| case["targets"]["a5:mine"].clone())
            .collect();
        let verdicts: Vec<&Value> = found.iter().map(|part| &part["verdict"]).collect();
        assert_eq!(
            verdicts,
            ["conforms", "violates", "conforms"],
            "{behaviour}"
        );
        let failure_group = &found[1]["findings"][0]["failure_group"];
        assert_eq!(
            *failure_group,
            format!("MSCATTER a5:mine {place}"),
            "{behaviour}"
        );
    }
}

fn an_end_after_an_answer_is_told_and_fails_no_case() {
    let folder = three();
    let done = run(folder.path(), "leaves", &["--schedules", "1"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let told = "the implementation a5:mine ended before the next question 2 times, and a new process was \
                asked; the last time: the implementation ended with code 3\n  \
                | had\\u{1b}[31m enough\n";
    assert_eq!(done.err, told);
}

fn what_is_not_supported_is_no_violation() {
    let folder = three();
    let done = run(folder.path(), "lacks", &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let cases = record(folder.path());
    let odd = &cases[1]["targets"]["a5:mine"];
    assert_eq!(odd["verdict"], "unsupported");
    assert_eq!(odd["why"], "no such tables");
    assert_eq!(cases[1]["verdict"], "agree");
    let pairs = cases[1]["pairs"].as_array().expect("pairs");
    let own = pairs.iter().find(|p| p["targets"][1] == "a5:mine");
    let why = own.map(|p| p["why"].clone());
    assert_eq!(why, Some("a5:mine cannot run it".into()));
    // If that is all it says, nothing was shown.
    let idle = run(folder.path(), "idle", &[]);
    assert_eq!(idle.code, 3, "{}{}", idle.out, idle.err);
    let why = "nothing is shown of the implementation a5:mine: it ran none of 3 cases\n";
    assert_eq!(idle.err, why);
}

/// As the protocol has it of `readings`, with its own example.
fn an_implementation_is_held_to_the_readings_of_the_call() {
    let added = "    atomic: Add\n    readings: {cpu-form: templated}\n";
    // What is added to shows that it was not replaced.
    let text = scatter("added", added).replace("4, 8]}", "4, 8], data: ramp}");
    let folder = folder_with(&text);
    let run = |behaviour: &str, more: &[&str]| {
        let implementation = mine(behaviour);
        let own = ["run", "a.yaml", "--out", "out", "--as", "cpu"];
        let implementation = ["--impl", &implementation];
        let done = ptodiff(folder.path(), &[&own[..], &implementation, more].concat());
        let verdict = &record(folder.path())[0]["targets"]["cpu:mine"]["verdict"];
        (done.code, verdict.as_str().expect("a word").to_owned())
    };
    let came = |code, verdict: &str| (code, verdict.to_owned());
    assert_eq!(run("right", &[]), came(0, "conforms"));
    assert_eq!(run("own-readings", &[]), came(1, "violates"));
    assert_eq!(run("only-own-readings", &[]).1, "unsupported");
    let protocol = fs::read_to_string(root().join("harness/impl/PROTOCOL.md")).expect("it");
    let remedy = ["--reading", "cpu-form=documented"];
    assert!(protocol.contains(&format!("ptodiff run {} --impl", remedy.join(" "))));
    // A case that is about another reading says nothing then.
    assert_eq!(run("own-readings", &remedy).1, "unsupported");
    let why = &record(folder.path())[0]["targets"]["cpu:mine"]["why"];
    let about = "the case is about cpu-form=templated, and the run reads cpu-form=documented";
    assert_eq!(why, about);
}

/// What is out of bounds ruins the process of this one, and the next call dies of it.
fn no_call_harms_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = ["mscatter_bounds", "mgather_bounds", "tscatter"]
        .map(|name| format!("{}/cases/clauses/{name}.yaml", root().display()));
    let [scatters, gathers, on_chip] = cases.each_ref().map(String::as_str);
    let verdicts = |behaviour: &str| {
        let implementation = mine(behaviour);
        let own = ["run", scatters, gathers, on_chip, "--quiet", "--no-details"];
        let more = [
            "--out",
            "out",
            "--schedules",
            "1",
            "--impl",
            &implementation,
        ];
        let done = ptodiff(folder.path(), &[&own[..], &more].concat());
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        let all = record(folder.path()).into_iter().flat_map(|case| {
            let parts = ["cpu:mine", "a2a3:mine", "a5:mine"]
                .map(|party| case["targets"][party]["verdict"].clone());
            parts.into_iter()
        });
        all.collect::<Vec<Value>>()
    };
    let right = verdicts("right");
    assert_eq!(verdicts("corrupts"), right);
}

fn what_is_not_seen_again_is_flaky() {
    let folder = three();
    let done = run(folder.path(), "flaky", &["--schedules", "1"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let told = "\n  flaky in 1 case: wrong once, and not when asked again alone\n    \
                a/odd  a5:mine: first the implementation ended with code 3: lane 3 fell; then conforms\n";
    assert!(done.out.contains(told), "{}", done.out);
    let odd = &record(folder.path())[1]["targets"]["a5:mine"];
    assert_eq!(odd["verdict"], "conforms");
    assert_eq!(
        odd["flaky"][0]["failure_group"],
        "MSCATTER a5:mine crash - the implementation ended with code #: lane # fell"
    );
    // Nobody asks again who is told not to.
    fs::remove_file(folder.path().join("wrong-once")).expect("it was there");
    let done = run(
        folder.path(),
        "flaky",
        &["--schedules", "1", "--retries", "0"],
    );
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let done = run(folder.path(), "one-slot", &["--retries", "3"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
}

/// The process of the first case, one for the wrong answer, and one for the last case.
fn what_is_wrong_alike_in_each_schedule_is_asked_again_once() {
    let folder = three();
    let own = std::env::current_exe().expect("a path");
    let script = format!("echo >> starts; exec '{}' mock one-slot", own.display());
    fs::write(folder.path().join("impl.sh"), script).expect("a file");
    let own = [
        "run",
        "a.yaml",
        "--jobs",
        "1",
        "--schedules",
        "4",
        "--diagnosis",
        "0",
    ];
    let implementation = ["--impl", "mine=sh impl.sh", "--as", "a5", "--out", "out"];
    let done = ptodiff(folder.path(), &[&own[..], &implementation].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let starts = fs::read_to_string(folder.path().join("starts")).expect("it started");
    assert_eq!(starts.lines().count(), 3);
}

fn a_rejection_has_the_clause_that_was_given_and_no_other() {
    let folder = folder_with(
        "cases:\n  - {name: a, instruction: MSCATTER, mode: Elem, atomic: Add, dtype: int8_t, \
         tile: {shape: [1, 32]}, index: {shape: [1, 32], data: seq}, \
         table: {shape: [1, 1, 1, 1, 32]}}\n",
    );
    let named = |behaviour: &str| {
        let done = run(folder.path(), behaviour, &[]);
        let own = record(folder.path())[0]["targets"]["a5:mine"].clone();
        assert_eq!(own["verdict"], "rejected", "{own}{}", done.err);
        let text = fs::read_to_string(folder.path().join("out/summary.txt")).expect("it");
        let row = text
            .lines()
            .any(|line| line.starts_with("  a5:mine    rejected "));
        (own["reasons"][0]["clause"].clone(), own["why"].clone(), row)
    };
    let (clause, why, told) = named("right");
    assert!(clause.is_string() && told, "{clause}");
    assert_eq!(named("names-none"), (Value::Null, why, false));
}

fn a_run_on_a_target_leaves_out_the_cases_of_others() {
    let mut text = scatter("all", "");
    text.push_str(
        scatter("mine", "    targets: [a5]\n")
            .strip_prefix("cases:\n")
            .expect("a list"),
    );
    let folder = folder_with(&text);
    let run = |target: &str| {
        ptodiff(
            folder.path(),
            &["run", "a.yaml", "--out", "out", "--target", target],
        )
    };
    let cpu = run("cpu");
    assert_eq!(cpu.code, 0, "{}{}", cpu.out, cpu.err);
    assert!(
        cpu.out.contains("\n1 case:") && cpu.out.contains("  1 case left out: not for cpu\n"),
        "{}",
        cpu.out
    );
    assert!(!run("a5").out.contains("left out"));
    fs::write(
        folder.path().join("a.yaml"),
        scatter("mine", "    targets: [a5]\n"),
    )
    .expect("a file");
    let none = run("cpu");
    assert_eq!(
        (none.code, &none.err[..]),
        (3, "error: none of 1 case is for cpu\n")
    );
}

/// It follows its own reading: under another one its bytes are wrong.
fn all_readings_are_held_against_what_an_implementation_left() {
    let text = scatter("added", "    atomic: Add\n").replace("4, 8]}", "4, 8], data: ramp}");
    let folder = folder_with(&text);
    let under = |more: &[&str]| {
        let own = [
            "run",
            "a.yaml",
            "--out",
            "out",
            "--readings",
            "all",
            "--target",
            "cpu",
        ];
        let done = ptodiff(folder.path(), &[&own[..], more].concat());
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        let case = &record(folder.path())[0];
        let readings = case["readings"].as_array().expect("readings").clone();
        let form = readings.into_iter().find(|r| r["gap"] == "cpu-form");
        form.expect("it matters")["verdict_under"]["templated"].clone()
    };
    assert_eq!(under(&[]), "single");
    let implementation = mine("right");
    assert_eq!(under(&["--impl", &implementation]), "violation");
}
