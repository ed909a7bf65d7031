//! Two parties against each other.

use ptodiff_isa::Party;

use crate::clauses::sorted;
use crate::input::{CaseContext, PartyInput};
use crate::output_comparison::OutputComparison;
use crate::read_apart::ReadApart;
use crate::{Cause, Differences, NotCompared, PairVerdict, TargetVerdict};

/// Judges two parties that [`crate::judge_target`] gave a verdict on.
#[must_use]
pub fn judge_pair(
    context: &CaseContext<'_>,
    a: (&PartyInput<'_>, &TargetVerdict),
    b: (&PartyInput<'_>, &TargetVerdict),
) -> PairVerdict {
    // What the case expects of one alone is nothing between two.
    let [a, b] = [a, b].map(|(input, verdict)| (input, verdict.by_contract()));
    without_both(context, a, b).unwrap_or_else(|| conforming(context, a.0, b.0))
}

/// Two of which one at least does not conform; none where both do.
fn without_both(
    context: &CaseContext<'_>,
    a: (&PartyInput<'_>, &TargetVerdict),
    b: (&PartyInput<'_>, &TargetVerdict),
) -> Option<PairVerdict> {
    use TargetVerdict as T;
    let those = |test: fn(&TargetVerdict) -> bool| -> Vec<Party> {
        let both = [a, b].into_iter().filter(|(_, v)| test(v));
        both.map(|(input, _)| input.party.clone()).collect()
    };
    let violating = those(|v| matches!(v, T::Violates { .. }));
    let without = |test: fn(&TargetVerdict) -> bool, why: fn(Vec<Party>) -> NotCompared| {
        let who = those(test);
        (!who.is_empty()).then(|| why(who))
    };
    let without = without(|v| matches!(v, T::Unjudged(_)), NotCompared::Unjudged)
        .or_else(|| without(|v| matches!(v, T::Unsupported(_)), NotCompared::Unsupported))
        .or_else(|| {
            let rejects = |v: &_| matches!(v, T::RejectedAsDocumented { .. });
            without(rejects, NotCompared::Rejected)
        })
        .or_else(|| without(|v| matches!(v, T::Hangs(_)), NotCompared::Hangs))
        .or_else(|| without(|v| matches!(v, T::Undefined(_)), NotCompared::Undefined));
    if violating.is_empty() {
        return without.map(PairVerdict::NotCompared);
    }
    let comparison = match without {
        None => OutputComparison::new(context, a.0, b.0),
        // Nothing is promised of one of them: its bytes say nothing.
        Some(_) => None,
    };
    Some(PairVerdict::Violation {
        cause: Cause::Broken(violating),
        differences: comparison.map_or_else(Differences::default, |c| c.differences()),
    })
}

/// Two that conform.
fn conforming(context: &CaseContext<'_>, a: &PartyInput<'_>, b: &PartyInput<'_>) -> PairVerdict {
    let Some(comparison) = OutputComparison::new(context, a, b) else {
        return PairVerdict::NotCompared(NotCompared::NothingCompared);
    };
    let compared = comparison.compared();
    if compared == 0 {
        return PairVerdict::NotCompared(NotCompared::Open);
    }
    let mut differences = comparison.differences();
    if differences.slots == 0 {
        return PairVerdict::Agree { compared };
    }
    // Each keeps what its own reading promises.
    let apart = ReadApart::new(context, [a, b]);
    for slot in &mut differences.described {
        match apart.deciding(slot.offset) {
            some if !some.is_empty() => slot.clauses = some,
            _ if slot.clauses.is_empty() => slot.clauses = apart.mattering(slot.offset),
            _ => {}
        }
    }
    if differences.described.iter().any(|s| s.clauses.is_empty()) {
        return PairVerdict::Violation {
            cause: Cause::Contradiction,
            differences,
        };
    }
    let cited = differences.described.iter().flat_map(|s| &s.clauses);
    PairVerdict::Permitted {
        clauses: sorted(cited.copied()),
        differences,
    }
}
