//! Case files whose names and texts are hostile: every command that shows one.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, path::Path};

use crate::{
    HOSTILE,
    common::{Done, command, scatter},
    is_plain,
};

/// A name that a file may have, as hostile as can be.
pub(crate) fn file_name(text: &str) -> String {
    let mut name = text.replace('/', "\u{2215}");
    name.truncate(name.floor_char_boundary(200));
    name + ".yaml"
}

/// A YAML scalar.
pub(crate) fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| format!("\\U{:08X}", u32::from(c)));
    format!("\"{}\"", escaped.collect::<String>())
}

/// A folder with one hostile case file: its case is called `good`.
fn folder(extra: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let about = format!("    about: {}\n", quoted(&format!("{HOSTILE}\n{HOSTILE}")));
    fs::create_dir(folder.path().join("cases")).expect("a folder");
    let path = folder.path().join("cases").join(file_name(HOSTILE));
    fs::write(path, scatter("good", &(about + extra))).expect("a file");
    // A name that is no text.
    let other = OsStr::from_bytes(b"cases/\xff\x1b[2J.txt");
    fs::write(folder.path().join(other), "").expect("a file");
    fs::write(folder.path().join("waivers.yaml"), "waivers: []\n").expect("a file");
    folder
}

fn coloured(folder: &Path, args: &[&str]) -> Done {
    let mut command = command(folder);
    command.args(args).env("CLICOLOR_FORCE", "1");
    command.output().expect("it starts").into()
}

/// Runs it, expects `code`, and that something but nothing hostile is printed.
#[track_caller]
fn plain(folder: &Path, args: &[&str], code: i32) -> Done {
    let done = coloured(folder, args);
    let what = args.join(" ");
    assert_eq!(done.code, code, "{what}: {}{}", done.out, done.err);
    assert!(!(done.out.is_empty() && done.err.is_empty()), "{what}");
    is_plain(&what, &done.out);
    is_plain(&what, &done.err);
    done
}

#[test]
fn no_command_obeys_the_name_or_the_text_of_a_case() {
    let folder = folder("");
    let at = folder.path();
    let cases = ["--cases", "cases"];
    for args in [
        &["run", "cases", "--out", "out", "--jobs", "1"][..],
        &["run", "cases", "--out", "out", "--reading", "x=\u{1b}[2J"],
        &["list", "cases"],
        &["list", "cases", "--format", "json"],
        &["check", "cases"],
        &["coverage", "cases", "--format", "json"],
        &["explain", "good", cases[0], cases[1]],
        &["trace", "good", "--target", "a5", cases[0], cases[1]],
        &[
            "trace", "good", "--target", "a5", "--format", "json", cases[0], cases[1],
        ],
        &["asm", "good", cases[0], cases[1]],
        &["cpp", "good", cases[0], cases[1]],
        &["cpp", "--harness", "made", cases[0], cases[1]],
        &[
            "export",
            "good",
            "--npy",
            "npy\u{1b}[2J\u{202e}",
            cases[0],
            cases[1],
        ],
        &["gaps", "cases"],
        &["report", "--from", "out/run.jsonl"],
        &[
            "gate",
            "--cases",
            "cases",
            "--bless",
            "--baseline",
            "waivers.yaml",
        ],
    ] {
        let done = coloured(at, args);
        let what = args.join(" ");
        assert!(!(done.out.is_empty() && done.err.is_empty()), "{what}");
        assert!(done.code <= 3, "{what}: {}{}", done.out, done.err);
        is_plain(&what, &done.out);
        is_plain(&what, &done.err);
    }
    let listed = plain(at, &["list", "cases"], 0);
    assert!(listed.out.contains("\\u{202e}evil"), "{}", listed.out);
    let shown = plain(at, &["explain", "good", "--cases", "cases"], 0);
    assert!(shown.out.contains("\\u{1b}]0;owned"), "{}", shown.out);
    // In a job on GitHub too, but for the command that is the run's own.
    let job = command(at)
        .args(["run", "cases", "--out", "out"])
        .env("GITHUB_ACTIONS", "true")
        .output()
        .expect("it starts");
    let out = String::from_utf8(job.stdout).expect("text");
    let commands = out.lines().filter(|l| l.trim_start().starts_with("::"));
    let commands: Vec<&str> = commands.collect();
    assert_eq!(commands.len(), 1, "{out}");
    assert!(
        commands[0].starts_with("::notice title=ptodiff::1 case"),
        "{out}"
    );
}

/// A backslash is no separator here, and a line break is spelled with one.
#[test]
fn a_file_is_shown_under_the_path_that_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a\\b.yaml", "a\nb.yaml"] {
        fs::write(folder.path().join(name), scatter("good", "")).expect("a file");
    }
    plain(folder.path(), &["run", ".", "--out", "out"], 0);
    let record = fs::read_to_string(folder.path().join("out/run.jsonl")).expect("a record");
    for file in [r#""file":"./a\\b.yaml""#, r#""file":"./a\\nb.yaml""#] {
        assert!(record.contains(file), "{record}");
    }
}

#[test]
fn the_id_that_is_shown_selects_the_case() {
    let folder = folder("");
    let listed = plain(folder.path(), &["list", "cases", "--format", "json"], 0);
    let line: serde_json::Value = serde_json::from_str(&listed.out).expect("JSON");
    let id = format!("={}", line["id"].as_str().expect("an id"));
    plain(folder.path(), &["check", "cases", "--filter", &id], 0);
}

#[test]
fn mistakes_are_shown_with_their_line_and_without_what_it_hides() {
    let bidi = "\u{202e}x\u{2066}\u{1b}[2J\u{9b}31m";
    for (text, says) in [
        (scatter("a", &format!("    {bidi}: 1\n")), "PTO-C"),
        (
            scatter("a", &format!("    {}: 1\n", quoted(HOSTILE))),
            "PTO-C",
        ),
        (
            scatter("a", &format!("    mode: {}\n", quoted(HOSTILE))),
            "PTO-C",
        ),
        (scatter(&quoted(HOSTILE), ""), "PTO-C"),
        (scatter(&quoted("a\u{202e}b"), ""), "not seen"),
        (
            scatter("a", "").replace(
                "data: permutation",
                &format!("data: {{npy: {}}}", quoted(HOSTILE)),
            ),
            "PTO-C",
        ),
        (
            scatter(
                "a",
                &format!(
                    "    readings: {{{}: {}}}\n",
                    quoted(HOSTILE),
                    quoted(HOSTILE)
                ),
            ),
            "PTO-C",
        ),
        (format!("cases: [{bidi}"), "PTO-C"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let name = file_name(HOSTILE);
        fs::write(folder.path().join(&name), text).expect("a file");
        let done = plain(folder.path(), &["check", "."], 2);
        assert!(done.err.contains(says), "{}", done.err);
    }
}

#[test]
fn an_array_whose_header_is_hostile_is_rejected_without_showing_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = scatter("a", "").replace("data: permutation", "data: {npy: x.npy}");
    fs::write(folder.path().join("a.yaml"), text).expect("a file");
    for descr in ["<i4\u{9b}2J", "\u{202e}", "<i4\u{1b}[2J", HOSTILE] {
        let mut header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2, 8), }}");
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        fs::write(folder.path().join("x.npy"), bytes).expect("a file");
        let done = plain(folder.path(), &["check", "a.yaml"], 2);
        assert!(done.err.contains("x.npy"), "{}", done.err);
    }
}

#[test]
fn what_the_user_types_is_shown_without_being_obeyed() {
    let folder = folder("");
    let odd = "no\u{1b}[2J\u{202e}such";
    for args in [
        &["run", odd][..],
        &["report", "--from", odd],
        &["diff", odd, odd],
        &["merge", odd, "--out", "x"],
        &["explain", odd, "--cases", "cases"],
        &["asm", "--read", odd],
        &["gate", "--from", odd],
        &["hunt", "--known", "cases", "--keep", odd, "--also", odd],
        &["st", "check", odd, "--suite", "a5", "--cases", "cases"],
    ] {
        let done = coloured(folder.path(), args);
        assert!([2, 3, 70].contains(&done.code), "{args:?}: {}", done.err);
        is_plain(&args.join(" "), &done.err);
    }
}
