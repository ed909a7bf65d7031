//! What a case says that must be found: the other half of a case that covers it.
//!
//! The contract says what a document allows in general; an expectation is
//! worked out by hand for one case, so that a clause does not rest on the
//! contract and the models being wrong in the same way.

use std::ops::Range;

use ptodiff_isa::{Role, Target, words};

/// What must be found on some targets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expectation {
    /// The targets it speaks of, in the order of [`Target`]; all of them are
    /// targets of the case.
    pub targets: Vec<Target>,
    /// The reading of the case's gap under which it holds, by its letter in
    /// the register; without one it holds under the case's own readings.
    pub answer: Option<char>,
    /// What comes of the call.
    pub outcome: ExpectedOutcome,
    /// What operands hold afterwards. Operands that are not named are not looked at.
    pub slots: Vec<ExpectedSlots>,
    /// What is issued, in order schedule.
    pub trace: ExpectedTrace,
    /// How the call is spelled: a spelling and a pattern for its text.
    pub spelled: Vec<(Spelling, String)>,
}

impl Expectation {
    /// Whether it holds what runs to more than a result: an outcome without one, what is issued
    /// or spelled, or elements that may not hold anything.
    #[must_use]
    pub fn says_more_than_a_result(&self) -> bool {
        let mut runs = self.slots.iter().flat_map(ExpectedSlots::runs);
        self.outcome != ExpectedOutcome::Result
            || !self.trace.is_empty()
            || !self.spelled.is_empty()
            || runs.any(|(_, slot)| *slot != ExpectedSlot::Any)
    }
}

words! {
    /// What comes of a call.
    #[derive(Default)]
    #[serde(rename_all = "lowercase")]
    #[strum(serialize_all = "lowercase")]
    pub enum ExpectedOutcome {
        /// It runs, and something is promised about what it leaves.
        #[default]
        Result,
        /// The target's checks reject it.
        Rejected,
        /// It runs, and nothing is promised.
        Undefined,
        /// It never returns.
        Hangs,
    }
}

/// What one operand holds after the last call: something of each element of its
/// body, in storage order, padding included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedSlots {
    /// The operand.
    pub role: Role,
    /// How many elements in a row hold what; no two that follow each other the same.
    runs: Vec<(u64, ExpectedSlot)>,
}

impl ExpectedSlots {
    /// Of an operand whose elements hold this, so many in a row each.
    #[must_use]
    pub fn new(role: Role, all: impl IntoIterator<Item = (u64, ExpectedSlot)>) -> Self {
        let mut runs: Vec<(u64, ExpectedSlot)> = Vec::new();
        for (elements, slot) in all.into_iter().filter(|(elements, _)| *elements > 0) {
            match runs.last_mut() {
                Some((before, same)) if *same == slot => *before += elements,
                _ => runs.push((elements, slot)),
            }
        }
        Self { role, runs }
    }

    /// Elements in a row that hold the same, and what, in order.
    pub fn runs(&self) -> impl Iterator<Item = (Range<u64>, &ExpectedSlot)> {
        let mut end = 0;
        self.runs.iter().map(move |(elements, slot)| {
            let start = end;
            end += elements;
            (start..end, slot)
        })
    }

    /// How many elements there are.
    #[must_use]
    pub fn elements(&self) -> u64 {
        self.runs.iter().map(|(elements, _)| elements).sum()
    }
}

/// What one element holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExpectedSlot {
    /// What it held before the first call.
    Kept,
    /// Anything.
    Any,
    /// One of these bit patterns; each at most as wide as the element.
    OneOf {
        /// Never empty.
        bits: Vec<u64>,
        /// What it held before the first call will do as well.
        or_kept: bool,
    },
}

/// What a target issues, as patterns for the lines of its trace. In a pattern
/// `*` stands for any text; a run of spaces in a line counts as one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExpectedTrace {
    /// Each pattern fits exactly so many events.
    pub count: Vec<(String, u64)>,
    /// Events that fit these follow each other, others between them allowed.
    pub order: Vec<String>,
}

impl ExpectedTrace {
    /// Whether nothing is expected of the trace.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count.is_empty() && self.order.is_empty()
    }
}

words! {
    /// A way to spell a call.
    #[serde(rename_all = "kebab-case")]
    #[strum(serialize_all = "kebab-case")]
    pub enum Spelling {
        /// PTO-AS, synchronous.
        Synchronous,
        /// PTO-AS with its policies as suffixes.
        Mode,
        /// AS or IR level 1.
        Level1,
        /// AS or IR level 2.
        Level2,
        /// Level 1 in manual mode: a pattern for one of its lines.
        Manual,
        /// PTO-AS with suffixes in the short types of the documents.
        Sketch,
        /// The C++ of the call: a pattern for one of its lines.
        Cpp,
    }
}
