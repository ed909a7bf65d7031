//! What meets a user first: completions, pages, `init`, the guide, columns, filters.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use crate::common::{Done, command, folder_with, path, ptodiff, root, scatter};

/// What a shell is offered for the last of `words`.
fn offered(folder: &Path, words: &[&str]) -> Vec<String> {
    let mut asked = command(folder);
    asked
        .env("COMPLETE", "fish")
        .arg("--")
        .arg("ptodiff")
        .args(words);
    let done = Done::from(asked.output().unwrap());
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{words:?}");
    let line = |l: &str| l.split('\t').next().unwrap_or_default().to_owned();
    done.out.lines().map(line).collect()
}

#[test]
fn shells_complete_commands_and_values() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("cases")).unwrap();
    fs::write(at.join("cases/a.yaml"), scatter("one", "")).unwrap();
    assert_eq!(offered(at, &["cov"]), ["coverage"]);
    assert_eq!(offered(at, &["run", "-t", "a"]), ["a2a3", "a5"]);
    assert_eq!(offered(at, &["run", "--target", "cpu,a5"]), ["cpu,a5"]);
    assert_eq!(offered(at, &["hunt", "--form", "tg"]), ["tgatherb"]);
    let choices = ["undefined-last=precondition", "undefined-last=dropped"];
    assert_eq!(offered(at, &["run", "-r", "undefined-last"]), choices);
    assert_eq!(offered(at, &["trace", "a/"]), ["a/one"]);
    assert_eq!(offered(at, &["list", "--filter", ""]), ["a/one"]);
    assert_eq!(
        offered(at, &["explain", "mscatter-oob-04"]),
        ["MSCATTER-OOB-04"]
    );
    assert_eq!(offered(at, &["explain", "PTO-C003"]), ["PTO-C003"]);
    assert_eq!(offered(at, &["list", "--format", "j"]), ["json"]);
}

#[test]
fn each_shell_has_a_script() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = ptodiff(folder.path(), &["completions", shell]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.contains("COMPLETE"), "{shell}: {}", done.out);
    }
    let done = ptodiff(folder.path(), &["completions", "bsh"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("bash"), "{}", done.err);
}

#[test]
fn bash_completes_a_choice_that_it_parts_at_the_sign() {
    let script = ptodiff(&root(), &["completions", "bash"]).out;
    let bin = Path::new(env!("CARGO_BIN_EXE_ptodiff")).parent().unwrap();
    let ask = format!(
        "PATH='{}':$PATH\n{script}\n\
         COMP_WORDS=(ptodiff run -r undefined-last = p) COMP_CWORD=5\n\
         _ptodiff ptodiff p =\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n\
         COMP_WORDS=(ptodiff run -r nd-zero-fill =) COMP_CWORD=4\n\
         _ptodiff ptodiff '' nd-zero-fill\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        bin.display()
    );
    let done = Command::new("bash").args(["--norc", "-c", &ask]).output();
    let out = String::from_utf8(done.expect("bash").stdout).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "precondition", "{out}");
    assert!(lines.len() > 2 && !out.contains('='), "{out}");
}

#[test]
fn each_command_has_a_man_page() {
    let folder = tempfile::tempdir().unwrap();
    let done = ptodiff(folder.path(), &["man", "pages"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let help = ptodiff(folder.path(), &["--help"]).out;
    let listed = help.lines().skip_while(|l| *l != "Commands:").skip(1);
    let names = listed.take_while(|l| !l.is_empty());
    let names = names
        .filter(|l| !l.starts_with("    "))
        .filter_map(|l| l.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let page = fs::read_to_string(folder.path().join(format!("pages/ptodiff-{name}.1")));
        let page = page.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(
            page.contains(".SH SYNOPSIS") && page.contains("Examples:"),
            "{name}"
        );
    }
    assert!(folder.path().join("pages/ptodiff-st-check.1").is_file());
}

/// The commands that `init` says to type next.
fn next(out: &str) -> Vec<&str> {
    let below = out.split("Next\n").nth(1).unwrap_or_default();
    let typed = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    below.lines().filter(typed).map(str::trim).collect()
}

#[test]
fn what_init_writes_passes_and_what_it_says_to_type_works() {
    let folder = tempfile::tempdir().unwrap();
    for args in [&["init", "plain"][..], &["init", "with python", "--python"]] {
        let done = ptodiff(folder.path(), args);
        assert_eq!(done.code, 0, "{}", done.err);
        let typed = next(&done.out);
        assert!(typed.len() >= 4, "{}", done.out);
        let bin = Path::new(env!("CARGO_BIN_EXE_ptodiff")).parent().unwrap();
        let script = format!("set -e\n{}\n", typed.join("\n"));
        let mut shell = Command::new("sh");
        let ran = Done::from(
            shell
                .arg("-c")
                .arg(&script)
                .current_dir(folder.path())
                .env("PATH", path(&[bin]))
                .output()
                .unwrap(),
        );
        assert_eq!(ran.code, 0, "{script}{}{}", ran.out, ran.err);
        assert!(ran.out.contains("1 case: 1 agree"), "{}", ran.out);
    }
    // What a run wrote is nothing to commit, and the rest is.
    for args in [&["init", "-q"][..], &["status", "--porcelain"]] {
        let at = folder.path().join("plain");
        let git = Done::from(
            Command::new("git")
                .args(args)
                .current_dir(at)
                .output()
                .unwrap(),
        );
        assert_eq!(git.code, 0, "{}", git.err);
        assert!(!git.out.contains("reports"), "{}", git.out);
    }
    // The implementation's result was compared, and its wrong result is seen.
    let at = folder.path().join("with python");
    let ptodiff = |args: &[&str]| {
        let mut run = command(&at);
        Done::from(run.args(args).env("PATH", path(&[])).output().unwrap())
    };
    let right = ptodiff(&["run", "--status-level", "all"]);
    assert!(right.out.contains("a5=a5:mine"), "{}", right.out);
    assert!(
        right
            .err
            .starts_with("using ptodiff.toml: implementation mine"),
        "{}",
        right.err
    );
    // It makes the checks of its target, too.
    let files = [
        "mgather_dtypes",
        "mgather_semantics",
        "mgather_tiles",
        "launch",
    ];
    let files = files.map(|name| format!("clauses/{name}.yaml"));
    let mut checks = vec!["run", "-E", "form(mgather) & mode(elem)"];
    checks.extend(files.iter().map(String::as_str));
    let checks = ptodiff(&checks);
    assert_eq!(checks.code, 0, "{}{}", checks.out, checks.err);
    assert!(checks.out.contains("a5:mine"), "{}", checks.out);
    let program = at.join("implementation.py");
    let text = fs::read_to_string(&program).unwrap();
    let wrong = text.replace("found, 0)", "found, 7)");
    assert_ne!(wrong, text);
    fs::write(&program, wrong).unwrap();
    let red = ptodiff(&["run", "--diagnosis", "0"]);
    assert_eq!(red.code, 1, "{}", red.out);
    // A Python without the package says what is missing.
    let mut alone = command(&at);
    alone.args([
        "run",
        "--impl",
        "alone=python3 -I -S implementation.py",
        "--as",
        "a5",
    ]);
    let alone = Done::from(alone.env("PATH", path(&[])).output().unwrap());
    assert_eq!(alone.code, 2, "{}", alone.out);
    assert!(alone.err.contains("-m pip install"), "{}", alone.err);
}

#[test]
fn init_writes_over_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("ptodiff.toml"), "# mine\n").unwrap();
    let done = ptodiff(at, &["init", "--python"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("kept     ptodiff.toml"), "{}", done.out);
    assert!(done.out.contains("[impl.mine]"), "{}", done.out);
    assert_eq!(
        fs::read_to_string(at.join("ptodiff.toml")).unwrap(),
        "# mine\n"
    );
    assert!(at.join("cases/first.yaml").is_file());
}

#[test]
fn lists_have_columns_that_end_below_each_other() {
    let folder = folder_with(&format!(
        "{}\n  - name: a_longer_name\n    instruction: MGATHER\n    dtype: half\n    mode: Row\n    \
         tile: {{shape: [2, 16]}}\n    index: {{shape: [1, 8], valid: [1, 2]}}\n    table: {{shape: [1, 1, 1, 4, 16]}}\n    targets: [a5]\n",
        scatter("one", "")
    ));
    let done = ptodiff(folder.path(), &["list", "."]);
    assert_eq!(
        done.out,
        "a/one            mscatter  cpu,a2a3,a5  int32_t  Elem  ./a.yaml:2\n\
         a/a_longer_name  mgather   a5           half     Row   ./a.yaml:10\n",
        "{}",
        done.err
    );
    let json = ptodiff(folder.path(), &["list", ".", "--format", "json"]);
    assert!(
        json.out
            .contains("\"form\":\"mgather\",\"targets\":[\"a5\"]"),
        "{}",
        json.out
    );
}

fn ids(args: &[&str]) -> BTreeSet<String> {
    let some = [
        "list",
        "cases/gaps",
        "cases/clauses/launch.yaml",
        "cases/clauses/mscatter_bounds.yaml",
    ];
    let done = ptodiff(&root(), &[&some[..], args].concat());
    assert!(done.code == 0 || done.code == 3, "{args:?}: {}", done.err);
    let id = |line: &str| {
        line.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    done.out.lines().map(id).collect()
}

#[test]
fn filter_expressions_select_cases() {
    let all = ids(&[]);
    let scatters = ids(&["-E", "instruction(mscatter)"]);
    let others = ids(&["-E", "!instruction(mscatter)"]);
    assert!(scatters.is_disjoint(&others) && scatters.len() + others.len() == all.len());
    let halves = ids(&["-E", "dtype(half)"]);
    let both: BTreeSet<String> = scatters.intersection(&halves).cloned().collect();
    assert!(!both.is_empty());
    assert_eq!(ids(&["-E", "instruction(mscatter) & dtype(half)"]), both);
    let either: BTreeSet<String> = scatters.union(&halves).cloned().collect();
    assert_eq!(
        ids(&["-E", "instruction(mscatter)", "-E", "dtype(half)"]),
        either
    );
    assert_eq!(
        ids(&["--filter", "launch/", "-E", "form(mgather-l1)"]).len(),
        4
    );
    for predicate in [
        "mode(row)",
        "atomic(add)",
        "oob(clamp)",
        "conflict(default)",
        "layout(nz)",
        "target(cpu)",
        "clause(MSCATTER-OOB-*)",
        "gap(undefined-last)",
        "file(cases/gaps/*)",
        "id(launch/*)",
    ] {
        let some = ids(&["-E", predicate]);
        assert!(
            !some.is_empty() && some.len() < all.len(),
            "{predicate}: {}",
            some.len()
        );
    }
    let wrong = ptodiff(&root(), &["list", "cases/gaps", "-E", "dtype(hlf)"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("^^^") && wrong.err.contains("did you mean `half`?"),
        "{}",
        wrong.err
    );
    let early = ptodiff(&root(), &["list", "cases/gaps", "-E", "verdict(agree)"]);
    assert_eq!(early.code, 2, "{}", early.err);
}

#[test]
fn what_selects_nothing_is_named() {
    let folder = folder_with(&scatter("one", ""));
    for (args, says) in [
        (
            &["list", ".", "--filter", "two"][..],
            "selected by --filter; ",
        ),
        (&["list", ".", "-E", "dtype(half)"], "selected by -E; "),
        (
            &["list", ".", "-E", "id(on)", "--suite", "a5"],
            "selected by -E and --suite; `ptodiff list` shows their ids; \
             `id(...)` is the whole of one, `id(~...)` a part",
        ),
        (&["explain", "tscatter-o"], "\n  TSCATTER-OOB-"),
    ] {
        let done = ptodiff(folder.path(), args);
        assert!(matches!(done.code, 2 | 3), "{args:?}: {}", done.err);
        assert!(done.err.contains(says), "{args:?}: {}", done.err);
    }
}

#[test]
fn a_difference_is_of_the_cases_that_are_selected() {
    let folder = folder_with(&format!(
        "{}\n{}",
        scatter("one", ""),
        &scatter("two", "")["cases:\n".len()..]
    ));
    let at = folder.path();
    for (out, filter) in [("old", "one"), ("new", "two")] {
        let done = ptodiff(at, &["run", ".", "--filter", filter, "-o", out]);
        assert_eq!(done.code, 0, "{}", done.err);
    }
    let diff = |filter: &str| {
        ptodiff(
            at,
            &["diff", "old/run.jsonl", "new/run.jsonl", "-E", filter],
        )
    };
    assert!(
        diff("all()").out.contains("1 new, 1 gone"),
        "{}",
        diff("all()").out
    );
    assert!(diff("id(a/two)").out.contains("1 new, 0 gone"));
    assert!(
        diff("verdict(agree) & target(a5)")
            .out
            .contains("1 new, 1 gone")
    );
    assert_eq!(diff("verdict(violation)").code, 3);
}

#[test]
fn the_guide_lists_shows_and_searches_its_chapters() {
    let folder = tempfile::tempdir().unwrap();
    let guide = |args: &[&str]| ptodiff(folder.path(), &[&["guide"], args].concat());
    let list = guide(&[]);
    assert_eq!(list.code, 0, "{}", list.err);
    assert!(
        list.out.contains("\nmessages") && list.out.contains("command-line"),
        "{}",
        list.out
    );
    let wide = list.out.lines().find(|l| l.chars().count() > 80);
    assert_eq!(wide, None);
    let shown = guide(&["Command", "line"]);
    assert!(shown.out.starts_with("Command line\n\n"), "{}", shown.out);
    assert!(!shown.out.contains('\u{1b}'), "a pipe has no colours");
    let found = guide(&["--search", "PTO-C003", "twice"]);
    assert!(
        found
            .out
            .starts_with("messages\n  PTO-C003: a key given twice\n"),
        "{}",
        found.out
    );
    assert_eq!(guide(&["--search", "xyzzy"]).code, 3);
    for (typed, meant) in [("mesages", "messages"), ("asembly", "assembly-and-cpp")] {
        let near = guide(&[typed]);
        assert_eq!(near.code, 2);
        let asks = near.err.contains(&format!("did you mean `{meant}`?"));
        assert!(asks, "{}", near.err);
    }
    let word = guide(&["alias"]);
    assert!(
        word.err.contains("these speak of it: ") && word.err.contains("messages"),
        "{}",
        word.err
    );
}

#[test]
fn explain_takes_readings_and_names_a_chapter_that_is_there() {
    let at = root();
    // Which cases there are is no matter here.
    let explain = |what: &str| ptodiff(&at, &["explain", what, "--cases", "cases/regressions"]);
    let reading = explain("Undefined-Last");
    assert_eq!(reading.code, 0, "{}", reading.err);
    assert!(
        reading.out.starts_with("MSCATTER-GAP-10 "),
        "{}",
        reading.out
    );
    // What the command names as an example is no rule, and what a wrong model breaks is none.
    let clause = explain("mscatter-oob-04").out;
    assert!(clause.starts_with("MSCATTER-OOB-04  "), "{clause}");
    assert!(
        clause.contains("\n  rule ")
            && !clause.contains("harness/cli/")
            && !clause.contains("harness/mutants/"),
        "{clause}"
    );
    let instruction = explain("tgatherb").out;
    assert!(instruction.starts_with("TGATHERB  "), "{instruction}");
    assert!(
        instruction.contains("\n  TGATHERB-SEM-01  "),
        "{instruction}"
    );
    let form = explain("mgather-l1").out;
    assert!(form.contains("\n  MGATHERL1-SEM-01  "), "{form}");
    assert!(!form.contains("\n  MGATHER-"), "{form}");
    let near = explain("undefinedlast");
    assert!(near.err.contains("undefined-last"), "{}", near.err);
    for (what, topic) in [
        ("PTO-C003", "first-case"),
        ("PTO-W001", "gate-in-ci"),
        ("MSCATTER-GAP-10", "readings-and-editions"),
        ("MSCATTER-OOB-04", "reading-a-report"),
        ("unknown-operation", "legality"),
    ] {
        let there = at.join(format!("harness/cli/guide/{topic}.md")).is_file();
        let done = explain(what);
        assert_eq!(done.code, 0, "{what}: {}", done.err);
        let named = done.out.contains(&format!("ptodiff guide {topic}\n"));
        assert_eq!(named, there, "{what}: {}", done.out);
    }
}
