//! What a target did with a case.

use ptodiff_isa::{Memory, Refusal, Role, Schedule, Strays};

/// What one target did with a case, under one schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Its static checks refused, for these reasons.
    Refused(Vec<Refusal>),
    /// It ran all steps to the end.
    Ran(Ran),
    /// It ran into a wait that never ends, in a call under this schedule.
    Hung(Schedule),
    /// It accepted and could not run: why, in one line.
    Fault(String),
}

/// The state that a target left behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// All operands after the last step.
    pub memory: Memory,
    /// Accesses outside operands, over all steps.
    pub strays: Strays,
    /// Operands of earlier steps that are only read and yet changed; those of
    /// the last step are in `memory` and the judge looks there.
    pub inputs_changed: Vec<InputChanged>,
    /// The order that concurrent lanes took effect in.
    pub schedule: Schedule,
}

/// An operand that a step only reads and that changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InputChanged {
    /// The step, from 0.
    pub step: usize,
    /// The operand.
    pub role: Role,
}

/// One element of the data tile at work: its logical place in one step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lane {
    /// The step, from 0.
    pub step: usize,
    /// Row, below `valid_row`.
    pub r: u64,
    /// Column, below `valid_col`.
    pub c: u64,
}
