//! The gate as a CI job uses it: what fails it, what a blessing proposes, what
//! is said of files that are not as they should be, and the commands that it proposes.

use std::{fs, path::Path, process::Command};

use crate::common::{Done, command, ptodiff, root, scatter};

/// A case that is a violation: the call is legal, and the case wants it rejected.
const RED: &str = "    rejected: {a5: MSCATTER-TILE-01}\n";
/// Its failure group.
const FAILURE_GROUP: &str = "MSCATTER a5 expectation MSCATTER-TILE-01";

fn waiver(expires: &str) -> String {
    format!(
        "waivers:\n  - failure-group: {FAILURE_GROUP}\n    pair: a5\n    cases: [a/two]\n    \
         cause: a wrong wish\n    reference: here\n    owner: me\n    expires: {expires}\n"
    )
}

/// A folder with cases `one` and `two`, the second with `extra` lines, no
/// waiver, and the baseline of the two when both are right.
fn folder(extra: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("reports")).unwrap();
    fs::create_dir_all(at.join("cases")).unwrap();
    fs::write(at.join("reports/waivers.yaml"), "waivers: []\n").unwrap();
    write_cases(at, "");
    let done = ptodiff(at, &["gate", "--bless", "--write"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    write_cases(at, extra);
    folder
}

fn write_cases(at: &Path, extra: &str) {
    let two = scatter("two", extra).replace("cases:\n", "");
    let text = format!("{}{two}", scatter("one", ""));
    fs::write(at.join("cases/a.yaml"), text).unwrap();
}

fn gate(at: &Path, more: &[&str]) -> Done {
    ptodiff(at, &[&["gate", "--today", "2026-03-01"], more].concat())
}

fn failed(done: &Done, parts: &[&str]) {
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    for part in parts {
        assert!(done.out.contains(part), "`{part}` is not in:\n{}", done.out);
    }
}

#[test]
fn what_was_blessed_passes_the_gate() {
    let folder = folder("");
    let done = gate(folder.path(), &[]);
    assert_eq!(
        (done.code, done.out.as_str()),
        (0, "the gate passed: 2 cases, no implementation tested\n")
    );
    // The record of a run says the same.
    ptodiff(folder.path(), &["run", "--out", "out"]);
    let from = gate(folder.path(), &["--from", "out/run.jsonl"]);
    assert_eq!((from.code, from.out), (0, done.out));
}

#[test]
fn a_violation_fails_it_until_it_is_waived_and_again_after_the_last_day() {
    let folder = folder(RED);
    let at = folder.path();
    failed(
        &gate(at, &[]),
        &[
            &format!("violation {FAILURE_GROUP}\n"),
            "1 case of a5, first a/two (cases/a.yaml:9)",
            "; to see it: ptodiff run cases/a.yaml --filter '=a/two' --seed 0",
            &format!(
                "\nto waive it until a day, write this to reports/waivers.yaml\nwaivers:\n  \
                 - failure-group: {FAILURE_GROUP}\n    pair: a5\n    cases: [a/two]\n    cause: WHY\n"
            ),
            "the gate failed: ",
        ],
    );
    fs::write(at.join("reports/waivers.yaml"), waiver("2026-03-01")).unwrap();
    let open = gate(at, &[]);
    // What its waiver hides is no result to rely on, and no case that covers it is lost here.
    assert_eq!(open.code, 0, "{}", open.out);
    assert!(
        open.out
            .contains(&format!("waived {FAILURE_GROUP}, 1 case, until 2026-03-01"))
    );
    let late = ptodiff(at, &["gate", "--today", "2026-03-02"]);
    failed(
        &late,
        &["violation", "waiver-expired reports/waivers.yaml:2"],
    );
}

#[test]
fn a_waiver_that_hides_nothing_fails_it_and_a_blessing_takes_it_out() {
    let folder = folder("");
    let at = folder.path();
    fs::write(at.join("reports/waivers.yaml"), waiver("2027-01-01")).unwrap();
    failed(&gate(at, &[]), &["waiver-unused reports/waivers.yaml:2"]);
    let proposed = gate(at, &["--bless"]);
    assert_eq!(proposed.code, 0, "{}", proposed.out);
    for part in [
        "--- a/reports/waivers.yaml",
        "-    cause: a wrong wish",
        "+waivers: []",
    ] {
        assert!(
            proposed.out.contains(part),
            "`{part}` is not in:\n{}",
            proposed.out
        );
    }
    let text = || fs::read_to_string(at.join("reports/waivers.yaml")).unwrap();
    assert_eq!(text(), waiver("2027-01-01"), "nothing is written unasked");
    assert_eq!(gate(at, &["--bless", "--write"]).code, 0);
    assert_eq!(text(), "waivers: []\n");
    assert_eq!(gate(at, &[]).code, 0);
}

#[test]
fn a_waiver_that_is_wider_than_what_it_hides_fails_it() {
    let folder = folder(RED);
    let at = folder.path();
    let wide =
        waiver("2027-01-01").replace("    pair: a5\n    cases: [a/two]\n", "    pair: '*'\n");
    fs::write(at.join("reports/waivers.yaml"), wide).unwrap();
    let parts = ["waiver-broad", "write `pair: a5`", "write `cases: [a/two]`"];
    failed(&gate(at, &[]), &parts);
}

#[test]
fn a_case_that_is_gone_or_runs_no_longer_fails_it() {
    let folder = folder("    targets: [cpu, a5]\n");
    let at = folder.path();
    failed(&gate(at, &[]), &["case-not-run a/two", "a2a3"]);
    fs::write(at.join("cases/a.yaml"), scatter("one", "")).unwrap();
    failed(&gate(at, &[]), &["case-gone a/two"]);
    let proposed = gate(at, &["--bless"]);
    assert!(proposed.out.contains("-    \"a/two\""), "{}", proposed.out);
}

#[test]
fn a_clause_that_is_covered_no_longer_fails_it() {
    let covers = "cases:
  - name: seen
    instruction: MSCATTER
    covers: MSCATTER-SEM-02
    mode: Elem
    dtype: int32_t
    tile: {shape: [1, 8], data: {values: [10, 11, 12, 13, 14, 15, 16, 17]}}
    index: {shape: [1, 8], data: {values: [7, 6, 5, 4, 3, 2, 1, 0]}}
    table: {shape: [1, 1, 1, 1, 8]}
    expect: [{table: {0: 17, rest: any}}]
";
    let folder = folder("");
    let at = folder.path();
    fs::write(at.join("cases/b.yaml"), covers).unwrap();
    assert_eq!(gate(at, &["--bless", "--write"]).code, 0);
    assert_eq!(gate(at, &[]).code, 0);
    // The same case, no case that covers it any more.
    let text = covers.replace("    covers: MSCATTER-SEM-02\n", "");
    fs::write(at.join("cases/b.yaml"), text).unwrap();
    let done = gate(at, &[]);
    failed(&done, &["coverage-lost MSCATTER-SEM-02", "1 failure,"]);
}

#[test]
fn a_hole_that_no_case_shows_fails_it() {
    let hole = fs::read_to_string(root().join("cases/holes/holes_tgatherb.yaml"));
    let folder = folder("");
    let at = folder.path();
    fs::write(at.join("cases/holes_of_old.yaml"), hole.unwrap()).unwrap();
    assert_eq!(gate(at, &["--bless", "--write"]).code, 0);
    fs::remove_file(at.join("cases/holes_of_old.yaml")).unwrap();
    let gone = [
        "hole-gone TGATHERB unchecked-precondition",
        "case-gone holes_of_old/",
    ];
    let all = gate(at, &["--show", "all"]);
    failed(&all, &gone);
    let ten = gate(at, &[]);
    failed(&ten, &[" more hole-gone: --show all"]);
    let told = |done: &Done| done.out.matches("\nhole-gone ").count();
    assert_eq!((told(&ten), told(&all) > 10), (10, true), "{}", ten.out);
}

#[test]
fn a_new_case_is_no_failure_and_is_counted() {
    let folder = folder("");
    let at = folder.path();
    fs::write(at.join("cases/b.yaml"), scatter("three", "")).unwrap();
    let done = gate(at, &[]);
    assert_eq!(done.code, 0, "{}", done.out);
    assert!(done.out.contains(
        "not yet in the baseline 1 case, first b/three; `ptodiff gate --bless` takes them in"
    ));
    // What shows a violation is not taken in, and is looked at where it is asked for.
    fs::write(at.join("cases/b.yaml"), scatter("three", RED)).unwrap();
    let told = "not yet in the baseline 1 case, first b/three; to look only at those that are: \
                `--cases PATH`, or `--from` the record of a run that selects them\n";
    failed(&gate(at, &[]), &[told]);
    assert_eq!(gate(at, &["--cases", "cases/a.yaml"]).code, 0);
}

#[test]
fn a_dry_run_says_what_would_fail_and_passes() {
    let folder = folder(RED);
    let done = gate(folder.path(), &["--dry-run"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains(&format!("violation {FAILURE_GROUP}")));
    assert!(done.out.contains("the gate would fail: "), "{}", done.out);
}

#[test]
fn a_run_with_violations_is_not_blessed() {
    let folder = folder(RED);
    let at = folder.path();
    let before = fs::read_to_string(at.join("reports/baseline.json")).unwrap();
    failed(
        &gate(at, &["--bless", "--write"]),
        &[FAILURE_GROUP, "    owner: WHO\n", "nothing is proposed"],
    );
    let after = fs::read_to_string(at.join("reports/baseline.json")).unwrap();
    assert_eq!(before, after);
}

#[test]
fn a_blessing_is_a_diff_that_patch_takes() {
    let folder = folder("");
    let at = folder.path();
    fs::write(at.join("cases/b.yaml"), scatter("three", "")).unwrap();
    let proposed = gate(at, &["--bless"]);
    assert!(
        proposed
            .out
            .contains("+    \"b/three\": [\"cpu\",\"a2a3\",\"a5\""),
        "{}",
        proposed.out
    );
    assert!(proposed.out.ends_with("--write makes the change\n"));
    fs::write(at.join("change.diff"), &proposed.out).unwrap();
    let git = Command::new("git")
        .args(["apply", "change.diff"])
        .current_dir(at)
        .status();
    assert!(git.is_ok_and(|status| status.success()), "{}", proposed.out);
    let again = gate(at, &["--bless"]);
    assert_eq!(again.out, "nothing to change\n");
}

#[test]
fn violations_and_losses_are_annotated_in_a_job_on_github() {
    let folder = folder(RED);
    let done = command(folder.path())
        .env("GITHUB_ACTIONS", "true")
        .arg("gate")
        .output();
    let done: Done = done.unwrap().into();
    let line = format!("::error title=ptodiff gate::violation {FAILURE_GROUP}%0A");
    assert!(done.out.contains(&line), "{}", done.out);
}

#[test]
fn files_that_are_not_as_they_should_be_are_named() {
    let folder = folder("");
    let at = folder.path();
    let baseline = fs::read_to_string(at.join("reports/baseline.json")).unwrap();
    let rejected = |args: &[&str], parts: &[&str]| {
        let done = gate(at, args);
        assert_eq!(done.code, 2, "{}{}", done.out, done.err);
        for part in parts {
            assert!(done.err.contains(part), "`{part}` is not in:\n{}", done.err);
        }
        let harmless = |c: char| !c.is_control() || c == '\n';
        assert!(done.err.chars().all(harmless), "{:?}", done.err);
    };
    let newer = baseline.replacen("\"ptodiff_baseline\": 3", "\"ptodiff_baseline\": 99", 1);
    for (text, why) in [
        ("", "damaged"),
        ("{}", "no baseline"),
        ("{\"\u{1b}[31m\"", "damaged"),
        (newer.as_str(), "format 99"),
    ] {
        fs::write(at.join("reports/baseline.json"), text).unwrap();
        rejected(&[], &["reports/baseline.json", why]);
    }
    fs::remove_file(at.join("reports/baseline.json")).unwrap();
    rejected(&[], &["no reports/baseline.json", "--bless --write"]);
    fs::write(at.join("reports/baseline.json"), baseline).unwrap();

    let bad = waiver("2027-02-30").replace("owner: me", "ownr: me");
    fs::write(at.join("reports/waivers.yaml"), bad).unwrap();
    rejected(&[], &["reports/waivers.yaml:", "^"]);
    fs::write(
        at.join("reports/waivers.yaml"),
        "waivers: {a: \u{1b}[31m}\n",
    )
    .unwrap();
    rejected(&[], &["reports/waivers.yaml"]);
    rejected(&["--baseline", "none.yaml"], &["none.yaml"]);
    fs::write(at.join("reports/waivers.yaml"), "waivers: []\n").unwrap();

    rejected(&["--from", "none.jsonl"], &["cannot read none.jsonl"]);
    rejected(&["--cases", "nowhere"], &["nowhere"]);
    rejected(&["--write"], &["--bless"]);
    rejected(&["--bless", "--dry-run"], &["--dry-run"]);
    rejected(
        &["--filter", "two"],
        &["or those of `--cases`", "`ptodiff run`"],
    );
    assert!(!gate(at, &["--filter", "two"]).err.contains("--write"));
    let day = ptodiff(at, &["gate", "--today", "soon"]);
    assert_eq!(day.code, 2);
    assert!(day.err.contains("YYYY-MM-DD"), "{}", day.err);
}

#[test]
fn a_folder_stands_for_the_waivers_and_the_baseline_in_it() {
    let folder = folder(RED);
    let at = folder.path();
    fs::write(at.join("reports/waivers.yaml"), waiver("2026-03-01")).unwrap();
    let waived = gate(at, &["--baseline", "reports"]);
    assert_eq!(waived.code, 0, "{}{}", waived.out, waived.err);
    fs::remove_file(at.join("reports/waivers.yaml")).unwrap();
    let none = gate(at, &["--baseline", "reports"]);
    failed(&none, &[FAILURE_GROUP]);
    assert_eq!(
        none.err,
        "there is no reports/waivers.yaml: nothing is waived\n"
    );
}

#[test]
fn a_baseline_that_cannot_be_written_is_a_fault() {
    let folder = folder("");
    let at = folder.path();
    fs::write(at.join("cases/b.yaml"), scatter("three", "")).unwrap();
    let baseline = at.join("reports/baseline.json");
    let mut permissions = fs::metadata(&baseline).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&baseline, permissions).unwrap();
    let done = gate(at, &["--bless", "--write"]);
    assert_eq!(done.code, 70, "{}{}", done.out, done.err);
    assert!(
        done.err.contains("cannot write reports/baseline.json"),
        "{}",
        done.err
    );
}

/// Runs the shell example in `at`.
fn example(at: &Path) -> Done {
    let script = root().join("reports/ci/gate.sh");
    let done = Command::new("sh")
        .arg(script)
        .env("PTODIFF", env!("CARGO_BIN_EXE_ptodiff"))
        .env("PARTS", "3")
        .env_remove("GITHUB_ACTIONS")
        .current_dir(at)
        .output();
    done.unwrap().into()
}

#[test]
fn the_shell_example_runs_in_parts_reports_and_ends_as_the_gate_does() {
    let folder = folder("");
    let at = folder.path();
    let open = example(at);
    assert_eq!(open.code, 0, "{}{}", open.out, open.err);
    assert!(
        open.out
            .ends_with("the gate passed: 2 cases, no implementation tested\n"),
        "{}",
        open.out
    );
    for name in [
        "run.jsonl",
        "report.html",
        "junit.xml",
        "summary.md",
        "part-3/run.jsonl",
    ] {
        assert!(at.join("target/gate").join(name).is_file(), "{name}");
    }
    write_cases(at, RED);
    let red = example(at);
    assert_eq!(red.code, 1, "{}{}", red.out, red.err);
    assert!(red.out.contains(FAILURE_GROUP), "{}", red.out);
    fs::write(at.join("cases/a.yaml"), "cases: 3\n").unwrap();
    let wrong = example(at);
    assert_eq!(wrong.code, 2, "{}", wrong.out);
    let said = "\ngate.sh: part 1/3 was not run: ptodiff ended with 2\n";
    assert!(wrong.err.contains(said), "{}", wrong.err);
}

/// Cases and baseline elsewhere than where a gate looks for them.
const FILES: [&str; 4] = ["--cases", "mine", "--baseline", "known/waivers.yaml"];

/// A folder with the two cases in `mine`, and no waiver in `known`.
fn elsewhere() -> tempfile::TempDir {
    let folder = folder("");
    let at = folder.path();
    fs::remove_file(at.join("reports/baseline.json")).unwrap();
    for (from, to) in [("reports", "known"), ("cases", "mine")] {
        fs::rename(at.join(from), at.join(to)).unwrap();
    }
    folder
}

fn says(done: &Done, code: i32, text: &str, part: &str) {
    assert_eq!(done.code, code, "{}{}", done.out, done.err);
    assert!(text.contains(part), "`{part}` is not in:\n{text}");
}

#[test]
fn a_record_is_not_run_again_so_that_nothing_may_be_said_of_running() {
    let folder = elsewhere();
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
    let folder = elsewhere();
    let at = folder.path();
    let done = gate(at, &FILES);
    let command = "ptodiff gate --cases mine --baseline known/waivers.yaml --bless --write";
    says(&done, 2, &done.err, &format!(":\n  {command}\n"));
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(ptodiff(at, &words).code, 0);
    says(&gate(at, &FILES), 0, "", "");
}

#[test]
fn where_there_are_no_waivers_nothing_is_waived_and_that_is_said() {
    let folder = folder("");
    let at = folder.path();
    fs::remove_dir_all(at.join("reports")).unwrap();
    let first = gate(at, &[]);
    let said = "; --baseline FILE names waivers elsewhere";
    says(&first, 2, &first.err, said);
    gate(at, &["--bless", "--write"]);
    let passed = gate(at, &[]);
    let said = "there is no reports/waivers.yaml: nothing is waived\n";
    assert_eq!((passed.code, &passed.err[..]), (0, said));
    write_cases(at, RED);
    failed(
        &gate(at, &[]),
        &["waive the failure group in reports/waivers.yaml"],
    );
}

#[test]
fn the_command_has_every_option_that_changes_what_comes_of_it() {
    let folder = elsewhere();
    let at = folder.path();
    let implementation = ["--impl", "x=true", "--impl-jobs", "3", "--retries", "5"];
    let done = gate(at, &[&FILES[..], &implementation, &["-q"]].concat());
    let said = "\n  ptodiff gate --cases mine --baseline known/waivers.yaml --impl x=true --impl-jobs 3 \
                --retries 5 --bless --write\n";
    says(&done, 2, &done.err, said);
    // One that is named and not there may be a slip: the gate does not go on without it.
    fs::remove_file(at.join("known/waivers.yaml")).unwrap();
    let done = gate(at, &FILES);
    says(&done, 2, &done.err, "cannot read known/waivers.yaml");
}

#[test]
fn what_a_blessing_takes_in_is_that_of_the_same_files() {
    let folder = elsewhere();
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
    let folder = elsewhere();
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
