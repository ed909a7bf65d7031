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
    let mut left = SHOWN;
    // Of runs that follow each other, with nothing kept between them.
    let mut group: (u64, Vec<String>) = Default::default();
    let mut runs = expected.runs().peekable();
    while let Some((run, slot)) = runs.next() {
        if *slot != ExpectedSlot::Kept {
            if group.1.is_empty() {
                group.0 = run.start;
            }
            let count = (run.end - run.start).min(left as u64) as usize;
            group
                .1
                .extend(std::iter::repeat_n(value(dtype, slot), count));
            left -= count;
        }
        let last = left == 0
            || runs
                .peek()
                .is_none_or(|(_, next)| **next == ExpectedSlot::Kept);
        if let (true, (first, values @ [one, ..])) = (last, (group.0, &group.1[..])) {
            let lead = if text.is_empty() { "" } else { ", " };
            let end = first + values.len() as u64 - 1;
            let place = match values {
                [_] => first.to_string(),
                _ => format!("{first}-{end}"),
            };
            let same = values.iter().all(|v| v == one);
            let values = if same { one.clone() } else { values.join(" ") };
            // Writing to a string cannot fail.
            let _ = write!(text, "{lead}{key}[{place}] = {values}");
            group.1.clear();
        }
        if left == 0 {
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
