//! Asking again: what an implementation did wrong counts only where it is seen again.

use std::mem;

use ptodiff_isa::Party;
use ptodiff_judge::{CaseVerdict, PairVerdict, TargetVerdict};
use ptodiff_record::Finding;

use crate::{
    Implementation,
    context::RunContext,
    convert,
    implementation::ask_alone,
    party_run::{PartyRun, party_of},
    verdict::judge,
};

/// The verdict on `party_runs`. Each of `implementations` that did wrong is asked again, alone
/// and in new processes, of each answer once: what is never seen again is flaky, and the
/// verdict is on what was seen then.
pub(crate) fn judge_again(
    context: &RunContext<'_>,
    implementations: &[Implementation],
    party_runs: &mut [PartyRun],
) -> CaseVerdict {
    let mut verdict = judge(context, party_runs);
    for implementation in implementations {
        let party = party_of(implementation);
        let Some(at) = party_runs
            .iter()
            .position(|party_run| party_run.party == party)
        else {
            continue;
        };
        let first = wrong(context, party_runs, &verdict, &party);
        if first.is_empty() {
            continue;
        }
        let mut seen_again = implementation.retries() == 0;
        let before = match seen_again {
            true => Vec::new(),
            false => mem::take(&mut party_runs[at].answers),
        };
        for _ in 0..implementation.retries() {
            ask_alone(implementation, *context, &before, &mut party_runs[at]);
            verdict = judge(context, party_runs);
            seen_again = !wrong(context, party_runs, &verdict, &party).is_empty();
            if seen_again {
                break;
            }
        }
        // A call of which nothing is promised ran where others of its kind had: what it did
        // there says nothing of the implementation.
        if !seen_again && !party_runs[at].is_open() {
            party_runs[at].flaky = first;
        }
    }
    verdict
}

/// What `party` did wrong.
fn wrong(
    context: &RunContext<'_>,
    party_runs: &[PartyRun],
    verdict: &CaseVerdict,
    party: &Party,
) -> Vec<Finding> {
    let judged = verdict.parties.iter().find(|(of, _)| of == party);
    let violates = |v: &TargetVerdict| {
        matches!(
            v,
            TargetVerdict::Violates { .. } | TargetVerdict::Unjudged(_)
        )
    };
    if judged.is_some_and(|(_, v)| violates(v)) {
        let mut targets = convert::targets(context.case, party_runs, verdict);
        return targets
            .remove(party)
            .map(|t| t.findings)
            .unwrap_or_default();
    }
    let instruction = context.case.call.instruction();
    let differ = verdict
        .pairs
        .iter()
        .filter(|(two, v)| two.contains(party) && matches!(v, PairVerdict::Violation { .. }));
    differ
        .flat_map(|(two, v)| {
            let groups = ptodiff_judge::pair_failure_groups(instruction, two, v);
            let what = format!("{} and {} differ, and no clause lets them", two[0], two[1]);
            let groups = groups.into_iter();
            groups.map(move |group| convert::bare_finding(group, what.clone()))
        })
        .collect()
}
