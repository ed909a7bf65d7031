//! A whole case: every party, every pair, and who stands alone.

use crate::input::{CaseContext, PartyInput};
use crate::{CaseVerdict, judge_pair, judge_target, outlier};

/// Judges a case: each of `inputs`, and each two of them that meet.
#[must_use]
pub fn judge_case(context: &CaseContext<'_>, inputs: &[PartyInput<'_>]) -> CaseVerdict {
    let judged = |input: &PartyInput<'_>| (input.party.clone(), judge_target(context, input));
    let parties: Vec<_> = inputs.iter().map(judged).collect();
    let both = |i: usize| (&inputs[i], &parties[i].1);
    let mut pairs = Vec::new();
    for a in 0..inputs.len() {
        for b in a + 1..inputs.len() {
            let two = [inputs[a].party, inputs[b].party];
            if two[0].meets(two[1]) {
                let verdict = judge_pair(context, both(a), both(b));
                pairs.push((two.map(Clone::clone), verdict));
            }
        }
    }
    CaseVerdict {
        outlier: outlier(&parties, &pairs),
        parties,
        pairs,
    }
}
