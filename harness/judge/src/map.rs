//! How every slot of the output came out, for a picture of it: verdicts count
//! all slots and describe a few.

use crate::Answer;
use crate::compare::wrong_slots;
use crate::input::{CaseContext, PartyInput};
use crate::outcome::in_shape;
use crate::output_comparison::OutputComparison;

/// Calls `f` with the byte offset of every slot of the output that differs
/// between an answer of `a` and one of `b`, increasing, and whether a clause
/// permits the difference. Never, if one of them left no output of the right
/// length. By the rules of [`judge_pair`](crate::judge_pair).
pub fn each_difference(
    context: &CaseContext<'_>,
    a: &PartyInput<'_>,
    b: &PartyInput<'_>,
    f: impl FnMut(usize, bool),
) {
    if let Some(comparison) = OutputComparison::new(context, a, b) {
        comparison.each_difference(f);
    }
}

/// Calls `f` with the byte offset of every slot of the output that holds what
/// no permit of `input` allows after an answer of it, increasing in each answer.
/// Never, if it was promised nothing. By the rules of
/// [`judge_target`](crate::judge_target).
pub fn each_wrong_slot(
    context: &CaseContext<'_>,
    input: &PartyInput<'_>,
    mut f: impl FnMut(usize),
) {
    let role = context.call.output();
    let Some(permits) = input.permits else { return };
    let Some(operand) = permits.of(role) else {
        return;
    };
    for ran in input.answers.iter().filter_map(Answer::ran) {
        let (was, is) = (context.before.get(role), ran.memory.get(role));
        if let (Some(was), Some(is)) = (was, is)
            && in_shape(context.before, &ran.memory)
        {
            wrong_slots(permits, operand, was, is, |offset, _| f(offset));
        }
    }
}
