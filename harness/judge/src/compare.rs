//! One operand after a call, held against the permits: which slots are wrong.

use std::ops::Range;

use ptodiff_contract::{OperandPermits, Permit, Permits, Run};
use ptodiff_isa::{Call, DType, Region, Role, ScatterAtomicOp};

use crate::{Value, slots, value::between};

/// Calls `wrong` with every slot of the body that holds what is not permitted:
/// byte offset, and the run that covers it (none where it had to be kept).
///
/// The bodies of `before` and `after` must be of the same length.
pub(crate) fn wrong_slots<'a>(
    permits: &Permits,
    operand: &'a OperandPermits,
    before: &Region,
    after: &Region,
    mut wrong: impl FnMut(usize, Option<&'a Run>),
) {
    let (dtype, size) = (operand.dtype, operand.dtype.size());
    let apart = before.apart(after, size);
    let (before, after) = (before.body(), after.body());
    let pool = |at: usize, len| &permits.pool[at..at + len];
    let gap = |gap: Range<usize>, wrong: &mut dyn FnMut(usize, Option<&'a Run>)| {
        for part in within(&apart, gap) {
            slots::differing(size, part, before, &[after], |at| wrong(at, None));
        }
    };
    let mut end = 0;
    for run in &operand.runs {
        gap(end..run.offset, &mut wrong);
        end = run.offset + run.len;
        let (was, got) = (&before[run.offset..end], &after[run.offset..end]);
        let kept = |o: usize| run.or_kept.is_some() && was[o..o + size] == got[o..o + size];
        let mut wrong = |o: usize| {
            if !kept(o) {
                wrong(run.offset + o, Some(run));
            }
        };
        match run.permit {
            Permit::Exactly { at } => {
                let want = pool(at, run.len);
                slots::differing(size, 0..run.len, want, &[got], wrong);
            }
            Permit::OneOf { at, count } => {
                let candidates = pool(at, run.len * count);
                slots::in_none(size, got, candidates, wrong);
            }
            Permit::Between {
                low, high, more, ..
            } => {
                let read = |bytes| Value::read(dtype, bytes);
                let [low, top] = [low, high].map(|at| read(pool(at, size)));
                let mut singles = pool(high + size, more * size).chunks_exact(size);
                let single = |it: &[u8]| it == got || both_nan(dtype, it, got);
                if !between(low, top, read(got)) && !singles.any(single) {
                    wrong(0);
                }
            }
            Permit::Anything => {}
        }
    }
    gap(end..before.len(), &mut wrong);
}

/// What of a range lies in any of these parts, which are in order.
fn within(parts: &[Range<usize>], range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let first = parts.partition_point(|part| part.end <= range.start);
    let parts = parts[first..].iter();
    parts
        .take_while(move |part| part.start < range.end)
        .map(move |part| part.start.max(range.start)..part.end.min(range.end))
}

/// Whether the elements at the start of `a` and `b` are both NaN.
pub(crate) fn both_nan(dtype: DType, a: &[u8], b: &[u8]) -> bool {
    Value::read(dtype, a).is_nan() && Value::read(dtype, b).is_nan()
}

/// Whether all NaNs are one value between targets in the slots that the call
/// writes: where it makes them by adding, no document fixes their payload.
pub(crate) fn one_nan(call: &Call, role: Role) -> bool {
    role == Role::Table && call.atomic() == Some(ScatterAtomicOp::Add)
}
