//! Freedom that the contract gives and that nothing made use of.

use ptodiff_contract::{Permit, Permits};
use ptodiff_isa::Clause;

use crate::{Ran, sheet::Sheet, side::Told};

/// A choice between writers that came out the same way in every answer: the
/// stimulus or the schedules are too weak to show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unseen {
    /// The clause that gives the freedom.
    pub clause: Clause,
    /// Slots that it covers.
    pub slots: u64,
}

/// The clauses of `OneOf` permits with candidates that differ, of which no slot
/// differed between any two answers. All answers have the shape of the permits.
/// Nothing where only what goes wrong is told.
pub(crate) fn unseen<'a>(
    telling: Told,
    sheet: &Sheet<'_>,
    mut answers: impl Iterator<Item = &'a Ran> + Clone,
) -> Vec<Unseen> {
    if !sheet.choices || telling == Told::Unpermitted {
        return Vec::new();
    }
    let mut found: Vec<(Unseen, bool)> = Vec::new();
    let Some(first) = answers.next() else {
        return Vec::new();
    };
    let Permits { operands, pool, .. } = sheet.permits();
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
                found.push((Unseen { clause, slots: 0 }, false));
                found.len() - 1
            });
            let (unseen, seen) = &mut found[entry];
            unseen.slots += (run.len / operand.dtype.size()) as u64;
            let range = run.offset..run.offset + run.len;
            *seen = *seen
                || answers
                    .clone()
                    .any(|other| body(other, i)[range.clone()] != body(first, i)[range.clone()]);
        }
    }
    found.retain(|(_, seen)| !seen);
    found.into_iter().map(|(unseen, _)| unseen).collect()
}

fn body(ran: &Ran, operand: usize) -> &[u8] {
    ran.memory.regions[operand].body()
}
