//! Two parties against each other.

use ptodiff_contract::Verbosity;
use ptodiff_isa::Party;

use crate::input::{CaseContext, PartyInput};
use crate::output_comparison::{Extent, OutputComparison};
use crate::{Cause, Differences, NotCompared, PairVerdict, TargetVerdict};

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
