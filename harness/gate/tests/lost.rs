//! What a run shows no longer fails the gate.

use std::slice;

use crate::common::{
    TORN, agreeing, baseline, case, changed, entry, failure, header, judged, kinds, today,
    violating, waivers,
};
use ptodiff_gate::{Baseline, BaselineError, Kind, Run, judge};
use ptodiff_record::{CaseRecord, Header, Partition};
use serde_json::json;

/// A clause of A2/A3 and A5, and a gap.
const CLAUSE: &str = "MSCATTER-SEM-01";
const GAP: &str = "MSCATTER-GAP-05";

fn two() -> Vec<CaseRecord> {
    vec![agreeing("s/one"), agreeing("s/two")]
}

#[test]
fn a_run_that_shows_what_it_showed_passes() {
    assert_eq!(changed(&two(), &two()), []);
    let mut backwards = two();
    backwards.reverse();
    assert_eq!(changed(&two(), &backwards), []);
}

#[test]
fn a_case_that_is_gone_is_a_failure() {
    let gone = failure(Kind::CaseGone, "s/two", "the case is not in the record");
    assert_eq!(changed(&two(), &two()[..1]), [gone]);
}

#[test]
fn a_case_without_a_result_that_it_had_is_a_failure() {
    let lost = [failure(
        Kind::CaseNotRun,
        "s/one",
        "no result any more on a5",
    )];
    for verdict in ["rejected", "undefined", "hangs"] {
        let now = case("s/one", json!({"targets": {"a5": {"verdict": verdict}}}));
        assert_eq!(changed(&two()[..1], &[now]), lost, "{verdict}");
    }
    // A target that the case does not select any more is gone from the record.
    let mut now = agreeing("s/one");
    now.targets.pop_last();
    assert_eq!(changed(&two()[..1], &[now])[0].2, lost[0].2);
    // What violates has run; that it violates is another failure.
    let wrong = violating("s/one", "a5", &[TORN]);
    assert_eq!(changed(&two()[..1], &[wrong])[0].0, Kind::Violation);
}

#[test]
fn a_pair_that_is_not_compared_any_more_is_a_failure() {
    let pairs = json!({"pairs": [
        {"targets": ["cpu", "a2a3"], "verdict": "permitted"},
        {"targets": ["cpu", "a5"], "verdict": "not-compared"},
        {"targets": ["a2a3", "a5"], "verdict": "not-compared"},
    ]});
    let what = "cpu/a5, a2a3/a5 are compared no longer";
    let lost = [failure(Kind::CaseNotRun, "s/one", what)];
    assert_eq!(changed(&two()[..1], &[case("s/one", pairs)]), lost);
}

#[test]
fn a_result_that_there_was_not_is_no_failure() {
    let before = case("s/one", json!({"targets": {"a5": {"verdict": "rejected"}}}));
    let judged = judged(&[before], &waivers(&[]), &two());
    assert_eq!(judged.failures, []);
    assert_eq!(judged.unlisted, ["s/two"]);
}

fn covers(id: &str, targets: &[&str], under: &[&str]) -> CaseRecord {
    let under: serde_json::Map<_, _> = under
        .iter()
        .map(|gap| ((*gap).to_owned(), json!("other")))
        .collect();
    case(
        id,
        json!({"covers": {"clauses": [CLAUSE], "targets": targets, "under": under}}),
    )
}

/// A case that covers nothing, and expects something of `targets`.
fn expecting(id: &str, targets: &[&str]) -> CaseRecord {
    case(id, json!({"covers": {"targets": targets}}))
}

#[test]
fn a_case_that_expects_less_is_a_failure() {
    let before = [expecting("e", &["cpu", "a2a3", "a5"]), agreeing("f")];
    let lost = |now: &[CaseRecord]| changed(&before, now);
    assert_eq!(lost(&before), []);
    let gone = |what: &str| vec![failure(Kind::ExpectationLost, "e", what)];
    assert_eq!(
        lost(&[expecting("e", &["a2a3"]), agreeing("f")]),
        gone("it expects nothing of cpu, a5 any more")
    );
    assert_eq!(
        lost(&[agreeing("e"), agreeing("f")]),
        gone("it expects nothing of cpu, a2a3, a5 any more")
    );
    // More is no failure, and that a case is gone is said once.
    assert_eq!(lost(&[before[0].clone(), expecting("f", &["a5"])]), []);
    let gone = failure(Kind::CaseGone, "e", "the case is not in the record");
    assert_eq!(lost(&before[1..]), [gone]);
}

#[test]
fn a_clause_that_is_covered_less_is_a_failure() {
    let before = [covers("w", &["a2a3", "a5"], &[])];
    // That the case expects less is a failure of its own.
    let lost = |now: CaseRecord| {
        let mut failures = changed(&before, &[now]);
        failures.retain(|(kind, ..)| *kind != Kind::ExpectationLost);
        match &failures[..] {
            [] => String::new(),
            [(Kind::CoverageLost, about, what)] => format!("{about}: {what}"),
            others => panic!("{others:?}"),
        }
    };
    let less = "MSCATTER-SEM-01: covered less than before: ";
    assert_eq!(lost(covers("w", &["a5", "a2a3"], &[])), "");
    assert_eq!(
        lost(covers("w", &["a5"], &[])),
        format!("{less}on a2a3 by nothing")
    );
    assert_eq!(
        lost(agreeing("w")),
        format!("{less}on a2a3 by nothing, on a5 by nothing")
    );
    let reading = "only under a reading that is not the default";
    let weaker = lost(covers("w", &["a2a3", "a5"], &["scope"]));
    assert_eq!(weaker, format!("{less}on a2a3 {reading}, on a5 {reading}"));
}

#[test]
fn what_is_covered_more_or_elsewhere_is_no_failure() {
    let weak = [covers("w", &["a5"], &["scope"]), agreeing("x")];
    let moved = [expecting("w", &["a5"]), covers("x", &["a2a3", "a5"], &[])];
    assert_eq!(changed(&weak, &moved), []);
    // Both together are as strong as the stronger, whichever comes first.
    let both = [covers("w", &["a5"], &["scope"]), covers("x", &["a5"], &[])];
    let alone = [agreeing("w"), covers("x", &["a5"], &[])];
    assert_eq!(changed(&alone, &both), []);
    let backwards = [both[1].clone(), both[0].clone()];
    assert_eq!(changed(&alone, &backwards), []);
    // The clause does not speak of cpu: nothing is covered there.
    let too_many = [covers("w", &["cpu", "a5"], &[])];
    let what = "it expects nothing of cpu any more";
    let lost = [failure(Kind::ExpectationLost, "w", what)];
    assert_eq!(changed(&too_many, &[covers("w", &["a5"], &[])]), lost);
}

#[test]
fn a_test_is_a_case_that_covers_it_on_every_target_that_its_clause_speaks_of() {
    let run = |cases: &[CaseRecord], tests: &[&str]| Run::of(&header(), cases, tests);
    let cases = [agreeing("w")];
    let before = run(&cases, &[CLAUSE]).shown().clone();
    let judge = |run: Run| judge(&before, &waivers(&[]), &run, today());
    assert_eq!(kinds(&judge(run(&cases, &[CLAUSE]))), []);
    assert_eq!(kinds(&judge(run(&cases, &[]))), [Kind::CoverageLost]);
    let case_instead = [covers("w", &["a2a3", "a5"], &[])];
    assert_eq!(kinds(&judge(run(&case_instead, &[]))), []);
}

#[test]
fn a_gap_whose_readings_are_distinguished_less_is_a_failure() {
    let told = |second: Option<&str>| {
        let answers = json!([
            {"letter": "a", "verdict": "agree", "expects": {}},
            {"letter": "b", "verdict": second, "expects": {}},
        ]);
        case("g", json!({"covers": {"gap": GAP, "answers": answers}}))
    };
    let run = told(Some("agree"));
    let stated = told(None);
    let (stated_alone, run) = ([stated.clone()], [run]);
    assert_eq!(changed(&stated_alone, &run), []);
    let less = |now| changed(&run, &[now])[0].2.clone();
    assert_eq!(
        less(stated),
        "distinguished as stated, and by running before"
    );
    assert_eq!(
        less(agreeing("g")),
        "its readings are distinguished no longer"
    );
}

#[test]
fn a_hole_that_no_case_shows_is_a_failure() {
    let hole = "unchecked-precondition a5 MSCATTER-TILE-05 out-of-bounds-write";
    let before = [case("h", json!({"holes": [hole]})), agreeing("i")];
    let what = "the hole is known, and no case shows it any more";
    let gone = [failure(Kind::HoleGone, &format!("MSCATTER {hole}"), what)];
    assert_eq!(changed(&before, &[agreeing("h"), agreeing("i")]), gone);
    // Another case may show it instead, but one of another instruction shows another hole.
    let moved = case("i", json!({"holes": [hole]}));
    assert_eq!(changed(&before, &[agreeing("h"), moved]), []);
    let other = case("i", json!({"holes": [hole], "instruction": "MGATHER"}));
    assert_eq!(changed(&before, &[agreeing("h"), other]).len(), 1);
    // With its case a hole goes too, and both are said.
    let both = judged(&before, &waivers(&[]), &[agreeing("i")]);
    assert_eq!(kinds(&both), [Kind::CaseGone, Kind::HoleGone]);
}

#[test]
fn a_record_of_another_run_is_held_against_nothing() {
    let why = |change: &dyn Fn(&mut Header)| {
        let mut header = header();
        change(&mut header);
        let run = Run::of(&header, &[], &[]);
        let judged = judge(&baseline(&two()), &waivers(&[]), &run, today());
        assert_eq!(kinds(&judged), [Kind::OtherRun]);
        judged.failures[0].to_string()
    };
    let part = Partition::new(2, 3).unwrap();
    let why_part = why(&|h| h.part = Some(part.of(["s/one", "s/two"])));
    assert!(
        why_part.contains("the part hash:2/3 of a run of 2 cases"),
        "{why_part}"
    );
    assert!(why_part.contains("ptodiff merge"), "{why_part}");
    let targets = why(&|h| h.targets.truncate(1));
    assert!(
        targets.contains("on cpu, and the baseline of one on cpu a2a3 a5"),
        "{targets}"
    );
    let readings = why(&|h| h.readings = vec![("scope".into(), "as-the-suite".into())]);
    assert!(
        readings.contains("under scope=as-the-suite, and"),
        "{readings}"
    );
}

#[test]
fn a_baseline_reads_back_a_line_for_each_thing() {
    let mut cases = vec![covers("w \"<b>\"\n\u{2028}", &["a5"], &["scope"])];
    cases.push(case(
        "h",
        json!({"holes": ["legal-out-of-bounds a5 MSCATTER-OOB-02 out-of-bounds-read"]}),
    ));
    cases.push(case("g", json!({"covers": {"gap": GAP}})));
    let known = baseline(&cases);
    let text = known.text();
    assert_eq!(Baseline::read(&text).unwrap(), known);
    for line in [
        r#"    "MSCATTER-SEM-01": {"a5":"under-reading"}"#,
        r#"    "MSCATTER-GAP-05": "as-stated""#,
        r#"    "MSCATTER legal-out-of-bounds a5 MSCATTER-OOB-02 out-of-bounds-read""#,
        r#"    "g": ["cpu","a2a3","a5","cpu/a2a3","cpu/a5","a2a3/a5"],"#,
    ] {
        let count = text.lines().filter(|l| *l == line).count();
        assert_eq!(count, 1, "{line}\n{text}");
    }
    let nothing = baseline(&[]);
    assert_eq!(Baseline::read(&nothing.text()).unwrap(), nothing);
}

#[test]
fn what_is_no_baseline_says_why() {
    let text = baseline(&two()).text();
    let newer = text.replace("\"ptodiff_baseline\": 3", "\"ptodiff_baseline\": 7");
    let newer = newer.replace("\"gaps\"", "\"moons\"");
    assert!(matches!(
        Baseline::read(&newer),
        Err(BaselineError::Newer(7))
    ));
    assert!(matches!(Baseline::read("{}"), Err(BaselineError::Other)));
    assert!(matches!(Baseline::read("[1]"), Err(BaselineError::Other)));
    let damaged = |text: &str| matches!(Baseline::read(text), Err(BaselineError::Damaged(_)));
    assert!(damaged(""));
    assert!(damaged(&text[..text.len() / 2]));
    assert!(damaged(&text.replace("\"gaps\"", "\"moons\"")));
}

/// What is there twice would be read as one of the two, and what does not exist
/// would never fail.
#[test]
fn a_baseline_is_held_to_every_word() {
    let covering = json!({"covers": {
        "clauses": [CLAUSE], "targets": ["a2a3", "a5"], "gap": GAP, "answers": [],
    }});
    let hole = json!({"holes": ["legal-out-of-bounds a5 MSCATTER-OOB-02 out-of-bounds-read"]});
    let text = baseline(&[case("s/one", covering), case("s/two", hole)]).text();
    Baseline::read(&text).unwrap();
    let with = |place: &str, more: &str| {
        let bad = text.replacen(place, &format!("{place}{more}"), 1);
        assert_ne!(bad, text, "{place}");
        Baseline::read(&bad).unwrap_err().to_string()
    };
    let line = |part: &str| 1 + text[..text.find(part).unwrap()].matches('\n').count();
    let (targets, readings) = (r#""targets": ["#, r#""readings": ["#);
    let (clause, gaps) = (r#""MSCATTER-SEM-01": {"#, r#""gaps": {"#);
    let (one, holes) = (r#""s/one": ["#, r#""holes": ["#);
    for (place, more, what) in [
        ("{", r#""moon": 1,"#, "unknown field `moon`"),
        (targets, r#""cpu","#, "`cpu` is there twice"),
        (targets, r#"], "targets": ["#, "duplicate field `targets`"),
        (targets, r#""a9","#, "unknown variant `a9`"),
        (readings, r#"["moon", "full"]"#, "no reading `moon`"),
        (readings, r#"["row-pitch", "full"]"#, "no choice `full`"),
        (clause, r#"}, "X-99": {"#, "there is no clause `X-99`"),
        (
            clause,
            r#"}, "MSCATTER-GAP-05": {"#,
            "there is no clause `MSCATTER-GAP-05`",
        ),
        (clause, r#""cpu": "by-default","#, "does not speak of cpu"),
        (clause, r#""a9": "by-default","#, "no target `a9`"),
        (clause, r#""a5": "by-default","#, "`a5` is there twice"),
        (gaps, r#""X-99": "as-stated","#, "there is no gap `X-99`"),
        (
            gaps,
            r#""MSCATTER-SEM-01": "as-stated","#,
            "there is no gap",
        ),
        (one, r#"], "s/one": ["#, "`s/one` is there twice"),
        (one, r#""cpu","#, "`cpu` is there twice"),
        (one, r#""a9","#, "`a9` is no party and no pair of two"),
        (one, r#""cpu/moon","#, "`cpu/moon` is no party"),
        (holes, r#""x", "x","#, "`x` is there twice"),
    ] {
        let why = with(place, more);
        assert!(why.contains(what), "`{what}`: {why}");
        // The place is where the mistake was read, there or in what was put in.
        let (_, told) = why.rsplit_once(" at line ").expect(&why);
        assert!(told.contains("column"), "{why}");
        let told: usize = told.split(' ').next().unwrap().parse().unwrap();
        let expected = line(place);
        assert!(
            (expected..expected + 2).contains(&told),
            "line {expected}: {why}"
        );
    }
    let other = text.replacen(one, r#""s/three": ["#, 1);
    let other = Baseline::read(&other).unwrap_err().to_string();
    assert!(other.contains("`expects` has the case `s/one`"), "{other}");
}

#[test]
fn what_only_a_failing_case_covers_comes_of_its_failure() {
    let covers = json!({"clauses": [CLAUSE], "targets": ["a5"]});
    let good = case("s/one", json!({"covers": covers}));
    let mut red = violating("s/one", "a5", &[TORN]);
    red.covers = good.covers.clone();
    let judged = |now: &[CaseRecord]| judged(std::slice::from_ref(&good), &waivers(&[]), now);
    let failing = judged(slice::from_ref(&red));
    assert_eq!(kinds(&failing), [Kind::Violation]);
    let follow: Vec<_> = failing
        .follow
        .iter()
        .map(|f| (f.kind, f.about.as_str()))
        .collect();
    assert_eq!(follow, [(Kind::CoverageLost, CLAUSE)]);
    // A waiver hides it with the violation.
    let entry = entry(TORN, "a5", "    cases: [s/one]\n");
    let waived = crate::common::judged(
        slice::from_ref(&good),
        &crate::common::waivers(&[entry]),
        &[red],
    );
    assert_eq!(
        (kinds(&waived), waived.follow),
        (vec![], failing.follow.clone())
    );
    // Where no case fails, it is a failure of its own.
    let less = judged(&[agreeing("s/one")]);
    assert!(kinds(&less).contains(&Kind::CoverageLost) && less.follow.is_empty());
}
