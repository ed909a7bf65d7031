//! Records made by hand: over the cases of `made.yaml` lies what a test says.

use std::{collections::BTreeMap, sync::LazyLock};

use ptodiff_record::{CaseRecord, Diagnosis, FORMAT, Header};
use serde_json::{Value, json};

use crate::lay::lay;

static MADE: LazyLock<BTreeMap<String, Value>> =
    LazyLock::new(|| yaml_serde::from_str(include_str!("made.yaml")).expect("YAML"));

/// A record, and what was diagnosed in its run.
pub(crate) type Record = (Header, Vec<CaseRecord>, Vec<Diagnosis>);

/// The record of a list: a case each, or `header`, or `diagnosis`. An entry with `times`
/// is as many cases, in which `$n` is a number.
pub(crate) fn record(yaml: &str) -> Record {
    let (mut header, mut cases, mut diagnoses) = (header_with(json!({})), Vec::new(), Vec::new());
    let entries: Vec<Value> = yaml_serde::from_str(yaml).expect(yaml);
    for mut entry in entries {
        if let Some(told) = entry.get_mut("header") {
            header = header_with(told.take());
        } else if let Some(diagnosis) = entry.get_mut("diagnosis") {
            diagnoses.push(serde_json::from_value(diagnosis.take()).expect("a diagnosis"));
        } else {
            let own = entry.as_object_mut().expect("a case");
            let times = own
                .remove("times")
                .map_or(1, |n| n.as_u64().expect("a number"));
            for n in 0..times {
                let mut entry = entry.clone();
                fill(&mut entry, "$n", &format!("{n:02}"));
                cases.push(case(entry));
            }
        }
    }
    (header, cases, diagnoses)
}

pub(crate) fn header_with(more: Value) -> Header {
    let mut header = json!({
        "ptodiff_record": FORMAT, "version": "0.1.0", "seed": 7, "schedules": 4,
        "targets": ["cpu", "a2a3", "a5"], "cases": 0,
    });
    lay(&mut header, more);
    serde_json::from_value(header).expect("a header")
}

/// What lies over the case that `is` names, or over one in which cpu and a5 agree.
pub(crate) fn case(more: Value) -> CaseRecord {
    serde_json::from_value(whole(more)).expect("a case")
}

fn whole(mut more: Value) -> Value {
    let own = more.as_object_mut().expect("a case");
    let mut take = |key| {
        own.remove(key)
            .map(|v| v.as_str().expect("text").to_owned())
    };
    let is = take("is").unwrap_or("agreeing".into());
    let (id, group) = (take("id"), take("group"));
    let mut case = MADE[&is].clone();
    if case.get("is").is_some() {
        case = whole(case);
    }
    lay(&mut case, more);
    for (name, value) in [("$id", id), ("$group", group)] {
        value.iter().for_each(|value| fill(&mut case, name, value));
    }
    case
}

/// Puts a text where `name` stands.
fn fill(value: &mut Value, name: &str, with: &str) {
    match value {
        Value::String(text) => *text = text.replace(name, with),
        Value::Array(all) => all.iter_mut().for_each(|one| fill(one, name, with)),
        Value::Object(all) => all.values_mut().for_each(|one| fill(one, name, with)),
        _ => {}
    }
}
