//! What the judge is given: what all targets of a case share, and what each did.

use ptodiff_contract::{Broken, Permits, Promise};
use ptodiff_isa::{Call, Clause, Memory, Party, TargetReadings};

use crate::{Answer, DESCRIBED, Finding};

/// What all targets of a case share.
#[derive(Clone, Copy)]
pub struct CaseContext<'a> {
    /// The call, the same in every step.
    pub call: &'a Call,
    /// What the operands must be measured against: the output as it was before
    /// the first step, the inputs as the last step got them.
    pub before: &'a Memory,
    /// The operands before each step.
    pub steps: &'a [Memory],
    /// Whether nobody reads a description: then only the first slot of each kind has one.
    pub brief: bool,
    /// The readings under which each target was promised what it was.
    pub readings: &'a TargetReadings,
}

impl CaseContext<'_> {
    /// How many slots are described whatever their kind.
    pub(crate) fn described(&self) -> u64 {
        if self.brief { 0 } else { DESCRIBED as u64 }
    }
}

/// What comes of a call on one target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It runs, and something is promised about what it leaves.
    Result,
    /// Its checks reject.
    Rejected,
    /// It runs, and nothing is promised.
    Undefined,
    /// It never returns.
    Hangs,
}

/// What the case expects of a target, where it expects anything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expect {
    /// If not empty, the target must reject and give all of these as reasons.
    pub rejected: Vec<Clause>,
    /// If not empty, the target must accept and all of these must be preconditions
    /// that the case breaks.
    pub undefined: Vec<Clause>,
    /// If not empty, the target must accept and never return, by one of these.
    pub hangs: Vec<Clause>,
    /// Whether the case mirrors a suite of this very target: the suite runs it
    /// there, so a target without a result needs one of the lists above.
    pub own_suite: bool,
    /// Each of these must come of the call.
    pub outcomes: Vec<Outcome>,
    /// What the case expects and whoever ran it did not find.
    pub unmet: Vec<Finding>,
}

impl Expect {
    /// Nothing is expected.
    pub const NOTHING: &'static Self = {
        static NOTHING: Expect = Expect {
            rejected: Vec::new(),
            undefined: Vec::new(),
            hangs: Vec::new(),
            own_suite: false,
            outcomes: Vec::new(),
            unmet: Vec::new(),
        };
        &NOTHING
    };
}

/// One party: what the contract says of its target, and what it did.
#[derive(Clone, Copy, Debug)]
pub struct PartyInput<'a> {
    /// Who it is.
    pub party: &'a Party,
    /// Constraints that the call breaks.
    pub legality: &'a [Broken],
    /// Constraints that the data breaks.
    pub preconditions: &'a [Broken],
    /// The clause by which the call never returns, if one says so.
    pub hangs: Option<Clause>,
    /// The promises; not needed where the target rejects or a precondition is broken.
    pub permits: Option<&'a Permits>,
    /// What it did: one answer, or one a schedule.
    pub answers: &'a [Answer],
    /// What the case expects of it.
    pub expect: &'a Expect,
}

impl<'a> PartyInput<'a> {
    /// A party that was promised this.
    #[must_use]
    pub fn of(
        party: &'a Party,
        promise: &'a Promise,
        answers: &'a [Answer],
        expect: &'a Expect,
    ) -> Self {
        Self {
            party,
            legality: promise.legality(),
            preconditions: promise.preconditions(),
            hangs: promise.hangs(),
            permits: promise.permits(),
            answers,
            expect,
        }
    }

    /// The clause by which writes may leave their operand, if one says so. A process has no zones
    /// around its operands: such a write may change anything of it, or end it.
    #[must_use]
    pub fn strays(&self) -> Option<Clause> {
        let mut operands = self.permits?.operands.iter();
        operands.find_map(|operand| operand.guards_free)
    }
}
