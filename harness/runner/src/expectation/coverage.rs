//! What a case covers, in its record.

use std::collections::BTreeMap;

use ptodiff_case::{Case, Expectation};
use ptodiff_isa::{Party, Target, TargetReadings};
use ptodiff_record::{
    AnswerRecord, CaseRecord, Covers, Finding, PairVerdict, TargetVerdict, Verdict,
};

use super::{Answered, Way, answered, describe, indistinct};
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
    for Answered { letter, way } in answered(case) {
        let verdict = match way {
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
        }
    };
}

/// Targets that ran and of which the case expects something.
fn expected_of(case: &Case, record: &CaseRecord) -> Vec<Target> {
    let lists = [&case.rejected, &case.undefined, &case.hangs];
    let listed = lists.into_iter().flatten().map(|(target, _)| *target);
    let entries = case.expect.iter().flat_map(|e| e.targets.iter().copied());
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
        let text = describe::entry(&case.call, entry);
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

/// Makes the case a violation of `party`, or of the first that there is.
fn push(record: &mut CaseRecord, party: Option<&Party>, finding: Finding) {
    record.verdict = Verdict::Violation;
    let first = || record.targets.keys().next().cloned();
    let Some(party) = party.cloned().or_else(first) else {
        return;
    };
    if let Some(target) = record.targets.get_mut(&party) {
        target.verdict = TargetVerdict::Violates;
        target.findings.push(finding);
    }
}
