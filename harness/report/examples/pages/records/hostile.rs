//! Names that would do something if they were not data.

use ptodiff_record::CaseRecord;
use serde_json::{Value, json};

use super::{because, violating};
use crate::lay::lay;

/// Text that would be markup, a script, a command or a line break if it were not data.
pub(crate) const HOSTILE: [&str; 6] = [
    "<script>document.title='owned'</script>",
    "\"><img src=x onerror=\"document.title='owned'\">",
    "</script><!--<script>",
    "'; touch owned; '",
    "a\u{2028}b\u{2029}c\u{202e}d\n\t{{ 7919 * 7907 }}",
    "&lt;b&gt;%3Cb%3E#case?id=x&q=y",
];

/// Cases whose every text is [`HOSTILE`].
pub(crate) fn hostile() -> Vec<CaseRecord> {
    let case = hostile_case().to_string();
    let with = |text: &&str| {
        let quoted = Value::from(*text).to_string();
        let case = case.replace("$t", &quoted[1..quoted.len() - 1]);
        serde_json::from_str(&case).expect("a case")
    };
    HOSTILE.iter().map(with).collect()
}

/// A case with `$t` for every text.
fn hostile_case() -> Value {
    let mut case = serde_json::to_value(violating("cases/x.yaml", "x", "$t")).expect("JSON");
    let slot = |slot: &Value| {
        let parties = slot["got"].as_object().into_iter().flatten();
        let value = json!({"value": "$t", "bits": "$t"});
        let got: Value = parties
            .map(|(party, _)| (party.clone(), value.clone()))
            .collect();
        json!({"at": "$t", "permitted": "$t", "clauses": ["$t"], "schedule": "$t", "got": got})
    };
    let slots = |of: &Value| -> Value {
        let slots = of["slots"].as_array().into_iter().flatten();
        slots.map(slot).collect()
    };
    let pair = |pair: &Value| json!({"why": "$t", "clauses": ["$t"], "failure_groups": ["$t"], "slots": slots(pair)});
    let pairs: Value = case["pairs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(pair)
        .collect();
    let wrong = slot(&case["targets"]["a5"]["findings"][0]["slot"]);
    let finding = json!({"what": "$t", "clause": "$t", "schedule": "$t", "slot": wrong});
    let more = json!({
        "id": "x/$t", "name": "$t", "file": "cases/$t.yaml", "name_differs": "$t",
        "holes": ["$t"], "call": {"$t": "$t"}, "covers": {"clauses": ["$t"], "gap": "$t"},
        "outlier": "a5:$t", "pairs": pairs,
        "targets": {"a5:$t": because("rejected", "$t", "$t"), "a5": {"findings": [finding]}},
        "readings": [{"gap": "$t", "clauses": ["$t"], "choice": "$t", "differs_under": {"$t": ["a5"]}}],
        "detail": {"yaml": "$t", "traces": {"cpu": {"lines": ["$t"], "more": null}}},
    });
    lay(&mut case, more);
    case
}
