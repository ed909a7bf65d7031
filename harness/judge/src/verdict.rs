//! Verdicts: on a party, on two of them, and on a case.

use ptodiff_isa::{Clause, Party, Role, Schedule};

use crate::{Coordinate, Finding, Place, Value};

/// The verdict on a case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CaseVerdict {
    /// Of each party, in the order given.
    pub parties: Vec<(Party, TargetVerdict)>,
    /// Of each two parties that meet, the first before the second in the order given.
    pub pairs: Vec<([Party; 2], PairVerdict)>,
    /// The party that stands alone, if one does: it alone breaks its contract, or the two
    /// others agree and it differs from both, permitted or not.
    pub outlier: Option<Party>,
}

impl CaseVerdict {
    /// Whether anything is wrong: a violation, something that could not be
    /// judged, or nothing judged at all.
    #[must_use]
    pub fn fails(&self) -> bool {
        let party = |(_, v): &(Party, TargetVerdict)| {
            matches!(
                v,
                TargetVerdict::Violates { .. } | TargetVerdict::Unjudged(_)
            )
        };
        let pair = |(_, v): &([Party; 2], PairVerdict)| {
            matches!(
                v,
                PairVerdict::Violation { .. }
                    | PairVerdict::NotCompared(
                        NotCompared::NothingCompared | NotCompared::Unjudged(_)
                    )
            )
        };
        self.parties.is_empty() || self.parties.iter().any(party) || self.pairs.iter().any(pair)
    }
}

/// Whether a target kept the contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TargetVerdict {
    /// Every slot, guard zone and input holds what it may, in every answer.
    Conforms {
        /// Slots of the output that something is promised about; never 0.
        compared: u64,
    },
    /// It rejected, and so the contract says. The two lists come from
    /// independent readings and may cite different clauses.
    RejectedAsDocumented {
        /// The clauses that the target gave, in order, each once; an implementation
        /// need not give any.
        reasons: Vec<Clause>,
        /// The clauses that a check enforces and the case breaks, in order, each once.
        documented: Vec<Clause>,
    },
    /// It accepted and never returns, and so the contract says, by this clause.
    Hangs(Clause),
    /// It accepted, and by these clauses nothing is promised: the case breaks
    /// preconditions, so that values were not compared, or every slot of the output is
    /// open. It did end, with all operands in shape.
    Undefined(Vec<Clause>),
    /// It broke the contract, or what the case expects of it.
    Violates {
        /// What is wrong; never empty. Slots beyond the first [`crate::DESCRIBED`] are
        /// described only if their kind of place or their clause is new.
        findings: Vec<Finding>,
        /// The verdict without what the case expects, where it kept the contract.
        otherwise: Option<Box<TargetVerdict>>,
    },
    /// It says that it cannot run such calls: no result, and no violation. Why,
    /// in one line.
    Unsupported(String),
    /// The harness could not judge it: a fault of the harness, never a pass.
    Unjudged(Unjudged),
}

impl TargetVerdict {
    /// The verdict on what it did, whatever the case expects of it.
    pub(crate) fn by_contract(&self) -> &Self {
        match self {
            Self::Violates {
                otherwise: Some(verdict),
                ..
            } => verdict,
            verdict => verdict,
        }
    }
}

/// Why a target could not be judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unjudged {
    /// It gave no answer at all.
    NoAnswer,
    /// It ran, no precondition is broken, and the contract gave no permits.
    NoPermits,
    /// There is no output, or it has no slot.
    NothingCompared,
}

/// What two parties say about the same case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PairVerdict {
    /// Both conform, and every compared slot of the output is the same.
    Agree {
        /// Slots compared; never 0.
        compared: u64,
    },
    /// Both conform and they differ, which these clauses permit.
    Permitted {
        /// The clauses that give the freedom, in order, each once.
        clauses: Vec<Clause>,
        /// Where they differ.
        differences: Differences,
    },
    /// They may not stand side by side.
    Violation {
        /// Why.
        cause: Cause,
        /// Where they differ, if both ran and something was promised of both.
        differences: Differences,
    },
    /// There is nothing to compare.
    NotCompared(NotCompared),
}

/// Why two parties may not stand side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// These break their contract.
    Broken(Vec<Party>),
    /// Both keep their contract, and they differ where no clause gives either
    /// of them freedom: the documents, or the contract's account of them,
    /// contradict each other.
    Contradiction,
}

/// Why there is nothing to compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotCompared {
    /// These could not be judged: a fault of the harness.
    Unjudged(Vec<Party>),
    /// These say that they cannot run such calls.
    Unsupported(Vec<Party>),
    /// These reject, as documented.
    Rejected(Vec<Party>),
    /// These never return, as documented.
    Hangs(Vec<Party>),
    /// These run and are promised nothing.
    Undefined(Vec<Party>),
    /// Every slot of the output is left open by one or the other.
    Open,
    /// An output is missing, empty, or of another length than it had: a fault
    /// of the harness or of the case, never a pass.
    NothingCompared,
}

/// Slots of the output that differ between two parties under some schedules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differences {
    /// How many.
    pub slots: u64,
    /// The first [`crate::DESCRIBED`], and then the first of every other kind of
    /// place and clauses.
    pub described: Vec<PairSlot>,
}

/// A slot of the output that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairSlot {
    /// The operand.
    pub role: Role,
    /// Byte offset in the operand's body.
    pub offset: usize,
    /// Its number: elements from the start of the body.
    pub element: usize,
    /// Its logical place, if it has one.
    pub coordinate: Option<Coordinate>,
    /// [`Place::Valid`] or [`Place::Padding`].
    pub place: Place,
    /// What it held before the case.
    pub before: Value,
    /// What it holds on either side.
    pub got: [Value; 2],
    /// The schedule on either side that gave this.
    pub schedules: [Schedule; 2],
    /// The clauses that either target's contract cites for this slot; none
    /// where it had to be kept.
    pub ruled: [Option<Clause>; 2],
    /// The clauses that permit the difference, in order; empty if none does.
    pub clauses: Vec<Clause>,
}
