//! Implementations in a hunt.

use std::{collections::BTreeSet, fs, path::Path};

use ptodiff_isa::{Dim, Target};
use ptodiff_kernel::{Lattice, key};

use crate::{
    common::{Done, ptodiff},
    mine, tests,
};

tests!(
    a_wrong_one_is_found_shrunk_and_written,
    a_hunt_within_a_lattice_shrinks_within_it,
);

fn hunt(folder: &Path, behaviour: &str, more: &[&str]) -> Done {
    let own =
        "hunt --quick --known none --form mscatter --target a5 --as a5 --jobs 2 --diagnosis 0";
    let own: Vec<&str> = own.split(' ').collect();
    let implementation = mine(behaviour);
    ptodiff(
        folder,
        &[&own[..], &["--impl", &implementation], more].concat(),
    )
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
