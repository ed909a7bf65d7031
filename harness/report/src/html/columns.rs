//! The list of cases as columns: an array each, words by their number in a
//! table, sets of words by their number in a table of sets.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
    io::Write,
};

use ptodiff_isa::{Instruction, Party, Target};
use ptodiff_record::{CaseRecord, TargetVerdict, Verdict};
use serde::Serialize;

use super::outcome::Outcome;
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
pub(super) struct Columns<'a> {
    id: Vec<&'a str>,
    line: Vec<u32>,
    file: Column<&'a str>,
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
    failure_group: Vec<&'a str>,
    failure_groups: Column<Vec<u32>>,
    clause: Vec<&'a str>,
    clauses: Column<Vec<u32>>,
    /// Parameters of calls, by name; number 0 is none.
    call: BTreeMap<&'a str, Column<Option<&'a str>>>,
}

impl<'a> Columns<'a> {
    /// The list of `cases`.
    pub(super) fn of(cases: &'a [CaseRecord]) -> Self {
        let mut file = Growing::default();
        let mut verdict = Growing::default();
        let mut instruction = Growing::default();
        let mut suite = Growing::default();
        let mut did = Growing::default();
        let mut pair = Table::default();
        let mut outcomes = Growing::default();
        let mut failure_group = Table::default();
        let mut failure_groups = Growing::default();
        let mut clause = Table::default();
        let mut clauses = Growing::default();
        let mut call: BTreeMap<&str, Growing<Option<&str>>> = BTreeMap::new();
        for (n, case) in cases.iter().enumerate() {
            file.push(case.file.as_str());
            verdict.push(case.verdict);
            instruction.push(case.instruction);
            suite.push(case.suite);
            did.push(what_they_did(case));
            let pairs = case.pairs.iter();
            outcomes.push(
                pairs
                    .map(|p| (pair.number(p.targets.clone()), Outcome::of(case, p)))
                    .collect::<Vec<_>>(),
            );
            let found = failure_groups_of(case).into_iter();
            failure_groups.push(found.map(|s| failure_group.number(s)).collect::<Vec<_>>());
            let cited = cites(case).into_iter();
            clauses.push(cited.map(|c| clause.number(c)).collect::<Vec<_>>());
            for (name, value) in &case.call {
                let column = call.entry(name).or_default();
                column.table.number(None);
                column.of.resize(n, 0);
                column.push(Some(value));
            }
        }
        for column in call.values_mut() {
            column.of.resize(cases.len(), 0);
        }
        Self {
            id: cases.iter().map(|c| c.id.as_str()).collect(),
            line: cases.iter().map(|c| c.line).collect(),
            file: file.done(),
            verdict: verdict.done(),
            instruction: instruction.done(),
            suite: suite.done(),
            did: did.done(),
            has: cases.iter().map(has).collect(),
            pair: pair.values,
            outcomes: outcomes.done(),
            failure_group: failure_group.values,
            failure_groups: failure_groups.done(),
            clause: clause.values,
            clauses: clauses.done(),
            call: call.into_iter().map(|(k, c)| (k, c.done())).collect(),
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

/// Conforming parties joined by how they compare, then the others, as in the
/// line of a terminal.
fn what_they_did(case: &CaseRecord) -> String {
    let mut line = Vec::new();
    // Memory takes everything.
    let mut lead = match write_conforming(&mut line, case) {
        Ok(true) => "; ",
        Ok(false) | Err(_) => "",
    };
    for (party, record) in &case.targets {
        if record.verdict != TargetVerdict::Conforms {
            let did = style::did(record.verdict);
            let _ = write!(line, "{lead}{party} {did}");
            lead = "; ";
        }
    }
    String::from_utf8_lossy(&line).into_owned()
}
