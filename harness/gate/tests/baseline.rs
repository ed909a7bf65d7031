//! The file of the baseline, and what of a run no record says.

use ptodiff_gate::{Baseline, BaselineError, Kind, Run, judge};
use ptodiff_record::CaseRecord;
use serde_json::{Value, json};

use crate::{
    made::{case, header_with},
    pages::{TODAY, waivers},
};

/// A clause of A2/A3 and A5, and a gap.
const CLAUSE: &str = "MSCATTER-SEM-01";
const GAP: &str = "MSCATTER-GAP-05";
const HOLE: &str = "legal-out-of-bounds a5 MSCATTER-OOB-02 out-of-bounds-read";

/// What a run shows of cases that agree and of which this is said.
fn baseline(cases: &[Value]) -> Baseline {
    run(cases, &[]).shown().clone()
}

fn run(cases: &[Value], tests: &[&str]) -> Run {
    let cases: Vec<CaseRecord> = cases.iter().cloned().map(case).collect();
    Run::of(&header_with(json!({})), &cases, tests)
}

#[test]
fn a_test_is_a_case_that_covers_it_on_every_target_that_its_clause_speaks_of() {
    let alone = [json!({"is": "three agreeing", "id": "w"})];
    let before = run(&alone, &[CLAUSE]).shown().clone();
    let lost = |run: Run| {
        let judged = judge(
            &before,
            &waivers("waivers: []\n"),
            &run,
            TODAY.parse().expect("a day"),
        );
        judged
            .failures
            .iter()
            .map(|failure| failure.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(lost(run(&alone, &[CLAUSE])), []);
    assert_eq!(lost(run(&alone, &[])), [Kind::CoverageLost]);
    let covers = json!({"clauses": [CLAUSE], "targets": ["a2a3", "a5"]});
    let instead = [json!({"is": "three agreeing", "id": "w", "covers": covers})];
    assert_eq!(lost(run(&instead, &[])), []);
}

#[test]
fn a_baseline_reads_back_a_line_for_each_thing() {
    let weak = json!({"clauses": [CLAUSE], "targets": ["a5"], "under": {"scope": "other"}});
    let known = baseline(&[
        json!({"is": "three agreeing", "id": "w \"<b>\"\n\u{2028}", "covers": weak}),
        json!({"is": "three agreeing", "id": "h", "holes": [HOLE]}),
        json!({"is": "three agreeing", "id": "g", "covers": {"gap": GAP}}),
    ]);
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
    // An older file has no seed and no number of schedules, and stays so.
    let without = |key: &str| format!("  \"{key}\": ");
    let keys = ["seed", "schedules"].map(without);
    let lines = text.split_inclusive('\n');
    let older: String = lines
        .filter(|l| !keys.iter().any(|key| l.starts_with(key)))
        .collect();
    assert_ne!(older, text);
    assert_eq!(Baseline::read(&older).unwrap().text(), older);
}

#[test]
fn what_is_no_baseline_says_why() {
    let text = baseline(&[json!({"id": "s/one"})]).text();
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
    let covering = json!({
        "clauses": [CLAUSE], "targets": ["a2a3", "a5"], "gap": GAP, "answers": [],
    });
    let text = baseline(&[
        json!({"is": "three agreeing", "id": "s/one", "covers": covering}),
        json!({"is": "three agreeing", "id": "s/two", "holes": [HOLE]}),
    ])
    .text();
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
