//! Records whose every text is hostile: every face of them.

use std::{fs, path::Path};

use ptodiff_record::sealed;
use serde_json::{Value, json};

use crate::{
    HOSTILE,
    common::{Done, command},
    hides, is_plain,
};

/// A record of two cases, `text` wherever the format takes any.
fn record(text: &str, more: &[(&str, &str)]) -> String {
    let value = json!({"bits": text, "value": text});
    let slot = json!({
        "role": "table", "offset": 12, "element": 3, "at": text, "initial": value,
        "got": {"a5": value}, "permitted": text, "clauses": [text], "schedule": text,
    });
    let finding = json!({
        "failure_group": text, "what": text, "clause": text, "schedule": text, "slot": slot,
    });
    let part = format!("a5:{text}");
    let pair = json!({
        "targets": ["a5", part], "verdict": "violation", "why": text, "clauses": [text],
        "compared": 4, "differing": 1, "slots": [slot], "failure_groups": [text],
    });
    let because = json!([{"clause": text, "why": text}]);
    let mut lines = vec![json!({
        "ptodiff_record": ptodiff_record::FORMAT, "version": text, "seed": 7, "schedules": 4,
        "readings": [[text, text]], "targets": ["a5"], "cases": 2,
        "implementations": [{"party": part, "introduced": text}],
    })];
    for id in ["one", "two"] {
        let mut case = json!({
            "id": format!("{text}{id}"), "name": text, "instruction": "MSCATTER",
            "file": text, "line": 3, "call": {text: text}, "verdict": "violation",
            "targets": {
                "a5": {"verdict": "violates", "findings": [finding], "deviates_from": because},
                &part: {"verdict": "unsupported", "why": text, "stderr": [text], "reasons": because},
            },
            "pairs": [pair], "outlier": part, "name_differs": text, "holes": [text],
            "readings": [{
                "gap": text, "clauses": [text], "choice": text, "differs_under": {text: ["a5"]},
            }],
            "covers": {"clauses": [text], "gap": text},
            "detail": {"yaml": text, "traces": {"a5": {"lines": [text]}}},
        });
        for (key, value) in more {
            case[*key] = Value::String((*value).to_owned());
        }
        lines.push(case);
    }
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    sealed(&lines)
}

fn coloured(folder: &Path, args: &[&str]) -> Done {
    let mut command = command(folder);
    command.args(args).env("CLICOLOR_FORCE", "1");
    command.output().expect("it starts").into()
}

#[test]
fn no_face_of_a_record_obeys_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("one.jsonl"), record(HOSTILE, &[])).expect("a file");
    let other = record("another", &[]);
    fs::write(at.join("two.jsonl"), other).expect("a file");
    fs::write(at.join("w.yaml"), "waivers: []\n").expect("a file");
    for (args, code) in [
        (&["report", "--from", "one.jsonl", "--text"][..], 0),
        (&["report", "--from", "one.jsonl", "--md", "-"], 0),
        (&["report", "--from", "one.jsonl", "--junit", "-"], 0),
        (&["diff", "one.jsonl", "two.jsonl"], 1),
        (&["diff", "two.jsonl", "one.jsonl"], 1),
        (&["diff", "two.jsonl", "one.jsonl", "--format", "md"], 1),
        (&["diff", "two.jsonl", "one.jsonl", "--format", "html"], 1),
        (&["merge", "one.jsonl", "two.jsonl", "--out", "x"], 2),
        (
            &[
                "gate",
                "--from",
                "one.jsonl",
                "--bless",
                "--baseline",
                "w.yaml",
            ],
            1,
        ),
    ] {
        let done = coloured(at, args);
        let what = args.join(" ");
        assert_eq!(done.code, code, "{what}: {}{}", done.out, done.err);
        assert!(!(done.out.is_empty() && done.err.is_empty()), "{what}");
        is_plain(&what, &done.err);
        is_plain(&what, &done.out);
        for tag in ["<script>alert", "</script>"] {
            let markup = what.contains("html") || what.contains("junit");
            assert!(!markup || !done.out.contains(tag), "{what}: {}", done.out);
        }
    }
}

/// Each line is one of ours, and no text ends its message.
#[test]
fn annotations_are_those_of_the_record_and_no_others() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("run.jsonl"), record(HOSTILE, &[])).expect("a file");
    let done = coloured(
        folder.path(),
        &["report", "--from", "run.jsonl", "--annotations"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", done.out);
    assert!(lines[0].starts_with("::error file="), "{}", lines[0]);
    assert!(
        lines[1].starts_with("::notice title=ptodiff::2 cases"),
        "{}",
        lines[1]
    );
    assert_eq!(done.out.find(hides), None, "{}", done.out);
}

/// What XML 1.0 cannot hold, however it is written down.
#[test]
fn junit_holds_no_character_that_xml_cannot() {
    let folder = tempfile::tempdir().expect("a folder");
    let odd = "\u{0}\u{b}\u{1f}\u{fffe}\u{ffff}]]>\u{1b}<x>";
    fs::write(folder.path().join("run.jsonl"), record(odd, &[])).expect("a file");
    let done = coloured(
        folder.path(),
        &["report", "--from", "run.jsonl", "--junit", "-"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    let may = |c: char| c == '\n' || c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}');
    assert_eq!(done.out.find(|c| !may(c)), None, "{}", done.out);
    for reference in ["&#0", "&#x", "&#1", "&#2", "]]>"] {
        assert!(!done.out.contains(reference), "{reference}: {}", done.out);
    }
    assert!(!done.out.contains("<x>"), "{}", done.out);
}

#[test]
fn the_page_of_a_hostile_record_hides_nothing_and_has_one_script() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("run.jsonl"), record(HOSTILE, &[])).expect("a file");
    let done = coloured(folder.path(), &["report", "--from", "run.jsonl", "--html"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let page = fs::read_to_string(folder.path().join("report.html")).expect("a page");
    assert_eq!(
        page.find(hides).map(|at| &page[at.saturating_sub(40)..at]),
        None
    );
    assert!(!page.contains("<script>alert"));
    assert!(page.contains("\\u{202e}evil"), "the name is not shown");
}

#[test]
fn a_damaged_record_is_named_without_showing_what_it_hides() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = record("a", &[])
        .lines()
        .next()
        .expect("a header")
        .to_owned();
    for line in [
        format!("{{\"{}\": 1}}", "\u{202e}\u{9b}2J"),
        "{\"id\": \"\u{1b}[2J\"}".to_owned(),
        "{\"\\u001b[2J\\u202e\": 1}".to_owned(),
        record("a", &[("verdict", "\u{202e}\u{9b}2J")])
            .lines()
            .nth(1)
            .expect("a case")
            .to_owned(),
    ] {
        let name = "x\u{202e}.jsonl";
        fs::write(
            folder.path().join(name),
            sealed(&format!("{header}\n{line}\n")),
        )
        .expect("a file");
        for args in [
            &["report", "--from", name][..],
            &["merge", name, name, "--out", "x"],
        ] {
            let done = coloured(folder.path(), args);
            assert_eq!(done.code, 2, "{}", done.err);
            assert!(done.err.contains("line 2"), "{}", done.err);
            is_plain("a damaged record", &done.err);
        }
    }
}
