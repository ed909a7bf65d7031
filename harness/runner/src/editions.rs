//! What becomes of a case where its gaps are read otherwise.

use std::fmt;

use ptodiff_case::Case;
use ptodiff_isa::{Memory, Model, Readings, Target, reading::GAPS};

use crate::{
    BufferPool, Options,
    case::selected,
    reading_outcome::{OwnedResult, ReadingOutcome, outcome_under},
};

/// What comes of a call on a target, in a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OutcomeKind {
    /// It has a result.
    Result,
    /// It is rejected.
    Rejected,
    /// Nothing is promised.
    Undefined,
    /// It never returns.
    Hangs,
    /// The model failed.
    Fault,
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Result => "a result",
            Self::Rejected => "rejected",
            Self::Undefined => "nothing promised",
            Self::Hangs => "hangs",
            Self::Fault => "a fault of the model",
        })
    }
}

/// A target on which other readings make something else of a case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Change {
    /// Which.
    pub target: Target,
    /// What comes of the case under the first readings and under the second;
    /// twice a result where its bytes or its promise differ.
    pub comes: [OutcomeKind; 2],
    /// Whether both have a result, of the same bytes, and differ in what is promised.
    pub promise_only: bool,
    /// The readings that make a difference by themselves, as `GAP=CHOICE` of the
    /// second; all that differ where none does.
    pub by: Vec<String>,
}

/// What changes of `case`, target by target, where it runs as `after` says in place of
/// `before`: with the same data, in order.
#[must_use]
pub fn changes(case: &Case, before: &Options, after: &Options) -> Vec<Change> {
    let steps = ptodiff_generate::stimulus(case, before.seed).steps;
    let [old, new] = [before, after].map(|options| options.readings(case));
    let mut buffers = BufferPool::default();
    let models = selected(case, before).map(|model| model as &dyn Model);
    let mut change = |model: &dyn Model| {
        let target = model.target();
        let mut asked = Asked {
            case,
            steps: &steps,
            model,
            buffers: &mut buffers,
        };
        asked.change(target, &old[target], &new[target])
    };
    models.filter_map(&mut change).collect()
}

struct Asked<'a> {
    case: &'a Case,
    steps: &'a [Memory],
    model: &'a dyn Model,
    buffers: &'a mut BufferPool,
}

impl Asked<'_> {
    fn change(&mut self, target: Target, old: &Readings, new: &Readings) -> Option<Change> {
        if old == new {
            return None;
        }
        let before = self.outcome(old);
        let call = &self.case.call;
        let after = self.outcome(new);
        let place = before.view(call).difference(&after.view(call))?;
        let differ = GAPS.iter().filter_map(|gap| {
            let choice = new.choice(gap.name)?;
            (old.choice(gap.name) != Some(choice)).then_some((gap.name, choice))
        });
        let differ: Vec<_> = differ.collect();
        let mut alone = |(gap, choice): &(&str, &str)| {
            let mut one = *old;
            // Gap and choice come from the list of them: they exist.
            let _ = one.set(gap, choice);
            let outcome = self.outcome(&one);
            before.view(call).difference(&outcome.view(call)).is_some()
        };
        let mut by: Vec<_> = differ.iter().copied().filter(&mut alone).collect();
        if by.is_empty() {
            by = differ;
        }
        Some(Change {
            target,
            comes: [comes(&before), comes(&after)],
            promise_only: place == ptodiff_case::HolePlace::Promise
                && [&before, &after].map(comes) == [OutcomeKind::Result; 2],
            by: by
                .iter()
                .map(|(gap, choice)| format!("{gap}={choice}"))
                .collect(),
        })
    }

    fn outcome(&mut self, readings: &Readings) -> ReadingOutcome<OwnedResult> {
        outcome_under(
            self.buffers,
            self.model,
            &self.case.call,
            self.steps,
            readings,
        )
    }
}

const fn comes(outcome: &ReadingOutcome<OwnedResult>) -> OutcomeKind {
    match outcome {
        ReadingOutcome::Rejected => OutcomeKind::Rejected,
        ReadingOutcome::Undefined => OutcomeKind::Undefined,
        ReadingOutcome::Ran(_) => OutcomeKind::Result,
        ReadingOutcome::Hung => OutcomeKind::Hangs,
        ReadingOutcome::Fault => OutcomeKind::Fault,
    }
}
