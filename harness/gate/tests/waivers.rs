//! What waivers hide, and which of them fail the gate.

use crate::common::{
    GUARD, TORN, agreeing, baseline, case, entry, header, kinds, today, violating, waivers,
};
use ptodiff_gate::{Date, Judged, Kind, Run, Waivers, judge};
use ptodiff_record::CaseRecord;
use serde_json::json;
use strum::VariantArray;

/// `cases`, all of them known, with `waivers`.
fn with(waivers: &Waivers, cases: &[CaseRecord], today: Date) -> Judged {
    let run = Run::of(&header(), cases, &[]);
    judge(&baseline(cases), waivers, &run, today)
}

fn on(entries: &[String], cases: &[CaseRecord]) -> Judged {
    with(&waivers(entries), cases, today())
}

#[test]
fn a_violation_that_nothing_waives_is_a_failure_a_failure_group() {
    let cases = [
        violating("x", "a5", &[TORN, GUARD]),
        violating("y", "a5", &[TORN]),
        agreeing("z"),
    ];
    let judged = on(&[], &cases);
    assert_eq!(kinds(&judged), [Kind::Violation, Kind::Violation]);
    let [guard, torn] = &judged.failures[..] else {
        panic!()
    };
    assert_eq!((guard.about.as_str(), torn.about.as_str()), (GUARD, TORN));
    let what = "2 cases of a5, first x (cases/a.yaml:3): a slot holds what no permit allows";
    assert_eq!(torn.what, what);
    assert!(
        torn.remedy
            .ends_with("ptodiff run cases/a.yaml --filter '=x' --seed 0"),
        "{}",
        torn.remedy
    );
    // Data that was read is read again.
    let mut header = header();
    header.st_data = serde_json::from_value(json!({
        "folder": "-it's", "suite": "cpu", "held_to": "a5",
    }))
    .expect("a folder");
    let run = Run::of(&header, &cases, &[]);
    let read = judge(&baseline(&cases), &waivers(&[]), &run, today());
    let again =
        r"ptodiff st check ./'-it'\''s' --suite cpu --as a5 --cases cases/a.yaml --filter '=x'";
    assert!(
        read.failures[1].remedy.ends_with(again),
        "{}",
        read.failures[1].remedy
    );
}

#[test]
fn a_difference_with_no_clause_is_a_violation_of_its_pair() {
    let failure_group = "MSCATTER cpu/a5 contradiction valid MSCATTER-SEM-02";
    let pairs = json!({"verdict": "violation", "pairs": [
        {"targets": ["cpu", "a5"], "verdict": "violation", "failure_groups": [failure_group],
         "why": "no clause lets them differ"},
        {"targets": ["cpu", "a2a3"], "verdict": "permitted", "failure_groups": ["MSCATTER p"]},
    ]});
    let cases = [case("x", pairs)];
    let judged = on(&[], &cases);
    assert_eq!(kinds(&judged), [Kind::Violation]);
    assert!(
        judged.failures[0].what.contains("1 case of cpu/a5"),
        "{:?}",
        judged.failures
    );
    let hidden = on(
        &[entry(failure_group, "cpu/a5", "    cases: [x]\n")],
        &cases,
    );
    assert_eq!(hidden.failures, []);
}

#[test]
fn a_violation_without_a_failure_group_cannot_be_waived() {
    let cases = [case("x", json!({"verdict": "violation"}))];
    let judged = on(&[], &cases);
    assert_eq!(kinds(&judged), [Kind::Violation]);
    assert_eq!(judged.failures[0].about, "x");
}

#[test]
fn a_waiver_hides_its_own_failure_group_and_nothing_else() {
    let cases = [
        violating("x", "a5", &[TORN, GUARD]),
        violating("y", "a5", &[TORN]),
    ];
    let judged = on(&[entry(TORN, "a5", "    cases: [x, y]\n")], &cases);
    assert_eq!(kinds(&judged), [Kind::Violation]);
    assert_eq!(judged.failures[0].about, GUARD);
    assert_eq!((judged.waived[0].waiver, judged.waived[0].cases), (0, 2));
    // Without a list it is for every case that shows it, and for nothing else either.
    let judged = on(&[entry(TORN, "a5", "")], &cases);
    assert_eq!(kinds(&judged), [Kind::Violation]);
    assert_eq!(judged.failures[0].about, GUARD);
    // A failure group that begins with it is another one.
    let longer = format!("{TORN}+MSCATTER-SEM-03");
    let judged = on(
        &[entry(TORN, "a5", "")],
        &[violating("x", "a5", &[longer.as_str()])],
    );
    assert_eq!(kinds(&judged), [Kind::Violation, Kind::WaiverUnused]);
}

#[test]
fn a_waiver_hides_nothing_of_another_case() {
    let cases = [violating("x", "a5", &[TORN]), violating("y", "a5", &[TORN])];
    let judged = on(&[entry(TORN, "a5", "    cases: [x]\n")], &cases);
    assert_eq!(kinds(&judged), [Kind::Violation]);
    assert!(
        judged.failures[0]
            .what
            .starts_with("1 case of a5, first y ")
    );
    assert_eq!(judged.waived[0].cases, 1);
}

#[test]
fn a_waiver_hides_nothing_of_another_pair() {
    let failure_group = "MSCATTER coverage a gap that is not distinguished";
    let mut both = violating("x", "cpu", &[failure_group]);
    both.targets.extend(
        violating("x", "a5", &[failure_group])
            .targets
            .into_iter()
            .skip(2),
    );
    let cases = [both];
    let judged = on(&[entry(failure_group, "cpu", "    cases: [x]\n")], &cases);
    assert_eq!(kinds(&judged), [Kind::Violation]);
    assert!(judged.failures[0].what.starts_with("1 case of a5"));
    let any = entry(failure_group, "*", "    cases: [x]\n");
    assert_eq!(on(&[any], &cases).failures, []);
}

#[test]
fn a_case_that_shows_a_failure_group_twice_is_one_case() {
    let twice = [violating("x", "a5", &[TORN, TORN])];
    let judged = on(&[], &twice);
    assert_eq!(kinds(&judged), [Kind::Violation]);
    assert!(judged.failures[0].what.starts_with("1 case of a5"));
    let (_, remedy) = broad(entry(TORN, "a5", ""), &twice);
    assert_eq!(remedy, "write `cases: [x]`");
}

#[test]
fn the_entry_that_is_proposed_hides_the_violation_once_people_say_the_rest() {
    let odd = "MSCATTER a5:mine crash - ended with code #: it's \"lane\" #";
    let cases = [
        violating("x", "a5", &[TORN, GUARD]),
        violating("y", "a5", &[TORN]),
        violating("it's [z]", "a5:mine", &[odd]),
    ];
    let judged = on(&[], &cases);
    assert_eq!(judged.failures.len(), 3);
    let day = |entry: &String| entry.replace("YYYY-MM-DD", "2026-12-31");
    let filled: Vec<String> = judged.entries.iter().map(day).collect();
    assert_eq!(on(&filled, &cases).failures, []);
    let alone = on(&filled[..1], &cases);
    assert_eq!(alone.entries, judged.entries[1..]);
}

#[test]
fn a_waiver_holds_on_its_last_day_and_not_after_it() {
    let cases = [violating("x", "a5", &[TORN])];
    let waivers = waivers(&[entry(TORN, "a5", "    cases: [x]\n")]);
    let on = |day: &str| with(&waivers, &cases, day.parse().unwrap());
    assert_eq!(on("2026-12-31").failures, []);
    assert_eq!(on("2026-12-31").waived.len(), 1);
    let late = on("2027-01-01");
    assert_eq!(kinds(&late), [Kind::Violation, Kind::WaiverExpired]);
    assert_eq!(late.waived, []);
    let [violation, expired] = &late.failures[..] else {
        panic!()
    };
    assert!(
        violation
            .what
            .ends_with("; the waiver on line 2 held until 2026-12-31")
    );
    assert_eq!(expired.about, "reports/waivers.yaml:2");
    assert!(
        expired
            .what
            .contains("held until 2026-12-31, and 1 case still show"),
        "{}",
        expired.what
    );
    assert!(expired.remedy.contains("the team"), "{}", expired.remedy);
}

#[test]
fn a_waiver_that_hides_nothing_is_a_failure() {
    let cases = [violating("x", "a5", &[TORN])];
    let torn = entry(TORN, "a5", "    cases: [x]\n");
    let what = |more: &str| {
        let judged = on(&[torn.clone(), entry(GUARD, "a5", more)], &cases);
        assert_eq!(kinds(&judged), [Kind::WaiverUnused]);
        assert_eq!(judged.unused, [1]);
        assert_eq!(judged.failures[0].about, "reports/waivers.yaml:9");
        judged.failures[0].what.clone()
    };
    assert!(what("").ends_with("hides nothing: no case shows it on a5"));
    assert!(what("    cases: [x]\n").ends_with("hides nothing: x does not show it"));
    assert!(what("    cases: [x, y]\n").ends_with("none of its 2 cases shows it"));
    // What is fixed needs no waiver any more.
    assert_eq!(kinds(&on(&[torn], &[agreeing("x")])), [Kind::WaiverUnused]);
}

#[test]
fn a_waiver_that_nothing_needs_after_its_day_is_unused() {
    let waivers = waivers(&[entry(TORN, "a5", "")]);
    let judged = with(&waivers, &[agreeing("x")], "2027-01-01".parse().unwrap());
    assert_eq!(kinds(&judged), [Kind::WaiverUnused]);
    assert!(judged.failures[0].what.ends_with("and is past its day"));
}

/// The failure of the one waiver, which hides something but is too wide.
fn broad(entry: String, cases: &[CaseRecord]) -> (String, String) {
    let judged = on(&[entry], cases);
    assert_eq!(kinds(&judged), [Kind::WaiverBroad]);
    assert_eq!(judged.waived.len(), 1, "it still hides what it is for");
    (
        judged.failures[0].what.clone(),
        judged.failures[0].remedy.clone(),
    )
}

#[test]
fn a_waiver_that_lists_cases_that_show_nothing_is_too_wide() {
    let cases = [
        violating("x", "a5", &[TORN]),
        violating("y", "a5", &[GUARD]),
        agreeing("z"),
    ];
    let guard = entry(GUARD, "a5", "    cases: [y]\n");
    let judged = on(
        &[entry(TORN, "a5", "    cases: [x, y, z, gone]\n"), guard],
        &cases,
    );
    assert_eq!(kinds(&judged), [Kind::WaiverBroad]);
    assert!(
        judged.failures[0]
            .what
            .ends_with("lists 3 cases that do not show it: y, z, gone")
    );
    let one = on(&[entry(TORN, "a5", "    cases: [x, z]\n")], &cases);
    let broad = one.failures.iter().find(|f| f.kind == Kind::WaiverBroad);
    let what = &broad.expect("a failure").what;
    assert!(
        what.ends_with("lists 1 case that does not show it: z"),
        "{what}"
    );
}

#[test]
fn a_waiver_for_every_case_is_too_wide_for_one() {
    let one = [violating("s/x", "a5", &[TORN]), agreeing("y")];
    let (what, remedy) = broad(entry(TORN, "a5", ""), &one);
    assert!(
        what.ends_with("is for every case, and a single one shows it"),
        "{what}"
    );
    assert_eq!(remedy, "write `cases: [s/x]`");
    let (_, remedy) = broad(
        entry(TORN, "a5", ""),
        &[violating("a, b: \"c\"", "a5", &[TORN])],
    );
    assert_eq!(remedy, r#"write `cases: ["a, b: \"c\""]`"#);
    let two = [violating("x", "a5", &[TORN]), violating("y", "a5", &[TORN])];
    assert_eq!(on(&[entry(TORN, "a5", "")], &two).failures, []);
}

#[test]
fn a_waiver_for_any_pair_is_too_wide_for_one() {
    let cases = [violating("x", "a5", &[TORN]), violating("y", "a5", &[TORN])];
    let (what, remedy) = broad(entry(TORN, "*", ""), &cases);
    assert!(
        what.ends_with("is for any pair, and all that it hides is of a5"),
        "{what}"
    );
    assert_eq!(remedy, "write `pair: a5`");
}

/// One record in which everything goes wrong: the order is that of the kinds.
#[test]
fn failures_come_in_the_order_of_their_kinds() {
    let hole = json!({"holes": ["legal-out-of-bounds a5 MSCATTER-OOB-02 out-of-bounds-read"]});
    let covers = json!({"covers": {"clauses": ["MSCATTER-SEM-01"], "targets": ["a5"]}});
    let before = [
        agreeing("gone"),
        case("h", hole),
        case("w", covers),
        agreeing("n"),
    ];
    let now = [
        violating("v", "a5", &[GUARD]),
        violating("late", "a5", &[TORN]),
        violating("b", "cpu", &["MSCATTER cpu fault -"]),
        agreeing("h"),
        agreeing("w"),
        case("n", json!({"targets": {"a5": {"verdict": "hangs"}}})),
    ];
    let late = entry(TORN, "a5", "    cases: [late]\n").replace("2026", "2025");
    // In the file they stand in another order.
    let waivers = waivers(&[
        entry("MSCATTER cpu fault -", "*", ""),
        late,
        entry("MGATHER a5 fault -", "a5", ""),
    ]);
    let judged = crate::common::judged(&before, &waivers, &now);
    let expected = [
        Kind::Violation,
        Kind::Violation,
        Kind::CaseGone,
        Kind::CaseNotRun,
        Kind::ExpectationLost,
        Kind::CoverageLost,
        Kind::HoleGone,
        Kind::WaiverUnused,
        Kind::WaiverExpired,
        Kind::WaiverBroad,
        Kind::WaiverBroad,
    ];
    assert_eq!(kinds(&judged), expected);
    let other_run = |kind: &&Kind| **kind != Kind::OtherRun;
    assert!(
        Kind::VARIANTS
            .iter()
            .filter(other_run)
            .all(|kind| expected.contains(kind))
    );
    assert_eq!(judged.unlisted, ["b", "late", "v"]);
    for failure in &judged.failures {
        let lines = [&failure.about, &failure.what, &failure.remedy];
        assert!(
            lines.iter().all(|l| !l.is_empty() && !l.contains('\n')),
            "{failure:?}"
        );
    }
    assert_eq!(crate::common::judged(&before, &waivers, &now), judged);
}

#[test]
fn no_control_character_of_a_name_is_printed() {
    let judged = on(
        &[],
        &[violating("\u{1b}[31m\nx", "a5", &["MSCATTER a5 \u{7} -"])],
    );
    let shown = judged.failures[0].to_string();
    assert_eq!(shown.lines().count(), 3, "{shown:?}");
    assert!(
        !shown.contains(|c: char| c.is_control() && c != '\n'),
        "{shown:?}"
    );
}
