//! A whole case: every party, every pair, and who stands alone.

use ptodiff_contract::Verbosity;

use crate::input::{CaseContext, PartyInput};
use crate::pair::judge_pair_with;
use crate::target::judge_target_with;
use crate::{CaseVerdict, outlier};

/// Judges a case: each of `inputs`, and each two of them that meet.
#[must_use]
pub fn judge_case(context: &CaseContext<'_>, inputs: &[PartyInput<'_>]) -> CaseVerdict {
    let mut verdict = CaseVerdict::default();
    judge(Verbosity::Full, context, inputs, &mut verdict);
    verdict
}

/// As [`judge_case`], but says of differences that clauses permit only by
/// which: not where they are, nor which freedom nothing made use of. For those
/// who look at what is not permitted. Makes `verdict`, whatever it was, that on
/// the case.
pub fn judge_case_briefly(
    context: &CaseContext<'_>,
    inputs: &[PartyInput<'_>],
    verdict: &mut CaseVerdict,
) {
    judge(Verbosity::Brief, context, inputs, verdict);
}

fn judge(
    verbosity: Verbosity,
    context: &CaseContext<'_>,
    inputs: &[PartyInput<'_>],
    verdict: &mut CaseVerdict,
) {
    let CaseVerdict {
        parties,
        pairs,
        outlier: found,
    } = verdict;
    parties.clear();
    pairs.clear();
    let judged = |input: &PartyInput<'_>| {
        (
            input.party.clone(),
            judge_target_with(verbosity, context, input),
        )
    };
    parties.extend(inputs.iter().map(judged));
    let both = |i: usize| (&inputs[i], &parties[i].1);
    for a in 0..inputs.len() {
        for b in a + 1..inputs.len() {
            let two = [inputs[a].party, inputs[b].party];
            if two[0].meets(two[1]) {
                let verdict = judge_pair_with(verbosity, context, both(a), both(b));
                pairs.push((two.map(Clone::clone), verdict));
            }
        }
    }
    *found = outlier(parties, pairs);
}
