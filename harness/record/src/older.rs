//! What a record of format 5 or less has under other words than this one.
//!
//! Its lines are read as JSON, get the new words, and are then read as those of
//! any other record. Texts for people stay as they were written.

use ptodiff_edge::renamed::{CHOICES, FAILURE_GROUPS, HOLES, OUTCOMES, Table, in_text, now};
use serde_json::{Map, Value};

use crate::PairRecord;

/// The last format with the old words.
const LAST: u64 = 5;

/// Keys, wherever they stand.
const KEYS: &Table = &[
    ("subjects", "implementations"),
    ("strays", "out_of_bounds"),
    ("contradicts", "deviates_from"),
    ("before", "initial"),
    ("signature", "failure_group"),
    ("signatures", "failure_groups"),
    ("odd_one_out", "outlier"),
    ("witness", "covers"),
];
/// Verdicts.
const VERDICTS: &Table = &[("alone", "single"), ("refused", "rejected")];
/// How the reason ends for which two parties are not compared.
const ENDS: &Table = &[
    (" refuses", PairRecord::REJECTED),
    (" promises nothing", ": undefined"),
    (" never returns", ": hangs"),
];
/// What a case expects under a reading, in one line.
const EXPECTS: &Table = &[
    ("nothing is promised", "undefined"),
    ("never returns", "hangs"),
];

/// Whether a record of this format has the old words.
pub(crate) const fn is_older(format: u64) -> bool {
    format <= LAST
}

/// The header or the case `line` in the new words.
pub(crate) fn renew(line: &mut Value) {
    if let Value::Object(object) = line {
        all(object);
    }
}

fn all(object: &mut Map<String, Value>) {
    let entries = std::mem::take(object);
    for (key, mut value) in entries {
        // The parameters of the call, and the case as it was read.
        if key != "call" && key != "detail" {
            each(&key, &mut value);
        }
        let key = match now(KEYS, &key) {
            Some(new) => new.to_owned(),
            None => key,
        };
        object.insert(key, value);
    }
}

fn each(key: &str, value: &mut Value) {
    match key {
        "verdict" => word(VERDICTS, value),
        "verdict_under" => {
            keys(CHOICES, value);
            values(VERDICTS, value);
        }
        "differs_under" => keys(CHOICES, value),
        "under" => values(CHOICES, value),
        "choice" => word(CHOICES, value),
        // Of a header: pairs of gap and choice.
        "readings" => items(value, |pair| {
            if let Some(choice) = pair.get_mut(1) {
                word(CHOICES, choice);
            }
        }),
        "holes" => items(value, |hole| words(HOLES, hole)),
        "signature" => words(FAILURE_GROUPS, value),
        "signatures" => items(value, |group| words(FAILURE_GROUPS, group)),
        "expects" => {
            values(OUTCOMES, value);
            values(EXPECTS, value);
        }
        "why" => end(value),
        _ => {}
    }
    match value {
        Value::Object(object) => all(object),
        Value::Array(list) => list.iter_mut().for_each(renew),
        _ => {}
    }
}

fn word(table: &Table, value: &mut Value) {
    text(value, |text| now(table, text).map(str::to_owned));
}

fn words(table: &Table, value: &mut Value) {
    text(value, |text| in_text(table, text));
}

fn end(value: &mut Value) {
    text(value, |text| {
        let mut ends = ENDS.iter();
        ends.find_map(|(old, new)| Some(format!("{}{new}", text.strip_suffix(old)?)))
    });
}

/// What a text is now, if it is another.
fn text(value: &mut Value, new: impl FnOnce(&str) -> Option<String>) {
    if let Value::String(text) = value
        && let Some(new) = new(text)
    {
        *text = new;
    }
}

fn items(value: &mut Value, visit: impl FnMut(&mut Value)) {
    if let Value::Array(list) = value {
        list.iter_mut().for_each(visit);
    }
}

fn values(table: &Table, value: &mut Value) {
    if let Value::Object(object) = value {
        object.values_mut().for_each(|value| word(table, value));
    }
}

fn keys(table: &Table, value: &mut Value) {
    if let Value::Object(object) = value {
        for (old, new) in table {
            if let Some(value) = object.remove(*old) {
                object.insert((*new).to_owned(), value);
            }
        }
    }
}
