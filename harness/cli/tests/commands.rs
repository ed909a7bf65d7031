//! What the commands print and write.

use std::{fs, sync::OnceLock};

use crate::common::{Done, command, folder_with, ptodiff, root, scatter, suites};
use serde_json::Value;

/// The header and the cases of a record, without what closes it.
fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|line| !line.starts_with("{\"end\":"))
        .map(|l| serde_json::from_str(l).expect("one JSON object a line"))
        .collect()
}

fn suites_record(extra: &[&str]) -> String {
    let out = tempfile::tempdir().unwrap();
    let path = suites();
    let mut args = vec![
        "run",
        path.to_str().unwrap(),
        "--quiet",
        "--out",
        out.path().to_str().unwrap(),
    ];
    args.extend(extra);
    let done = ptodiff(&root(), &args);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    fs::read_to_string(out.path().join("run.jsonl")).unwrap()
}

/// The record of all mirrored cases, run once.
fn all_mirrored() -> &'static str {
    static RECORD: OnceLock<String> = OnceLock::new();
    RECORD.get_or_init(|| suites_record(&["--jobs", "1"]))
}

#[test]
fn the_record_does_not_depend_on_the_number_of_threads() {
    assert_eq!(all_mirrored().lines().count(), 1 + 551 + 1);
    assert!(
        all_mirrored() == suites_record(&["--jobs", "7"]),
        "7 threads give another record"
    );
}

#[test]
fn the_first_line_of_a_record_is_its_header() {
    let one = "=cpu/MGATHERTest.case_row_colidx_half_16x64_64rows";
    let record = suites_record(&["--seed", "5", "--schedules", "2", "--filter", one]);
    let header = &lines(&record)[0];
    assert_eq!(header["ptodiff_record"], 6);
    assert_eq!(header["seed"], 5);
    assert_eq!(header["schedules"], 2);
    assert_eq!(header["cases"], 1);
}

/// What the cpu suite does against document 001: a ColMajor index tile.
const REFUSED_BY_THE_DOCUMENTS: [&str; 3] = [
    "cpu/MGATHERTest.case_row_colidx_float_8x32_64rows",
    "cpu/MGATHERTest.case_row_colidx_int32_clamp_8x16_8rows",
    "cpu/MGATHERTest.case_row_colidx_half_16x64_64rows",
];

#[test]
fn every_mirrored_case_conforms_on_the_target_of_its_suite() {
    let mut others = Vec::new();
    for case in &lines(all_mirrored())[1..] {
        let own = &case["targets"][case["suite"].as_str().expect("a suite")];
        if own["verdict"] != "conforms" {
            assert_eq!(
                own["reasons"][0]["clause"], "MGATHER-TILE-03",
                "{}",
                case["id"]
            );
            others.push(case["id"].as_str().expect("an id").to_owned());
        }
    }
    assert_eq!(others, REFUSED_BY_THE_DOCUMENTS);
}

#[test]
fn the_two_forms_of_the_cpu_simulator_are_shown_where_they_matter() {
    let mut cases = lines(all_mirrored());
    cases.retain(|c| c["suite"] == "cpu");
    let named = |c: &&Value| c["name"].to_string().contains("elem_float_atomicadd");
    let add = cases.iter().find(named).unwrap();
    assert_eq!(add["readings"][0]["gap"], "cpu-form");
    assert_eq!(add["readings"][0]["choice"], "templated");
    let gather = cases
        .iter()
        .find(|c| c["instruction"] == "MGATHER")
        .unwrap();
    assert!(gather.get("readings").is_none(), "MGATHER has one form");
}

#[test]
fn a_reading_can_be_set_for_a_run() {
    let add = ["--suite", "cpu", "--filter", "elem_float_atomicadd"];
    let templated = suites_record(&add);
    let documented = [&add[..], &["--reading", "cpu-form=documented"]].concat();
    let documented = suites_record(&documented);
    let verdict = |text: &str| lines(text)[1]["pairs"][1]["verdict"].clone();
    assert_eq!(verdict(&templated), "agree");
    assert_eq!(verdict(&documented), "permitted");
}

#[test]
fn targets_can_be_chosen() {
    let record = suites_record(&[
        "--target",
        "a5,cpu",
        "--filter",
        "MGATHERTest.case_row_half",
    ]);
    for case in &lines(&record)[1..] {
        let targets: Vec<&String> = case["targets"].as_object().unwrap().keys().collect();
        assert_eq!(targets, ["a5", "cpu"]);
    }
}

#[test]
fn list_prints_one_object_a_case() {
    let done = ptodiff(&root(), &["list", "cases/st", "--format", "json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let listed = lines(&done.out);
    assert_eq!(listed.len(), 551);
    for case in &listed {
        for key in ["id", "name", "instruction", "file"] {
            assert!(
                case[key].as_str().is_some_and(|s| !s.is_empty()),
                "{key} of {case}"
            );
        }
        assert!(case["line"].as_u64().is_some_and(|l| l > 0));
        assert!(case.get("suite").is_some());
    }
    let text = fs::read_to_string(root().join(listed[0]["file"].as_str().unwrap())).unwrap();
    let line = text
        .lines()
        .nth(listed[0]["line"].as_u64().unwrap() as usize - 1)
        .unwrap();
    assert!(line.contains(listed[0]["name"].as_str().unwrap()), "{line}");
}

#[test]
fn check_says_where_a_case_is_not_legal() {
    let file = "cases/st/mscatter-a5.yaml";
    let atomics = ["check", file, "--suite", "a5", "--filter", "atomicmax"];
    let done = ptodiff(&root(), &[&atomics[..], &["--target", "a2a3"]].concat());
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.out.contains("error rejected a2a3: MSCATTER-ATOM-10"),
        "{}",
        done.out
    );
    let done = ptodiff(&root(), &[&atomics[..], &["--target", "a5"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!done.out.contains(" error "), "{}", done.out);
}

#[test]
fn every_mirrored_case_is_checked_alike_by_models_and_contract() {
    let done = ptodiff(&root(), &["check"]);
    assert!(done.out.contains("cases: "), "{}", done.err);
    assert!(!done.out.contains("disagree"), "{}", done.out);
}

#[test]
fn explain_knows_gaps_and_cases_by_their_name_alone() {
    for (what, says) in [
        ("MSCATTER-GAP-41", "--reading cpu-form="),
        ("case_row_float_random_8x32_64rows", "MSCATTER"),
    ] {
        let done = ptodiff(&root(), &["explain", what, "--cases", "cases/st"]);
        assert_eq!(done.code, 0, "{what}: {}", done.err);
        assert!(done.out.contains(says), "{what}: {}", done.out);
    }
    let nothing = ptodiff(&root(), &["explain", ""]);
    let said = "error: a value is required for '<WHAT>' but none was supplied";
    assert_eq!(nothing.code, 2, "{}", nothing.out);
    assert!(nothing.err.starts_with(said), "{}", nothing.err);
}

#[test]
fn a_clause_is_explained_though_a_case_cannot_be_read() {
    let folder = folder_with(&scatter(
        "plain",
        "    covers: MSCATTER-OOB-04\n    oob: Skp\n",
    ));
    let done = ptodiff(
        folder.path(),
        &["explain", "mscatter-oob-04", "--cases", "."],
    );
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.out.starts_with("MSCATTER-OOB-04 "), "{}", done.out);
    assert!(done.out.contains("ptodiff guide"), "{}", done.out);
    assert!(done.err.contains("Skp"), "{}", done.err);
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let folder = folder_with(&scatter("plain", ""));
    for (more, variables, coloured) in [
        (&[][..], &[][..], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["--color", "never"], &[], false),
        (&["--color", "always"], &[], true),
    ] {
        let done = command(folder.path())
            .args(["run", ".", "--out", "out"])
            .args(more)
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let found = done.stdout.contains(&0x1b);
        assert_eq!(found, coloured, "{more:?} {variables:?}");
    }
}

#[test]
fn a_name_that_says_something_else_than_its_case_needs_a_reason() {
    let case = "suite: cpu\ncases:\n  - name: case_elem_int32_8x8_64size\n    instruction: MGATHER\n    mode: Elem\n    \
        dtype: float\n    tile: {shape: [8, 8]}\n    index: {shape: [8, 8]}\n    table: {shape: [1, 1, 1, 1, 64]}\n";
    let folder = folder_with(case);
    let done = ptodiff(folder.path(), &["check", "."]);
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert!(
        done.err.contains("int32") && done.err.contains("float"),
        "{}",
        done.err
    );
    let folder = folder_with(&format!("{case}    name_differs: the example says so\n"));
    assert_eq!(ptodiff(folder.path(), &["check", "."]).code, 0);
}

#[test]
fn a_divergence_shows_place_values_lanes_clause_and_how_to_see_it_again() {
    let text =
        scatter("meet", "    conflict: Default\n").replace("permutation", "{hot: {slots: 1}}");
    let folder = folder_with(&text);
    let done = ptodiff(
        folder.path(),
        &[
            "run",
            ".",
            "--out",
            "out",
            "--seed",
            "3",
            "--schedules",
            "2",
            "--show",
            "permitted",
        ],
    );
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    for part in [
        "permitted MSCATTER a2a3/a5",
        "MSCATTER-CONF-06",
        ", byte ",
        "initial 0 (0x00000000), a2a3 ",
        "reversed",
        "--filter '=a/meet' --seed 3 --schedules 2",
    ] {
        assert!(done.out.contains(part), "`{part}` is not in:\n{}", done.out);
    }
}

fn trace(id: &str, target: &str, more: &[&str]) -> Done {
    let own = ["trace", id, "--target", target, "--cases", "cases/st"];
    ptodiff(&root(), &[&own[..], more].concat())
}

#[test]
fn a_trace_shows_what_a_target_issues() {
    // 8 rows of 32 floats: one DMA a row on A2/A3, lenBurst = 32 * 4.
    let id = "a2a3/MSCATTERTest.case_row_float_8x32_64rows";
    let done = trace(id, "a2a3", &[]);
    assert_eq!(done.code, 0, "{}", done.err);
    let dma: Vec<&str> = done.out.lines().filter(|l| l.starts_with("dma ")).collect();
    assert_eq!(dma.len(), 8, "{}", done.out);
    assert!(
        dma.iter().all(|l| l.contains("nBurst=1 lenBurst=128")),
        "{dma:?}"
    );
    assert!(
        done.out.ends_with(" 0 out-of-bounds accesses\n"),
        "{}",
        done.out
    );
    // kRowWarps = min(8, 32), kWarpsPerRow = min(32 / 8, ceil(32 / 32)) for a kernel that is not Last.
    let id = "cpu/MSCATTERTest.case_row_float_atomicadd_8x32_8rows";
    let done = trace(id, "a5", &["--format", "json"]);
    let launch = &lines(&done.out)[0]["event"]["launch"];
    assert_eq!(
        (&launch["row_warps"], &launch["warps_per_row"]),
        (&8.into(), &1.into()),
        "{launch}"
    );
    assert_eq!(launch["dim3"], serde_json::json!([32, 8]));
}

#[test]
fn a_trace_of_what_is_rejected_or_not_one_case_says_so() {
    let max = "a5/MSCATTERTest.case_elem_int32_atomicmax_random_32_32size";
    let rejected = trace(max, "a2a3", &[]);
    assert_eq!(rejected.code, 2);
    assert!(
        rejected.err.contains("MSCATTER-ATOM-10"),
        "{}",
        rejected.err
    );
    let name = "case_elem_int32_atomicmax_random_32_32size";
    let several = trace(name, "a5", &[]);
    assert_eq!(several.code, 2);
    assert!(
        several.err.contains(max) && several.err.contains("cpu/MSCATTERTest"),
        "{}",
        several.err
    );
}

#[test]
fn where_a_case_is_named_its_file_may_be() {
    let folder = folder_with(&scatter("one", ""));
    for args in [
        &["trace", "a.yaml", "--target", "a5"][..],
        &["explain", "a.yaml"],
        &["asm", "a.yaml"],
    ] {
        let done = ptodiff(folder.path(), args);
        assert_eq!(done.code, 0, "{args:?}: {}", done.err);
    }
    let two = scatter("two", "").replace("cases:\n", "");
    let both = format!("{}{two}", scatter("one", ""));
    std::fs::write(folder.path().join("a.yaml"), both).expect("a file");
    let several = ptodiff(folder.path(), &["trace", "a.yaml", "--target", "a5"]);
    assert_eq!(several.code, 2, "{}", several.out);
    let said = "give the id of one, and --cases a.yaml:\n  a/one\n  a/two\n";
    assert!(several.err.contains(said), "{}", several.err);
}
