//! What a case expects, worked out by hand, held against what a target did.

mod answers;
mod describe;
mod pattern;
mod slots;
mod spelled;
mod testify;
mod trace;

use ptodiff_case::ExpectedOutcome;
use ptodiff_isa::{Clause, Model, Role};
use ptodiff_judge::{Answer, Detail, Finding, Lane, Outcome, Place};

use answers::{Answered, Way, answered, in_force, indistinct};
pub(crate) use testify::testify;

use crate::account::Scene;

/// What the case expects of one target, under the readings in force.
pub(crate) struct Wanted {
    /// What must come of the call.
    pub(crate) outcomes: Vec<Outcome>,
    /// What was expected and not found.
    pub(crate) unmet: Vec<Finding>,
}

/// Which lanes wrote a slot: role and number of the element.
pub(crate) type Writers<'a> = &'a dyn Fn(Role, usize) -> Vec<Lane>;

/// Holds `answers` of `model` against what the case of `scene` expects there.
pub(crate) fn wanted(
    scene: &Scene<'_>,
    model: &dyn Model,
    answers: &[Answer],
    writers: Writers<'_>,
) -> Wanted {
    let (case, target) = (scene.case, model.target());
    let clause = case.gap.or_else(|| case.covers.first().copied());
    let mut wanted = Wanted {
        outcomes: Vec::new(),
        unmet: Vec::new(),
    };
    for entry in in_force(case, scene.readings, target) {
        if !entry.targets.contains(&target) {
            continue;
        }
        wanted.outcomes.push(outcome(entry.outcome));
        let told = |why: String| told(clause, why);
        for expected in &entry.slots {
            wanted
                .unmet
                .extend(slots::unmet(scene, expected, answers, clause, writers));
        }
        if !entry.trace.is_empty() {
            let found = trace::unmet(scene, model, &entry.trace);
            wanted.unmet.extend(found.into_iter().map(told));
        }
        let found = spelled::unmet(&case.call, target, &entry.spelled);
        wanted.unmet.extend(found.into_iter().map(told));
    }
    wanted
}

const fn outcome(expected: ExpectedOutcome) -> Outcome {
    match expected {
        ExpectedOutcome::Result => Outcome::Result,
        ExpectedOutcome::Rejected => Outcome::Rejected,
        ExpectedOutcome::Undefined => Outcome::Undefined,
        ExpectedOutcome::Hangs => Outcome::Hangs,
    }
}

fn told(clause: Option<Clause>, why: String) -> Finding {
    Finding {
        place: Place::Expectation,
        clause,
        schedule: None,
        detail: Detail::Text(why),
    }
}
