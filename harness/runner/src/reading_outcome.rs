//! What comes of a call on one target, as far as a reading can change it.

use std::{
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
};

use ptodiff_case::HolePlace;
use ptodiff_contract::{Broken, Enforced, Permit, Permits};
use ptodiff_isa::Call;
use ptodiff_judge::Answer;

use crate::party_run::PartyRun;

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

impl OutcomeKind {
    /// What came of a call under the first schedule.
    pub(crate) fn of(run: &PartyRun) -> Self {
        let by_caller = |b: &Broken| b.enforced == Enforced::ByCaller;
        let promise = &run.promise;
        match run.answer() {
            Some(Answer::Rejected(_)) => Self::Rejected,
            _ if !promise.preconditions().is_empty() => Self::Undefined,
            _ if promise.legality().iter().any(by_caller) => Self::Undefined,
            Some(Answer::Ran(_)) => Self::Result,
            Some(Answer::Hung(_)) => Self::Hangs,
            // A model has no other answer that is none.
            _ => Self::Fault,
        }
    }
}

/// In what two runs of one call on one target differ, if they do.
pub(crate) fn difference(call: &Call, runs: [&PartyRun; 2]) -> Option<HolePlace> {
    use OutcomeKind::{Hangs, Rejected, Result};
    match runs.map(OutcomeKind::of) {
        [Result, Result] => {
            // The output with its guard zones.
            let [one, other] = runs.map(|run| {
                let ran = run.answer().and_then(Answer::ran)?;
                ran.memory.get(call.output())
            });
            if one != other {
                return Some(HolePlace::Result);
            }
            let [one, other] = runs.map(|run| run.promise.permits());
            (!same_permits(one, other)).then_some(HolePlace::Promise)
        }
        [a, b] if a == b => None,
        kinds if kinds.contains(&Rejected) => Some(HolePlace::Rejection),
        kinds if kinds.contains(&Hangs) && runs.iter().any(|run| ran(run)) => Some(HolePlace::Hang),
        _ => Some(HolePlace::Promise),
    }
}

/// Whether it returned, promised or not.
fn ran(run: &PartyRun) -> bool {
    run.answer().is_some_and(|answer| answer.ran().is_some())
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
