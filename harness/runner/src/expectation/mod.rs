//! What a case expects, worked out by hand, held against what a target did.

mod answers;
mod coverage;
mod slots;
mod spelled;
mod trace;

use ptodiff_case::{Case, Expectation, ExpectedOutcome};
use ptodiff_contract::Permits;
use ptodiff_isa::{Clause, Model, Target};
use ptodiff_judge::{Answer, Detail, Expect, Finding, Outcome, Place, finding};
use ptodiff_record::joined;

use answers::{Way, answered, in_force, indistinct, way};
pub(crate) use coverage::{note_aside, note_coverage};

use crate::context::RunContext;

/// What the case of `context` expects of `model`, which gave these `answers` and of which this
/// is promised, under the readings in force.
pub(crate) fn expected(
    context: &RunContext<'_>,
    model: &dyn Model,
    answers: &[Answer],
    permits: Option<&Permits>,
) -> Expect {
    let (case, target) = (context.case, model.target());
    let clause = case.gap.or_else(|| case.covers.first().copied());
    let mut expected = Expect::default();
    let as_stated = context.is_as_stated(target);
    if as_stated {
        let clauses = |of: &[(Target, Clause)]| {
            let those = of.iter().filter(|(t, _)| *t == target);
            those.map(|(_, clause)| *clause).collect()
        };
        expected.rejected = clauses(&case.rejected);
        expected.undefined = clauses(&case.undefined);
        expected.hangs = clauses(&case.hangs);
        expected.own_suite = case.suite == Some(target);
    }
    for entry in in_force(context, target, as_stated) {
        if !entry.targets.contains(&target) {
            continue;
        }
        expected.outcomes.push(outcome(entry.outcome));
        for slots in &entry.slots {
            let found = slots::unmet(context, slots, answers, permits, clause);
            expected.unmet.extend(found);
        }
        let mut found = Vec::new();
        if !entry.trace.is_empty() {
            found = trace::unmet(context, model, &entry.trace);
        }
        found.extend(spelled::unmet(&case.call, target, &entry.spelled));
        let found = found
            .into_iter()
            .map(|why| finding(Place::Expectation, clause, why));
        expected.unmet.extend(found);
    }
    expected
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

/// What fits the whole of a line: `*` stands for any text, all else for itself. Runs of
/// white space count as one space on both sides.
struct Pattern(wildmatch::WildMatchPattern<'*', '\0'>);

impl Pattern {
    fn new(text: &str) -> Self {
        Self(wildmatch::WildMatchPattern::new(&spaced(text)))
    }

    fn fits(&self, line: &str) -> bool {
        self.fits_spaced(&spaced(line))
    }

    /// As [`Pattern::fits`] of a line that is [`spaced`] already.
    fn fits_spaced(&self, line: &str) -> bool {
        self.0.matches(line)
    }
}

fn spaced(text: &str) -> String {
    joined(text.split_whitespace(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text_and_nothing_else_does() {
        let fits = |pattern, line| Pattern::new(pattern).fits(line);
        assert!(fits(
            "load UB index+* 4 bytes",
            "load      UB index+12 4 bytes"
        ));
        assert!(fits("*", ""));
        assert!(fits("a*b*c", "abbc"));
        assert!(!fits("load UB index+*", "store UB index+12 4 bytes"));
        assert!(!fits("load", "load UB"));
        assert!(!fits("lo?d", "load"));
        assert!(fits("dim3{32, 8}", "dim3{32, 8}"));
    }
}
