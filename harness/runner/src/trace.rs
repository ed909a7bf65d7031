//! What one model issues for one case.

use ptodiff_case::Case;
use ptodiff_isa::{
    Call, End, Event, How, Log, Memory, Model, OobAccesses, Readings, Rejection, Schedule, Target,
};

use crate::{
    Options,
    context::{Prepared, RunContext},
    execute, model_of,
};

/// What a target issued, call by call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The events of each call of the case, in the order of the calls.
    pub calls: Vec<Vec<Event>>,
    /// Out-of-bounds accesses, over all calls.
    pub oob_accesses: OobAccesses,
    /// Whether the last of the calls never returns.
    pub hung: bool,
}

/// Why there is no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Untraced {
    /// The target's checks reject the case.
    Rejected(Vec<Rejection>),
    /// The target issues no such handshake for the case; these it does.
    NoHandshake(Vec<String>),
    /// What is seen without a handshake cannot be told of a sparse table.
    Sparse,
    /// The model could not run it.
    Fault(String),
}

/// Runs `case` on `target` under `schedule` and notes what it issues. The data
/// is that of a run with the same options; preconditions may be broken.
///
/// # Errors
/// If the target rejects the case or its model fails.
pub fn trace(
    case: &Case,
    target: Target,
    schedule: Schedule,
    options: &Options,
) -> Result<Trace, Untraced> {
    let prepared = Prepared::new(case, options);
    prepared.context().issued(model_of(target), schedule)
}

impl RunContext<'_> {
    /// Runs the case on `model` and notes what it issues.
    ///
    /// # Errors
    /// If the target rejects the call or its model fails.
    pub(crate) fn issued(&self, model: &dyn Model, schedule: Schedule) -> Result<Trace, Untraced> {
        let (call, readings) = (&self.case.call, self.readings[model.target()]);
        accepted(model, call, &readings)?;
        let how = How { schedule, readings };
        let mut memory = Memory::default();
        let mut log = Log::default();
        let mut calls = Vec::new();
        let mut hung = false;
        for step in self.steps {
            execute::reload(&mut memory, step);
            log.trace = Some(Vec::new());
            let ended = execute::caught(|| model.execute(call, &mut memory, &how, &mut log));
            let ended = ended.map_err(Untraced::Fault)?;
            let end = ended.map_err(|fault| Untraced::Fault(fault.0))?;
            calls.extend(log.trace.take());
            if end == End::Hung {
                hung = true;
                break;
            }
        }
        Ok(Trace {
            calls,
            hung,
            oob_accesses: log.oob_accesses,
        })
    }
}

/// That `model` accepts `call`.
///
/// # Errors
/// If it rejects, or dies over its checks.
pub(crate) fn accepted(
    model: &dyn Model,
    call: &Call,
    readings: &Readings,
) -> Result<(), Untraced> {
    let rejections = execute::check(model, call, readings).map_err(Untraced::Fault)?;
    if rejections.is_empty() {
        Ok(())
    } else {
        Err(Untraced::Rejected(rejections))
    }
}
