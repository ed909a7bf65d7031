//! Gaps that two targets read in different ways, as reasons why their outputs differ.

use std::collections::BTreeSet;

use ptodiff_contract::permits;
use ptodiff_isa::{
    Clause, Form, Memory,
    reading::{GAPS, Gap},
};

use crate::input::{CaseContext, PartyInput};
use crate::map::each_wrong_slot;

/// The gaps that two parties were promised their output under different choices of.
pub(crate) struct ReadApart {
    gaps: Vec<ByGap>,
}

/// A gap, and what depends on it.
struct ByGap {
    /// Those about the call's form.
    clauses: Vec<Clause>,
    /// Byte offsets of slots of the output in which one party left what it must not leave
    /// under the choice of the other.
    matters: BTreeSet<usize>,
    /// Of these, those in which it may then leave what the other did: read alike, the two
    /// agree.
    decides: BTreeSet<usize>,
}

impl ReadApart {
    pub(crate) fn new(context: &CaseContext<'_>, parties: [&PartyInput<'_>; 2]) -> Self {
        let [a, b] = parties.map(|party| &context.readings[party.party.target]);
        let apart = GAPS.iter().filter(|gap| gap.choice(a) != gap.choice(b));
        let steps: Vec<&Memory> = context.steps.iter().collect();
        let by = |gap: &Gap| {
            let area = Some(Form::of(context.call).area());
            let clauses = gap.clauses.iter();
            let own = clauses.filter(|clause| clause.0.split('-').next() == area);
            let (mut matters, mut decides) = (BTreeSet::new(), BTreeSet::new());
            let [first, second] = parties;
            for (party, other) in [(first, second), (second, first)] {
                let target = party.party.target;
                let mut readings = context.readings[target];
                let theirs = &context.readings[other.party.target];
                // The name and the choice come from the gap: they exist.
                let _ = readings.set(gap.name, gap.choice(theirs));
                let permits = permits(context.call, &steps, target, &readings);
                let wrong = |left: &PartyInput<'_>| {
                    let under = PartyInput {
                        permits: permits.as_ref(),
                        ..*left
                    };
                    let mut wrong = BTreeSet::new();
                    each_wrong_slot(context, &under, |offset| {
                        wrong.insert(offset);
                    });
                    wrong
                };
                let own = wrong(party);
                decides.extend(own.difference(&wrong(other)));
                matters.extend(own);
            }
            ByGap {
                clauses: own.copied().collect(),
                matters,
                decides,
            }
        };
        Self {
            gaps: apart.map(by).collect(),
        }
    }

    /// The gaps that decide the slot at byte `offset`, each alone.
    pub(crate) fn deciding(&self, offset: usize) -> Vec<Clause> {
        self.clauses(|gap| gap.decides.contains(&offset))
    }

    /// Those that matter in it at least; all where none seems to.
    pub(crate) fn mattering(&self, offset: usize) -> Vec<Clause> {
        match self.clauses(|gap| gap.matters.contains(&offset)) {
            none if none.is_empty() => self.clauses(|_| true),
            some => some,
        }
    }

    fn clauses(&self, of: impl Fn(&ByGap) -> bool) -> Vec<Clause> {
        let those = self.gaps.iter().filter(|gap| of(gap));
        those.flat_map(|gap| &gap.clauses).copied().collect()
    }
}
