//! What a case expects, worked out by hand, held against what a target did.

mod answers;
mod coverage;
mod describe;
mod pattern;
mod slots;
mod spelled;
mod trace;

use ptodiff_case::{Case, Expectation, ExpectedOutcome};
use ptodiff_isa::{Clause, Model, Role, Target};
use ptodiff_judge::{Answer, Detail, Finding, Lane, Outcome, Place};

use answers::{Answered, Way, answered, in_force, indistinct, way};
pub(crate) use coverage::note_coverage;

use crate::context::RunContext;

/// What the case expects of one target, under the readings in force.
pub(crate) struct Wanted {
    /// What must come of the call.
    pub(crate) outcomes: Vec<Outcome>,
    /// What was expected and not found.
    pub(crate) unmet: Vec<Finding>,
}

/// Which lanes wrote a slot: role and number of the element.
pub(crate) type Writers<'a> = &'a dyn Fn(Role, usize) -> Vec<Lane>;

/// Holds `answers` of `model` against what the case of `context` expects there.
pub(crate) fn wanted(
    context: &RunContext<'_>,
    model: &dyn Model,
    answers: &[Answer],
    writers: Writers<'_>,
) -> Wanted {
    let (case, target) = (context.case, model.target());
    let clause = case.gap.or_else(|| case.covers.first().copied());
    let mut wanted = Wanted {
        outcomes: Vec::new(),
        unmet: Vec::new(),
    };
    for entry in in_force(case, context.readings, target) {
        if !entry.targets.contains(&target) {
            continue;
        }
        wanted.outcomes.push(outcome(entry.outcome));
        let finding = |why: String| finding(clause, why);
        for expected in &entry.slots {
            wanted
                .unmet
                .extend(slots::unmet(context, expected, answers, clause, writers));
        }
        if !entry.trace.is_empty() {
            let found = trace::unmet(context, model, &entry.trace);
            wanted.unmet.extend(found.into_iter().map(finding));
        }
        let found = spelled::unmet(&case.call, target, &entry.spelled);
        wanted.unmet.extend(found.into_iter().map(finding));
    }
    wanted
}

/// The line of `case` that expects of `target` what `found` says was not met.
pub(crate) fn line(case: &Case, target: Target, found: &Finding) -> Option<u32> {
    let at = &case.place.expected;
    let role = match &found.detail {
        Detail::Slot(slot) => Some(slot.role),
        _ => None,
    };
    let clauses = [&case.rejected, &case.undefined, &case.hangs];
    let names = |of: &[(Target, Clause)]| {
        of.iter()
            .any(|one| Some(*one) == found.clause.map(|c| (target, c)))
    };
    let by_clause = clauses.into_iter().zip(at.clauses);
    let by_clause = by_clause.filter(|(of, _)| role.is_none() && names(of));
    let in_force = |entry: &&Expectation| {
        entry.targets.contains(&target)
            && role.is_none_or(|role| entry.slots.iter().any(|slots| slots.role == role))
            && entry
                .answer
                .is_none_or(|letter| way(case, letter) == Way::InUse)
    };
    let entries = case.expect.iter().zip(&at.entries);
    let by_entry = entries.filter(|(entry, _)| in_force(entry));
    by_clause
        .filter_map(|(_, line)| line)
        .chain(by_entry.map(|(_, line)| *line))
        .next()
}

const fn outcome(expected: ExpectedOutcome) -> Outcome {
    match expected {
        ExpectedOutcome::Result => Outcome::Result,
        ExpectedOutcome::Rejected => Outcome::Rejected,
        ExpectedOutcome::Undefined => Outcome::Undefined,
        ExpectedOutcome::Hangs => Outcome::Hangs,
    }
}

fn finding(clause: Option<Clause>, why: String) -> Finding {
    Finding {
        place: Place::Expectation,
        clause,
        schedule: None,
        detail: Detail::Text(why),
    }
}
