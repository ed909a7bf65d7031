//! What is proposed, and that it does what it says.

use std::{collections::BTreeMap, path::Path};

use crate::common::{GUARD, TORN, agreeing, case, entry, header, today, violating, waivers};
use proptest::prelude::*;
use ptodiff_gate::{Baseline, Blessing, CannotBless, Kind, Run, Waivers, bless, judge, waiver};
use ptodiff_record::{CaseRecord, Partition};
use serde_json::json;

const PATH: &str = "reports/baseline.json";

fn run(header: &ptodiff_record::Header, cases: &[CaseRecord]) -> Run {
    Run::of(header, cases, &[])
}

fn proposed(present: Option<&str>, waivers: &Waivers, cases: &[CaseRecord]) -> Blessing {
    let header = header();
    bless(
        &run(&header, cases),
        Path::new(PATH),
        present,
        waivers,
        today(),
    )
    .expect("it passes")
}

/// Applies a unified diff to files by name, as `patch -p1` does.
fn apply(files: &mut BTreeMap<String, String>, diff: &str) {
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        assert!(line.starts_with("--- "), "{line}");
        let name = lines
            .next()
            .expect("a second name")
            .strip_prefix("+++ b/")
            .expect("b/");
        let old = files.remove(name).unwrap_or_default();
        let mut old = old.lines();
        let mut new: Vec<&str> = Vec::new();
        let mut at = 1;
        while let Some(hunk) = lines.next_if(|line| line.starts_with("@@ ")) {
            let from = hunk.strip_prefix("@@ -").expect("a hunk");
            let digits = from
                .split(|c: char| !c.is_ascii_digit())
                .next()
                .expect("digits");
            let from: usize = digits.parse().expect("a number");
            while at < from {
                new.push(old.next().expect("a line before the hunk"));
                at += 1;
            }
            while let Some(line) =
                lines.next_if(|l| !l.starts_with("@@ ") && !l.starts_with("--- "))
            {
                let (sign, text) = line.split_at(1);
                if sign != "+" {
                    assert_eq!(old.next(), Some(text), "the context is another");
                    at += 1;
                }
                if sign != "-" {
                    new.push(text);
                }
            }
        }
        new.extend(old);
        files.insert(
            name.to_owned(),
            new.iter().map(|line| format!("{line}\n")).collect(),
        );
    }
}

fn passes(files: &BTreeMap<String, String>, cases: &[CaseRecord]) -> Vec<Kind> {
    let baseline = Baseline::read(&files[PATH]).expect("a baseline");
    let waivers = files
        .get("reports/waivers.yaml")
        .map_or("waivers: []", String::as_str);
    let waivers = waiver::load_str("reports/waivers.yaml", waivers).expect("waivers");
    let header = header();
    crate::common::kinds(&judge(&baseline, &waivers, &run(&header, cases), today()))
}

#[test]
fn a_first_baseline_is_a_new_file() {
    let cases = [agreeing("x"), agreeing("y")];
    let blessing = proposed(None, &waivers(&[]), &cases);
    let diff = blessing.diff();
    assert!(
        diff.starts_with("--- /dev/null\n+++ b/reports/baseline.json\n@@ -0,0 +1,"),
        "{diff}"
    );
    assert!(!diff.contains('\u{1b}'));
    let mut files = BTreeMap::new();
    apply(&mut files, &diff);
    assert_eq!(files[PATH], crate::common::baseline(&cases).text());
    assert_eq!(passes(&files, &cases), []);
}

#[test]
fn the_diff_applied_opens_the_gate() {
    let hole = json!({"holes": ["legal-out-of-bounds a5 MSCATTER-OOB-02 out-of-bounds-read"]});
    let mut before: Vec<CaseRecord> = (0..30).map(|n| agreeing(&format!("case{n:02}"))).collect();
    before.push(case("hole", hole));
    let mut now = before.clone();
    now.remove(4);
    now[20] = case(
        "case21",
        json!({"targets": {"a5": {"verdict": "rejected"}}}),
    );
    now.insert(10, violating("case09b", "a5", &[TORN]));
    now.retain(|case| case.id != "hole");
    let waivers = waivers(&[
        entry(GUARD, "a5", ""),
        entry(TORN, "a5", "    cases: [case09b]\n"),
    ]);
    let present = crate::common::baseline(&before).text();
    let mut files = BTreeMap::from([
        (PATH.to_owned(), present.clone()),
        ("reports/waivers.yaml".to_owned(), waivers.file.text.clone()),
    ]);
    let expected = [
        Kind::CaseGone,
        Kind::CaseGone,
        Kind::CaseNotRun,
        Kind::HoleGone,
        Kind::WaiverUnused,
    ];
    assert_eq!(passes(&files, &now), expected);
    let blessing = proposed(Some(&present), &waivers, &now);
    assert_eq!(blessing.remaining, []);
    let diff = blessing.diff();
    for line in [
        "--- a/reports/baseline.json",
        "+++ b/reports/waivers.yaml",
        "-    \"case04\": [\"cpu\",\"a2a3\",\"a5\",\"cpu/a2a3\",\"cpu/a5\",\"a2a3/a5\"],",
        "-  - failure-group: MSCATTER a5 guard MSCATTER-GAP-61",
    ] {
        assert!(diff.lines().any(|l| l == line), "{line} is not in\n{diff}");
    }
    apply(&mut files, &diff);
    assert_eq!(passes(&files, &now), []);
    // And then there is nothing more to propose.
    let again = waiver::load_str("reports/waivers.yaml", &files["reports/waivers.yaml"]).unwrap();
    let again = proposed(Some(&files[PATH]), &again, &now);
    assert_eq!((again.diff(), again.changes), (String::new(), vec![]));
}

#[test]
fn a_violation_is_never_blessed() {
    let header = header();
    let cases = [violating("x", "a5", &[TORN])];
    let why = |waivers: &Waivers, day: &str| {
        let today = day.parse().unwrap();
        bless(&run(&header, &cases), Path::new(PATH), None, waivers, today)
    };
    let rejected = |waivers: &Waivers, day: &str| match why(waivers, day) {
        Err(CannotBless::Violations { violations, .. }) => violations.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(rejected(&waivers(&[]), "2026-11-22"), 1);
    let waived = waivers(&[entry(TORN, "a5", "    cases: [x]\n")]);
    assert!(why(&waived, "2026-12-31").is_ok());
    assert_eq!(rejected(&waived, "2027-01-01"), 1);
}

#[test]
fn a_part_of_a_run_is_never_blessed() {
    let mut header = header();
    header.part = Some(Partition::new(1, 2).unwrap().of(["x"]));
    let blessed = bless(
        &run(&header, &[]),
        Path::new(PATH),
        None,
        &waivers(&[]),
        today(),
    );
    let Err(CannotBless::OtherRun(why)) = blessed else {
        panic!("{blessed:?}")
    };
    assert!(why.contains("ptodiff merge"), "{why}");
}

#[test]
fn what_only_people_can_fix_remains() {
    let cases = [violating("x", "a5", &[TORN])];
    let broad = waivers(&[entry(TORN, "a5", ""), entry(GUARD, "a5", "")]);
    let blessing = proposed(
        Some(&crate::common::baseline(&cases).text()),
        &broad,
        &cases,
    );
    let kinds: Vec<Kind> = blessing.remaining.iter().map(|f| f.kind).collect();
    assert_eq!(kinds, [Kind::WaiverBroad]);
    // A flow list has no lines to take out.
    let flow = "waivers: [{failure-group: MSCATTER a5 fault -, pair: a5, cause: a, reference: b, \
                owner: c, expires: 2027-01-01}]\n";
    let flow = waiver::load_str("reports/waivers.yaml", flow).unwrap();
    let blessing = proposed(Some(&crate::common::baseline(&[]).text()), &flow, &[]);
    assert_eq!(blessing.changes, []);
    let kinds: Vec<Kind> = blessing.remaining.iter().map(|f| f.kind).collect();
    assert_eq!(kinds, [Kind::WaiverUnused]);
}

#[test]
fn the_rest_of_the_file_stays_as_it_was_written() {
    let block = |failure_group: &str| {
        entry(failure_group, "a5", "")
            .replace("cause: a", "cause: |\n      # no comment\n\n      text")
    };
    let text = format!(
        "# About all.\nwaivers:  # key\n  # About the first.\n{}\n  # A thought.\n\n  # About the second.\n{}\n{}\n# The end.\n",
        block("MSCATTER a5 fault 1"),
        block(TORN),
        block("MSCATTER a5 fault 2"),
    );
    let waivers = waiver::load_str("reports/waivers.yaml", &text).unwrap();
    let cases = [violating("x", "a5", &[TORN]), violating("y", "a5", &[TORN])];
    let blessing = proposed(
        Some(&crate::common::baseline(&cases).text()),
        &waivers,
        &cases,
    );
    let [change] = &blessing.changes[..] else {
        panic!("{:?}", blessing.changes)
    };
    let expected = format!(
        "# About all.\nwaivers:  # key\n  # A thought.\n\n  # About the second.\n{}\n# The end.\n",
        block(TORN)
    );
    assert_eq!(change.after, expected);
    let none = proposed(Some(&crate::common::baseline(&[]).text()), &waivers, &[]);
    assert!(
        none.changes[0].after.contains("\nwaivers: []  # key\n"),
        "{}",
        none.changes[0].after
    );
    assert_eq!(none.remaining, []);
}

proptest! {
    #[test]
    fn exactly_the_unused_waivers_go(used in prop::collection::vec(any::<bool>(), 1..8)) {
        let failure_group = |n: usize| format!("MSCATTER a5 fault {n}");
        let entries: Vec<String> =
            (0..used.len()).map(|n| entry(&failure_group(n), "a5", "    cases: [x]\n")).collect();
        let failure_groups: Vec<String> =
            used.iter().enumerate().filter(|(_, used)| **used).map(|(n, _)| failure_group(n)).collect();
        let names: Vec<&str> = failure_groups.iter().map(String::as_str).collect();
        let one = if names.is_empty() { agreeing("x") } else { violating("x", "a5", &names) };
        let cases = [one];
        let blessing = proposed(Some(&crate::common::baseline(&cases).text()), &waivers(&entries), &cases);
        prop_assert_eq!(&blessing.remaining, &[]);
        prop_assert_eq!(blessing.changes.is_empty(), used.iter().all(|used| *used));
        for change in &blessing.changes {
            let left = waiver::load_str("w", &change.after).unwrap().list;
            let left: Vec<&str> = left.iter().map(|w| w.failure_group.as_str()).collect();
            prop_assert_eq!(&left, &names);
        }
    }
}
