//! The list of cases as columns: an array each, words by their number in a
//! table, sets of words by their number in a table of sets.

use std::{collections::BTreeMap, hash::Hash};

use indexmap::IndexSet;
use ptodiff_isa::{Instruction, Party, Target};
use ptodiff_record::{CaseRecord, PairRecord, TargetVerdict, Verdict};
use serde::{Serialize, Serializer};

use super::pack::Packer;
use crate::{coverage::cites, group::failure_groups, line::conforming, style, tally::Outcome};

/// The number of `value` among `all`: they are in the order in which they first came.
fn number<T: Hash + Eq>(all: &mut IndexSet<T>, value: T) -> u32 {
    // No record has four thousand million cases.
    all.insert_full(value).0 as u32
}

fn as_list<T: Serialize, S: Serializer>(all: &IndexSet<T>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(all)
}

/// One column: for each case a number in `values`.
#[derive(Serialize)]
#[serde(bound = "T: Serialize")]
struct Column<T> {
    #[serde(serialize_with = "as_list")]
    values: IndexSet<T>,
    of: Vec<u32>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        let (values, of) = (IndexSet::new(), Vec::new());
        Self { values, of }
    }
}

impl<T: Hash + Eq> Column<T> {
    fn push(&mut self, value: T) {
        self.of.push(number(&mut self.values, value));
    }
}

/// What a case has that people look for: bits of a number.
mod has {
    pub(super) const READINGS: u32 = 1;
    pub(super) const HOLES: u32 = 2;
    pub(super) const UNSEEN: u32 = 4;
    pub(super) const CONTRADICTS: u32 = 8;
    pub(super) const RENAMED: u32 = 16;
}

/// Bytes of the page that the columns take of each case, beside its id.
const COLUMNS: usize = 10;

/// The list of cases that come one after the other.
#[derive(Default, Serialize)]
pub(super) struct List {
    id: Vec<Box<str>>,
    line: Vec<u32>,
    file: Column<String>,
    verdict: Column<Verdict>,
    instruction: Column<Instruction>,
    suite: Column<Option<Target>>,
    /// What the parties did, in words.
    did: Column<String>,
    has: Vec<u32>,
    /// Parties that meet.
    #[serde(serialize_with = "as_list")]
    pair: IndexSet<(Party, Party)>,
    /// Pairs, and how they compare.
    outcomes: Column<Vec<(u32, Outcome)>>,
    #[serde(serialize_with = "as_list")]
    failure_group: IndexSet<String>,
    failure_groups: Column<Vec<u32>>,
    #[serde(serialize_with = "as_list")]
    clause: IndexSet<String>,
    clauses: Column<Vec<u32>>,
    /// Parameters of calls, by name; number 0 is none.
    call: BTreeMap<String, Column<Option<String>>>,
    /// How small the ids get: they are most of the list, and may have little in common.
    #[serde(skip)]
    ids: Packer,
}

impl List {
    /// How many bytes of the page it takes, about.
    pub(super) fn size(&self) -> usize {
        self.ids.size() + self.len() * COLUMNS
    }

    /// How many cases it has.
    pub(super) const fn len(&self) -> usize {
        self.id.len()
    }

    /// Adds the next case.
    pub(super) fn add(&mut self, case: &CaseRecord) {
        let before = self.len();
        // Memory takes everything.
        let _ = self.ids.add(case.id.as_bytes());
        self.id.push(case.id.as_str().into());
        self.line.push(case.line);
        self.file.push(case.file.clone());
        self.verdict.push(case.verdict);
        self.instruction.push(case.instruction);
        self.suite.push(case.suite);
        self.did.push(what_they_did(case));
        self.has.push(has(case));
        let pairs = case.pairs.iter();
        let mut pair = |p: &PairRecord| number(&mut self.pair, p.targets.clone());
        let pairs = pairs.map(|p| (pair(p), Outcome::of(case, p)));
        self.outcomes.push(pairs.collect());
        let found = failure_groups(case).into_keys();
        let found = found.map(|s| number(&mut self.failure_group, s.to_owned()));
        self.failure_groups.push(found.collect());
        let cited = cites(case).into_iter();
        let cited = cited.map(|c| number(&mut self.clause, c.to_owned()));
        self.clauses.push(cited.collect());
        for (name, value) in &case.call {
            let column = self.call.entry(name.clone()).or_default();
            number(&mut column.values, None);
            column.of.resize(before, 0);
            column.push(Some(value.clone()));
        }
    }

    /// All of it, each column to its end.
    pub(super) fn done(mut self) -> Self {
        let cases = self.len();
        for column in self.call.values_mut() {
            column.of.resize(cases, 0);
        }
        self
    }
}

fn has(case: &CaseRecord) -> u32 {
    let parts = || case.targets.values();
    let bit = |bit, there| if there { bit } else { 0 };
    bit(has::READINGS, !case.readings.is_empty())
        | bit(has::HOLES, !case.holes.is_empty())
        | bit(has::UNSEEN, parts().any(|t| !t.unseen.is_empty()))
        | bit(
            has::CONTRADICTS,
            parts().any(|t| !t.deviates_from.is_empty()),
        )
        | bit(has::RENAMED, case.name_differs.is_some())
}

/// Who violates, then conforming parties joined by how they compare, then the others.
fn what_they_did(case: &CaseRecord) -> String {
    let did = |violates: bool| {
        let all = case.targets.iter();
        all.filter(move |(_, record)| {
            record.verdict != TargetVerdict::Conforms
                && (record.verdict == TargetVerdict::Violates) == violates
        })
        .map(|(party, record)| format!("{party} {}", style::did(record.verdict)))
    };
    let mut parts: Vec<String> = did(true).collect();
    parts.extend(conforming(case));
    parts.extend(did(false));
    parts.join("; ")
}
