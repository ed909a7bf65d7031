//! One mistake hides nothing of what has none, and a slip of the keys is told what was meant.

use std::{fs, os::unix::fs::PermissionsExt as _};

use crate::common::{Done, folder_with, ptodiff, root, scatter};

const BROKEN: &str = "cases:\n  - name: [broken\n";

/// A folder with a case file `cases/good.yaml` and one that is no YAML.
fn good_and_broken() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = folder.path().join("cases");
    fs::create_dir(&cases).expect("a folder");
    // Rows of 16 bytes are no tile of A2/A3.
    let narrow = scatter("narrow", "").replace("[2, 8]", "[2, 4]");
    fs::write(cases.join("good.yaml"), narrow).expect("a file");
    fs::write(cases.join("broken.yaml"), BROKEN).expect("a file");
    folder
}

#[test]
fn check_tells_what_is_against_the_other_cases() {
    let folder = good_and_broken();
    let check = |format: &str| ptodiff(folder.path(), &["check", "--format", format]);
    let text = check("text");
    assert!(
        text.out
            .contains("cases/good.yaml:2:11 error rejected a2a3: MSCATTER-ALIGN-01")
    );
    assert!(
        text.out.ends_with("; 1 mistake in what is written\n"),
        "{}",
        text.out
    );
    assert!(text.err.contains("error[PTO-C001]"), "{}", text.err);
    for (format, mistake) in [
        (
            "json",
            r#""file":"cases/broken.yaml","line":2,"column":11,"severity":"error","rule":"PTO-C001""#,
        ),
        (
            "github",
            "::error file=cases/broken.yaml,line=2,col=11,title=PTO-C001::",
        ),
        (
            "sarif",
            r#""uri":"cases/broken.yaml"},"region":{"startColumn":11,"startLine":2}"#,
        ),
        (
            "junit",
            r#"<testcase name="2:11 PTO-C001" classname="cases/broken.yaml">"#,
        ),
    ] {
        let Done { code, out, .. } = check(format);
        assert!(
            out.contains(mistake) && out.contains("MSCATTER-ALIGN-01"),
            "{out}"
        );
        assert_eq!(code, 2, "{format}");
    }
    let alone = ptodiff(folder.path(), &["check", "cases/broken.yaml"]);
    assert_eq!(
        (&*alone.out, alone.code),
        ("no case without a mistake: 1 mistake\n", 2)
    );
}

#[test]
fn documents_are_told_whatever_the_cases() {
    let folder = good_and_broken();
    for (command, told) in [
        (
            &["gaps", "--filter", "MGATHER-GAP-18"][..],
            "MGATHER-GAP-18",
        ),
        (&["explain", "MSCATTER-ALIGN-01"], "MSCATTER-ALIGN-01"),
    ] {
        let done = ptodiff(folder.path(), command);
        assert!(done.out.starts_with(told), "{}", done.out);
        assert!(
            done.code == 2 && done.err.contains("PTO-C001"),
            "{}",
            done.err
        );
    }
}

#[test]
fn a_case_is_found_by_the_line_that_a_report_names() {
    let folder = folder_with("cases:\n");
    let cases = root().join("cases/gaps/tgatherb.yaml");
    fs::copy(cases, folder.path().join("a.yaml")).expect("a file");
    // That case begins at line 21 and ends at line 32.
    for place in ["a.yaml:21", "a.yaml:32:5"] {
        let done = ptodiff(folder.path(), &["explain", place]);
        assert!(
            done.out.starts_with("a/gap_02_end_of_what_is_valid "),
            "{}",
            done.out
        );
    }
    let above = ptodiff(folder.path(), &["explain", "a.yaml:2"]);
    assert_eq!((above.code, &*above.out), (2, ""));
    assert!(
        above
            .err
            .contains("no case begins at line 2 of a.yaml or above")
    );
}

#[test]
fn cases_of_the_command_are_there_beside_those_of_the_user() {
    let folder = good_and_broken();
    fs::remove_file(folder.path().join("cases/broken.yaml")).expect("a file");
    let done = ptodiff(folder.path(), &["explain", "mgather/wrap_edges"]);
    assert!(done.out.starts_with("mgather/wrap_edges "), "{}", done.err);
}

#[test]
fn what_was_meant_is_proposed() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    fs::write(
        at.join("kernel.txt"),
        "module { func.func @f(%a: !pto.ptr<f16>) {} }",
    )
    .expect("a file");
    fs::write(at.join("mine.py"), "").expect("a file");
    let first = |args: &[&str], code: i32, told: &str| {
        let done = ptodiff(at, args);
        assert!(done.err.contains(told), "{args:?}: {}", done.err);
        assert_eq!(done.code, code, "{args:?}");
    };
    first(&["run", "b.yaml"], 2, "did you mean `a.yaml`?");
    first(
        &["run", "clauses/mgathr.yaml"],
        2,
        "did you mean `clauses/mgather.yaml`?",
    );
    first(
        &["check", "kernel.txt"],
        2,
        "unless its name ends in `.pto` or `.mlir`",
    );
    first(
        &["explain", "violation"],
        2,
        "`ptodiff guide --search violation`",
    );
    first(&["report", "r1"], 2, "`--from RECORD`");
    first(
        &["diagnose", "--from", "r1"],
        2,
        "`ptodiff diagnose RECORD`",
    );
    first(&["gate", "a.yaml"], 2, "`--cases PATH`");
    first(
        &["run", "a.yaml", "--out", "mine.py"],
        2,
        "cannot write mine.py",
    );
    first(
        &["run", "a.yaml", "--impl", "m=mine.py"],
        2,
        "write `./mine.py`",
    );
    fs::set_permissions(at.join("mine.py"), fs::Permissions::from_mode(0o644)).expect("a mode");
    first(&["run", "a.yaml", "--impl", "m=./mine.py"], 2, "`chmod +x`");
}

#[test]
fn a_green_run_says_whether_an_implementation_was_tested() {
    let folder = folder_with(&scatter("one", ""));
    let done = ptodiff(folder.path(), &["run", "a.yaml", "--quiet"]);
    assert!(
        done.out
            .starts_with("PASSED  1 case, no implementation tested, "),
        "{}",
        done.out
    );
}
