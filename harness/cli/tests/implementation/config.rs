//! What a `ptodiff.toml` says of implementations and runs.

use std::{fs, path::Path};

use tempfile::TempDir;

use crate::{
    common::{Done, ptodiff},
    mine, tests,
    verdicts::three,
};

tests!(
    a_file_above_the_cases_names_an_implementation,
    one_is_chosen_by_its_name_and_the_command_line_wins,
    an_implementation_runs_in_the_folder_of_the_file_with_its_environment,
    a_run_has_the_defaults_of_the_file,
    readings_are_those_of_the_implementation,
    a_mistake_in_the_file_is_shown_with_its_place,
    a_red_run_names_a_command_that_works,
);

/// Three cases and a `ptodiff.toml`, in which `MOCK` stands for this program.
fn folder(text: &str) -> TempDir {
    let folder = three();
    let mock = mine("");
    let mock = mock.trim_start_matches("mine=").trim();
    fs::write(
        folder.path().join("ptodiff.toml"),
        text.replace("MOCK", mock),
    )
    .unwrap();
    folder
}

fn run(at: &Path, more: &[&str]) -> Done {
    ptodiff(
        at,
        &[&["run", "a.yaml", "-o", "out", "--diagnosis", "0"], more].concat(),
    )
}

fn header(at: &Path) -> String {
    let record = fs::read_to_string(at.join("out/run.jsonl")).expect("a record");
    record.lines().next().unwrap_or_default().to_owned()
}

const TWO: &str = "[impl.good]\ncommand = \"MOCK right\"\ntarget = \"a5\"\n\n\
                   [impl.bad]\ncommand = \"MOCK one-slot\"\ntarget = [\"cpu\", \"a5\"]\n";

fn a_file_above_the_cases_names_an_implementation() {
    let folder = folder("[impl.good]\ncommand = \"MOCK right\"\ntarget = \"a5\"\n");
    let below = folder.path().join("deep/er");
    fs::create_dir_all(&below).unwrap();
    fs::copy(folder.path().join("a.yaml"), below.join("a.yaml")).unwrap();
    let done = run(&below, &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("a5:good"), "{}", done.out);
    assert_eq!(done.err, "using ../../ptodiff.toml: implementation good\n");
    let elsewhere = tempfile::tempdir().unwrap();
    let far = below.join("a.yaml");
    let done = ptodiff(
        elsewhere.path(),
        &["run", far.to_str().unwrap(), "-o", "out"],
    );
    assert!(done.out.contains("a5:good"), "{}{}", done.out, done.err);
    let hunt = ptodiff(
        folder.path(),
        &["hunt", "--count", "50", "--form", "mscatter"],
    );
    assert!(
        hunt.out.contains("a5:good asked"),
        "{}{}",
        hunt.out,
        hunt.err
    );
    for more in [&["--no-config"][..], &["-t", "cpu"]] {
        let without = run(&below, more);
        assert_eq!(without.code, 0, "{}", without.err);
        assert!(!without.out.contains("a5:good"), "{}", without.out);
    }
    assert!(
        run(&below, &["-t", "cpu"])
            .err
            .contains("takes no part: it is a5")
    );
}

fn one_is_chosen_by_its_name_and_the_command_line_wins() {
    let folder = folder(TWO);
    let at = folder.path();
    let both = run(at, &[]);
    assert_eq!(both.code, 1, "{}{}", both.out, both.err);
    for column in ["a5:good", "cpu:bad", "a5:bad"] {
        assert!(both.out.contains(column), "{column}: {}", both.out);
    }
    let one = run(at, &["--impl", "good"]);
    assert_eq!(one.code, 0, "{}{}", one.out, one.err);
    assert!(!one.out.contains(":bad"), "{}", one.out);
    let claimed = run(at, &["--impl", "bad", "--as", "a5"]);
    assert!(
        claimed.out.contains("a5:bad") && !claimed.out.contains("cpu:bad"),
        "{}",
        claimed.out
    );
    let own = run(at, &["--impl", &mine("right"), "--as", "a5"]);
    assert_eq!(own.code, 0, "{}{}", own.out, own.err);
    assert!(
        !own.out.contains(":good") && !own.out.contains(":bad"),
        "{}",
        own.out
    );
    let near = run(at, &["--impl", "god"]);
    assert_eq!(near.code, 2);
    assert!(
        near.err.contains("no [impl.god]: did you mean `good`?"),
        "{}",
        near.err
    );
}

fn an_implementation_runs_in_the_folder_of_the_file_with_its_environment() {
    let folder = folder(
        "[impl.good]\ncommand = [\"sh\", \"-c\", \"test -f marker && test \\\"$WANTED\\\" = 'a b' && exec MOCK right\"]\n\
         target = \"a5\"\nenv = { WANTED = \"a b\" }\n\n\
         [impl.program]\ncommand = \"./program x\"\ntarget = \"a5\"\n",
    );
    let at = folder.path();
    fs::write(at.join("marker"), "").unwrap();
    let mock = mine("right");
    let script = format!("#!/bin/sh\nexec {}\n", mock.trim_start_matches("mine="));
    fs::write(at.join("program"), script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(at.join("program"), mode).unwrap();
    let below = at.join("below");
    fs::create_dir(&below).unwrap();
    fs::copy(at.join("a.yaml"), below.join("a.yaml")).unwrap();
    for from in [at, &below] {
        let done = run(from, &[]);
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        assert!(
            done.out.contains("a5:good") && done.out.contains("a5:program"),
            "{}",
            done.out
        );
    }
    fs::remove_file(at.join("marker")).unwrap();
    assert_eq!(run(at, &[]).code, 2);
}

fn a_run_has_the_defaults_of_the_file() {
    let folder = folder(
        "[run]\ntargets = [\"a5\"]\njobs = 1\nout = \"there\"\nreadings = { undefined-last = \"dropped\" }\n",
    );
    let at = folder.path();
    let done = ptodiff(at, &["run", "a.yaml"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(
        done.err,
        "using ptodiff.toml: targets a5, jobs 1, reading undefined-last=dropped, out there\n"
    );
    let record = fs::read_to_string(at.join("there/run.jsonl")).unwrap();
    let first = record.lines().next().unwrap();
    assert!(
        first.contains("\"targets\":[\"a5\"]") && first.contains("dropped"),
        "{first}"
    );
    let told = run(
        at,
        &[
            "-t",
            "cpu",
            "-r",
            "undefined-last=precondition",
            "-j",
            "2",
            "-q",
        ],
    );
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let first = header(at);
    assert!(
        first.contains("\"targets\":[\"cpu\"]") && first.contains("precondition"),
        "{first}"
    );
}

fn readings_are_those_of_the_implementation() {
    let text = format!(
        "{TWO}readings = {{ undefined-last = \"precondition\" }}\n\n[impl.third]\ncommand = \"MOCK right\"\n\
         readings = {{ undefined-last = \"dropped\" }}\n\n[run]\nreadings = {{ undefined-last = \"precondition\" }}\n"
    );
    let folder = folder(&text);
    let at = folder.path();
    let all = run(at, &[]);
    assert_eq!(all.code, 2, "{}", all.out);
    assert!(
        all.err.contains(
            "bad reads undefined-last=precondition and third reads undefined-last=dropped"
        ),
        "{}",
        all.err
    );
    assert_eq!(run(at, &["--impl", "third"]).code, 0);
    assert!(
        header(at).contains("[\"undefined-last\",\"dropped\"]"),
        "{}",
        header(at)
    );
    assert_eq!(run(at, &["--impl", "good"]).code, 0);
    assert!(
        header(at).contains("[\"undefined-last\",\"precondition\"]"),
        "{}",
        header(at)
    );
}

fn a_mistake_in_the_file_is_shown_with_its_place() {
    let folder = folder("[impl.good]\ncomand = \"MOCK right\"\n");
    let done = run(folder.path(), &[]);
    assert_eq!(done.code, 2);
    for part in ["ptodiff.toml:2:1", "^^^^^^", "did you mean `command`?"] {
        assert!(done.err.contains(part), "{}", done.err);
    }
    assert!(!folder.path().join("out").exists());
    // Commands that take nothing of it do not read it.
    assert_eq!(ptodiff(folder.path(), &["list", "a.yaml"]).code, 0);
    assert_eq!(run(folder.path(), &["--no-config"]).code, 0);
}

fn a_red_run_names_a_command_that_works() {
    let folder = folder("[impl.bad]\ncommand = \"MOCK one-slot\"\ntarget = \"a5\"\n");
    let at = folder.path();
    let done = run(at, &[]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let again = done
        .out
        .lines()
        .find_map(|l| l.find("ptodiff run ").map(|at| &l[at..]));
    let again = again.unwrap_or_else(|| panic!("no command in\n{}", done.out));
    assert!(!again.contains("..."), "{again}");
    let words: Vec<String> = again
        .split_whitespace()
        .skip(1)
        .map(|w| w.replace('\'', ""))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let red = ptodiff(at, &words);
    assert_eq!(red.code, 1, "{again}: {}{}", red.out, red.err);
    assert!(red.out.contains("a5:bad"), "{}", red.out);
}
