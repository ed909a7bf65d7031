//! The list of cases as columns: an array each, words by their number in a
//! table, sets of words by their number in a table of sets.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
    iter,
};

use ptodiff_isa::{Instruction, Party, Target};
use ptodiff_record::{CaseRecord, TargetVerdict, Verdict};
use serde::Serialize;

use super::{outcome::Outcome, pack::Packer};
use crate::{coverage::cites, line::write_conforming, style};

/// Distinct values, numbered in the order in which they first came.
struct Table<T> {
    values: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        let (values, numbers) = (Vec::new(), HashMap::new());
        Self { values, numbers }
    }
}

impl<T: Hash + Eq + Clone> Table<T> {
    /// The number of `value`.
    fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        // No record has four thousand million cases.
        let number = self.values.len() as u32;
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }
}

impl Table<String> {
    /// The number of a text.
    fn text(&mut self, text: &str) -> u32 {
        match self.numbers.get(text) {
            Some(number) => *number,
            None => self.number(text.to_owned()),
        }
    }
}

/// One column: for each case a number in `values`.
#[derive(Serialize)]
struct Column<T> {
    values: Vec<T>,
    of: Vec<u32>,
}

/// A column as it grows.
struct Growing<T> {
    table: Table<T>,
    of: Vec<u32>,
}

impl<T> Default for Growing<T> {
    fn default() -> Self {
        let (table, of) = (Table::default(), Vec::new());
        Self { table, of }
    }
}

impl<T: Hash + Eq + Clone> Growing<T> {
    fn push(&mut self, value: T) {
        let number = self.table.number(value);
        self.of.push(number);
    }

    fn done(self) -> Column<T> {
        Column {
            values: self.table.values,
            of: self.of,
        }
    }
}

impl Growing<String> {
    fn text(&mut self, text: &str) {
        let number = self.table.text(text);
        self.of.push(number);
    }

    /// A column in which number 0 is no text.
    fn with_none(self) -> Column<Option<String>> {
        let values = self.table.values.into_iter().map(Some);
        Column {
            values: iter::once(None).chain(values).collect(),
            of: self.of,
        }
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

/// The list of cases.
#[derive(Serialize)]
pub(super) struct Columns {
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
    pair: Vec<(Party, Party)>,
    /// Pairs, and how they compare.
    outcomes: Column<Vec<(u32, Outcome)>>,
    failure_group: Vec<String>,
    failure_groups: Column<Vec<u32>>,
    clause: Vec<String>,
    clauses: Column<Vec<u32>>,
    /// Parameters of calls, by name; number 0 is none.
    call: BTreeMap<String, Column<Option<String>>>,
}

/// Bytes of the page that the columns take of each case, beside its id.
const COLUMNS: usize = 10;

/// The list of cases that come one after the other.
#[derive(Default)]
pub(super) struct List {
    id: Vec<Box<str>>,
    line: Vec<u32>,
    file: Growing<String>,
    verdict: Growing<Verdict>,
    instruction: Growing<Instruction>,
    suite: Growing<Option<Target>>,
    did: Growing<String>,
    has: Vec<u32>,
    pair: Table<(Party, Party)>,
    outcomes: Growing<Vec<(u32, Outcome)>>,
    failure_group: Table<String>,
    failure_groups: Growing<Vec<u32>>,
    clause: Table<String>,
    clauses: Growing<Vec<u32>>,
    call: BTreeMap<String, Growing<String>>,
    /// How small the ids get: they are most of the list, and may have little in common.
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
        self.file.text(&case.file);
        self.verdict.push(case.verdict);
        self.instruction.push(case.instruction);
        self.suite.push(case.suite);
        self.did.text(&what_they_did(case));
        self.has.push(has(case));
        let pairs = case.pairs.iter();
        let pairs = pairs.map(|p| (self.pair.number(p.targets.clone()), Outcome::of(case, p)));
        self.outcomes.push(pairs.collect());
        let found = failure_groups_of(case).into_iter();
        let found = found.map(|s| self.failure_group.text(s));
        self.failure_groups.push(found.collect());
        let cited = cites(case).into_iter();
        self.clauses
            .push(cited.map(|c| self.clause.text(c)).collect());
        for (name, value) in &case.call {
            if !self.call.contains_key(name) {
                self.call.insert(name.clone(), Growing::default());
            }
            if let Some(column) = self.call.get_mut(name) {
                column.of.resize(before, 0);
                let number = column.table.text(value);
                column.of.push(number + 1);
            }
        }
    }

    /// All of it.
    pub(super) fn done(mut self) -> Columns {
        let cases = self.len();
        for column in self.call.values_mut() {
            column.of.resize(cases, 0);
        }
        let call = self.call.into_iter();
        Columns {
            id: self.id,
            line: self.line,
            file: self.file.done(),
            verdict: self.verdict.done(),
            instruction: self.instruction.done(),
            suite: self.suite.done(),
            did: self.did.done(),
            has: self.has,
            pair: self.pair.values,
            outcomes: self.outcomes.done(),
            failure_group: self.failure_group.values,
            failure_groups: self.failure_groups.done(),
            clause: self.clause.values,
            clauses: self.clauses.done(),
            call: call
                .map(|(name, column)| (name, column.with_none()))
                .collect(),
        }
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

/// Failure groups of a case's findings and differences, each once.
pub(super) fn failure_groups_of(case: &CaseRecord) -> Vec<&str> {
    let findings = case.targets.values().flat_map(|t| &t.findings);
    let findings = findings.map(|f| f.failure_group.as_str());
    let pairs = case.pairs.iter().flat_map(|p| &p.failure_groups);
    let mut all: Vec<&str> = findings.chain(pairs.map(String::as_str)).collect();
    all.sort_unstable();
    all.dedup();
    all
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
    let mut line = Vec::new();
    // Memory takes everything.
    if write_conforming(&mut line, case).unwrap_or(false) {
        parts.push(String::from_utf8_lossy(&line).into_owned());
    }
    parts.extend(did(false));
    parts.join("; ")
}
