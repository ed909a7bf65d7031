//! Whether a call keeps every documented constraint of a target.

use ptodiff_isa::{Call, Clause, Mgather, Mscatter, Readings, Target};

mod between;
mod byte_gather;
mod elements;
mod findings;
mod first;
mod l1;
mod mask;
mod restated;
mod table;
mod tile_scatter;
mod tiles;
mod unified_buffer;
mod valid;

use findings::Findings;
use restated::restated;

/// Who sees that a constraint is broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Enforced {
    /// A static check of the target rejects the call.
    ByCheck,
    /// No check: the caller owes it.
    ByCaller,
}

/// How much is said of what is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verbosity {
    /// The clause, who sees it, and what was found.
    #[default]
    Full,
    /// All but what was found: [`Broken::why`] is empty. For many calls, of
    /// which few are shown to a person.
    Brief,
}

impl Verbosity {
    /// What was found, if that is told.
    pub(crate) fn words(self, why: impl FnOnce() -> String) -> String {
        match self {
            Self::Full => why(),
            Self::Brief => String::new(),
        }
    }
}

/// One broken constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The clause that states the constraint.
    pub clause: Clause,
    /// Clauses that state the same of this call in other words.
    pub also: Vec<Clause>,
    /// Who sees it.
    pub enforced: Enforced,
    /// What was found, in one line; empty under [`Verbosity::Brief`].
    pub why: String,
}

/// Every documented constraint of `target` that the descriptors of `call`
/// break: those that a static check sees, and preconditions. A check does not see a
/// dimension given at run time; what it would have rejected is then a precondition.
#[must_use]
pub fn legality(call: &Call, target: Target, readings: &Readings) -> Vec<Broken> {
    legality_with(call, target, readings, Verbosity::Full)
}

/// As [`legality`], in as many words as asked for.
pub(crate) fn legality_with(
    call: &Call,
    target: Target,
    readings: &Readings,
    verbosity: Verbosity,
) -> Vec<Broken> {
    let mut found = Findings {
        broken: Vec::new(),
        verbosity,
        scatter: matches!(call, Call::Mscatter(_) | Call::MscatterFirst(_)),
    };
    match call {
        Call::Mscatter(c) => between::rules(c, target, readings, &mut found),
        Call::Mgather(c) => between::rules(&reversed(c), target, readings, &mut found),
        Call::MscatterFirst(c) => first::rules(c, target, readings, &mut found),
        Call::MgatherL1(c) => l1::rules(c, target, readings, &mut found),
        Call::TscatterIndex(c) => tile_scatter::rules(c, target, readings, &mut found),
        Call::TscatterMask(c) => mask::rules(c, target, readings, &mut found),
        Call::Tgatherb(c) => byte_gather::rules(c, target, readings, &mut found),
    }
    for broken in &mut found.broken {
        broken.also = restated(call, target, broken.clause);
    }
    found.broken
}

/// The scatter of the same operands: most of its rules are those of the gather, under
/// other numbers. What is the scatter's alone asks [`Findings`] which of them it is.
fn reversed(call: &Mgather) -> Mscatter {
    Mscatter {
        table: call.table,
        src: call.dst,
        idx: call.idx,
        mode: call.mode,
        launch: call.launch,
        ..Mscatter::default()
    }
}
