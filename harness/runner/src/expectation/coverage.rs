//! What a case covers, in its record.

use std::{collections::BTreeMap, fmt::Write as _};

use ptodiff_case::{Case, Expectation, ExpectedOutcome, ExpectedSlot, ExpectedSlots, Form};
use ptodiff_isa::{Call, DType, Party, Target, TargetReadings};
use ptodiff_judge::Value;
use ptodiff_record::{
    AnswerRecord, CaseRecord, Covers, Finding, PairVerdict, TargetVerdict, Verdict,
};

use super::{Way, answered, indistinct, way};
use crate::convert::bare_finding;

/// Notes in `record` what `case` covers. Readings of its gap that can
/// be put into force are: what goes wrong under one of them is wrong with the case.
pub(crate) fn note_coverage(
    case: &Case,
    record: &mut CaseRecord,
    mut under: impl FnMut(&TargetReadings) -> CaseRecord,
) {
    for why in indistinct(case) {
        fail(record, None, "a gap that is not distinguished", why);
    }
    // What goes wrong under another reading is no verdict on the one in use.
    let own = record.verdict;
    let mut answers = Vec::new();
    for letter in answered(case) {
        let verdict = match way(case, letter) {
            Way::Stated => None,
            Way::InUse => Some(own),
            Way::Choice(readings) => {
                let other = under(&readings);
                merge(record, letter, &other);
                Some(other.verdict)
            }
        };
        let entries = case.expect.iter().filter(|e| e.answer == Some(letter));
        answers.push(AnswerRecord {
            letter,
            verdict,
            expects: expects(case, entries),
        });
    }
    let targets = expected_of(case, record);
    record.covers = if case.covers.is_empty() && case.gap.is_none() {
        Covers {
            targets,
            ..Covers::default()
        }
    } else {
        Covers {
            clauses: case.covers.iter().map(ToString::to_string).collect(),
            targets,
            under: under_readings(case),
            gap: case.gap.map(|gap| gap.to_string()),
            answers,
            ..Covers::default()
        }
    };
}

/// Notes in `record` that on the targets `aside` readings are in force under which `case` says
/// nothing: it covers nothing then.
pub(crate) fn note_aside(case: &Case, record: &mut CaseRecord, aside: &[Target]) {
    let (otherwise, targets) = expected_of(case, record)
        .into_iter()
        .partition(|target| aside.contains(target));
    record.covers = Covers {
        targets,
        otherwise,
        ..Covers::default()
    };
}

/// Targets that ran and of which the case expects more than a result.
fn expected_of(case: &Case, record: &CaseRecord) -> Vec<Target> {
    let lists = [&case.rejected, &case.undefined, &case.hangs];
    let listed = lists.into_iter().flatten().map(|(target, _)| *target);
    let entries = case.expect.iter();
    let entries = entries.filter(|e| e.says_more_than_a_result());
    let entries = entries.flat_map(|e| e.targets.iter().copied());
    let ran = |target: &Target| record.targets.contains_key(&Party::of(*target));
    let mut targets: Vec<Target> = listed.chain(entries).filter(ran).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// The readings of the case that are not the defaults.
fn under_readings(case: &Case) -> BTreeMap<String, String> {
    let own = case.readings.chosen().into_iter();
    own.map(|(gap, choice)| (gap, choice.to_owned())).collect()
}

fn expects<'a>(
    case: &Case,
    entries: impl Iterator<Item = &'a Expectation>,
) -> BTreeMap<Target, String> {
    let mut all: BTreeMap<Target, String> = BTreeMap::new();
    for entry in entries {
        let text = in_words(&case.call, entry);
        for target in &entry.targets {
            let line = all.entry(*target).or_default();
            if !line.is_empty() {
                line.push_str("; ");
            }
            line.push_str(&text);
        }
    }
    all
}

/// Takes over what went wrong under another reading.
fn merge(record: &mut CaseRecord, letter: char, other: &CaseRecord) {
    for (party, theirs) in &other.targets {
        for found in &theirs.findings {
            let mut found = found.clone();
            found.what = format!("under reading `{letter}`: {}", found.what);
            push(record, Some(party), found);
        }
    }
    for pair in &other.pairs {
        if pair.verdict == PairVerdict::Violation {
            let (a, b) = &pair.targets;
            let why = format!("under reading `{letter}` {a} and {b} differ with no clause");
            fail(record, Some(a), "a difference under another reading", why);
        }
    }
}

fn fail(record: &mut CaseRecord, party: Option<&Party>, kind: &str, why: String) {
    let group = format!("{} coverage {kind}", record.instruction);
    push(record, party, bare_finding(group, why));
}

/// Makes the case a violation of `party`; where that is nobody's, it stands with the first that
/// there is.
fn push(record: &mut CaseRecord, party: Option<&Party>, finding: Finding) {
    record.verdict = Verdict::Violation;
    let target = match party {
        Some(party) => record.targets.get_mut(party),
        None => record.targets.values_mut().next(),
    };
    if let Some(target) = target {
        if party.is_some() {
            target.verdict = TargetVerdict::Violates;
        }
        target.findings.push(finding);
    }
}

/// How many elements of an operand are written out.
const SHOWN: usize = 24;

/// What `entry` expects of a call, in one line for people.
fn in_words(call: &Call, entry: &Expectation) -> String {
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
