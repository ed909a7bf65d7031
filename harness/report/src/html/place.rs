//! A slot with what every party left in it: a finding speaks of one party and a
//! pair of two, a reader wants all of them side by side.

use std::collections::BTreeMap;

use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, PairRecord, PairVerdict, Slot, SlotValue};
use ptodiff_register::find;
use serde_json::{Value, json};

use crate::slot::lanes;

/// All that a case says of one slot.
pub(super) struct Place<'a> {
    /// The slot that it began with.
    slot: &'a Slot,
    /// Values of all parties.
    pub(super) got: BTreeMap<&'a Party, &'a SlotValue>,
    /// Parties that hold here what they may not.
    wrong: Vec<&'a Party>,
    permitted: Option<&'a str>,
    clauses: Vec<&'a str>,
}

impl<'a> Place<'a> {
    /// What `case` says of the place of `slot`.
    pub(super) fn of(case: &'a CaseRecord, slot: &'a Slot) -> Self {
        let mut place = Self {
            slot,
            got: BTreeMap::new(),
            wrong: Vec::new(),
            permitted: None,
            clauses: Vec::new(),
        };
        place.add(slot, None);
        let found = case.targets.iter().flat_map(|(party, target)| {
            let slots = target.findings.iter().filter_map(|f| f.slot.as_ref());
            slots.map(move |slot| (slot, Some(party)))
        });
        let compared = case.pairs.iter().flat_map(|pair| &pair.slots);
        for (slot, wrong) in found.chain(compared.map(|slot| (slot, None))) {
            if place.fits(slot) {
                place.add(slot, wrong);
            }
        }
        place
    }

    /// Whether `other` is the same place in the same run.
    fn fits(&self, other: &Slot) -> bool {
        let mine = self.slot;
        let schedules = (&mine.schedule, &other.schedule);
        let same = |(party, value): (&Party, &SlotValue)| {
            self.got.get(party).is_none_or(|v| v.bits == value.bits)
        };
        mine.role == other.role
            && mine.offset == other.offset
            && !matches!(schedules, (Some(a), Some(b)) if a != b)
            && other.got.iter().all(same)
    }

    fn add(&mut self, slot: &'a Slot, wrong: Option<&'a Party>) {
        self.got.extend(&slot.got);
        self.wrong.extend(wrong);
        self.permitted = self.permitted.or(slot.permitted.as_deref());
        for clause in &slot.clauses {
            if !self.clauses.contains(&clause.as_str()) {
                self.clauses.push(clause);
            }
        }
    }

    /// The clauses; of a slot that is wrong those of the targets that it is wrong on: others say
    /// why the rest may differ.
    fn rules(&self) -> Vec<&str> {
        let on = |target: &Target| self.wrong.iter().any(|party| party.target == *target);
        let speaks = |id: &&&str| find(id).is_none_or(|entry| entry.targets.iter().any(on));
        let all = self.clauses.iter();
        all.filter(|id| self.wrong.is_empty() || speaks(id))
            .copied()
            .collect()
    }

    /// Whether `party` stands against the others here: it holds what it may not,
    /// or else fewer hold what it holds.
    fn stands_out(&self, party: &Party) -> bool {
        if !self.wrong.is_empty() {
            return self.wrong.contains(&party);
        }
        let Some(mine) = self.got.get(party) else {
            return false;
        };
        let like = |value: &SlotValue| self.got.values().filter(|v| v.bits == value.bits).count();
        let (own, mut others) = (like(mine), self.got.values().map(|v| like(v)));
        others.any(|n| n > own)
    }

    /// A row of a table with a column a party, for the template.
    pub(super) fn row(&self, case: &CaseRecord, parties: &[&Party], no_clause: bool) -> Value {
        let kind = if no_clause || !self.wrong.is_empty() {
            "violation"
        } else {
            "permitted"
        };
        // None where nothing is known of the party here.
        let cell = |party: &&Party| {
            let value = self.got.get(party)?;
            let out = self.stands_out(party).then_some(kind);
            Some(json!({"value": value, "out": out}))
        };
        let slot = self.slot;
        json!({
            "operand": case.key(slot.role),
            "at": slot.at,
            "offset": slot.offset,
            "initial": slot.initial,
            "got": parties.iter().map(cell).collect::<Vec<_>>(),
            "permitted": self.permitted,
            "clauses": self.rules(),
            "schedule": slot.schedule,
            "lanes": lanes(slot),
            "more_lanes": slot.more_lanes,
        })
    }
}

/// Whether `pair` of `case` differs with no clause that permits it, though each
/// of the two keeps its own contract.
pub(super) fn no_clause(case: &CaseRecord, pair: &PairRecord) -> bool {
    let keeps = |party| {
        case.targets
            .get(party)
            .is_some_and(|t| t.findings.is_empty())
    };
    let (a, b) = &pair.targets;
    pair.verdict == PairVerdict::Violation && keeps(a) && keeps(b)
}
