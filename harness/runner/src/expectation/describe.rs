//! An expectation in one line, for people.

use std::fmt::Write as _;

use ptodiff_case::{Expectation, ExpectedOutcome, ExpectedSlot, ExpectedSlots, Form};
use ptodiff_isa::{Call, DType};
use ptodiff_judge::Value;

/// How many elements of an operand are written out.
const SHOWN: usize = 24;

/// What `entry` expects of a call.
pub(super) fn entry(call: &Call, entry: &Expectation) -> String {
    let key = |role| Form::of(call).key(role);
    let mut parts = Vec::new();
    match entry.outcome {
        ExpectedOutcome::Result => {}
        ExpectedOutcome::Rejected => parts.push("rejected".to_owned()),
        ExpectedOutcome::Undefined => parts.push("undefined".to_owned()),
        ExpectedOutcome::Hangs => parts.push("hangs".to_owned()),
    }
    for expected in &entry.slots {
        if let Some(operand) = call.operand(expected.role) {
            parts.push(slots(key(expected.role), operand.dtype(), expected));
        }
    }
    for (pattern, count) in &entry.trace.count {
        parts.push(format!("{count} x `{pattern}`"));
    }
    if !entry.trace.order.is_empty() {
        parts.push(format!(
            "`{}` in this order",
            entry.trace.order.join("`, `")
        ));
    }
    for (spelling, pattern) in &entry.spelled {
        parts.push(format!("{spelling} `{pattern}`"));
    }
    if parts.is_empty() {
        parts.push("accepted, with a result".to_owned());
    }
    parts.join(", ")
}

/// Runs of slots that say something: `table[3] = 7, table[8..10] = 1 2 3`.
fn slots(key: &str, dtype: DType, expected: &ExpectedSlots) -> String {
    let mut text = String::new();
    let mut shown = 0;
    let mut at = 0;
    while let Some(slot) = expected.slots.get(at) {
        if *slot == ExpectedSlot::Kept {
            at += 1;
            continue;
        }
        let rest = &expected.slots[at..];
        let run = rest.iter().take_while(|s| **s != ExpectedSlot::Kept);
        let run: Vec<&ExpectedSlot> = run.take(SHOWN - shown).collect();
        let lead = if text.is_empty() { "" } else { ", " };
        let last = at + run.len() - 1;
        let place = if last == at {
            at.to_string()
        } else {
            format!("{at}-{last}")
        };
        let values: Vec<String> = run.iter().map(|slot| value(dtype, slot)).collect();
        let same = values.iter().all(|v| *v == values[0]);
        let values = if same {
            values[0].clone()
        } else {
            values.join(" ")
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "{lead}{key}[{place}] = {values}");
        shown += run.len();
        at += run.len();
        if shown >= SHOWN {
            text.push_str(" ...");
            break;
        }
    }
    if text.is_empty() {
        format!("the {key} is kept")
    } else {
        text
    }
}

fn value(dtype: DType, slot: &ExpectedSlot) -> String {
    match slot {
        ExpectedSlot::Kept => "kept".to_owned(),
        ExpectedSlot::Any => "anything".to_owned(),
        ExpectedSlot::OneOf { bits, or_kept } => {
            let text = |bits: &u64| {
                let value = Value { dtype, bits: *bits };
                // Of NaNs the bits tell.
                let text = value.text().filter(|_| !value.is_nan());
                text.unwrap_or_else(|| value.hex())
            };
            let mut all: Vec<String> = bits.iter().map(text).collect();
            if *or_kept {
                all.push("kept".to_owned());
            }
            all.join("|")
        }
    }
}
