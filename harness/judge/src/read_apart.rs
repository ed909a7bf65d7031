//! Gaps that two targets read in different ways, as reasons why their outputs differ.

use std::collections::BTreeSet;

use ptodiff_contract::permits;
use ptodiff_isa::{
    Clause, Form, Memory, Readings,
    reading::{GAPS, Gap},
};

use crate::Answer;
use crate::compare::wrong_slots;
use crate::input::{CaseContext, PartyInput};

/// The gaps that two parties were promised their output under different choices of.
pub(crate) struct ReadApart {
    gaps: Vec<DecidedBy>,
}

/// A gap, and what depends on it.
struct DecidedBy {
    /// Those about the call's form.
    clauses: Vec<Clause>,
    /// Byte offsets of slots of the output in which one party left what it must not leave
    /// under the choice of the other.
    slots: BTreeSet<usize>,
}

impl ReadApart {
    pub(crate) fn new(context: &CaseContext<'_>, parties: [&PartyInput<'_>; 2]) -> Self {
        let readings = parties.map(|party| &context.readings[party.party.target]);
        let [a, b] = readings;
        let apart = GAPS.iter().filter(|gap| gap.choice(a) != gap.choice(b));
        let decided = |gap: &Gap| {
            let area = Some(Form::of(context.call).area());
            let clauses = gap.clauses.iter();
            let own = clauses.filter(|clause| clause.0.split('-').next() == area);
            let mut slots = BTreeSet::new();
            for (party, [own, other]) in parties.into_iter().zip([[a, b], [b, a]]) {
                let mut as_other = *own;
                // The name and the choice come from the gap: they exist.
                let _ = as_other.set(gap.name, gap.choice(other));
                slots.extend(wrong_under(context, party, &as_other));
            }
            DecidedBy {
                clauses: own.copied().collect(),
                slots,
            }
        };
        Self {
            gaps: apart.map(decided).collect(),
        }
    }

    /// The gaps that decide the slot at byte `offset`, each alone: no freedom of one reading
    /// gives what one of the parties left.
    pub(crate) fn deciding(&self, offset: usize) -> Vec<Clause> {
        let those = self.gaps.iter().filter(|gap| gap.slots.contains(&offset));
        those.flat_map(|gap| &gap.clauses).copied().collect()
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<Clause> {
        let all = self.gaps.iter().flat_map(|gap| &gap.clauses);
        all.copied().collect()
    }
}

/// The byte offsets of the output's slots in which `party` left what nothing permits under
/// `readings`.
fn wrong_under(
    context: &CaseContext<'_>,
    party: &PartyInput<'_>,
    readings: &Readings,
) -> Vec<usize> {
    let role = context.call.output();
    let steps: Vec<&Memory> = context.steps.iter().collect();
    let permits = permits(context.call, &steps, party.party.target, readings);
    let mut wrong = Vec::new();
    if let Ok(permits) = &permits
        && let Some(operand) = permits.of(role)
        && let Some(before) = context.before.get(role)
    {
        for ran in party.answers.iter().filter_map(Answer::ran) {
            if let Some(after) = ran.memory.get(role) {
                wrong_slots(permits, operand, before, after, |offset, _| {
                    wrong.push(offset)
                });
            }
        }
    }
    wrong
}
