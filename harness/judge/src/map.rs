//! How every slot of the output came out, for a picture of it: verdicts count
//! all slots and describe a few.

use crate::Answer;
use crate::compare::wrong_slots;
use crate::contest::Contest;
use crate::outcome::in_shape;
use crate::sheet::Sheet;
use crate::side::{Ground, Side};

/// Calls `f` with the byte offset of every slot of the output that differs
/// between an answer of `a` and one of `b`, increasing, and whether a clause
/// permits the difference. Never, if one of them left no output of the right
/// length. By the rules of [`judge_pair`](crate::judge_pair).
pub fn each_difference(
    ground: &Ground<'_>,
    a: &Side<'_>,
    b: &Side<'_>,
    f: impl FnMut(usize, bool),
) {
    if let Some(contest) = Contest::new(ground, a, b) {
        contest.each_difference(f);
    }
}

/// Calls `f` with the byte offset of every slot of the output that holds what
/// no permit of `side` allows after an answer of it, increasing in each answer.
/// Never, if it was promised nothing. By the rules of
/// [`judge_target`](crate::judge_target).
pub fn each_wrong_slot(ground: &Ground<'_>, side: &Side<'_>, mut f: impl FnMut(usize)) {
    let role = ground.call.output();
    let Some(permits) = side.permits else { return };
    let Ok(sheet) = Sheet::new(permits, ground.before, None, role, &mut Vec::new()) else {
        return;
    };
    let Some(operand) = permits.operands.iter().find(|o| o.role == role) else {
        return;
    };
    for ran in side.answers.iter().filter_map(Answer::ran) {
        let (was, is) = (ground.before.get(role), ran.memory.get(role));
        if let (Some(was), Some(is)) = (was, is)
            && in_shape(ground.before, &ran.memory)
        {
            wrong_slots(&sheet, operand, was, is, |offset, _| f(offset));
        }
    }
}
