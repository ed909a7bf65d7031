//! What comes of a call on one target, as far as a reading can change it: held
//! side by side without copies.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use ptodiff_case::HolePlace;
use ptodiff_contract::{
    Broken, Enforced, OperandPermits, Permit, Permits, Promise, Question, Run, Verbosity,
};
use ptodiff_isa::{Call, How, Memory, Model, Readings, Region, Schedule};
use ptodiff_judge::Answer;

use crate::{
    BufferPool, execute,
    party_run::{PartyRun, Promised},
};

/// What a target makes of a call, as far as a reading can change it.
pub(crate) enum ReadingOutcome<R> {
    Rejected,
    Undefined,
    Ran(R),
    Hung,
    Fault,
}

/// What a target that ran left, and what it may leave.
pub(crate) struct OwnedResult {
    memory: Memory,
    promised: Arc<Promised>,
}

/// The output with its guard zones, and what it may hold.
#[derive(Clone, Copy)]
pub(crate) struct ResultView<'a> {
    output: Option<&'a Region>,
    permits: Option<&'a Permits>,
}

/// What comes of the call under the readings in force.
pub(crate) enum CurrentOutcome<'a> {
    /// As a run of the case had it.
    OfRun(ReadingOutcome<ResultView<'a>>),
    /// As it was computed here.
    Computed(ReadingOutcome<OwnedResult>),
}

impl CurrentOutcome<'_> {
    pub(crate) fn view(&self, call: &Call) -> ReadingOutcome<ResultView<'_>> {
        match self {
            Self::OfRun(outcome) => outcome.map(|view| *view),
            Self::Computed(outcome) => outcome.view(call),
        }
    }
}

impl<R> ReadingOutcome<R> {
    fn map<'a, T>(&'a self, f: impl FnOnce(&'a R) -> T) -> ReadingOutcome<T> {
        match self {
            Self::Rejected => ReadingOutcome::Rejected,
            Self::Undefined => ReadingOutcome::Undefined,
            Self::Ran(ran) => ReadingOutcome::Ran(f(ran)),
            Self::Hung => ReadingOutcome::Hung,
            Self::Fault => ReadingOutcome::Fault,
        }
    }
}

impl ReadingOutcome<OwnedResult> {
    /// Gives what it holds back to where it was taken from.
    pub(crate) fn give_back(self, buffers: &mut BufferPool) {
        if let Self::Ran(left) = self {
            buffers.take_memory(left.memory);
            buffers.take_promised(left.promised);
        }
    }

    pub(crate) fn view(&self, call: &Call) -> ReadingOutcome<ResultView<'_>> {
        self.map(|left| ResultView::of(call, &left.memory, left.promised.said()))
    }
}

impl<'a> ResultView<'a> {
    fn of(call: &Call, memory: &'a Memory, promise: &'a Promise) -> Self {
        Self {
            output: memory.get(call.output()),
            permits: promise.permits(),
        }
    }
}

impl ReadingOutcome<ResultView<'_>> {
    /// In what two party runs of one call differ, if they do.
    pub(crate) fn difference(&self, other: &Self) -> Option<HolePlace> {
        match (self, other) {
            (Self::Ran(own), Self::Ran(theirs)) if own.output != theirs.output => {
                Some(HolePlace::Result)
            }
            (Self::Ran(own), Self::Ran(theirs)) => {
                (!same_permits(own.permits, theirs.permits)).then_some(HolePlace::Promise)
            }
            (Self::Rejected, Self::Rejected)
            | (Self::Undefined, Self::Undefined)
            | (Self::Hung, Self::Hung)
            | (Self::Fault, Self::Fault) => None,
            (Self::Rejected, _) | (_, Self::Rejected) => Some(HolePlace::Rejection),
            (Self::Hung, _) | (_, Self::Hung) => Some(HolePlace::Hang),
            _ => Some(HolePlace::Promise),
        }
    }
}

/// What `party_run` tells of its target in order; nothing if it ran in another
/// order only.
pub(crate) fn outcome_of_run<'a>(
    call: &Call,
    party_run: &'a PartyRun,
) -> Option<ReadingOutcome<ResultView<'a>>> {
    let in_order = |schedule: Schedule| schedule == Schedule::InOrder;
    let outcome = match party_run.answer()? {
        Answer::Rejected(_) => return Some(ReadingOutcome::Rejected),
        Answer::Ran(ran) if in_order(ran.schedule) => ReadingOutcome::Ran(&ran.memory),
        Answer::Hung(schedule) if in_order(*schedule) => ReadingOutcome::Hung,
        Answer::Fault(_) => ReadingOutcome::Fault,
        _ => return None,
    };
    let Some(promise) = party_run.promise() else {
        // It died over its checks.
        return Some(ReadingOutcome::Fault);
    };
    if is_undefined(promise) {
        return Some(ReadingOutcome::Undefined);
    }
    Some(outcome.map(|memory| ResultView::of(call, memory, promise)))
}

/// Whether the call or its data breaks a precondition, so that nothing is promised.
fn is_undefined(promise: &Promise) -> bool {
    let by_caller = |b: &Broken| b.enforced == Enforced::ByCaller;
    promise.legality().iter().any(by_caller) || !promise.preconditions().is_empty()
}

/// Asks `model` and the contract, under `readings` and in order.
pub(crate) fn outcome_under(
    buffers: &mut BufferPool,
    model: &dyn Model,
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
) -> ReadingOutcome<OwnedResult> {
    match execute::check(model, call, readings) {
        Err(_) => return ReadingOutcome::Fault,
        Ok(rejections) if !rejections.is_empty() => return ReadingOutcome::Rejected,
        Ok(_) => {}
    }
    let question = Question {
        call,
        target: model.target(),
        readings,
        verbosity: Verbosity::Brief,
    };
    let mut promised = buffers.promised();
    // It has one owner.
    let promise = Arc::make_mut(&mut promised).said_mut();
    promise.of_call(&question);
    let by_caller = |b: &Broken| b.enforced == Enforced::ByCaller;
    // Nothing that the data does changes what is broken already.
    let mut undefined = promise.legality().iter().any(by_caller);
    if !undefined {
        promise.of_data(&question, steps);
        undefined = is_undefined(promise);
    }
    if undefined {
        buffers.take_promised(promised);
        return ReadingOutcome::Undefined;
    }
    let how = How {
        schedule: Schedule::InOrder,
        readings: *readings,
    };
    match execute::execute(buffers, model, call, steps, &how) {
        Answer::Ran(ran) => ReadingOutcome::Ran(OwnedResult {
            memory: ran.memory,
            promised,
        }),
        Answer::Hung(_) => ReadingOutcome::Hung,
        // A model has no other answer that is none.
        _ => ReadingOutcome::Fault,
    }
}

/// Whether two permits let each slot hold the same, whatever the clauses.
fn same_permits(a: Option<&Permits>, b: Option<&Permits>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => stand_alike(a, b) || digest(a) == digest(b),
        (None, None) => true,
        _ => false,
    }
}

/// Whether two permits are made of the same runs, which mostly is so where they
/// say the same. Says less than [`digest`], and quicker.
fn stand_alike(a: &Permits, b: &Permits) -> bool {
    let runs = |(a, b): (&Run, &Run)| {
        (a.offset, a.len, a.permit, a.or_kept.is_some())
            == (b.offset, b.len, b.permit, b.or_kept.is_some())
    };
    let operands = |(a, b): (&OperandPermits, &OperandPermits)| {
        a.role == b.role
            && a.dtype == b.dtype
            && a.guards_free.is_some() == b.guards_free.is_some()
            && a.runs.len() == b.runs.len()
            && a.runs.iter().zip(&b.runs).all(runs)
    };
    a.oob_accesses.is_some() == b.oob_accesses.is_some()
        && a.pool == b.pool
        && a.operands.len() == b.operands.len()
        && a.operands.iter().zip(&b.operands).all(operands)
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
