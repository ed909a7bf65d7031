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
    /// Numbers of the first cases to which each implementation conforms, or that it rejects as it
    /// should.
    pub right: BTreeMap<Party, BTreeSet<u64>>,
}

/// Most numbers that are kept of a failure group.
const WRONG: usize = 32;

/// Most numbers that are kept of what conforms.
const RIGHT: usize = 400;

/// Adds `numbers` to the lowest `most`.
fn keep_lowest(all: &mut BTreeSet<u64>, numbers: impl IntoIterator<Item = u64>, most: usize) {
    all.extend(numbers);
    while all.len() > most {
        all.pop_last();
    }
}

/// Notes that `what` was `seen`.
pub(crate) fn add_seen<T: Ord>(all: &mut BTreeMap<T, Seen>, what: T, seen: Seen) {
    let known = all.entry(what);
    known.and_modify(|known| known.add(seen)).or_insert(seen);
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
            add_seen(group, together.to_vec(), Seen::once(number));
        }
    }

    /// Notes what an implementation did wrong in case `number`.
    pub(crate) fn note_implementation(&mut self, number: u64, failure_group: String) {
        let few = self.wrong.entry(failure_group.clone()).or_default();
        keep_lowest(few, [number], WRONG);
        add_seen(&mut self.implementations, failure_group, Seen::once(number));
    }

    /// Notes that an implementation was asked, and whether it could run the case.
    pub(crate) fn note_asked(&mut self, implementation: &Party, ran: bool) {
        let asked = self.asked.entry(implementation.clone()).or_default();
        asked.cases += 1;
        asked.unsupported += u64::from(!ran);
    }

    /// Notes that an implementation does what it should in case `number`.
    pub(crate) fn note_right(&mut self, number: u64, implementation: &Party) {
        let few = self.right.entry(implementation.clone()).or_default();
        keep_lowest(few, [number], RIGHT);
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
                add_seen(own, holes, seen);
            }
        }
        for (own, theirs) in [
            (&mut self.unexplained, other.unexplained),
            (&mut self.implementations, other.implementations),
            (&mut self.flaky, other.flaky),
        ] {
            for (failure_group, seen) in theirs {
                add_seen(own, failure_group, seen);
            }
        }
        for (failure_group, numbers) in other.wrong {
            keep_lowest(self.wrong.entry(failure_group).or_default(), numbers, WRONG);
        }
        for (party, numbers) in other.right {
            keep_lowest(self.right.entry(party).or_default(), numbers, RIGHT);
        }
        for (party, asked) in other.asked {
            let own = self.asked.entry(party).or_default();
            own.cases += asked.cases;
            own.unsupported += asked.unsupported;
        }
    }
}

impl Seen {
    /// In the case of this number.
    pub(crate) const fn once(number: u64) -> Self {
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
