//! What comes of a call on one target, as far as a reading can change it.

use std::{
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
};

use ptodiff_case::HolePlace;
use ptodiff_contract::{Broken, Enforced, Permit, Permits, Promise, Question, Verbosity};
use ptodiff_isa::{Call, How, Memory, Model, Readings, Region, Schedule};
use ptodiff_judge::Answer;

use crate::execute;

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

/// What a target makes of a call, as far as a reading can change it.
pub(crate) struct ReadingOutcome {
    pub(crate) kind: OutcomeKind,
    /// The output with its guard zones and what it may hold, where there is a result.
    result: Option<(Option<Region>, Promise)>,
}

impl From<OutcomeKind> for ReadingOutcome {
    fn from(kind: OutcomeKind) -> Self {
        Self { kind, result: None }
    }
}

impl ReadingOutcome {
    /// In what two outcomes of one call differ, if they do.
    pub(crate) fn difference(&self, other: &Self) -> Option<HolePlace> {
        use OutcomeKind::{Hangs, Rejected};
        if let (Some((own, promise)), Some((theirs, other))) = (&self.result, &other.result) {
            if own != theirs {
                return Some(HolePlace::Result);
            }
            let same = same_permits(promise.permits(), other.permits());
            return (!same).then_some(HolePlace::Promise);
        }
        match [self.kind, other.kind] {
            [a, b] if a == b => None,
            kinds if kinds.contains(&Rejected) => Some(HolePlace::Rejection),
            kinds if kinds.contains(&Hangs) => Some(HolePlace::Hang),
            _ => Some(HolePlace::Promise),
        }
    }
}

/// Asks `model` and the contract, under `readings` and in order.
pub(crate) fn outcome_under(
    model: &dyn Model,
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
) -> ReadingOutcome {
    match execute::check(model, call, readings) {
        Err(_) => return OutcomeKind::Fault.into(),
        Ok(rejections) if !rejections.is_empty() => return OutcomeKind::Rejected.into(),
        Ok(_) => {}
    }
    let question = Question {
        call,
        target: model.target(),
        readings,
        verbosity: Verbosity::Brief,
    };
    let promise = Promise::of(&question, steps);
    let by_caller = |b: &Broken| b.enforced == Enforced::ByCaller;
    if !promise.preconditions().is_empty() || promise.legality().iter().any(by_caller) {
        return OutcomeKind::Undefined.into();
    }
    let how = How {
        schedule: Schedule::InOrder,
        readings: *readings,
    };
    match execute::execute(model, call, steps, &how) {
        Answer::Ran(ran) => {
            let mut regions = ran.memory.regions.into_iter();
            let output = regions.find(|region| region.role == call.output());
            ReadingOutcome {
                kind: OutcomeKind::Result,
                result: Some((output, promise)),
            }
        }
        Answer::Hung(_) => OutcomeKind::Hangs.into(),
        // A model has no other answer that is none.
        _ => OutcomeKind::Fault.into(),
    }
}

/// Whether two permits let each slot hold the same, whatever the clauses.
fn same_permits(a: Option<&Permits>, b: Option<&Permits>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b || digest(a) == digest(b),
        (None, None) => true,
        _ => false,
    }
}

/// What `permits` lets each slot hold, whatever the clauses.
fn digest(permits: &Permits) -> u64 {
    let mut hasher = DefaultHasher::new();
    let pool = |at: usize, len: usize| &permits.pool[at..at + len];
    for operand in &permits.operands {
        (operand.role, operand.guards_free.is_some()).hash(&mut hasher);
        let size = operand.dtype.size();
        // Runs that differ in their clauses only are one.
        let mut exact_until = None;
        for run in &operand.runs {
            let exactly = matches!(run.permit, Permit::Exactly { .. }) && run.or_kept.is_none();
            if !exactly || exact_until != Some(run.offset) {
                (run.offset, run.or_kept.is_some()).hash(&mut hasher);
            }
            exact_until = exactly.then_some(run.offset + run.len);
            match run.permit {
                Permit::Exactly { at } => hasher.write(pool(at, run.len)),
                Permit::OneOf { at, count } => {
                    (run.len, count, pool(at, run.len * count)).hash(&mut hasher);
                }
                Permit::Between {
                    low, high, more, ..
                } => {
                    ("from", pool(low, size), pool(high, (1 + more) * size)).hash(&mut hasher);
                }
                Permit::Anything => ("anything", run.len).hash(&mut hasher),
            }
        }
    }
    permits.oob_accesses.is_some().hash(&mut hasher);
    hasher.finish()
}
