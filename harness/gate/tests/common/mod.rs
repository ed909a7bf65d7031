//! Records and waivers made by hand.

use ptodiff_gate::{Baseline, Date, Judged, Kind, Run, Waivers, judge, waiver};
use ptodiff_record::{CaseRecord, FORMAT, Header};
use serde_json::{Value, json};

/// A failure group of A5.
pub(crate) const TORN: &str = "MSCATTER a5 valid MSCATTER-SEM-02";
/// Another of the same party.
pub(crate) const GUARD: &str = "MSCATTER a5 guard MSCATTER-GAP-61";

pub(crate) fn header() -> Header {
    let header = json!({
        "ptodiff_record": FORMAT, "version": "0", "seed": 0, "schedules": 4,
        "targets": ["cpu", "a2a3", "a5"], "cases": 0,
    });
    serde_json::from_value(header).expect("a header")
}

/// A case in which the three targets agree, with `more` laid over it.
pub(crate) fn case(id: &str, more: Value) -> CaseRecord {
    let mut case = json!({
        "id": id, "name": id, "instruction": "MSCATTER", "file": "cases/a.yaml", "line": 3,
        "call": {}, "verdict": "agree",
        "targets": {
            "cpu": {"verdict": "conforms"},
            "a2a3": {"verdict": "conforms"},
            "a5": {"verdict": "conforms"},
        },
        "pairs": [
            {"targets": ["cpu", "a2a3"], "verdict": "agree", "compared": 8},
            {"targets": ["cpu", "a5"], "verdict": "agree", "compared": 8},
            {"targets": ["a2a3", "a5"], "verdict": "agree", "compared": 8},
        ],
    });
    lay(&mut case, more);
    serde_json::from_value(case).expect("a case")
}

fn lay(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                lay(under.entry(key).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over,
    }
}

pub(crate) fn agreeing(id: &str) -> CaseRecord {
    case(id, json!({}))
}

/// A case in which `party` does wrong what the failure groups say.
pub(crate) fn violating(id: &str, party: &str, failure_groups: &[&str]) -> CaseRecord {
    let findings: Vec<Value> = failure_groups
        .iter()
        .map(|s| json!({"failure_group": s, "what": "a slot holds what no permit allows"}))
        .collect();
    let targets = json!({party: {"verdict": "violates", "findings": findings}});
    case(id, json!({"verdict": "violation", "targets": targets}))
}

/// The day of every test that does not say another.
pub(crate) fn today() -> Date {
    "2026-11-22".parse().expect("a day")
}

pub(crate) fn entry(failure_group: &str, pair: &str, more: &str) -> String {
    format!(
        "  - failure-group: {failure_group}\n    pair: '{pair}'\n{more}    cause: a\n    reference: b\n    \
         owner: the team\n    expires: 2026-12-31\n"
    )
}

pub(crate) fn waivers(entries: &[String]) -> Waivers {
    let text = match entries {
        [] => "waivers: []\n".to_owned(),
        some => format!("waivers:\n{}", some.concat()),
    };
    waiver::load_str("reports/waivers.yaml", &text).unwrap_or_else(|e| panic!("{e}"))
}

pub(crate) fn baseline(cases: &[CaseRecord]) -> Baseline {
    Run::of(&header(), cases, &[]).shown().clone()
}

/// `now` held against the baseline of `before`.
pub(crate) fn judged(before: &[CaseRecord], waivers: &Waivers, now: &[CaseRecord]) -> Judged {
    let run = Run::of(&header(), now, &[]);
    judge(&baseline(before), waivers, &run, today())
}

/// `now`, whose cases are all known and which nothing waives.
pub(crate) fn changed(before: &[CaseRecord], now: &[CaseRecord]) -> Vec<(Kind, String, String)> {
    failures(&judged(before, &waivers(&[]), now))
}

pub(crate) fn failures(judged: &Judged) -> Vec<(Kind, String, String)> {
    let all = judged.failures.iter();
    all.map(|f| (f.kind, f.about.clone(), f.what.clone()))
        .collect()
}

pub(crate) fn failure(kind: Kind, about: &str, what: &str) -> (Kind, String, String) {
    (kind, about.to_owned(), what.to_owned())
}

pub(crate) fn kinds(judged: &Judged) -> Vec<Kind> {
    judged.failures.iter().map(|f| f.kind).collect()
}
