//! The hunt: what it finds it keeps, the same on any number of threads, and
//! what it kept runs as expected findings.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use crate::common::{Done, ptodiff, scatter};

/// Enough to find many holes, few enough for the tests' build.
const COUNT: &str = "500";

fn hunt(folder: &Path, more: &[&str]) -> Done {
    let own = ["hunt", "--count", COUNT, "--known", "none"];
    ptodiff(folder, &[&own, more].concat())
}

/// What a command that ends well prints.
fn out(done: Done) -> String {
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    done.out
}

/// The files of a folder with what is in them.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, fs::read_to_string(entry.path()).expect("text"))
    };
    entries.map(read).collect()
}

#[test]
fn the_same_hunt_keeps_the_same_files_and_they_run() {
    let folder = tempfile::tempdir().unwrap();
    let first = out(hunt(folder.path(), &["--jobs", "1", "--keep", "one"]));
    let second = out(hunt(folder.path(), &["--jobs", "3", "--keep", "two"]));
    let (one, two) = (
        files(&folder.path().join("one")),
        files(&folder.path().join("two")),
    );
    assert!(one.len() >= 6, "{:?}", one.keys());
    assert_eq!(one, two);
    let holes = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|l| l.starts_with("  new "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(holes(&first), holes(&second));
    assert!(holes(&first).len() > 50, "{first}");
    assert!(first.contains("no unexplained difference"), "{first}");

    // What was kept shows its holes again, whatever the seed of the data.
    for seed in ["0", "7"] {
        let run = ["run", "one", "--show", "all", "--seed", seed];
        let text = out(ptodiff(folder.path(), &run));
        assert!(text.contains("known holes shown by"), "{text}");
        assert!(text.contains("\nPASSED  "), "{text}");
    }

    // Nothing is kept twice, and nothing that stands there is touched.
    let again = out(hunt(folder.path(), &["--keep", "one"]));
    assert!(again.contains(" 0 of them new"), "{again}");
    assert!(again.contains("  0 cases kept"), "{again}");
    assert_eq!(files(&folder.path().join("one")), one);

    let listed = out(ptodiff(folder.path(), &["holes", "one"]));
    assert!(
        listed.contains("unchecked-precondition") && listed.contains("No check of "),
        "{listed}"
    );
}

#[test]
fn what_cases_of_files_show_is_kept_too() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("own.yaml"),
        "cases:\n  - name: behind\n    instruction: MGATHER\n    mode: Elem\n    \
         dtype: int32_t\n    targets: [a5]\n    tile: {shape: [1, 8], valid: [1, 1]}\n    \
         index: {shape: [1, 8], valid: [1, 1], data: {values: [8]}}\n    \
         table: {shape: [1, 1, 1, 1, 8]}\n",
    )
    .unwrap();
    // One legal case is drawn, which shows nothing.
    let hunt = ["hunt", "--count", "1", "--rules", "legal", "--quick"];
    let also = ["--known", "none", "--keep", "kept", "--also", "own.yaml"];
    let text = out(ptodiff(folder.path(), &[&hunt[..], &also].concat()));
    assert!(
        text.contains(
            "\n  beside mgather unchecked-precondition a5 MGATHER-OOB-01 out-of-bounds-read\n"
        ),
        "{text}"
    );
    let ran = ptodiff(folder.path(), &["run", "kept", "-v"]).out;
    assert!(ran.contains("\n  1 known holes shown by 1 case\n"), "{ran}");
    let again = out(ptodiff(folder.path(), &[&hunt[..], &also].concat()));
    assert!(again.contains("  0 cases kept"), "{again}");
    // What is known elsewhere is not kept again.
    let elsewhere = [
        "--known",
        "kept",
        "--keep",
        "elsewhere",
        "--also",
        "own.yaml",
    ];
    let elsewhere = out(ptodiff(folder.path(), &[&hunt[..], &elsewhere].concat()));
    assert!(elsewhere.contains("  0 cases kept"), "{elsewhere}");
    let other = [
        "--known",
        "none",
        "--form",
        "tscatter-mask",
        "--keep",
        "other",
        "--also",
        "own.yaml",
    ];
    let other = out(ptodiff(folder.path(), &[&hunt[..], &other].concat()));
    assert!(other.contains("  0 cases kept"), "{other}");
}

#[test]
fn a_case_of_the_hunt_is_shown_as_one_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let yaml = out(hunt(
        folder.path(),
        &["--seed", "3", "--rules", "legal", "--show", "17"],
    ));
    // What the hunt asks of it is told, too.
    let asked = "# In the hunt: lanes reversed, relation ";
    assert!(yaml.contains(asked), "{yaml}");
    fs::write(folder.path().join("shown.yaml"), &yaml).unwrap();
    let ran = out(ptodiff(folder.path(), &["run", "shown.yaml", "-v"]));
    assert!(ran.contains("shown/3-17"), "{ran}");
    let other = out(hunt(
        folder.path(),
        &["--seed", "4", "--rules", "legal", "--show", "17"],
    ));
    assert_ne!(yaml, other);
}

#[test]
fn filters_choose_what_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let text = out(hunt(
        folder.path(),
        &[
            "--form", "tgatherb", "--target", "a5", "--rules", "broken", "--quick",
        ],
    ));
    let holes: Vec<&str> = text.lines().filter(|l| l.starts_with("  new ")).collect();
    assert!(!holes.is_empty(), "{text}");
    for hole in holes {
        assert!(
            hole.contains("tgatherb ") && hole.contains(" a5 "),
            "{hole}"
        );
        assert!(!hole.contains("open-reading"), "{hole}");
    }
    assert!(!text.contains("relations checked"), "{text}");
}

/// Without a form, too, nothing of another target is drawn.
#[test]
fn a_hunt_keeps_to_its_targets() {
    let folder = tempfile::tempdir().unwrap();
    for target in ["cpu", "a2a3", "a5"] {
        let text = out(hunt(folder.path(), &["--target", target, "--quick"]));
        let holes: Vec<&str> = text.lines().filter(|l| l.starts_with("  new ")).collect();
        assert!(!holes.is_empty(), "{text}");
        for hole in holes {
            assert!(hole.contains(&format!(" {target} ")), "{hole}");
        }
    }
}

#[test]
fn holes_that_are_not_named_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let text = out(hunt(folder.path(), &["--rules", "wild", "--quick"]));
    assert!(
        text.contains(" cases with a hole of more than 3 clauses at once: it is not named\n"),
        "{text}"
    );
    let legal = ["--rules", "legal", "--quick"];
    let text = out(hunt(folder.path(), &legal));
    assert!(!text.contains("not named"), "{text}");
}

#[test]
fn one_case_is_no_plural() {
    let folder = tempfile::tempdir().unwrap();
    let one = [
        "hunt", "--count", "1", "--rules", "legal", "--known", "none",
    ];
    let done = ptodiff(folder.path(), &[&one[..], &["--keep", "kept"]].concat());
    assert!(done.err.starts_with("1 case in "), "{}", done.err);
    let text = out(done);
    assert!(text.starts_with("1 case of seed 0: "), "{text}");
}

/// A file of an older hunt is not taken for what this one found.
#[test]
fn a_hunt_that_finds_nothing_empties_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("found.yaml");
    fs::write(&file, "cases: of old\n").unwrap();
    let hunt = ["hunt", "--count", "5", "--out", "found.yaml"];
    let text = out(ptodiff(folder.path(), &hunt));
    assert!(text.contains("\n  0 cases in found.yaml\n"), "{text}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "cases: []\n");
    // Who runs what was found learns that this was nothing, and not that the file is bad.
    let run = ptodiff(folder.path(), &["run", "found.yaml"]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert_eq!(
        run.err,
        "error: there is no case in found.yaml: a hunt that finds nothing writes such a file\n"
    );
    // It is no hindrance beside other cases.
    fs::write(folder.path().join("one.yaml"), scatter("one", "")).unwrap();
    let both = out(ptodiff(folder.path(), &["list", "found.yaml", "one.yaml"]));
    assert_eq!(both.lines().count(), 1, "{both}");
}

/// A log of CI has no terminal, and nobody waits hours for its first line. Most of the time
/// both hunts are stopped: clocks go on.
#[test]
fn a_long_hunt_says_now_and_then_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let script = "for quiet in '' --quiet; do\n\
        \"$1\" hunt --time 6s --quick --jobs 1 $quiet 2>told$quiet & all=\"$all $!\"\ndone\n\
        sleep 0.5; kill -STOP $all; sleep 4.7; kill -CONT $all\nwait";
    let shell = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_ptodiff")])
        .current_dir(folder.path())
        .status();
    assert!(shell.unwrap().success());
    let lines = |file: &str| {
        let told = fs::read_to_string(folder.path().join(file)).unwrap();
        let lines = told.lines().filter(|line| line.ends_with(" s"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let told = lines("told");
    let parts = told.first().and_then(|line| line.split_once(" cases in "));
    let (cases, seconds) = parts.unwrap_or_else(|| panic!("{told:?}"));
    assert!(cases.replace(',', "").parse::<u64>().is_ok(), "{told:?}");
    // A machine that has other work may be late.
    assert!(["5 s", "6 s", "7 s"].contains(&seconds), "{told:?}");
    assert_eq!(lines("told--quiet"), [""; 0]);
}

/// Before the hunt, which may take hours.
#[test]
fn where_nothing_can_be_kept_nothing_is_hunted() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let done = hunt(folder.path(), &["--keep", "file/kept"]);
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert_eq!(done.out, "");
    assert!(done.err.contains("cannot write file/kept"), "{}", done.err);
    // What was only tried leaves no trace but the folder.
    let legal = ["hunt", "--count", "1", "--rules", "legal", "--quick"];
    out(ptodiff(
        folder.path(),
        &[&legal[..], &["--keep", "kept"]].concat(),
    ));
    assert!(files(&folder.path().join("kept")).is_empty());
}

#[test]
fn what_is_known_has_to_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let hunt = |known| ptodiff(folder.path(), &["hunt", "--count", "5", "--known", known]);
    let done = hunt("nowhere");
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert!(done.err.contains("--known nowhere: "), "{}", done.err);
    assert_eq!(hunt("none").code, 0);
    fs::create_dir(folder.path().join("empty")).unwrap();
    assert_eq!(hunt("empty").code, 0);
}

#[test]
fn a_hunt_for_a_time_ends() {
    let folder = tempfile::tempdir().unwrap();
    let for_a_second = ["hunt", "--time", "1s", "--form", "tscatter-mask"];
    let text = out(ptodiff(folder.path(), &for_a_second));
    assert!(text.contains("cases of seed 0"), "{text}");
}

#[test]
fn wrong_usage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.yaml"), "cases: 5\n").unwrap();
    for (args, what) in [
        (
            vec!["hunt", "--count", "5", "--time", "5s"],
            "cannot be used with",
        ),
        (vec!["hunt", "--time", "5 years"], "90s, 10m, 2h"),
        (vec!["hunt", "--count", "0"], "0 is not in"),
        (
            vec!["hunt", "--show", "1", "--keep", "x"],
            "cannot be used with",
        ),
        (
            vec!["hunt", "--show", "1", "--time", "5s"],
            "cannot be used with",
        ),
        (
            vec!["hunt", "--show", "1", "--impl", "mine=true"],
            "cannot be used with",
        ),
        (
            vec!["hunt", "--count", "100", "--show", "101"],
            "have the numbers 0 to 99",
        ),
        (
            vec!["hunt", "--form", "mscatter-first", "--target", "cpu,a2a3"],
            "mscatter-first is of a5 only",
        ),
        (
            vec!["hunt", "--form", "mscater"],
            "the forms are mscatter, ",
        ),
        (vec!["hunt", "--count", "5", "--known", "bad.yaml"], "PTO-C"),
        (
            vec!["hunt", "--count", "5", "--keep", "x", "--also", "bad.yaml"],
            "PTO-C",
        ),
        (vec!["hunt", "--count", "5", "--also", "bad.yaml"], "--keep"),
        (vec!["holes", "bad.yaml"], "PTO-C"),
    ] {
        let done = ptodiff(folder.path(), &args);
        assert_eq!(done.code, 2, "{args:?}: {}", done.err);
        assert!(done.err.contains(what), "{args:?}: {}", done.err);
    }
    // A kept file that does not read is not overwritten.
    fs::create_dir(folder.path().join("holes")).unwrap();
    fs::write(folder.path().join("holes/holes_mgather.yaml"), "cases: 5\n").unwrap();
    assert_eq!(hunt(folder.path(), &["--keep", "holes"]).code, 2);
    let kept = fs::read_to_string(folder.path().join("holes/holes_mgather.yaml")).unwrap();
    assert_eq!(kept, "cases: 5\n");
}
