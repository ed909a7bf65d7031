//! One record, many faces: what `run` writes, what `report` and `diff` make of
//! a record, and what they say of one that they cannot read.

use std::{fs, path::Path};

use crate::common::{Done, command, folder_with, ptodiff, root, scatter, untimed};

/// A case that turns red: the call is legal, and the case wants it rejected.
const RED: &str = "    rejected: {a5: MSCATTER-TILE-01}\n";

/// A folder with the record of a run of one case, with `extra` lines in it.
fn folder(extra: &str) -> tempfile::TempDir {
    let folder = folder_with(&scatter("one", extra));
    let done = ptodiff(folder.path(), &["run", "a.yaml", "--out", "out"]);
    assert!(done.code < 2, "{}", done.err);
    folder
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn says(done: &Done, code: i32, parts: &[&str]) {
    assert_eq!(done.code, code, "{}{}", done.out, done.err);
    for part in parts {
        assert!(done.err.contains(part), "`{part}` is not in:\n{}", done.err);
    }
    let harmless = |c: char| !c.is_control() || c == '\n';
    assert!(done.err.chars().all(harmless), "{:?}", done.err);
}

#[test]
fn a_held_expectation_is_a_pass_in_junit_and_a_case_that_expects_nothing_is_skipped() {
    let bytes = |name: &str, expected: &str| {
        let text = scatter(
            name,
            &format!("    atomic: Add\n    targets: [a2a3]\n{expected}"),
        );
        text.replace("int32_t", "uint8_t")
            .replace("[4, 8]", "[4, 32]")
    };
    let rejected = bytes("rejected", "    rejected: {a2a3: MSCATTER-ATOM-09}\n");
    let unsaid = bytes("unsaid", "").replace("cases:\n", "");
    let folder = folder_with(&format!("{rejected}{unsaid}"));
    let done = ptodiff(folder.path(), &["run", "a.yaml", "--out", "out"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("2 rejected"), "{}", done.out);
    let xml = read(folder.path(), "out/junit.xml");
    let skipped = r#"tests="2" skipped="1""#;
    assert!(xml.contains(skipped), "{xml}");
    let at = xml.find("<skipped").expect("a skipped case");
    assert!(xml.find("a/unsaid").expect("the case") < at, "{xml}");
    let why = "no target has a result, and the record has no expectation of one: a2a3 rejected by";
    assert!(xml.contains(why), "{xml}");
}

#[test]
fn a_run_writes_every_face_and_report_makes_the_same_of_the_record() {
    let folder = folder(RED);
    let at = folder.path();
    let done = ptodiff(
        at,
        &[
            "report",
            "--from",
            "out/run.jsonl",
            "--html",
            "page.html",
            "--junit",
            "j.xml",
            "--md",
            "s.md",
        ],
    );
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    for (face, own) in [
        ("page.html", "out/report.html"),
        ("j.xml", "out/junit.xml"),
        ("s.md", "out/summary.md"),
    ] {
        let of_run = match face {
            "j.xml" => untimed(&read(at, own)),
            _ => read(at, own),
        };
        assert_eq!(read(at, face), of_run, "{face}");
        let failure_group = "MSCATTER a5 expectation MSCATTER-TILE-01";
        assert!(read(at, own).contains(failure_group), "{own}");
    }
    // The text is what a run prints at its end, but for where it wrote.
    let text = ptodiff(at, &["report", "--from", "out/run.jsonl", "--text"]);
    assert_eq!(text.out, read(at, "out/summary.txt"));
    assert!(
        text.out
            .contains("MSCATTER a5 expectation MSCATTER-TILE-01")
    );
    let plain = ptodiff(at, &["report", "--from", "out/run.jsonl"]);
    assert_eq!(plain.out, text.out);
}

#[test]
fn faces_go_beside_the_record_or_to_standard_output() {
    let folder = folder("");
    let at = folder.path();
    for name in ["report.html", "junit.xml", "summary.md"] {
        fs::remove_file(at.join("out").join(name)).unwrap();
    }
    let done = ptodiff(
        at,
        &[
            "report",
            "--from",
            "out/run.jsonl",
            "--html",
            "--junit",
            "--md",
        ],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(read(at, "out/report.html").starts_with("<!doctype html>"));
    assert!(read(at, "out/junit.xml").starts_with("<?xml"));
    let md = ptodiff(at, &["report", "--from", "out/run.jsonl", "--md", "-"]);
    assert_eq!(md.out, read(at, "out/summary.md"));
}

#[test]
fn annotations_come_when_asked_for_and_in_a_job_on_github() {
    let folder = folder(RED);
    let at = folder.path();
    let asked = ptodiff(at, &["report", "--from", "out/run.jsonl", "--annotations"]);
    let error = "::error file=a.yaml,line=9,title=MSCATTER a5 expectation MSCATTER-TILE-01::";
    assert!(asked.out.starts_with(error), "{}", asked.out);
    let args = ["run", "a.yaml", "--out", "out", "--quiet"];
    let silent = ptodiff(at, &args);
    assert!(!silent.out.contains("::error"), "{}", silent.out);
    let job = command(at)
        .env("GITHUB_ACTIONS", "true")
        .args(args)
        .output();
    let job: Done = job.unwrap().into();
    assert!(job.out.contains(&asked.out), "{}", job.out);
}

#[test]
fn details_are_in_the_record_unless_they_are_left_out() {
    let folder = folder(RED);
    let at = folder.path();
    let record = read(at, "out/run.jsonl");
    for part in ["\"detail\":", "\"traces\":", "\"slots\":", "\"states\":"] {
        assert!(record.contains(part), "{part}");
    }
    ptodiff(at, &["run", "a.yaml", "--out", "out", "--no-details"]);
    assert!(!read(at, "out/run.jsonl").contains("\"detail\":"));
}

#[test]
fn an_older_record_still_renders_and_a_newer_one_is_rejected() {
    let older = tempfile::tempdir().unwrap();
    let first = root().join("harness/record/tests/older/format-1.jsonl");
    fs::copy(first, older.path().join("run.jsonl")).unwrap();
    let all = ["--html", "--junit", "--md", "--text"];
    let report = ["report", "--from", "run.jsonl"];
    let done = ptodiff(older.path(), &[&report[..], &all].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(read(older.path(), "report.html").len() > 10_000);
    let folder = folder("");
    let record = read(folder.path(), "out/run.jsonl");
    let format = format!("\"ptodiff_record\":{}", ptodiff_record::FORMAT);
    let newer = record.replacen(&format, "\"ptodiff_record\":99", 1);
    fs::write(folder.path().join("newer.jsonl"), newer).unwrap();
    for args in [
        &["report", "--from", "newer.jsonl", "--html", "page.html"][..],
        &["diff", "newer.jsonl", "out/run.jsonl"],
        &["diff", "out/run.jsonl", "newer.jsonl"],
        &["merge", "newer.jsonl", "--out", "page.html"],
    ] {
        let done = ptodiff(folder.path(), args);
        says(&done, 2, &["newer.jsonl", "format 99", "newer"]);
    }
    assert!(!folder.path().join("page.html").exists());
}

/// In whatever way the cases are named, the record is the same, and knows no path
/// of the machine.
#[test]
fn how_cases_are_named_does_not_change_the_record() {
    let folder = folder("");
    let at = folder.path();
    fs::create_dir(at.join("suite")).unwrap();
    for name in ["a", "b"] {
        fs::copy(at.join("a.yaml"), at.join(format!("suite/{name}.yaml"))).unwrap();
    }
    fs::create_dir(at.join("elsewhere")).unwrap();
    let absolute = at.join("suite").to_str().unwrap().to_owned();
    let run = |cases: &[&str]| {
        let args = [&["run", "--quiet", "--out", "same"], cases].concat();
        ptodiff(at, &args);
        read(at, "same/run.jsonl")
    };
    let record = run(&["suite"]);
    assert!(record.contains("\"file\":\"suite/a.yaml\""), "{record}");
    for cases in [
        &["./suite"][..],
        &["suite/"],
        &[&absolute],
        &["suite/b.yaml", "suite/a.yaml"],
        &[&format!("{absolute}/b.yaml"), "./suite/a.yaml"],
    ] {
        assert_eq!(run(cases), record, "{cases:?}");
    }
    let other = at.join("elsewhere");
    ptodiff(&other, &["run", "--quiet", &absolute]);
    let from_there = read(&other, "reports/out/run.jsonl");
    assert!(
        from_there.contains("\"file\":\"../suite/a.yaml\""),
        "{from_there}"
    );
    assert!(!from_there.contains(&absolute));
}

#[test]
fn a_record_that_was_changed_is_refused_with_the_line() {
    let folder = folder(RED);
    let at = folder.path();
    let record = read(at, "out/run.jsonl");
    let green = record.replacen("\"verdict\":\"violation\"", "\"verdict\":\"agree\"", 1);
    assert_ne!(green, record);
    fs::write(at.join("waivers.yaml"), "waivers: []\n").unwrap();
    let wrong = ptodiff_record::sealed(&green);
    for (text, why) in [
        (green, "it was changed"),
        (
            wrong,
            "its verdict is `agree`, and what is found makes it `violation`",
        ),
        (
            record[..record.len() - 10].to_owned(),
            "its checksum is not that",
        ),
    ] {
        fs::write(at.join("bad.jsonl"), text).unwrap();
        for args in [
            &["report", "--from", "bad.jsonl", "--html", "bad.html"][..],
            &["diff", "bad.jsonl", "out/run.jsonl"],
            &["merge", "bad.jsonl", "--out", "bad.html"],
            &[
                "gate",
                "--from",
                "bad.jsonl",
                "--baseline",
                "waivers.yaml",
                "--bless",
            ],
        ] {
            says(&ptodiff(at, args), 2, &["bad.jsonl: line ", why]);
            assert!(!at.join("bad.html").exists());
        }
    }
}

#[test]
fn a_record_that_is_missing_or_damaged_is_named_with_what_is_wrong() {
    let folder = folder("");
    let at = folder.path();
    let record = read(at, "out/run.jsonl");
    let (header, _) = record.split_once('\n').unwrap();
    for (text, why) in [
        (String::new(), "empty"),
        (format!("{header}\n"), "not whole"),
        (format!("{header}\n{{\"id\": 3}}\n"), "line 2"),
        ("{}\n".to_owned(), "this is no record of a run"),
        (format!("{}\n", &header[..40]), "line 1"),
    ] {
        fs::write(at.join("bad.jsonl"), text).unwrap();
        says(
            &ptodiff(at, &["report", "--from", "bad.jsonl"]),
            2,
            &["bad.jsonl", why],
        );
        says(
            &ptodiff(at, &["diff", "out/run.jsonl", "bad.jsonl"]),
            2,
            &["bad.jsonl", why],
        );
    }
    fs::write(at.join("bytes.jsonl"), [0xff, 0xfe, b'\n']).unwrap();
    says(
        &ptodiff(at, &["report", "--from", "bytes.jsonl"]),
        2,
        &["bytes.jsonl"],
    );
    // The folder of a run stands for its record; this one is of none.
    for name in ["none.jsonl", "n\u{1b}[31mone\n.jsonl", "."] {
        says(&ptodiff(at, &["report", "--from", name]), 2, &["error"]);
        says(
            &ptodiff(at, &["diff", name, "out/run.jsonl"]),
            2,
            &["error"],
        );
    }
    says(
        &ptodiff(at, &["report", "--from", "none.jsonl"]),
        2,
        &["cannot read none.jsonl"],
    );
    fs::remove_file(at.join("out/report.html")).unwrap();
    says(&ptodiff(at, &["report", "--from", "out", "--html"]), 0, &[]);
    assert!(at.join("out/report.html").exists());
    says(&ptodiff(at, &["diff", "out", "out/run.jsonl"]), 0, &[]);
}

#[test]
fn what_cannot_be_written_is_a_fault_and_leaves_nothing() {
    let folder = folder("");
    let at = folder.path();
    let record = "out/run.jsonl";
    for args in [
        &["report", "--from", record, "--html", "no/where.html"][..],
        &["report", "--from", record, "--md", "out"],
        &["diff", record, record, "--out", "no/where.txt"],
        &[
            "diff",
            record,
            record,
            "--format",
            "html",
            "--out",
            "n\u{1b}o/where",
        ],
        &["merge", record, "--out", "no/where.jsonl"],
    ] {
        says(&ptodiff(at, args), 70, &["cannot write"]);
    }
    assert!(!at.join("no").exists() && at.join("out").is_dir());
}

#[test]
fn a_difference_says_what_is_new_gone_and_changed_and_fails_on_the_worse() {
    let green = folder_with(&format!(
        "{}{}",
        scatter("one", ""),
        scatter("two", "").replace("cases:\n", "")
    ));
    let at = green.path();
    let run = |out: &str| ptodiff(at, &["run", "a.yaml", "--out", out]);
    run("A");
    fs::write(at.join("a.yaml"), scatter("one", RED)).unwrap();
    run("B");
    let diff = |args: &[&str]| ptodiff(at, &[&["diff"], args].concat());
    let worse = diff(&["A/run.jsonl", "B/run.jsonl"]);
    assert_eq!(worse.code, 1, "{}", worse.err);
    for part in [
        "a/two",
        "agree -> violation",
        "+ MSCATTER a5 expectation MSCATTER-TILE-01",
        "0 new, 1 gone, 1 changed of which 1 is worse, 0 the same",
    ] {
        assert!(
            worse.out.contains(part),
            "`{part}` is not in:\n{}",
            worse.out
        );
    }
    let better = diff(&["B/run.jsonl", "A/run.jsonl"]);
    assert_eq!(better.code, 0, "{}", better.out);
    let same = diff(&["A/run.jsonl", "A/run.jsonl"]);
    assert_eq!(same.code, 0);
    assert!(same.out.contains("0 changed, 2 the same"), "{}", same.out);
    for (format, begins) in [
        ("text", "A/run.jsonl"),
        ("md", "#"),
        ("html", "<!doctype html>"),
    ] {
        let args = [
            "A/run.jsonl",
            "B/run.jsonl",
            "--format",
            format,
            "--out",
            "diff",
        ];
        let written = diff(&args);
        assert_eq!(
            (written.code, written.out.as_str()),
            (1, ""),
            "{}",
            written.err
        );
        let text = read(at, "diff");
        assert!(text.starts_with(begins), "{text}");
        assert!(text.contains("MSCATTER a5 expectation MSCATTER-TILE-01"));
        // Text by text the same as on standard output.
        assert_eq!(diff(&args[..4]).out, text);
    }
}
