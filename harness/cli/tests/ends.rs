//! What a run prints: little where it passes, and at the end what failed.

use std::fs;

use tempfile::TempDir;

use crate::common::{Done, folder_with, ptodiff, scatter};

/// Five cases: two that expect what does not come, one whose difference clauses permit, one
/// that agrees and one that all targets reject.
fn five() -> TempDir {
    let wrong = format!("    expect:\n      - table: [7{}]\n", ", _".repeat(31));
    let mut text = scatter("first_wrong", &wrong);
    let rest = |text: &str| text.replacen("cases:\n", "", 1);
    text.push_str(&rest(&scatter("good", "")));
    let any = "    conflict: Default\n";
    let same = scatter("any", any).replace("permutation", "{hot: {slots: 2}}");
    text.push_str(&rest(&same));
    text.push_str(&rest(&scatter("second_wrong", &wrong)));
    let refused = scatter("refused", "").replace("int32_t", "int8_t");
    text.push_str(&rest(
        &refused.replace("Elem", "Row").replace("[2, 8]", "[2, 3]"),
    ));
    folder_with(&text)
}

fn run(folder: &TempDir, more: &[&str]) -> Done {
    ptodiff(
        folder.path(),
        &[&["run", "a.yaml", "--out", "out"], more].concat(),
    )
}

/// The names of the cases that have a line.
fn lines(done: &Done) -> Vec<&str> {
    let verdicts = [
        " violation  a/",
        " permitted  a/",
        "     agree  a/",
        "  rejected  a/",
        " undefined  a/",
        "    single  a/",
    ];
    let name = |line: &'_ str| {
        verdicts
            .iter()
            .find_map(|v| Some(line.strip_prefix(v)?.len()))
    };
    let named = done.out.lines().filter_map(|line| {
        let rest = &line[line.len() - name(line)?..];
        rest.split(' ').next()
    });
    named.collect()
}

#[test]
fn a_green_run_is_ten_lines_and_ends_with_its_page() {
    let folder = folder_with(&scatter("one", ""));
    let done = run(&folder, &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.lines().count() <= 10, "{}", done.out);
    let last = done.out.lines().last().expect("a line");
    assert!(
        last.starts_with("PASSED  1 case, ") && last.ends_with(" s   out/report.html"),
        "{last}"
    );
}

#[test]
fn a_red_run_ends_with_its_failures_and_one_line() {
    let folder = five();
    let done = run(&folder, &[]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert_eq!(
        lines(&done),
        ["first_wrong", "second_wrong"],
        "{}",
        done.out
    );
    let last = done.out.lines().last().expect("a line");
    assert!(
        last.starts_with("FAILED  2 of 5 cases in 1 group, "),
        "{}",
        done.out
    );
    assert!(last.ends_with("out/report.html"), "{last}");
    assert_eq!(done.out.matches("FAILED").count(), 1, "{}", done.out);
    assert!(
        done.out.contains("expectation not met MSCATTER"),
        "{}",
        done.out
    );
    assert!(
        done.out.contains("  models     all 3 models agree against"),
        "{}",
        done.out
    );
    // At the line of what is expected.
    let text = fs::read_to_string(folder.path().join("a.yaml")).expect("cases");
    let at = text.lines().position(|line| line.contains("- table: [7"));
    let line = at.expect("it expects something") + 1;
    let case = format!("  case       a/first_wrong  a.yaml:{line}\n");
    assert!(done.out.contains(&case), "{case}{}", done.out);
    assert!(!done.out.contains("\npermitted "), "{}", done.out);
    // Each group: a blank line, the head and at most eleven more.
    let groups = done
        .out
        .split("\n\n")
        .filter(|part| part.contains("\n  reproduce  "));
    for group in groups {
        assert!(group.trim().lines().count() <= 12, "{group}");
    }
}

#[test]
fn a_level_says_which_cases_have_a_line() {
    let folder = five();
    let levels: [(&str, &[&str]); 5] = [
        ("fail", &["first_wrong", "second_wrong"]),
        ("permitted", &["first_wrong", "any", "second_wrong"]),
        ("pass", &["first_wrong", "good", "any", "second_wrong"]),
        (
            "skip",
            &["first_wrong", "good", "any", "second_wrong", "refused"],
        ),
        (
            "all",
            &["first_wrong", "good", "any", "second_wrong", "refused"],
        ),
    ];
    for (level, expected) in levels {
        let done = run(&folder, &["--status-level", level]);
        assert_eq!(lines(&done), expected, "{level}: {}", done.out);
    }
    let done = run(&folder, &["-q"]);
    assert_eq!(lines(&done), [""; 0], "{}", done.out);
    assert!(!done.out.contains("conforms  rejected"), "{}", done.out);
    assert!(
        done.out.contains("\n  reproduce  ") && done.out.contains("\nFAILED  2"),
        "{}",
        done.out
    );
}

#[test]
fn more_is_shown_when_asked_for() {
    let folder = five();
    let file = folder.path().join("a.yaml");
    let read = "  - name: blocks\n    instruction: TGATHERB\n    dtype: int16_t\n    \
         source: {shape: [4, 64], data: arange}\n    offset: {data: seq}\n    \
         readings: {tgatherb-granularity: block}\n";
    let all = fs::read_to_string(&file).expect("cases") + read;
    fs::write(&file, all).expect("a file");
    let parts = |more: &[&str]| {
        let done = run(&folder, more);
        let has = |text: &str| done.out.contains(text);
        [
            has("\npermitted MSCATTER"),
            has("a reading mattered"),
            has("not compared\n"),
            has("record out/run.jsonl"),
        ]
    };
    assert_eq!(parts(&[]), [false; 4]);
    assert_eq!(parts(&["--show", "permitted"]), [true, false, false, false]);
    assert_eq!(parts(&["--show", "readings"]), [false, true, false, false]);
    assert_eq!(
        parts(&["--show", "readings,permitted"]),
        [true, true, false, false]
    );
    for all in [&["--show", "all"][..], &["-v"]] {
        assert_eq!(parts(all), [true; 4], "{all:?}");
    }
    assert_eq!(lines(&run(&folder, &["-v"])).len(), 6);
    assert_eq!(run(&folder, &["-v", "-q"]).code, 2);
}

#[test]
fn a_run_stops_at_its_first_failures_and_its_record_says_so() {
    let folder = five();
    let cases = |done: &Done| {
        let list = ptodiff(folder.path(), &["report", "--from", "out/run.jsonl"]);
        assert_eq!(list.code, 0, "{}", list.err);
        let last = done.out.lines().last().unwrap_or_default();
        last.split(", ")
            .take(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let done = run(&folder, &["--fail-fast", "--jobs", "1"]);
    assert_eq!(cases(&done)[0], "FAILED  1 of 1 case in 1 group");
    assert_eq!(cases(&done)[1], "4 not run");
    let done = run(&folder, &["--max-fails", "2"]);
    assert_eq!(cases(&done)[0], "FAILED  2 of 4 cases in 1 group");
    let record = fs::read_to_string(folder.path().join("out/run.jsonl")).expect("a record");
    assert!(record.contains("\"cases\":4"), "{record}");
    let done = run(&folder, &["--max-fails", "9"]);
    assert!(
        cases(&done)[0].starts_with("FAILED  2 of 5 cases"),
        "{}",
        done.out
    );
}

#[test]
fn what_failed_is_run_again_alone() {
    let folder = five();
    run(&folder, &[]);
    let again = |record: &str| {
        let args = ["run", "a.yaml", "--out", "again", "--rerun-failed", record];
        ptodiff(folder.path(), &args)
    };
    let done = again("out/run.jsonl");
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(
        done.out.contains("\nFAILED  2 of 2 cases in 1 group, "),
        "{}",
        done.out
    );
    run(&folder, &["--filter", "=a/good"]);
    let none = again("out/run.jsonl");
    assert_eq!(none.code, 3, "{}", none.out);
    assert_eq!(none.err, "error: no case fails in out/run.jsonl\n");
    assert_eq!(again("a.yaml").code, 2);
}

#[test]
fn a_message_says_what_to_type() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = folder.path().join("cases");
    fs::create_dir(&cases).expect("a folder");
    fs::write(cases.join("a.yaml"), scatter("one", "")).expect("cases");
    for (args, said) in [
        (
            &["run", "a/one"][..],
            "`a/one` is a case and no file: name it with --filter '=a/one'",
        ),
        (
            &["run", "a/two"],
            "there is no file or folder `a/two`, and no case of that name",
        ),
        (
            &["rn"],
            "'rn'\n\n  tip: a similar subcommand exists: 'run'\n",
        ),
        (
            &["runn"],
            "'runn'\n\n  tip: a similar subcommand exists: 'run'\n",
        ),
        // There is no `st run`.
        (&["st", "rn"], "'rn'\n\nUsage: ptodiff st "),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["run", "--seed", "x"], "a whole number is expected"),
        (&["run", "--jobs", "x"], "a whole number is expected"),
        (&["run", "--jobs", "0"], "0 is not in"),
        (&["run", "--schedules", "0"], "0 is not in"),
        (&["run", "--max-fails", "0"], "0 is not in"),
        (&["run", "-r", "nonsense=1"], "no gap is called nonsense"),
        (&["run", "-r", "undefined-lst=dropped"], "`undefined-last`"),
        (&["run", "-r", "undefined-last=Droped"], "`dropped`"),
        (&["run", "-t", "A6"], "did you mean `a5`?"),
        (&["run", "--target", "a2"], "`a2a3`"),
        (&["hunt", "--form", "mgathr"], "`mgather`"),
        (&["explain", "NO-SUCH-THING"], "is no case, no clause or"),
        (&["explain", "PTO-C99"], "PTO-C009"),
        (&["explain", "MSCATTR-OOB-04"], "MSCATTER-OOB-04"),
        (
            &["explain", "mscatter-oob-4"],
            "did you mean one of these?\n  MSCATTER-OOB-04\n",
        ),
        (
            &["explain", "MGATHRE"],
            "did you mean one of these?\n  MGATHER\n",
        ),
        (&["explain", "not-juged"], "\n  not-judged\n"),
        (
            &["explain", "kernel/gather.1"],
            "; `--cases FILE` looks in a file of yours",
        ),
        (&["explain", "absent.yaml"], "cannot read absent.yaml"),
        (&["gaps", "MGATHER"], "named with --filter MGATHER\n"),
        (&["gaps", "zzz"], "named with --filter TEXT\n"),
        (
            &["gaps", "MGATHRE"],
            "--filter TEXT; did you mean `MGATHER`?\n",
        ),
        (&["fix", "kernel.pto"], "`fix` is for case files in YAML"),
        (
            &["report", "--from", "cases/a.yaml"],
            "this is no record of a run",
        ),
    ] {
        let done = ptodiff(folder.path(), args);
        assert_eq!(done.code, 2, "{args:?}: {}{}", done.out, done.err);
        assert!(done.err.contains(said), "{args:?}: {}", done.err);
        assert!(
            !done.err.contains("invalid digit"),
            "{args:?}: {}",
            done.err
        );
    }
    let upper = ptodiff(folder.path(), &["run", "--target", "A5", "--out", "out"]);
    assert_eq!(upper.code, 0, "{}", upper.err);
}
