//! The JSON Schema of a record is true of what is written. `cli/tests/cmd/anywhere.md` looks
//! whether the file with it is fresh.

use std::collections::BTreeSet;

use ptodiff_record::{CaseRecord, Diagnosis, Header, schema, sealed};
use serde_json::{Value, json};

use crate::broken::broken;

fn header() -> Value {
    json!({
        "ptodiff_record": 5, "version": "0.1.0", "seed": u64::MAX, "schedules": 4,
        "st_data": {
            "folder": "out/data", "suite": "cpu", "held_to": "a5",
            "unjudged": {"broken": [["cpu/y", "because"]], "no_folder": ["cpu/z"], "no_output": ["cpu/x"], "partial": true},
        },
        "readings": [["cpu-form", "templated"]], "beside": [["--set", "n=1"]], "all_readings": true, "left_out": 4,
        "targets": ["cpu", "a2a3", "a5"],
        "implementations": [{"party": "a5:mine", "introduced": "toy"}], "cases": 1,
        "part": {"partition": "hash:1/2", "of": 2, "ids": "ab", "texts": "cd", "at": [1], "again": ["a.yaml"]},
    })
}

/// A case in which nothing is left out.
fn case() -> Value {
    let value = json!({"bits": "0x01", "value": "1"});
    let lane = json!({"step": 0, "r": 1, "c": 2, "index": -3});
    let slot = json!({
        "role": "destination", "offset": -4, "element": 3, "at": "(0, 3)",
        "initial": value, "got": {"a5": value, "a5:Simt": value}, "permitted": "1 or 2",
        "clauses": ["MSCATTER-CONF-06"], "lanes": [lane], "more_lanes": 1, "schedule": "reversed",
        "whose": ["tile (0, 5)"], "due": ["tile (0, 28)"],
    });
    let reason = json!({"clause": "MSCATTER-OOB-02", "why": "because"});
    json!({
        "id": "a5/x", "name": "x", "suite": "a5", "instruction": "MSCATTER",
        "file": "cases/a.yaml", "line": 3, "call": {"oob": "Clamp"}, "verdict": "violation",
        "targets": {
            "cpu": {
                "verdict": "undefined", "reasons": [reason], "out_of_bounds": 4, "excused_by": "MSCATTER-GAP-01",
                "wrong": {"slots": 2, "of": 16, "digest": 7},
                "unseen": [{"slots": 2, "clause": "MSCATTER-CONF-06"}], "deviates_from": [reason],
                "wide": {"slots": 1, "values": 7},
                "why": "because", "stderr": ["lane 3 fell"],
                "flaky": [{"failure_group": "MGATHER a5:mine crash -", "what": "it ended"}],
            },
            "a5": {
                "verdict": "violates",
                "findings": [{
                    "failure_group": "S", "what": "w", "clause": "MSCATTER-SEM-02",
                    "schedule": "in order", "slot": slot,
                }],
            },
            "a5:Simt": {"verdict": "hangs"},
        },
        "pairs": [{
            "targets": ["cpu", "a5"], "verdict": "not-compared", "why": "because",
            "clauses": ["MSCATTER-CONF-06"], "compared": 8, "differing": 1, "slots": [slot],
            "failure_groups": ["S"],
        }],
        "outlier": "a5:Simt",
        "readings": [{
            "gap": "scope", "clauses": ["MSCATTER-GAP-05"], "choice": "documented",
            "differs_under": {"as-the-suite": ["cpu", "a5"]},
            "verdict_under": {"as-the-suite": "single"},
        }],
        "name_differs": "so it is",
        "unpromised": [{"clause": "MSCATTER-ATOM-16", "slots": 1, "role": "table", "at": "[0, 0, 0, 0, 3]",
            "got": {"cpu": {"bits": "0x01", "value": "1"}}}],
        "holes": ["legal-out-of-bounds a5 MSCATTER-OOB-02 out-of-bounds-read"],
        "covers": {
            "clauses": ["MSCATTER-OOB-02"], "targets": ["cpu"], "otherwise": ["a5"], "under": {"scope": "as-the-suite"},
            "gap": "MSCATTER-GAP-05",
            "answers": [{"letter": "a", "verdict": "agree", "expects": {"cpu": "rejected"}}],
        },
        "detail": {
            "yaml": "cases: []\n",
            "sources": [[0, 1, 2, "9"]],
            "traces": {"cpu": {"lines": []}, "a2a3": {"lines": []}, "a5": {"lines": ["launch"], "more": 3}},
            "slots": {
                "role": "table", "rows": 4, "cols": 4, "band": 4, "slot_bytes": 4, "slots": 16,
                "states": "k12s3v1", "winners": {"a5": [[12, 2, 0, 1, 0]]},
            },
        },
    })
}

fn diagnosis() -> Value {
    json!({"diagnosis": {
        "party": "a5:mine", "failure_group": "S", "also": ["T"], "failures": 3, "elsewhere": 1, "passes": 5,
        "fits": [{"name": "n", "sentence": "does it", "explains": 2, "contradicts": 1, "first": "a/b"}],
        "nearest": {"name": "m", "sentence": "does that", "case": "a/b", "same": 1, "of": 2, "others": 3},
        "together": true,
        "unfinished": true,
    }})
}

/// The names of all properties that a schema has anywhere.
fn properties(schema: &Value, into: &mut BTreeSet<String>) {
    if let Some(own) = schema.get("properties").and_then(Value::as_object) {
        into.extend(own.keys().cloned());
    }
    match schema {
        Value::Object(keys) => keys.values().for_each(|value| properties(value, into)),
        Value::Array(all) => all.iter().for_each(|value| properties(value, into)),
        _ => {}
    }
}

#[test]
fn the_schema_takes_what_is_written_with_every_field_there_is() {
    // The two are what the types write, to the field.
    let typed: Header = serde_json::from_value(header()).unwrap();
    assert_eq!(serde_json::to_value(typed).unwrap(), header());
    let typed: CaseRecord = serde_json::from_value(case()).unwrap();
    assert_eq!(serde_json::to_value(typed).unwrap(), case());
    let mut all = BTreeSet::new();
    properties(&schema(), &mut all);
    assert!(all.len() > 60, "{all:?}");
    let typed: Diagnosis = serde_json::from_value(diagnosis()["diagnosis"].clone()).unwrap();
    assert_eq!(
        serde_json::to_value(typed).unwrap(),
        diagnosis()["diagnosis"]
    );
    let interrupted = json!({"interrupted": 1});
    let lines = [header(), case(), interrupted, diagnosis()].map(|line| format!("{line}\n"));
    let bare = lines.concat();
    let text = sealed(&bare);
    let wrong = broken(&schema(), bare.lines().chain(text.lines()));
    assert_eq!(wrong, [""; 9]);
    for name in all {
        assert!(
            text.contains(&format!("\"{name}\":")),
            "no line here has `{name}`"
        );
    }
}

#[test]
fn the_schema_rejects_what_the_reader_rejects() {
    let changes: [(&str, Value); 9] = [
        ("/moon", json!("full")),
        ("/verdict", json!("fine")),
        ("/suite", json!("a9")),
        ("/instruction", json!("MOV")),
        ("/line", json!(-1)),
        ("/targets/a9", json!({"verdict": "conforms"})),
        ("/targets/cpu/moon", json!(1)),
        ("/pairs/0/targets", json!(["cpu"])),
        ("/detail/slots/role", json!("moon")),
    ];
    let mut lines = Vec::new();
    for (place, value) in changes {
        let mut line = case();
        let (parent, key) = place.rsplit_once('/').unwrap();
        line.pointer_mut(parent).unwrap()[key] = value;
        assert!(
            serde_json::from_value::<CaseRecord>(line.clone()).is_err(),
            "{place}"
        );
        lines.push(line);
    }
    let mut without = case();
    without.as_object_mut().unwrap().remove("verdict");
    lines.push(without);
    for (line, wrong) in lines.iter().zip(broken(&schema(), &lines)) {
        assert_ne!(wrong, "", "{line}");
    }
}
