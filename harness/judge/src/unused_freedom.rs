//! Freedom that the contract gives and that nothing made use of.

use ptodiff_contract::Permit;
use ptodiff_isa::Clause;

use crate::{Answer, PartyInput, Ran};

/// A choice between writers that came out the same way in every answer: the
/// stimulus or the schedules are too weak to show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnusedFreedom {
    /// The clause that gives the freedom.
    pub clause: Clause,
    /// Slots that it covers.
    pub slots: u64,
}

/// The clauses of `OneOf` permits with candidates that differ, of which no slot
/// differed between any two answers of a party that conforms.
#[must_use]
pub fn unused_freedom<'a>(input: &PartyInput<'a>) -> Vec<UnusedFreedom> {
    let mut found: Vec<(UnusedFreedom, bool)> = Vec::new();
    let mut answers = input.answers.iter().filter_map(Answer::ran);
    let (Some(permits), Some(first)) = (input.permits, answers.next()) else {
        return Vec::new();
    };
    for (i, operand) in permits.operands.iter().enumerate() {
        for run in &operand.runs {
            let Permit::OneOf { at, count } = run.permit else {
                continue;
            };
            let mut images = permits.pool[at..at + run.len * count].chunks(run.len);
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
            let left = |ran: &'a Ran| {
                let body = ran.memory.regions[i].body();
                &body[run.offset..run.offset + run.len]
            };
            *seen = *seen || answers.clone().any(|other| left(other) != left(first));
        }
    }
    found.retain(|(_, seen)| !seen);
    found.into_iter().map(|(unused, _)| unused).collect()
}
