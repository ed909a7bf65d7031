//! What a hunt has found so far, counted.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use ptodiff_case::{Case, Form, Hole, HoleKind};
use ptodiff_isa::{Clause, Party};
use ptodiff_record::Verdict;

use crate::keep::has_few_clauses;

/// How often something was seen, and in which case first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Cases that show it.
    pub count: u64,
    /// The lowest number of one.
    pub first: u64,
}

/// Holes that are one and the same on different targets.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Group {
    /// The form of the call.
    pub form: Form,
    /// The kind.
    pub kind: HoleKind,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

impl Group {
    /// That of `hole` in a case of `form`.
    #[must_use]
    pub fn of(form: Form, hole: &Hole) -> Self {
        Self {
            form,
            kind: hole.kind,
            clauses: hole.clauses.clone(),
        }
    }
}

/// How often an implementation was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Cases that it took part in.
    pub cases: u64,
    /// Those of them that it says it cannot run.
    pub unsupported: u64,
}

/// What a hunt has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// Cases tried.
    pub cases: u64,
    /// What came of them.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Relations that were checked on a model, by name.
    pub relations: BTreeMap<&'static str, u64>,
    /// Cases that were asked about open readings.
    pub readings: u64,
    /// Holes: for each group the holes of it that showed together.
    pub holes: BTreeMap<Group, BTreeMap<Vec<Hole>, Seen>>,
    /// Cases with a hole of more clauses than are named.
    pub several: u64,
    /// What no clause explains, by failure group.
    pub unexplained: BTreeMap<String, Seen>,
    /// What implementations did against their contract, by failure group.
    pub implementations: BTreeMap<String, Seen>,
    /// What implementations did once and not when they were asked again, by failure group.
    pub flaky: BTreeMap<String, Seen>,
    /// How often each implementation was asked.
    pub asked: BTreeMap<Party, Asked>,
    /// Numbers of a few cases to look at again: of each failure group of
    /// `implementations` the lowest.
    pub wrong: BTreeMap<String, BTreeSet<u64>>,
    /// Numbers of the first cases to which each implementation conforms.
    pub right: BTreeMap<Party, BTreeSet<u64>>,
}

/// Most numbers that are kept of a failure group.
const WRONG: usize = 32;

/// Most numbers that are kept of what conforms.
const RIGHT: usize = 400;

/// Adds `number` to the lowest `most`.
fn keep_lowest(all: &mut BTreeSet<u64>, number: u64, most: usize) {
    all.insert(number);
    while all.len() > most {
        all.pop_last();
    }
}

impl Found {
    /// What implementations did wrong but for what is `known`, the most frequent first.
    #[must_use]
    pub fn most_frequent(&self, known: &BTreeSet<String>) -> Vec<(&String, &Seen)> {
        let all = self.implementations.iter();
        let mut all: Vec<_> = all.filter(|(group, _)| !known.contains(*group)).collect();
        all.sort_by_key(|(_, seen)| Reverse(seen.count));
        all
    }

    /// Notes the `holes` of case `number`.
    pub(crate) fn note_holes(&mut self, number: u64, case: &Case, mut holes: Vec<Hole>) {
        let form = Form::of(&case.call);
        let before = holes.len();
        holes.retain(has_few_clauses);
        self.several += u64::from(holes.len() < before);
        holes.sort_unstable_by(|a, b| (a.kind, &a.clauses, a).cmp(&(b.kind, &b.clauses, b)));
        for together in holes.chunk_by(|a, b| a.kind == b.kind && a.clauses == b.clauses) {
            let group = self.holes.entry(Group::of(form, &together[0])).or_default();
            match group.get_mut(together) {
                Some(seen) => seen.add(Seen::once(number)),
                None => {
                    group.insert(together.to_vec(), Seen::once(number));
                }
            }
        }
    }

    /// Notes something in case `number` that no clause explains.
    pub(crate) fn note_unexplained(&mut self, number: u64, failure_group: String) {
        let once = Seen::once(number);
        let known = self.unexplained.entry(failure_group);
        known.and_modify(|seen| seen.add(once)).or_insert(once);
    }

    /// Notes what an implementation did wrong in case `number`.
    pub(crate) fn note_implementation(&mut self, number: u64, failure_group: String) {
        let once = Seen::once(number);
        let few = self.wrong.entry(failure_group.clone()).or_default();
        keep_lowest(few, number, WRONG);
        let known = self.implementations.entry(failure_group);
        known.and_modify(|seen| seen.add(once)).or_insert(once);
    }

    /// Notes what an implementation did wrong in case `number`, once.
    pub(crate) fn note_flaky(&mut self, number: u64, failure_group: String) {
        let once = Seen::once(number);
        let known = self.flaky.entry(failure_group);
        known.and_modify(|seen| seen.add(once)).or_insert(once);
    }

    /// Notes that an implementation was asked, and whether it could run the case.
    pub(crate) fn note_asked(&mut self, implementation: &Party, ran: bool) {
        let asked = match self.asked.get_mut(implementation) {
            Some(asked) => asked,
            None => self.asked.entry(implementation.clone()).or_default(),
        };
        asked.cases += 1;
        asked.unsupported += u64::from(!ran);
    }

    /// Notes that an implementation conforms in case `number`.
    pub(crate) fn note_right(&mut self, number: u64, implementation: &Party) {
        let few = self.right.entry(implementation.clone()).or_default();
        keep_lowest(few, number, RIGHT);
    }

    /// Adds what another part of the hunt found.
    pub(crate) fn merge(&mut self, other: Self) {
        self.cases += other.cases;
        self.readings += other.readings;
        self.several += other.several;
        for (verdict, count) in other.verdicts {
            *self.verdicts.entry(verdict).or_default() += count;
        }
        for (name, count) in other.relations {
            *self.relations.entry(name).or_default() += count;
        }
        for (group, theirs) in other.holes {
            let own = self.holes.entry(group).or_default();
            for (holes, seen) in theirs {
                own.entry(holes).and_modify(|s| s.add(seen)).or_insert(seen);
            }
        }
        for (failure_group, seen) in other.implementations {
            let own = self.implementations.entry(failure_group);
            own.and_modify(|s| s.add(seen)).or_insert(seen);
        }
        for (failure_group, numbers) in other.wrong {
            let few = self.wrong.entry(failure_group).or_default();
            numbers
                .into_iter()
                .for_each(|number| keep_lowest(few, number, WRONG));
        }
        for (party, numbers) in other.right {
            let few = self.right.entry(party).or_default();
            numbers
                .into_iter()
                .for_each(|number| keep_lowest(few, number, RIGHT));
        }
        for (failure_group, seen) in other.flaky {
            let own = self.flaky.entry(failure_group);
            own.and_modify(|s| s.add(seen)).or_insert(seen);
        }
        for (party, asked) in other.asked {
            let own = self.asked.entry(party).or_default();
            own.cases += asked.cases;
            own.unsupported += asked.unsupported;
        }
        for (failure_group, seen) in other.unexplained {
            let own = self.unexplained.entry(failure_group);
            own.and_modify(|s| s.add(seen)).or_insert(seen);
        }
    }
}

impl Seen {
    const fn once(number: u64) -> Self {
        Self {
            count: 1,
            first: number,
        }
    }

    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.first = self.first.min(other.first);
    }
}
