//! Bad input gets a clear message and the right exit code, and loses nothing.

use std::{fs, os::unix::fs::symlink, path::Path};

use crate::common::{Done, folder_with, ptodiff, scatter};

fn run(folder: &Path) -> Done {
    ptodiff(folder, &["run", ".", "--out", "out"])
}

fn rejected(text: &str, says: &[&str]) {
    let folder = folder_with(text);
    let done = run(folder.path());
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    for part in says {
        assert!(done.err.contains(part), "`{part}` is not in:\n{}", done.err);
    }
    assert!(done.err.contains("a.yaml:"), "no place in:\n{}", done.err);
    assert!(
        !folder.path().join("out").exists(),
        "a run that never began leaves nothing behind"
    );
}

#[test]
fn a_mistake_is_followed_by_one_blank_line() {
    let folder = folder_with("cases: x\n");
    let said = run(folder.path()).err;
    assert!(said.ends_with("^\n\n"), "{said:?}");
}

#[test]
fn a_yaml_bomb_is_rejected() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for n in 1..12 {
        let before = format!("*a{}, ", n - 1).repeat(9);
        text.push_str(&format!(
            "a{n}: &a{n} [{}]\n",
            before.trim_end_matches(", ")
        ));
    }
    text.push_str("cases: *a11\n");
    let started = std::time::Instant::now();
    rejected(&text, &["error"]);
    assert!(started.elapsed().as_secs() < 20, "it was read to the end");
}

/// Who asks for one case is not kept from it by a mistake in another file.
#[test]
fn one_case_is_found_beside_a_file_with_a_mistake() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    fs::write(at.join("b.yaml"), "cases: x\n").unwrap();
    for args in [
        ["asm", "a/one", "--cases", "."],
        ["explain", "one", "--cases", "."],
        ["run", ".", "--filter", "=a/one"],
    ] {
        let done = ptodiff(at, &args);
        assert_eq!(done.code, 0, "{args:?}: {}", done.err);
    }
    for args in [
        ["explain", "two", "--cases", "."],
        ["run", ".", "--filter", "=b/one"],
    ] {
        let done = ptodiff(at, &args);
        assert!(
            done.code == 2 && done.err.contains("b.yaml:1"),
            "{}",
            done.err
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = folder_with(&scatter("one", ""));
    let at = folder.path();
    // Opens for anyone and fails on the first read, for root too.
    symlink("/proc/self/mem", at.join("memory.yaml")).unwrap();
    fs::write(at.join("bytes.yaml"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    for name in ["nowhere.yaml", "memory.yaml", "bytes.yaml"] {
        let done = ptodiff(at, &["run", "a.yaml", name]);
        assert_eq!(done.code, 2, "{}", done.err);
        assert!(done.err.contains(name), "{}", done.err);
    }
}

#[test]
fn a_folder_without_cases_has_nothing_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let done = ptodiff(folder.path(), &["run", "."]);
    assert_eq!(done.code, 3, "{}", done.err);
    assert!(done.err.contains("no case"), "{}", done.err);
}

#[test]
fn a_filter_that_selects_nothing_has_nothing_to_run() {
    let folder = folder_with(&scatter("one", ""));
    let done = ptodiff(folder.path(), &["run", ".", "--filter", "two"]);
    assert_eq!(done.code, 3, "{}", done.err);
    assert!(done.err.contains("--filter"), "{}", done.err);
}

#[test]
fn a_run_of_cases_without_a_result_shows_something_where_they_say_so() {
    let beyond = |extra: &str| {
        format!(
            "cases:\n  - name: beyond\n    instruction: MGATHER\n    mode: Elem\n    dtype: float\n    \
             tile: {{shape: [1, 8]}}\n    index: {{shape: [1, 8], data: {{values: [0, 1, 2, 3, 4, 5, 6, 99]}}}}\n    \
             table: {{shape: [1, 1, 1, 1, 32]}}\n    targets: [a5]\n{extra}"
        )
    };
    let folder = folder_with(&beyond(""));
    let done = run(folder.path());
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    assert!(done.err.starts_with("nothing is shown: "), "{}", done.err);
    let folder = folder_with(&beyond("    undefined: {a5: MGATHER-OOB-01}\n"));
    let done = run(folder.path());
    assert_eq!((done.code, &done.err[..]), (0, ""), "{}", done.out);
}

#[test]
fn an_output_folder_that_is_a_file_is_said() {
    let folder = folder_with(&scatter("one", ""));
    let done = ptodiff(folder.path(), &["run", "a.yaml", "--out", "a.yaml"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("a.yaml"), "{}", done.err);
}

#[test]
fn who_asks_for_a_case_that_is_not_there_hears_of_cases_alone() {
    let folder = folder_with(&scatter("one", ""));
    for command in ["trace", "cpp", "asm", "export"] {
        for (what, near) in [("on", true), ("MSCATTER-GAP-0", false)] {
            let mut args = vec![command, what, "--cases", "."];
            match command {
                "export" => args.extend(["--npy", "arrays"]),
                "trace" | "cpp" => args.extend(["--target", "a5"]),
                _ => {}
            }
            let done = ptodiff(folder.path(), &args);
            assert_eq!(done.code, 2, "{args:?}: {}", done.err);
            let said = format!("no case is called `{what}`; `ptodiff list` shows them");
            assert!(done.err.contains(&said), "{args:?}: {}", done.err);
            let proposes = done.err.contains("did you mean one of these?\n  a/one");
            assert_eq!(proposes, near, "{args:?}: {}", done.err);
        }
    }
}

#[test]
fn a_file_that_is_a_list_is_told_where_its_list_goes() {
    let text = scatter("one", "").replace("cases:\n", "");
    let says = ["a mapping", "= help: write `cases:` before the list"];
    rejected(&text, &says);
    // No list: nothing to write before.
    let folder = folder_with("cases\n");
    let done = run(folder.path());
    assert!(!done.err.contains("before the list"), "{}", done.err);
    // A list further in is no file's.
    let folder = folder_with(&scatter("one", "    launch: [a]\n"));
    let done = run(folder.path());
    assert!(done.err.contains("a mapping"), "{}", done.err);
    assert!(!done.err.contains("before the list"), "{}", done.err);
}

#[test]
fn a_key_that_defaults_cannot_give_is_not_missed_there() {
    let text = scatter("one", "").replace("  - name: one\n    instr", "  - instr");
    rejected(&text, &["the case has no `name`\n"]);
    let text = scatter("one", "").replace("    instruction: MSCATTER\n", "");
    rejected(
        &text,
        &["the case has no `instruction`, and `defaults` gives none\n"],
    );
}

#[test]
fn a_result_that_is_asked_for_has_to_come() {
    let of = |extra: &str| {
        let expect = "    targets: [a5]\n    expect: [{outcome: result}]\n";
        let text = scatter("one", &format!("{extra}{expect}"));
        // Add of bytes is rejected.
        let bytes = extra
            .contains("Add")
            .then(|| text.replace("int32_t", "int8_t"));
        run(folder_with(&bytes.unwrap_or(text)).path())
    };
    let done = of("");
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    for (extra, says) in [
        ("    atomic: Add\n", "rejects"),
        ("    launch: {dyn_ub: 262144}\n", "is undefined"),
        ("    launch: {dispatch: Direct}\n", "hangs"),
    ] {
        let done = of(extra);
        assert_eq!(done.code, 1, "{extra}: {}{}", done.out, done.err);
        let says = format!("{says}; by the case it has a result");
        assert!(done.out.contains(&says), "{extra}: {}", done.out);
    }
}
