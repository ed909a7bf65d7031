//! The verdict on what all parties did with a case.

use std::borrow::Cow;

use ptodiff_contract::Verbosity;
use ptodiff_isa::{Memory, Party, Role};
use ptodiff_judge::{CaseContext, CaseVerdict, Lane, PartyInput, judge_case, judge_case_briefly};

use crate::{buffer_pool::BufferPool, context::RunContext, execute, party_run::PartyRun};

/// The verdict on `party_runs`, held in `buffers`; where the context is brief nothing is
/// described that clauses permit.
pub(crate) fn judge(
    buffers: &mut BufferPool,
    context: &RunContext<'_>,
    party_runs: &[PartyRun],
) -> CaseVerdict {
    let before = before(buffers, context.steps);
    let mut verdict = buffers.verdict();
    let lanes = |party: &Party, role: Role, element: usize| -> Vec<Lane> {
        let party_run = party_runs.iter().find(|a| a.party == *party);
        let call = party_run.map_or(&context.case.call, |a| a.call(context.case));
        context.writers(call, party.target, role, element)
    };
    let case_context = CaseContext {
        call: &context.case.call,
        before: &before,
        lanes: &lanes,
        readings: context.readings,
    };
    let mut judge = |inputs: &[PartyInput<'_>]| match context.verbosity {
        Verbosity::Full => verdict = judge_case(&case_context, inputs),
        Verbosity::Brief => judge_case_briefly(&case_context, inputs, &mut verdict),
    };
    // Mostly there is no further form: no list is made for that.
    match party_runs {
        [a] => judge(&[a.input()]),
        [a, b] => judge(&[a.input(), b.input()]),
        [a, b, c] => judge(&[a.input(), b.input(), c.input()]),
        _ => judge(&party_runs.iter().map(PartyRun::input).collect::<Vec<_>>()),
    }
    if let Cow::Owned(before) = before {
        buffers.take_memory(before);
    }
    verdict
}

/// What the judge measures against: the output as it was before the first
/// step, the inputs as the last step got them.
pub(crate) fn before<'s>(buffers: &mut BufferPool, steps: &'s [Memory]) -> Cow<'s, Memory> {
    match steps {
        [] => Cow::default(),
        [only] => Cow::Borrowed(only),
        [first, .., last] => {
            let mut before = buffers.copy(first);
            execute::reload(&mut before, last);
            Cow::Owned(before)
        }
    }
}
