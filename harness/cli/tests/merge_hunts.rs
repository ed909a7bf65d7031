//! A hunt in parts, and one record of them all.

use std::{fs, path::Path};

use ptodiff_record::sealed;

use crate::common::{Done, command, ptodiff};

const COUNT: &str = "600";

fn hunt(at: &Path, more: &[&str]) -> Done {
    let own = ["hunt", "--count", COUNT, "--known", "none"];
    ptodiff(at, &[&own, more].concat())
}

/// The records of `of` parts.
fn parts(at: &Path, of: u32) -> Vec<String> {
    let part = |n| {
        let (name, part) = (format!("part-{n}.jsonl"), format!("{n}/{of}"));
        let done = hunt(
            at,
            &["--seed", "7", "--partition", &part, "--record", &name],
        );
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(
            done.out.contains(&format!(" of seed 7, part {part}:")),
            "{}",
            done.out
        );
        name
    };
    (1..=of).map(part).collect()
}

fn merge(at: &Path, parts: &[impl AsRef<str>]) -> Done {
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    ptodiff(
        at,
        &[&["merge"], &parts[..], &["--out", "merged.jsonl"]].concat(),
    )
}

fn read(at: &Path, name: &str) -> String {
    fs::read_to_string(at.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The files of a folder, one after the other.
fn all(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let text = |path| format!("{path:?}\n{}", fs::read_to_string(path).expect("text"));
    let texts: Vec<String> = paths.iter().map(text).collect();
    texts.concat().replace(&*folder.to_string_lossy(), "")
}

#[test]
fn merged_parts_of_a_hunt_are_byte_for_byte_the_hunt() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let seed = ["--seed", "7"];
    let whole = hunt(at, &[&seed[..], &["--record", "whole.jsonl"]].concat());
    let kept = hunt(at, &[&seed[..], &["--keep", "kept"]].concat());
    assert_eq!((whole.code, kept.code), (0, 0), "{}", kept.err);
    for of in [1, 4] {
        let mut parts = parts(at, of);
        // In any order.
        parts.reverse();
        let done = merge(at, &parts);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(
            done.out.starts_with(&format!("600 cases of {of} record")),
            "{}",
            done.out
        );
        assert!(read(at, "merged.jsonl") == read(at, "whole.jsonl"), "{of}");
    }
    // What was found is told and kept as if one had hunted for all of it.
    let from = ["hunt", "--from", "merged.jsonl", "--known", "none"];
    let told = ptodiff(at, &from);
    assert_eq!((told.code, &told.out), (0, &whole.out), "{}", told.err);
    let again = ptodiff(at, &[&from[..], &["--keep", "again"]].concat());
    assert_eq!(again.out.replace("again/", "kept/"), kept.out);
    assert!(all(&at.join("again")) == all(&at.join("kept")));
    // It is no record of a run.
    let report = ptodiff(at, &["report", "--from", "merged.jsonl"]);
    assert_eq!(report.code, 2);
    assert!(
        report.err.contains("`ptodiff hunt --from`"),
        "{}",
        report.err
    );
}

#[test]
fn a_missing_part_comes_with_the_command_that_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let options = [
        "--quick",
        "--form",
        "tgatherb,mscatter",
        "--rules",
        "broken",
        "--max-lanes",
        "9",
        "--reading",
        "scope=as-the-suite",
        "--target",
        "a5,cpu",
    ];
    let whole = hunt(at, &[&options[..], &["--record", "whole.jsonl"]].concat());
    assert_eq!(whole.code, 0, "{}", whole.err);
    let own = ["--partition", "1/3", "--record", "part-1.jsonl"];
    assert_eq!(hunt(at, &[&options[..], &own].concat()).code, 0);
    let done = merge(at, &["part-1.jsonl"]);
    assert_eq!(done.code, 2, "{}", done.out);
    let said = "400 of the 600 cases of the whole are in no record: parts 2-3 of 3 are missing";
    assert!(done.err.contains(said), "{}", done.err);
    let commands: Vec<&str> = done
        .err
        .lines()
        .filter_map(|l| l.strip_prefix("  ptodiff "))
        .collect();
    assert_eq!(commands.len(), 2, "{}", done.err);
    for line in commands {
        let done = ptodiff(at, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(done.code, 0, "{line}: {}", done.err);
    }
    let done = merge(at, &["part-1.jsonl", "part-2.jsonl", "part-3.jsonl"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(read(at, "merged.jsonl") == read(at, "whole.jsonl"));
    let told = ptodiff(at, &["hunt", "--from", "merged.jsonl", "--known", "none"]);
    assert_eq!(told.out, whole.out);
}

#[test]
fn what_is_no_part_of_one_hunt_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let parts = parts(at, 2);
    let rejected = |parts: &[&str], why: &[&str]| {
        let done = merge(at, parts);
        assert_eq!(done.code, 2, "{parts:?}: {}", done.out);
        for why in why {
            assert!(done.err.contains(why), "`{why}` is not in:\n{}", done.err);
        }
        assert!(!at.join("merged.jsonl").exists());
    };
    let own = read(at, &parts[1]);
    let twice = ["part-1.jsonl", "part-2.jsonl", "part-1.jsonl"];
    rejected(&twice, &["part-1.jsonl and part-1.jsonl are both part 1/2"]);
    let pair = ["part-1.jsonl", "other.jsonl"];
    for (options, why) in [
        ("--count 600 --seed 8", "their seeds differ (7 and 8)"),
        (
            "--count 600 --quick",
            "their options differ (none and --quick)",
        ),
        ("--count 600 --form mgather", "their options differ"),
        ("--count 601", "their counts differ (600 and 601)"),
        (
            "--count 600 --partition 3/3",
            "their numbers of parts differ (2 and 3)",
        ),
    ] {
        let mut args = format!("hunt {options} --record other.jsonl");
        for (option, usual) in [("--seed", "7"), ("--partition", "2/2")] {
            if !options.contains(option) {
                args += &format!(" {option} {usual}");
            }
        }
        let done = ptodiff(at, &args.split(' ').collect::<Vec<_>>());
        assert_eq!(done.code, 0, "{args}: {}", done.err);
        rejected(&pair, &[why]);
    }
    let one_more = |text: &str| text.replacen("\"agree\":", "\"agree\":1", 1);
    let mut fewer: Vec<&str> = own.lines().collect();
    fewer.remove(3);
    for (text, why) in [
        (
            sealed(&own.replacen("\"version\":\"", "\"version\":\"9.", 1)),
            &["their versions of ptodiff differ"][..],
        ),
        (
            sealed(&own.replacen("\"ptodiff_hunt\":1", "\"ptodiff_hunt\":9", 1)),
            &["has format 9, this ptodiff reads 1"],
        ),
        // One byte is another; a line is gone; the numbers do not add up.
        (
            one_more(&own),
            &[
                "line 2",
                "checksum",
                "--partition 2/2 --record part-2.jsonl",
            ],
        ),
        (
            fewer.join("\n") + "\n",
            &["one was taken out, put in or moved"],
        ),
        (
            sealed(&one_more(&own)),
            &["line 2", "it is not about 300 cases"],
        ),
    ] {
        fs::write(at.join("other.jsonl"), text).unwrap();
        rejected(&pair, why);
    }
    // A run is another kind.
    fs::write(at.join("a.yaml"), crate::common::scatter("one", "")).unwrap();
    assert_eq!(ptodiff(at, &["run", "a.yaml", "--out", "run"]).code, 0);
    rejected(
        &["part-1.jsonl", "run/run.jsonl"],
        &["is the record of a hunt"],
    );
}

#[test]
fn a_truncated_part_is_none_wherever_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    parts(at, 2);
    let own = fs::read(at.join("part-2.jsonl")).unwrap();
    for step in 0..12 {
        // The last byte is a line feed that nobody needs.
        let bytes = (own.len() - 1) * step / 12;
        fs::write(at.join("part-2.jsonl"), &own[..bytes]).unwrap();
        let done = merge(at, &["part-1.jsonl", "part-2.jsonl"]);
        assert_eq!(done.code, 2, "{bytes}: {}", done.out);
        assert!(done.err.contains("part-2.jsonl: "), "{bytes}: {}", done.err);
        assert!(!at.join("merged.jsonl").exists());
    }
}

#[test]
fn a_hunt_takes_its_part_from_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let own = [
        "hunt",
        "--count",
        COUNT,
        "--known",
        "none",
        "--partition",
        "auto",
        "--record",
        "one.jsonl",
    ];
    let under = |variables: &[(&str, &str)]| -> Done {
        let mut one = command(at);
        one.env_clear().args(own).envs(variables.iter().copied());
        one.output().expect("it starts").into()
    };
    let array = [
        ("SLURM_ARRAY_TASK_ID", "3"),
        ("SLURM_ARRAY_TASK_MIN", "1"),
        ("SLURM_ARRAY_TASK_MAX", "4"),
        ("SLURM_ARRAY_TASK_STEP", "1"),
        ("SLURM_ARRAY_TASK_COUNT", "4"),
    ];
    let done = under(&array);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.starts_with("150 cases of seed 0, part 3/4:"),
        "{}",
        done.out
    );
    for (variables, why) in [
        (&array[..1], "SLURM_ARRAY_TASK_COUNT is not set"),
        (&array[1..], "SLURM_ARRAY_TASK_ID is not"),
        (&[], "none of SLURM_ARRAY_TASK_ID, "),
    ] {
        let done = under(variables);
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(why), "{}", done.err);
    }
}

#[test]
fn a_part_of_a_hunt_that_cannot_be_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (more, why) in [
        (&["--partition", "1/2"][..], "--record"),
        (&["--partition", "0/4", "--record", "x"], "no part 0 of 4"),
        (&["--partition", "5/4", "--record", "x"], "no part 5 of 4"),
        (&["--partition", "hash:1/4", "--record", "x"], "write 1/4"),
        (&["--partition", "1-4", "--record", "x"], "expected K/N"),
        (
            &["--partition", "1/4", "--record", "x", "--keep", "y"],
            "--keep",
        ),
        (&["--from", "x"], "--count"),
    ] {
        let done = hunt(at, more);
        assert_eq!(done.code, 2, "{more:?}: {}", done.out);
        assert!(done.err.contains(why), "{more:?}: {}", done.err);
        assert!(!at.join("x").exists());
    }
    // Before anything is drawn.
    for (path, code, why) in [
        ("-", 2, "--record - names no file"),
        ("none/x", 70, "cannot write none"),
    ] {
        let done = hunt(at, &["--record", path]);
        assert_eq!((done.code, &done.out[..]), (code, ""), "{path}");
        assert!(done.err.contains(why), "{path}: {}", done.err);
    }
    // More parts than cases: some have none, and all together are the hunt.
    let few = |more: &[&str]| {
        let done = ptodiff(
            at,
            &[&["hunt", "--count", "2", "--known", "none"], more].concat(),
        );
        assert_eq!(done.code, 0, "{more:?}: {}", done.err);
    };
    few(&["--record", "whole.jsonl"]);
    for n in ["1", "2", "3"] {
        few(&[
            "--partition",
            &format!("{n}/3"),
            "--record",
            &format!("part-{n}.jsonl"),
        ]);
    }
    let done = merge(at, &["part-1.jsonl", "part-2.jsonl", "part-3.jsonl"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(read(at, "merged.jsonl") == read(at, "whole.jsonl"));
}
