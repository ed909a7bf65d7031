//! Outside a checkout: the cases in the command, and who wins over them.

use std::{fs, path::Path, time::Instant};

use crate::common::{Done, command, folder_with, ptodiff, root, scatter};

/// What is said where the cases are those in the command.
const SAID: &str = concat!(
    "using the cases in ptodiff ",
    env!("CARGO_PKG_VERSION"),
    "; `ptodiff export-cases DIR` writes them to files\n"
);

/// One of the suites.
const TEST: &str = "=cpu/TGATHERBTest.case_float_2x128_2x16_2x128";

fn empty() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs `ptodiff ARGS` in `folder`, where it is to succeed.
fn does(folder: &Path, args: &[&str]) -> Done {
    let done = ptodiff(folder, args);
    assert_eq!(done.code, 0, "{args:?}: {}{}", done.out, done.err);
    done
}

#[test]
fn the_cases_are_those_of_a_checkout_and_it_is_said_once() {
    let here = empty();
    let outside = does(here.path(), &["list", "--format", "json"]);
    let inside = does(&root(), &["list", "--format", "json"]);
    assert!(
        outside.out == inside.out && inside.out.lines().count() > 1000,
        "they list different cases"
    );
    assert_eq!((outside.err.as_str(), inside.err.as_str()), (SAID, ""));
}

#[test]
fn a_run_has_the_record_of_one_in_a_checkout() {
    let here = empty();
    let record = |folder: &Path, paths: &[&str]| {
        let out = here.path().join("out");
        let to = out.to_str().expect("text");
        let done = does(folder, &[&["run", "--out", to], paths].concat());
        (fs::read(out.join("run.jsonl")).expect("a record"), done.err)
    };
    let paths = ["cases/clauses/tgatherb.yaml", "cases/regressions"];
    let (inside, quiet) = record(&root(), &paths);
    assert_eq!(quiet, "");
    for paths in [
        &["clauses/tgatherb.yaml", "regressions"][..],
        &["./regressions/", "./cases/clauses/tgatherb.yaml"],
        &paths,
        &["regressions", "cases/regressions", "clauses/tgatherb.yaml"],
    ] {
        let (outside, said) = record(here.path(), paths);
        assert!(outside == inside, "{paths:?}");
        assert_eq!(said, SAID, "{paths:?}");
    }
    let (outside, said) = record(here.path(), &[&["-q"], &paths[..]].concat());
    assert!(outside == inside);
    assert_eq!(said, "");
}

#[test]
fn what_is_there_wins() {
    let here = folder_with(&scatter("own", ""));
    let at = here.path();
    let listed = |path: &str| {
        let done = does(at, &["list", path]);
        (done.out.lines().count(), done.err)
    };
    let (of_st, said) = listed("st");
    assert_eq!((of_st, said.as_str()), (551, SAID));
    // A folder of the same name, then the usual folder with one of that name.
    fs::create_dir(at.join("st")).expect("a folder");
    fs::copy(at.join("a.yaml"), at.join("st/a.yaml")).expect("a copy");
    assert_eq!(listed("st"), (1, String::new()));
    fs::create_dir(at.join("cases")).expect("a folder");
    fs::rename(at.join("st"), at.join("cases/st")).expect("another place");
    assert_eq!(listed("st"), (1, String::new()));
    assert_eq!(listed("cases"), (1, String::new()));
    // What the usual folder does not have is still in the command.
    assert_eq!(listed("regressions").1, SAID);
    // A link that leads nowhere is a mistake, and not passed over.
    std::os::unix::fs::symlink("nowhere", at.join("gaps")).expect("a link");
    let gone = ptodiff(at, &["list", "gaps"]);
    assert_eq!(gone.code, 2, "{}", gone.out);
    assert!(gone.err.contains("cannot read gaps"), "{}", gone.err);
    let none = ptodiff(at, &["list", ""]);
    assert_eq!(none.code, 2, "{}{}", none.out, none.err);
}

#[test]
fn a_typo_is_told_what_was_meant() {
    let here = empty();
    let said = |what: &str| {
        let done = ptodiff(here.path(), &["run", what]);
        assert_eq!(done.code, 2, "{what}: {}", done.out);
        done.err
    };
    let folder = said("stt");
    assert!(
        folder.ends_with("did you mean one of these?\n  st\n"),
        "{folder}"
    );
    let checked = ptodiff(here.path(), &["check", "claus"]);
    assert!(checked.err.contains("\n  clauses\n"), "{}", checked.err);
    let case = said("tgatherb/reversed");
    assert!(
        case.contains("name it with --filter '=tgatherb/reversed'"),
        "{case}"
    );
    let file = said("clauses/tgather.yaml");
    let meant = "did you mean `clauses/mgather.yaml` or `clauses/tgatherb.yaml`?";
    assert!(file.contains(meant), "{file}");
    assert!(
        !here.path().join("reports").exists(),
        "nothing is written for a run that does not begin"
    );
}

#[test]
fn every_command_finds_its_cases() {
    let here = empty();
    for (args, code, shows) in [
        (
            &["explain", "tgatherb/reversed"][..],
            0,
            "run it  ptodiff run cases/clauses/tgatherb.yaml",
        ),
        (
            &["explain", "TGATHERB-SEM-01"],
            0,
            "  cases/clauses/tgatherb",
        ),
        (
            &["gaps", "--filter", "TGATHERB-GAP-01"],
            0,
            "1 distinguished by a case",
        ),
        (&["holes"], 0, " holes in "),
        (
            &["check", "st", "--suite", "cpu"],
            1,
            "cases/st/mscatter-cpu.yaml:",
        ),
        (&["coverage", "--filter", "tgatherb/"], 1, "not covered"),
        (&["trace", "reversed", "-t", "a5"], 0, "24 events"),
        (&["asm", "tgatherb/reversed"], 0, "tgatherb"),
        (
            &["diff", "--editions", "spec-0.58,documents", "regressions"],
            0,
            "3 of 12 cases change",
        ),
        (
            &[
                "st", "export", "--suite", "cpu", "--filter", TEST, "-o", "data",
            ],
            0,
            "1 folder written",
        ),
        (
            &["hunt", "--count", "50", "--quick"],
            0,
            " holes, 0 of them new",
        ),
        (
            &["hunt", "--count", "50", "--quick", "--keep", "found"],
            0,
            " holes, 0 of them new",
        ),
    ] {
        let done = ptodiff(here.path(), args);
        assert_eq!(done.code, code, "{args:?}: {}{}", done.out, done.err);
        assert!(done.out.contains(shows), "{args:?}: {}", done.out);
        assert_eq!(done.err.matches(SAID).count(), 1, "{args:?}: {}", done.err);
    }
}

/// A folder `cases/holes` with what is new alone would hide all that is known.
#[test]
fn a_hunt_keeps_nothing_in_place_of_the_holes_in_the_command() {
    let here = empty();
    for keep in [&["--keep"][..], &["--keep", "./cases/holes"]] {
        let done = ptodiff(here.path(), &[&["hunt", "--count", "50"], keep].concat());
        assert_eq!(done.code, 2, "{keep:?}: {}", done.out);
        assert!(done.err.contains("--keep found"), "{}", done.err);
        assert!(!here.path().join("cases").exists());
    }
    // Who has that folder keeps there.
    fs::create_dir_all(here.path().join("cases/holes")).expect("a folder");
    let quick = ["hunt", "--count", "50", "--quick", "--rules", "broken"];
    let kept = does(here.path(), &[&quick[..], &["--keep"]].concat());
    assert!(kept.out.contains(" kept\n    cases/holes/"), "{}", kept.out);
}

/// A folder of holes that is here is the one that counts, with nothing in it as well.
#[test]
fn a_hunt_knows_no_holes_where_their_folder_is_empty() {
    let here = empty();
    fs::create_dir_all(here.path().join("cases/holes")).expect("a folder");
    let done = does(here.path(), &["hunt", "--count", "50", "--quick"]);
    assert!(!done.out.contains(" 0 of them new"), "{}", done.out);
    assert!(!done.err.contains(SAID), "{}", done.err);
}

#[test]
fn one_case_is_run_at_once() {
    let here = empty();
    let least = |args: &[&str]| {
        let times = (0..3).map(|_| {
            let begun = Instant::now();
            does(here.path(), args);
            begun.elapsed()
        });
        times.min().expect("three")
    };
    let one = least(&["run", "-q", "--filter", "=tgatherb/reversed"]);
    let all = least(&["list"]);
    assert!(one * 2 < all, "{one:?}, and reading all takes {all:?}");
}

#[test]
fn a_configuration_here_is_that_of_the_cases_in_the_command() {
    let here = empty();
    fs::write(
        here.path().join("ptodiff.toml"),
        "[run]\ntargets = \"a5\"\n",
    )
    .expect("a file");
    let done = does(here.path(), &["run", "--filter", "=tgatherb/reversed"]);
    assert!(
        done.err.contains("using ptodiff.toml: targets a5"),
        "{}",
        done.err
    );
}

#[test]
fn the_gate_has_what_comes_with_the_command() {
    let here = empty();
    let at = here.path();
    does(at, &["run", "-q", "st", "--suite", "cpu"]);
    let gate = ["gate", "--from", "reports/out/run.jsonl"];
    let fewer = ptodiff(at, &gate);
    let said = |file: &str| {
        let version = env!("CARGO_PKG_VERSION");
        format!("using reports/{file} in ptodiff {version}\n")
    };
    let own = "the baseline in ptodiff knows all its own cases and no others; this makes one of \
               your own, of a run that passes:\n  \
               ptodiff gate --from reports/out/run.jsonl --bless --write\n";
    assert_eq!(
        fewer.err,
        said("waivers.yaml") + &said("baseline.json") + own
    );
    assert_eq!(fewer.code, 1, "{}", fewer.out);
    assert!(fewer.out.contains("case-gone"), "{}", fewer.out);
    assert!(!fewer.out.contains("violation"), "{}", fewer.out);
    // Blessed here, it is what is here.
    let blessed = does(at, &[&gate[..], &["--bless", "--write"]].concat());
    assert!(
        blessed.out.contains("written reports/baseline.json"),
        "{}",
        blessed.out
    );
    let passed = does(at, &gate);
    assert_eq!(passed.err, said("waivers.yaml"));
    assert!(passed.out.contains("the gate passed"), "{}", passed.out);
    // Who has cases of his own begins with a baseline of his own.
    fs::remove_file(at.join("reports/baseline.json")).expect("it was there");
    fs::create_dir(at.join("cases")).expect("a folder");
    fs::write(at.join("reports/waivers.yaml"), "waivers: []\n").expect("a file");
    let none = ptodiff(at, &gate);
    assert_eq!(none.code, 2, "{}", none.out);
    assert!(
        none.err.contains("there is no reports/baseline.json"),
        "{}",
        none.err
    );
}

#[test]
fn cases_are_written_all_or_none() {
    let here = empty();
    let at = here.path();
    let done = does(at, &["export-cases", "new/cases"]);
    assert!(done.out.starts_with("written  "), "{}", done.out);
    let exported = does(at, &["list", "new/cases", "--format", "json"]);
    let own = does(at, &["list", "--format", "json"]);
    assert_eq!(exported.out.replace("\"new/cases/", "\"cases/"), own.out);
    for file in ["README.md", "case-file.schema.json", "st/NAMES.txt"] {
        let there = root().join("cases").join(file);
        let same = fs::read(there).ok() == fs::read(at.join("new/cases").join(file)).ok();
        assert!(same, "{file}");
    }
    // Into what is empty; over nothing; not under the feet of who calls it.
    fs::create_dir(at.join("empty")).expect("a folder");
    does(at, &["export-cases", "empty"]);
    assert!(at.join("empty/st").is_dir());
    for (folder, args, why) in [
        (at, "empty", "empty is not empty"),
        (at, "new/cases/README.md", "cannot read"),
        (at, "new/cases/README.md/x", "cannot read"),
    ] {
        let done = ptodiff(folder, &["export-cases", args]);
        assert!([2, 70].contains(&done.code), "{args}: {}", done.out);
        assert!(done.err.contains(why), "{args}: {}", done.err);
    }
    let inner = at.join("inner");
    fs::create_dir(&inner).expect("a folder");
    let done = ptodiff(&inner, &["export-cases", "."]);
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(done.err.contains("you are in that folder"), "{}", done.err);
    let mut left: Vec<_> = fs::read_dir(at)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["empty", "inner", "new"]);
}

/// Nobody but root may write where he is not let.
#[test]
fn a_full_disk_leaves_nothing_of_the_cases() {
    let here = empty();
    let mut limited = std::process::Command::new("sh");
    limited
        .args(["-c", "ulimit -f 64; exec \"$0\" export-cases cases"])
        .arg(command(here.path()).get_program())
        .current_dir(here.path());
    let done = Done::from(limited.output().expect("it starts"));
    assert_eq!(done.code, 70, "{}{}", done.out, done.err);
    assert!(done.err.contains("cannot write cases/"), "{}", done.err);
    let left = fs::read_dir(here.path()).expect("a folder").count();
    assert_eq!(left, 0);
}

#[test]
fn schemas_are_those_of_the_files() {
    let here = empty();
    for (of, file) in [
        ("case", "cases/case-file.schema.json"),
        ("record", "reports/run-record.schema.json"),
        ("hunt", "reports/hunt-record.schema.json"),
        ("waivers", "reports/waivers.schema.json"),
    ] {
        let kept = fs::read_to_string(root().join(file)).expect("a schema");
        assert!(does(here.path(), &["schema", of]).out == kept, "{of}");
    }
    assert_eq!(ptodiff(here.path(), &["schema", "cases"]).code, 2);
}
