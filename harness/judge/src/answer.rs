//! What a target did with a case.

use ptodiff_isa::{Clause, Memory, OobAccesses, Rejection, Role, Schedule};

use crate::Place;

/// What one target did with a case, under one schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Its static checks rejected, for these reasons.
    Rejected(Vec<Rejection>),
    /// It ran all steps to the end.
    Ran(Ran),
    /// It ran into a wait that never ends, in a call under this schedule.
    Hung(Schedule),
    /// It accepted and could not run: why, in one line.
    Fault(String),
    /// An implementation's checks rejected. Unlike a model it need not say by which clause.
    Declined {
        /// The clause that it named.
        clause: Option<Clause>,
        /// What it said, in one line.
        why: String,
    },
    /// An implementation gave no answer.
    Failed {
        /// How it failed: [`Place::Crash`] or one of those behind it.
        place: Place,
        /// The order that it was asked for.
        schedule: Schedule,
        /// What happened, in one line.
        why: String,
    },
    /// An implementation says that it cannot run such calls: why, in one line.
    Unsupported(String),
}

impl Answer {
    /// What it left behind, if it ran to the end.
    #[must_use]
    pub const fn ran(&self) -> Option<&Ran> {
        match self {
            Self::Ran(ran) => Some(ran),
            _ => None,
        }
    }

    /// Why a model's checks rejected; empty if they did not.
    #[must_use]
    pub fn rejections(&self) -> &[Rejection] {
        match self {
            Self::Rejected(rejections) => rejections,
            _ => &[],
        }
    }
}

/// The state that a target left behind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// All operands after the last step.
    pub memory: Memory,
    /// Out-of-bounds accesses, over all steps.
    pub oob_accesses: OobAccesses,
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
