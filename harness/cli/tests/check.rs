//! `ptodiff check` says of what people reported what would have saved them a day: each
//! text has the essence of a report, in values of our own, and what must be said of it
//! was worked out from the documents.

use std::fs;

use serde_json::Value;

use crate::common::{Done, folder_with, ptodiff};

fn check(text: &str, more: &[&str]) -> Done {
    let folder = folder_with(text);
    ptodiff(folder.path(), &[&["check", "a.yaml"], more].concat())
}

/// The findings of `text`, without their cases and their file, and the exit code.
fn found(text: &str, more: &[&str]) -> (Vec<String>, i32) {
    let done = check(text, more);
    assert_eq!(done.err, "", "{}", done.out);
    let lines: Vec<&str> = done.out.lines().collect();
    let (_, findings) = lines.split_last().expect("a summary");
    let told = findings.iter().map(|line| {
        let line = line.strip_prefix("a.yaml:").expect("the file");
        line.rsplit_once(" [a/").expect("the case").0.to_owned()
    });
    (told.collect(), done.code)
}

fn assert_found(text: &str, more: &[&str], expected: &[&str]) {
    let (told, code) = found(text, more);
    assert_eq!(told, expected, "{text}");
    let failed = expected.iter().any(|line| line.contains(" error "));
    assert_eq!(code, i32::from(failed), "{text}");
}

/// A case file with one case of these keys.
fn one(keys: &str) -> String {
    format!("cases:\n  - {{name: c, {keys}}}\n")
}

#[test]
fn two_kernels_that_fail_on_a_board_are_legal() {
    let text = "cases:
  - {name: elem, instruction: MGATHER, mode: Elem, dtype: half, tile: {shape: [4, 16]}, index: {shape: [4, 16]}, table: {shape: [1, 1, 1, 1, 64]}}
  - {name: row, instruction: MGATHER, mode: Row, dtype: float, tile: {shape: [6, 16], valid: [dyn 6, dyn 16]}, index: {shape: [1, 8], valid: [dyn 1, dyn 6]}, table: {shape: [1, 1, 1, 20, 16]}}
";
    let done = check(text, &["-t", "a2a3"]);
    assert_eq!(
        (done.out.as_str(), done.code),
        ("2 cases: legal on a2a3\n", 0)
    );
}

#[test]
fn no_mode_with_an_index_of_the_datas_shape_is_row_and_fits_none() {
    let keys = "instruction: MSCATTER, dtype: int32_t, tile: {shape: [8, 8]}, index: {shape: [8, 8]}, table: {shape: [1, 1, 1, 8, 8]}";
    assert_found(
        &one(keys),
        &["--allow", "missing-coalesce"],
        &[
            "2:12 error rejected a2a3: MSCATTER-SHAPE-01 ValidRow of the index tile is 8, Row wants 1",
            "2:12 error rejected a5: MSCATTER-SHAPE-04 an index valid shape of 8 by 8 for 8 rows",
        ],
    );
    let (told, _) = found(&one(keys), &["-t", "cpu"]);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("2:12 remark missing-coalesce no mode: the default is Row"));
    assert_found(&one(&format!("{keys}, mode: Elem")), &[], &[]);
}

#[test]
fn a_negative_index_is_a_gap_and_the_readings_are_named() {
    let keys = |oob: &str| {
        one(&format!(
            "instruction: MSCATTER, mode: Elem, oob: {oob}, dtype: int32_t, tile: {{shape: [1, 8], valid: [1, 2]}}, \
             index: {{shape: [1, 8], valid: [1, 2], data: {{values: [2, -3]}}}}, table: {{shape: [1, 1, 1, 1, 8]}}, targets: [a2a3, a5]"
        ))
    };
    for oob in ["Skip", "Clamp", "Wrap"] {
        assert_found(
            &keys(oob),
            &[],
            &[
                "2:12 remark negative-index index 1 is -3: the documents say nothing of negative indices; it is read as `unsigned`; other readings: --reading negative-index=signed, --reading negative-index=intended",
            ],
        );
    }
    let (told, _) = found(&keys("Skip"), &["--reading", "negative-index=signed"]);
    assert!(told[0].contains("it is read as `signed`"), "{told:?}");
}

#[test]
fn offsets_for_blocks_are_legal_under_a_reading_that_is_named() {
    // Two blocks of 32 bytes a row: two offsets for sixteen floats.
    let keys = "instruction: TGATHERB, dtype: float, source: {shape: [1, 64]}, destination: {shape: [1, 32], valid: [1, 16]}, offset: {shape: [1, 8], valid: [1, 2], data: {values: [64, 0]}}";
    let (told, code) = found(&one(keys), &[]);
    assert_eq!((told.len(), code), (1, 1), "{told:?}");
    let start = "2:12 error precondition cpu, a2a3, a5: TGATHERB-SEM-03 ";
    assert!(told[0].starts_with(start), "{told:?}");
    let end = "nobody checks it, and it reads outside its operand; legal under --reading tgatherb-granularity=block";
    assert!(told[0].ends_with(end), "{told:?}");
    assert_found(
        &one(keys),
        &["--reading", "tgatherb-granularity=block"],
        &[],
    );
}

#[test]
fn a_byte_wide_gather_by_offsets_is_legal_everywhere() {
    let keys = "instruction: TGATHERB, dtype: int8_t, source: {shape: [1, 96]}, destination: {shape: [1, 32]}";
    assert_found(&one(keys), &[], &[]);
}

#[test]
fn what_one_target_has_alone_is_said_target_by_target() {
    let gather = |keys: &str| {
        one(&format!(
            "instruction: MGATHER, mode: Row, oob: Clamp, {keys}"
        ))
    };
    // Eight-bit floats are of A5.
    let fp8 = gather(
        "dtype: float8_e5m2_t, tile: {shape: [4, 32]}, index: {shape: [1, 8], valid: [1, 4]}, table: {shape: [1, 1, 1, 9, 32]}",
    );
    assert_found(
        &fp8,
        &["-t", "a2a3"],
        &["2:12 error rejected a2a3: MGATHER-DTYPE-07 elements of float8_e5m2_t"],
    );
    assert_found(&fp8, &["-t", "a5"], &[]);
    // So is a column of indices.
    let column = gather(
        "dtype: half, tile: {shape: [4, 32]}, index: {shape: [4, 1], blayout: ColMajor}, table: {shape: [1, 1, 1, 9, 32]}",
    );
    let (told, _) = found(&column, &["-t", "a2a3"]);
    assert!(
        told[0].starts_with("2:12 error rejected a2a3: MGATHER-TILE-04"),
        "{told:?}"
    );
    assert_found(&column, &["-t", "a5"], &[]);
    // 19 halves are 38 bytes: no multiple of 32.
    let odd = gather(
        "dtype: half, tile: {shape: [4, 19]}, index: {shape: [1, 8], valid: [1, 4]}, table: {shape: [1, 1, 1, 9, 19]}",
    );
    let (told, _) = found(&odd, &[]);
    assert!(
        told.iter()
            .any(|l| l.starts_with("2:12 error rejected a2a3: MGATHER-ALIGN-01")),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|l| l.starts_with("2:12 error alignment a5: MGATHER-ALIGN-03")),
        "{told:?}"
    );
}

#[test]
fn a_mask_is_of_a5_and_the_reading_of_the_library_is_named() {
    let keys = |dst: &str| {
        one(&format!(
            "instruction: TSCATTER, mask: P0101, dtype: half, source: {{shape: [2, 16]}}, destination: {{shape: {dst}}}"
        ))
    };
    assert_found(&keys("[2, 32]"), &["-t", "a5"], &[]);
    assert_found(
        &keys("[2, 32]"),
        &["-t", "a2a3"],
        &[
            "2:12 error rejected a2a3: TSCATTER-MODE-02 A2/A3 has no masked TSCATTER; legal under --reading scope=as-the-suite",
        ],
    );
    let (told, _) = found(&keys("[2, 16]"), &["-t", "a5"]);
    assert!(
        told[0].starts_with("2:12 error rejected a5: TSCATTER-SHAPE-03"),
        "{told:?}"
    );
}

#[test]
fn what_ptodiff_does_not_have_is_said() {
    let base = "instruction: MGATHER, mode: Elem, dtype: float, tile: {shape: [1, 8]}, index: {shape: [1, 8]}, table: {shape: [1, 1, 1, 1, 8]}";
    for (key, says) in [
        (
            "predicate: {shape: [1, 32]}",
            "error[PTO-C041]: ptodiff has no predicate operand: its documents have none",
        ),
        (
            "cores: 2",
            "error[PTO-C041]: ptodiff has one core: a case cannot say what several do",
        ),
    ] {
        let done = check(&one(&format!("{base}, {key}")), &[]);
        assert_eq!(done.code, 2);
        assert!(done.err.contains(says), "{}", done.err);
    }
}

#[test]
fn hangs_and_budgets_of_a_launch_are_said_beforehand() {
    let keys = |tile: &str, launch: &str| {
        one(&format!(
            "instruction: MSCATTER, mode: Elem, dtype: int32_t, tile: {tile}, index: {tile}, \
             table: {{shape: [1, 1, 1, 1, 32]}}, targets: [a5], launch: {{{launch}}}"
        ))
    };
    let hang = "it never returns: a kernel that is called through a function pointer has no SIMT context; launch the kernel itself, or keep to one element";
    assert_found(
        &keys("{shape: [2, 8]}", "dispatch: Direct"),
        &[],
        &[&format!("2:12 error hang a5: MSCATTER-LAUNCH-10 {hang}")],
    );
    // One element goes the scalar way (MSCATTER-LAUNCH-03).
    assert_found(
        &keys("{shape: [1, 8], valid: [1, 1]}", "dispatch: Direct"),
        &[],
        &[],
    );
    // 216 KiB are 221184 bytes.
    assert_found(&keys("{shape: [2, 8]}", "dyn_ub: 221184"), &[], &[]);
    let (told, code) = found(&keys("{shape: [2, 8]}", "dyn_ub: 221185"), &[]);
    assert_eq!((told.len(), code), (1, 1));
    assert!(
        told[0].starts_with("2:12 error budget a5: MSCATTER-UB-06 dynUBufSize 221185"),
        "{told:?}"
    );
    let first = "cases:\n  - {name: c, instruction: MSCATTER, revision: first, dtype: float, tile: {shape: [2, 8]}, index: {shape: [2, 8]}, table: {shape: [1, 1, 1, 1, 32]}, launch: {dispatch: Direct}}\n";
    assert_found(
        first,
        &[],
        &[&format!("2:12 error hang a5: MSCATTER-LAUNCH-10 {hang}")],
    );
}

#[test]
fn a_conflict_policy_that_nobody_looks_at_is_a_warning() {
    let keys = |atomic: &str| {
        one(&format!(
            "instruction: MSCATTER, mode: Elem, conflict: Default, atomic: {atomic}, dtype: int32_t, tile: {{shape: [1, 8]}}, index: {{shape: [1, 8]}}, table: {{shape: [1, 1, 1, 1, 8]}}, targets: [a2a3, a5]"
        ))
    };
    assert_found(
        &keys("None"),
        &[],
        &[
            "2:12 warning dropped-policy a2a3: MSCATTER-CONF-10 there is no conflict policy here: the last in the order of the walk wins",
        ],
    );
    let (told, code) = found(&keys("Add"), &[]);
    assert_eq!((told.len(), code), (2, 0), "{told:?}");
    assert!(
        told[1].contains("a5: MSCATTER-CONF-09 the conflict policy says nothing beside Add"),
        "{told:?}"
    );
}

#[test]
fn an_update_out_of_bounds_is_dropped_moved_or_promises_nothing() {
    let keys = |oob: &str| {
        one(&format!(
            "instruction: MSCATTER, mode: Row, oob: {oob}, dtype: int32_t, tile: {{shape: [2, 8]}}, index: {{shape: [1, 8], valid: [1, 2], data: {{values: [0, 7]}}}}, table: {{shape: [1, 1, 1, 3, 8]}}, targets: [a2a3]"
        ))
    };
    assert_found(&keys("Skip"), &[], &[]);
    assert_found(
        &keys("Undefined"),
        &[],
        &[
            "2:12 error precondition a2a3: MSCATTER-OOB-02 step 0, row 1: index 7 is not below capacity 3; nobody checks it, and it writes outside its operand",
        ],
    );
    for policy in ["Clamp", "Wrap"] {
        assert_found(
            &keys(policy),
            &[],
            &[&format!(
                "2:12 remark live-row step 0, row 1: index 7 is not below capacity 3: {policy} takes it to a place that other indices mean, and nothing shows it"
            )],
        );
    }
}

#[test]
fn indices_that_are_bytes_look_like_bytes() {
    let keys = |values: &str| {
        one(&format!(
            "instruction: TSCATTER, dtype: half, source: {{shape: [1, 16], valid: [1, 3]}}, destination: {{shape: [1, 16]}}, index: {{dtype: int16_t, shape: [1, 16], valid: [1, 3], data: {{values: {values}}}}}"
        ))
    };
    let (told, code) = found(&keys("[0, 30, 14]"), &[]);
    assert_eq!(code, 1);
    let bytes = "2:12 remark byte-index all indices are multiples of 2, the bytes of an element, and reach out of range; divided by it they do not: are they bytes?; these instructions count elements";
    assert_eq!(
        told.iter().filter(|line| *line == bytes).count(),
        1,
        "{told:?}"
    );
    // One is odd; all are in range; half of one is not in range either.
    for values in ["[0, 30, 13]", "[0, 14, 2]", "[0, 14, 32]"] {
        let (told, _) = found(&keys(values), &[]);
        assert!(
            !told.iter().any(|line| line.contains("byte-index")),
            "{values}: {told:?}"
        );
    }
}

#[test]
fn what_a_case_expects_is_no_finding() {
    let keys = "instruction: MSCATTER, mode: Elem, atomic: Max, dtype: int32_t, tile: {shape: [1, 8]}, index: {shape: [1, 8]}, table: {shape: [1, 1, 1, 1, 8]}, targets: [a2a3, a5]";
    let (told, _) = found(&one(keys), &[]);
    assert!(
        told[0].starts_with("2:12 error rejected a2a3: MSCATTER-ATOM-10"),
        "{told:?}"
    );
    let done = check(
        &one(&format!("{keys}, rejected: {{a2a3: MSCATTER-ATOM-10}}")),
        &[],
    );
    assert_eq!(
        (done.out.as_str(), done.code),
        ("1 case: legal; 1 finding expected\n", 0)
    );
}

const RED: &str = "instruction: MSCATTER, mode: Elem, atomic: Max, dtype: int32_t, tile: {shape: [1, 8]}, index: {shape: [1, 8]}, table: {shape: [1, 1, 1, 1, 8]}, targets: [a2a3]";

#[test]
fn cases_of_other_targets_are_not_called_legal() {
    let red = one(RED);
    assert_eq!(check(&red, &["-t", "a2a3,a5"]).code, 1);
    let none = check(&red, &["-t", "a5"]);
    let told = (none.code, &none.out[..], &none.err[..]);
    assert_eq!(told, (3, "", "error: none of 1 case is for a5\n"));
    let both = format!("{red}  - {{name: d, {}}}\n", RED.replace("[a2a3]", "[cpu]"));
    let some = check(&both, &["-t", "a2a3"]);
    assert!(
        some.out.ends_with("1 error; 1 case not for a2a3\n"),
        "{}",
        some.out
    );
}

#[test]
fn rules_are_allowed_or_warned_of_by_name_by_clause_and_in_a_file() {
    let code = |more: &[&str]| check(&one(RED), more).code;
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--warn", "rejected"]), 0);
    assert_eq!(
        code(&["--warn", "rejected", "--deny", "MSCATTER-ATOM-10"]),
        1
    );
    let allowed = check(&one(RED), &["--allow", "MSCATTER-ATOM-10"]);
    let told = (allowed.code, &allowed.out[..]);
    assert_eq!(told, (0, "1 case: legal; 1 finding allowed\n"));
    assert_eq!(code(&["--allow", "MSCATTER-ATOM-11"]), 1);
    assert_eq!(code(&["--warn", "precondition,hang"]), 1);
    let wrong = check(&one(RED), &["--allow", "reject"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("did you mean `rejected`?"),
        "{}",
        wrong.err
    );

    // What is legal fails, too, where a project does not want it.
    let legal = one(
        "instruction: MGATHER, mode: Row, oob: Clamp, dtype: int32_t, tile: {shape: [2, 8]}, index: {shape: [1, 8], valid: [1, 2], data: {values: [0, -1]}}, table: {shape: [1, 1, 1, 3, 8]}, targets: [a5]",
    );
    assert_eq!(check(&legal, &[]).code, 0);
    assert_eq!(check(&legal, &["--deny", "negative-index"]).code, 1);
    let owed = check(&legal, &["--deny", "caller"]);
    assert!(owed.out.contains("error caller"), "{}", owed.out);

    let folder = folder_with(&one(RED));
    let file = folder.path().join("ptodiff.toml");
    fs::write(
        &file,
        "[check]\nwarn = [\"rejected\"]\ntargets = [\"a2a3\"]\n",
    )
    .unwrap();
    let done = ptodiff(folder.path(), &["check", "a.yaml"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("a.yaml:2:12 warning rejected"),
        "{}",
        done.out
    );
    assert_eq!(
        done.err,
        "using ptodiff.toml: targets a2a3, warn rejected\n"
    );
    assert_eq!(
        ptodiff(folder.path(), &["check", "a.yaml", "--no-config"]).code,
        1
    );
    fs::write(&file, "[check]\nallow = [\"rejectd\"]\n").unwrap();
    let done = ptodiff(folder.path(), &["check", "a.yaml"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("ptodiff.toml:2:10"), "{}", done.err);
}

#[test]
fn findings_are_json_annotations_and_sarif() {
    let json: Value = serde_json::from_str(&check(&one(RED), &["--format", "json"]).out).unwrap();
    let expected = serde_json::json!({
        "file": "a.yaml", "line": 2, "column": 12, "severity": "error", "rule": "rejected",
        "targets": ["a2a3"], "clause": "MSCATTER-ATOM-10", "case": "a/c",
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(json[key], *value, "{key}");
    }
    let github = check(&one(RED), &["--format", "github"]).out;
    let start = "::error file=a.yaml,line=2,col=12,title=rejected::a2a3: MSCATTER-ATOM-10 ";
    assert!(github.starts_with(start), "{github}");
    assert_eq!(github.lines().count(), 1);

    let log: Value = serde_json::from_str(&check(&one(RED), &["--format", "sarif"]).out).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
    assert_eq!(result["level"], "error");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a.yaml");
    assert_eq!(
        place["region"],
        serde_json::json!({"startLine": 2, "startColumn": 12})
    );
}

#[test]
fn an_editor_and_a_matcher_find_the_place_in_a_line() {
    let text = fs::read_to_string(crate::common::root().join(".ci/check-matcher.json")).unwrap();
    let matcher: Value = serde_json::from_str(&text).unwrap();
    let pattern = &matcher["problemMatcher"][0]["pattern"][0];
    let regex = regex_lite::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let done = check(&one(RED), &[]);
    let line = done.out.lines().next().unwrap();
    let groups = regex.captures(line).expect(line);
    let group = |name: &str| &groups[pattern[name].as_u64().unwrap() as usize];
    assert_eq!(group("file"), "a.yaml");
    assert_eq!((group("line"), group("column")), ("2", "12"));
    assert_eq!((group("severity"), group("code")), ("error", "rejected"));
    assert!(group("message").starts_with("a2a3: MSCATTER-ATOM-10"));
    // The summary is no problem.
    assert!(regex.captures(done.out.lines().last().unwrap()).is_none());
}
