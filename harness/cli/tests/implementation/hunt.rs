//! Implementations in a hunt.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use ptodiff_isa::{Dim, Target};
use ptodiff_kernel::{Lattice, key};

use crate::{
    common::{Done, ptodiff, root},
    mine, tests,
    verdicts::quick,
};

tests!(
    a_right_implementation_is_hunted_in_vain,
    a_wrong_one_is_found_shrunk_and_written,
    what_makes_no_sense_is_said_to,
    one_that_can_nothing_shows_nothing,
    a_hunt_within_a_lattice_shrinks_within_it,
    one_process_is_started_anew_once_a_batch,
    a_case_is_made_smaller_in_processes_that_run,
    the_most_frequent_violation_comes_first,
    a_heap_that_is_ruined_harms_no_call_that_counts,
    violations_are_grouped_and_explained_as_in_a_run,
);

fn hunt(folder: &Path, behaviour: &str, more: &[&str]) -> Done {
    let implementation = mine(behaviour);
    let own = [
        "hunt", "--quick", "--known", "none", "--form", "mscatter", "--target", "a5",
    ];
    let implementation = ["--impl", &implementation, "--as", "a5", "--jobs", "2"];
    ptodiff(
        folder,
        &[&own[..], &implementation, quick(more), more].concat(),
    )
}

fn a_right_implementation_is_hunted_in_vain() {
    let folder = tempfile::tempdir().expect("a folder");
    let done = hunt(folder.path(), "right", &["--count", "500"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("a5:mine asked 500 times"), "{}", done.out);
    assert!(
        done.out.contains("no violation by an implementation"),
        "{}",
        done.out
    );
}

/// A hunt, and how many processes of the implementation were started in it.
fn counted(behaviour: &str, more: &[&str]) -> (Done, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let own = std::env::current_exe().expect("a path");
    let script = format!("echo >> starts; exec '{}' mock {behaviour}", own.display());
    fs::write(folder.path().join("impl.sh"), script).expect("a file");
    let own = ["hunt", "--quick", "--known", "none", "--target", "a5"];
    let implementation = [
        "--impl",
        "mine=sh impl.sh",
        "--as",
        "a5",
        "--diagnosis",
        "0",
    ];
    let done = ptodiff(folder.path(), &[&own[..], &implementation, more].concat());
    let starts = fs::read_to_string(folder.path().join("starts")).expect("it started");
    (done, starts.lines().count())
}

/// What is tried on the way to a smallest case is asked of processes that run; only what is
/// reported is confirmed in one of its own.
fn a_case_is_made_smaller_in_processes_that_run() {
    let more = [
        "--count", "200", "--form", "mscatter", "--rules", "legal", "--jobs", "1",
    ];
    let (done, starts) = counted("one-slot", &more);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    // 348; 1,545 where each try is confirmed.
    assert!(starts < 500, "{starts}");
}

/// A start may take longer than a thousand calls: with one process at a time there is one
/// a batch of 256 cases, whatever the threads.
fn one_process_is_started_anew_once_a_batch() {
    let (done, starts) = counted("right", &["--count", "1024", "--jobs", "4"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    // The first, and one for each of four batches.
    assert!((2..=5).contains(&starts), "{starts}");
}

/// One hunt for all: it takes seconds.
fn a_wrong_one_is_found_shrunk_and_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let more = ["--count", "200", "--rules", "legal"];
    let done = hunt(
        here,
        "one-slot",
        &[&more[..], &["--out", "found.yaml"]].concat(),
    );
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    for said in [
        "MSCATTER a5:mine valid MSCATTER-",
        "no unexplained difference",
        " at byte 0: initial ",
        "; permitted ",
    ] {
        assert!(done.out.contains(said), "{said}: {}", done.out);
    }
    // It is asked for none.
    assert!(!done.out.contains("diagnosis"), "{}", done.out);
    let text = fs::read_to_string(here.join("found.yaml")).expect("a file");
    // What the mock needs to go wrong is left: five rows.
    assert!(text.contains("- name: \"mine-"), "{text}");
    let cases = text.matches("  - name: ").count();
    assert_eq!(
        text.matches("shape: [1, 1, 1, 5, ").count(),
        cases,
        "{text}"
    );
    the_file_shows_it_again(here);
    its_cases_keep_the_readings_that_they_were_drawn_with(here);

    // What was found once is told of and no more.
    let known = |file: &str, count: &str| {
        let implementation = mine("one-slot");
        let own = "hunt --quick --form mscatter --target a5 --as a5 --rules legal --diagnosis 0";
        let more = ["--count", count, "--known", file, "--impl", &implementation];
        let own: Vec<&str> = own.split(' ').collect();
        ptodiff(here, &[&own[..], &more].concat())
    };
    let again = known("found.yaml", "200");
    assert_eq!(again.code, 0, "{}{}", again.out, again.err);
    let kinds = done.out.matches("  MSCATTER a5:mine ").count();
    let told = format!(
        "{kinds} known kind{} of violation",
        if kinds == 1 { "" } else { "s" }
    );
    assert!(again.out.contains(&told), "{}", again.out);
    fs::write(here.join("none.yaml"), "cases: []\n").expect("a file");
    assert_eq!(known("none.yaml", "40").code, 1);
}

fn the_file_shows_it_again(here: &Path) {
    let implementation = mine("one-slot");
    let run = ["run", "found.yaml", "--diagnosis", "0", "--as", "a5"];
    let run = [&run[..], &["--out", "out", "--impl", &implementation]].concat();
    let again = ptodiff(here, &run);
    assert_eq!(again.code, 1, "{}{}", again.out, again.err);
    assert!(
        again.out.contains("MSCATTER a5:mine valid MSCATTER-"),
        "{}",
        again.out
    );
}

/// Also where it would show without: another reading is another question.
fn its_cases_keep_the_readings_that_they_were_drawn_with(here: &Path) {
    let found = ptodiff_case::load(&[here.join("found.yaml")]).expect("cases");
    let mut others = 0;
    for case in &found.cases {
        let number = case.name.strip_prefix("mine-").expect("a name of its own");
        let own = ["hunt", "--quick", "--form", "mscatter", "--target", "a5"];
        let show = ["--rules", "legal", "--show", number];
        let drawn = ptodiff(here, &[&own[..], &show].concat());
        assert_eq!(drawn.code, 0, "{}", drawn.err);
        fs::write(here.join("drawn.yaml"), &drawn.out).expect("a file");
        let drawn = ptodiff_case::load(&[here.join("drawn.yaml")]).expect("a case");
        assert_eq!(case.readings, drawn.cases[0].readings, "{}", case.name);
        others += usize::from(case.readings != ptodiff_isa::TargetReadings::default());
    }
    assert!(others > 0, "all {} have the default", found.cases.len());
}

fn what_makes_no_sense_is_said_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let more = ["--count", "100", "--rules", "legal"];
    let done = hunt(folder.path(), "garbage", &more);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let said = "lanes in order:\n    an answer that makes no sense: ";
    assert!(done.out.contains(said), "{}", done.out);
}

fn one_that_can_nothing_shows_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let done = hunt(folder.path(), "idle", &["--count", "50"]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    assert!(done.out.contains("50 of them unsupported"), "{}", done.out);
    let why = "nothing is shown of the implementation a5:mine: it ran none of 50 cases\n";
    assert!(done.err.contains(why), "{}", done.err);
}

fn the_most_frequent_violation_comes_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let more = ["--count", "200", "--rules", "legal"];
    let done = hunt(folder.path(), "wrong-twice", &more);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let lines = done.out.lines();
    let counts: Vec<u64> = lines
        .filter(|line| line.starts_with("  MSCATTER a5:mine "))
        .map(|line| {
            let (_, count) = line
                .split_once("  ")
                .and_then(|(_, l)| l.split_once("  "))
                .expect("a count");
            let count = count.strip_prefix("at least ").unwrap_or(count);
            let number = count.split(' ').next().expect("a number").replace(',', "");
            number.parse().expect("a number")
        })
        .collect();
    assert!(counts.len() > 1, "{}", done.out);
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    assert!(counts[0] > counts[counts.len() - 1], "{counts:?}");
}

/// One fault shows in several failure groups; it is one kind, with its mistake, and a file of
/// `--out` knows all of them.
fn violations_are_grouped_and_explained_as_in_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let more = ["--count", "320", "--rules", "legal", "--out", "found.yaml"];
    let more = [&more[..], &["--diagnosis", "10m"]].concat();
    let done = hunt(folder.path(), "plant-nothing", &more);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let (_, told) = done.out.split_once("a5:mine asked").expect("it is asked");
    let first = told.split_once("  MSCATTER a5:mine ").expect("a kind").1;
    let text = fs::read_to_string(folder.path().join("found.yaml")).expect("a file");
    let kinds: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("  # "))
        .collect();
    assert!(kinds.len() > 1, "{text}");
    let heads = told.matches("\n  MSCATTER a5:mine ").count();
    assert!(heads < kinds.len(), "{told}");
    assert!(first.contains("    in common  "), "{told}");
    assert!(
        first.contains("    diagnosis  writes nothing: explains "),
        "{told}"
    );
}

/// It is in C++ and writes where an index says, in real memory.
fn a_heap_that_is_ruined_harms_no_call_that_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let source = root().join("harness/cli/tests/implementation/scatters.cpp");
    let built = Command::new("g++")
        .args([
            "-std=c++17",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
            "scatters",
        ])
        .arg(source)
        .current_dir(here)
        .status();
    assert!(built.expect("g++ is installed").success());
    let own = [
        "hunt", "--quick", "--known", "none", "--target", "a5", "--as", "a5",
    ];
    let forms = ["--form", "tscatter-index", "--form", "tscatter-mask"];
    for batch in ["", " 64"] {
        let implementation = format!("mine=./scatters{batch}");
        let more = ["--count", "1000", "--impl", &implementation];
        let done = ptodiff(here, &[&own[..], &forms, &more].concat());
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        let none = "no violation by an implementation";
        // Harm would be seen once, and not alone.
        assert!(
            done.out.contains(none) && !done.out.contains("flaky"),
            "{}",
            done.out
        );
    }
    let cases = root().join("cases/clauses/tscatter.yaml");
    let cases = cases.to_str().expect("UTF-8");
    let run = [
        "run",
        cases,
        "--quiet",
        "--as",
        "a5",
        "--impl",
        "mine=./scatters 64",
    ];
    let done = ptodiff(here, &run);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

/// An implementation built for a lattice runs nothing else: what is found, and all
/// that was asked on the way to it, is one of its instantiations.
fn a_hunt_within_a_lattice_shrinks_within_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let lattice = ["--lattice", "--target", "a5", "--instructions", "mscatter"];
    let axes = ["--shapes", "8x32,16x16", "--dtypes", "int32_t,float"];
    let done = ptodiff(
        here,
        &[&["cpp", "--harness", "out"], &lattice[..], &axes].concat(),
    );
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let within = ["--lattice", "out/lattice.json", "--count", "150"];

    let done = hunt(here, "right", &within);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    // Every draw could be run.
    assert!(
        done.out.contains("a5:mine asked 150 times\n"),
        "{}",
        done.out
    );

    let wrong = [&within[..], &["--rules", "legal", "--out", "found.yaml"]].concat();
    let done = hunt(here, "one-slot", &wrong);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let text = fs::read_to_string(here.join("out/lattice.json")).expect("a description");
    let (lattice, calls) = Lattice::instances(&text).expect("a lattice");
    let keys: BTreeSet<String> = calls.iter().map(|c| key(c, lattice.dialect)).collect();
    let found = ptodiff_case::load(&[here.join("found.yaml")]).expect("cases");
    assert!(!found.cases.is_empty());
    for case in &found.cases {
        let own = key(&case.call, lattice.dialect);
        assert!(keys.contains(&own), "{own}");
        // As small as the mock lets it be: five rows of which one is wrong.
        let Some(table) = case.call.table() else {
            panic!("a scatter without a table");
        };
        assert_eq!(table.shape.map(Dim::get), [1, 1, 1, 5, 1], "{}", case.name);
        // A conflict has two lanes, a sum whose order matters a few.
        let data = case.call.data_tile();
        let lanes = data.valid_row.get() * data.valid_col.get();
        assert!(lanes <= 4, "{}: {lanes}", case.name);
        assert_eq!(case.targets, [Target::A5]);
    }
    // Wrong on a few of the instantiations, whatever comes at run time.
    let one = [&within[..], &["--rules", "legal", "--out", "one.yaml"]].concat();
    let done = hunt(here, "one-type", &one);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let of_one = ptodiff_case::load(&[here.join("one.yaml")]).expect("cases");
    assert!(!of_one.cases.is_empty());
    for case in &of_one.cases {
        let own = key(&case.call, lattice.dialect);
        assert!(keys.contains(&own), "{own}");
        assert!(
            own.contains("src=Vec:float:16x16:?x?") && own.contains("mode=Row"),
            "{own}"
        );
    }
    // The file shows the same again.
    let implementation = mine("one-slot");
    let run = [
        "run",
        "found.yaml",
        "--out",
        "again",
        "--as",
        "a5",
        "--impl",
        &implementation,
    ];
    let again = ptodiff(here, &run);
    assert_eq!(again.code, 1, "{}{}", again.out, again.err);
    let violations = format!("{} violation", found.cases.len());
    assert!(again.out.contains(&violations), "{}", again.out);
}
