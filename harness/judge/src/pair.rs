//! Two parties against each other.

use ptodiff_contract::Verbosity;
use ptodiff_isa::{Clause, Party, Role, Schedule};

use crate::input::{CaseContext, PartyInput};
use crate::output_comparison::{Extent, OutputComparison};
use crate::{Coordinate, Lane, Place, TargetVerdict, Value};

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
        /// Where they differ; nowhere if nobody asked.
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
    /// The lanes that wrote there, by the contract of either target.
    pub lanes: [Vec<Lane>; 2],
    /// The clauses that either target's contract cites for this slot; none
    /// where it had to be kept.
    pub ruled: [Option<Clause>; 2],
    /// The clauses that permit the difference, in order; empty if none does.
    pub clauses: Vec<Clause>,
}

/// Judges two parties that [`crate::judge_target`] gave a verdict on.
#[must_use]
pub fn judge_pair(
    context: &CaseContext<'_>,
    a: (&PartyInput<'_>, &TargetVerdict),
    b: (&PartyInput<'_>, &TargetVerdict),
) -> PairVerdict {
    judge_pair_with(Verbosity::Full, context, a, b)
}

/// As [`judge_pair`], describing what `verbosity` says.
pub(crate) fn judge_pair_with(
    verbosity: Verbosity,
    context: &CaseContext<'_>,
    a: (&PartyInput<'_>, &TargetVerdict),
    b: (&PartyInput<'_>, &TargetVerdict),
) -> PairVerdict {
    // What the case expects of one alone is nothing between two.
    let [a, b] = [a, b].map(|(input, verdict)| (input, verdict.by_contract()));
    if let (TargetVerdict::Conforms { .. }, TargetVerdict::Conforms { .. }) = (a.1, b.1) {
        conforming(verbosity, context, a, b)
    } else {
        without_both(context, a, b)
    }
}

/// Two of which one at least does not conform.
fn without_both(
    context: &CaseContext<'_>,
    a: (&PartyInput<'_>, &TargetVerdict),
    b: (&PartyInput<'_>, &TargetVerdict),
) -> PairVerdict {
    let those = |test: fn(&TargetVerdict) -> bool| -> Vec<Party> {
        let both = [a, b].into_iter();
        both.filter(|(_, v)| test(v))
            .map(|(s, _)| s.party.clone())
            .collect()
    };
    let violating = those(|v| matches!(v, TargetVerdict::Violates { .. }));
    let unjudged = those(|v| matches!(v, TargetVerdict::Unjudged(_)));
    let unsupported = those(|v| matches!(v, TargetVerdict::Unsupported(_)));
    let rejected = those(|v| matches!(v, TargetVerdict::RejectedAsDocumented { .. }));
    let hangs = those(|v| matches!(v, TargetVerdict::Hangs(_)));
    let undefined = those(|v| matches!(v, TargetVerdict::Undefined(_)));
    let without = [&unjudged, &unsupported, &rejected, &hangs, &undefined];
    let told_of_both = without.iter().all(|parties| parties.is_empty());
    if !violating.is_empty() {
        let comparison = told_of_both
            .then(|| OutputComparison::new(context, a.0, b.0))
            .flatten();
        return PairVerdict::Violation {
            cause: Cause::Broken(violating),
            differences: comparison
                .map(|c| c.differences(Extent::Whole))
                .unwrap_or_default(),
        };
    }
    if !unjudged.is_empty() {
        return PairVerdict::NotCompared(NotCompared::Unjudged(unjudged));
    }
    if !unsupported.is_empty() {
        return PairVerdict::NotCompared(NotCompared::Unsupported(unsupported));
    }
    if !rejected.is_empty() {
        return PairVerdict::NotCompared(NotCompared::Rejected(rejected));
    }
    if !hangs.is_empty() {
        return PairVerdict::NotCompared(NotCompared::Hangs(hangs));
    }
    PairVerdict::NotCompared(NotCompared::Undefined(undefined))
}

/// Two that conform.
fn conforming(
    verbosity: Verbosity,
    context: &CaseContext<'_>,
    a: (&PartyInput<'_>, &TargetVerdict),
    b: (&PartyInput<'_>, &TargetVerdict),
) -> PairVerdict {
    let Some(comparison) = OutputComparison::new(context, a.0, b.0) else {
        return PairVerdict::NotCompared(NotCompared::NothingCompared);
    };
    let slots = comparison.slots();
    // Mostly every slot is promised by both: then no run needs to be asked.
    let all = |v: &TargetVerdict| matches!(v, TargetVerdict::Conforms { compared, .. } if *compared == slots);
    let compared = match all(a.1) && all(b.1) {
        true => slots,
        false => comparison.compared(),
    };
    if compared == 0 {
        return PairVerdict::NotCompared(NotCompared::Open);
    }
    if verbosity == Verbosity::Brief
        && let Some(clauses) = comparison.permitted_by(Extent::Touched)
    {
        if clauses.is_empty() {
            return PairVerdict::Agree { compared };
        }
        return PairVerdict::Permitted {
            clauses,
            differences: Differences::default(),
        };
    }
    let mut differences = comparison.differences(Extent::Touched);
    if differences.slots == 0 {
        return PairVerdict::Agree { compared };
    }
    // Each keeps what its own reading promises.
    let apart = context.read_apart(a.0.party.target, b.0.party.target);
    let silent = differences
        .described
        .iter_mut()
        .filter(|s| s.clauses.is_empty());
    silent.for_each(|slot| slot.clauses.clone_from(&apart));
    if differences.described.iter().any(|s| s.clauses.is_empty()) {
        return PairVerdict::Violation {
            cause: Cause::Contradiction,
            differences,
        };
    }
    let cited = differences.described.iter().flat_map(|s| &s.clauses);
    let mut clauses: Vec<_> = cited.copied().collect();
    clauses.sort_unstable();
    clauses.dedup();
    PairVerdict::Permitted {
        clauses,
        differences,
    }
}
