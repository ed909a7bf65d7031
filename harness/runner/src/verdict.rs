//! The verdict on what all parties did with a case.

use std::borrow::Cow;

use ptodiff_contract::Verbosity;
use ptodiff_isa::Memory;
use ptodiff_judge::{CaseContext, CaseVerdict, PartyInput, judge_case};

use crate::{context::RunContext, execute, party_run::PartyRun};

/// The verdict on `party_runs`; where the context is brief few slots are described.
pub(crate) fn judge(context: &RunContext<'_>, party_runs: &[PartyRun]) -> CaseVerdict {
    let case_context = CaseContext {
        call: &context.case.call,
        before: &before(context.steps),
        brief: context.verbosity == Verbosity::Brief,
        readings: context.readings,
    };
    let inputs: Vec<PartyInput<'_>> = party_runs.iter().map(PartyRun::input).collect();
    judge_case(&case_context, &inputs)
}

/// What the judge measures against: the output as it was before the first
/// step, the inputs as the last step got them.
pub(crate) fn before(steps: &[Memory]) -> Cow<'_, Memory> {
    match steps {
        [] => Cow::default(),
        [only] => Cow::Borrowed(only),
        [first, .., last] => {
            let mut before = first.clone();
            execute::reload(&mut before, last);
            Cow::Owned(before)
        }
    }
}
