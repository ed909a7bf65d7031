//! Implementations at the gate: columns that a baseline may know.

use crate::common::{TORN, agreeing, case, failure, failures, header, today, violating, waivers};
use ptodiff_gate::{Baseline, Judged, Kind, Run, judge};
use ptodiff_record::{CaseRecord, Header};
use serde_json::json;

fn with(implementation: Option<&str>) -> Header {
    let mut header = header();
    let implementations = implementation.map(|party| json!({"party": party}));
    let implementations = implementations.into_iter().map(serde_json::from_value);
    header.implementations = implementations
        .collect::<Result<_, _>>()
        .expect("an implementation");
    header
}

/// A case that the implementation did so.
fn did(verdict: &str) -> CaseRecord {
    case(
        "s/one",
        json!({"targets": {"a5:mine": {"verdict": verdict}}}),
    )
}

fn run(header: &Header, cases: &[CaseRecord]) -> Run {
    Run::of(header, cases, &[])
}

fn judged(before: (Option<&str>, &CaseRecord), now: (Option<&str>, &CaseRecord)) -> Judged {
    let (was, is) = (with(before.0), with(now.0));
    let baseline = run(&was, std::slice::from_ref(before.1)).shown().clone();
    let baseline = Baseline::read(&baseline.text()).expect("it reads its own text");
    let now = run(&is, std::slice::from_ref(now.1));
    judge(&baseline, &waivers(&[]), &now, today())
}

const MINE: Option<&str> = Some("a5:mine");

#[test]
fn an_implementation_that_cannot_run_what_it_ran_is_a_failure() {
    let found = failures(&judged(
        (MINE, &did("conforms")),
        (MINE, &did("unsupported")),
    ));
    let what = "no result any more on a5:mine";
    assert_eq!(found, [failure(Kind::CaseNotRun, "s/one", what)]);
    let still = judged((MINE, &did("unsupported")), (MINE, &did("unsupported")));
    assert_eq!(failures(&still), []);
}

#[test]
fn an_implementation_that_the_baseline_knows_must_take_part_and_a_new_one_may() {
    let alone = agreeing("s/one");
    let gone = failures(&judged((MINE, &did("conforms")), (None, &alone)));
    let what = "the baseline is of a run with a5:mine, which takes no part in it";
    assert_eq!(gone, [failure(Kind::OtherRun, "the record", what)]);
    let new = judged((None, &alone), (MINE, &did("conforms")));
    assert_eq!(failures(&new), []);
}

#[test]
fn the_command_that_shows_its_violation_asks_for_it() {
    let alone = agreeing("s/one");
    let wrong = violating("s/one", "a5:mine", &[TORN]);
    let judged = judged((None, &alone), (MINE, &wrong));
    let remedy = &judged.failures[0].remedy;
    let implementation = " --impl mine=... --as a5";
    assert!(remedy.ends_with(implementation), "{remedy}");
}
