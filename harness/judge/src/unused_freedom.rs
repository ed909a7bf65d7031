//! Freedom that the contract gives and that nothing made use of.

use ptodiff_contract::{Permit, Permits, Verbosity};

use crate::{Ran, UnusedFreedom, checked_permits::CheckedPermits};

/// The clauses of `OneOf` permits with candidates that differ, of which no slot
/// differed between any two answers. All answers have the shape of the permits.
/// Nothing under [`Verbosity::Brief`].
pub(crate) fn unused_freedom<'a>(
    verbosity: Verbosity,
    checked: &CheckedPermits<'_>,
    mut answers: impl Iterator<Item = &'a Ran> + Clone,
) -> Vec<UnusedFreedom> {
    if !checked.choices || verbosity == Verbosity::Brief {
        return Vec::new();
    }
    let mut found: Vec<(UnusedFreedom, bool)> = Vec::new();
    let Some(first) = answers.next() else {
        return Vec::new();
    };
    let Permits { operands, pool, .. } = checked.permits();
    for (i, operand) in operands.iter().enumerate() {
        for run in &operand.runs {
            let Permit::OneOf { at, count } = run.permit else {
                continue;
            };
            let mut images = pool[at..at + run.len * count].chunks(run.len);
            let one = images.next();
            if images.all(|image| Some(image) == one) {
                continue;
            }
            let clause = run.freedom.unwrap_or(run.clause);
            let known = found.iter().position(|(u, _)| u.clause == clause);
            let entry = known.unwrap_or_else(|| {
                found.push((UnusedFreedom { clause, slots: 0 }, false));
                found.len() - 1
            });
            let (unused_freedom, seen) = &mut found[entry];
            unused_freedom.slots += (run.len / operand.dtype.size()) as u64;
            let range = run.offset..run.offset + run.len;
            *seen = *seen
                || answers
                    .clone()
                    .any(|other| body(other, i)[range.clone()] != body(first, i)[range.clone()]);
        }
    }
    found.retain(|(_, seen)| !seen);
    found
        .into_iter()
        .map(|(unused_freedom, _)| unused_freedom)
        .collect()
}

fn body(ran: &Ran, operand: usize) -> &[u8] {
    ran.memory.regions[operand].body()
}
