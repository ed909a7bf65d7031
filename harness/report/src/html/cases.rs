//! The cases as the page has them: a row of the list each, and their records in blocks.

use std::{collections::BTreeMap, io};

use ptodiff_isa::{Instruction, Target};
use ptodiff_record::{CaseRecord, TargetVerdict, Verdict, joined};
use serde::Serialize;

use super::pack::Packer;
use crate::{coverage::cites, group::failure_groups, line::conforming, pairs::Outcome, style};

/// Cases in one block.
pub const BLOCK: usize = 256;

/// Cases that come one after the other, packed.
#[derive(Default)]
pub(super) struct Cases {
    count: usize,
    rows: Packer,
    /// Blocks that are full.
    blocks: Vec<String>,
    /// The block that grows.
    block: Packer,
    /// Bytes of the page that full blocks take.
    size: usize,
}

impl Cases {
    /// How many bytes of the page they take, about.
    pub(super) fn size(&self) -> usize {
        self.rows.size() + self.size + self.block.size()
    }

    /// Adds the next case.
    ///
    /// # Errors
    /// As [`Packer`].
    pub(super) fn add(&mut self, case: &CaseRecord) -> io::Result<()> {
        self.rows.add(&Row::of(case))?;
        self.block.add(case)?;
        self.count += 1;
        if self.count.is_multiple_of(BLOCK) {
            self.close()?;
        }
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        let block = std::mem::take(&mut self.block).done()?;
        self.size += block.len();
        self.blocks.push(block);
        Ok(())
    }

    /// The list of rows, and the blocks.
    ///
    /// # Errors
    /// As [`Packer`].
    pub(super) fn done(mut self) -> io::Result<(String, Vec<String>)> {
        if !self.count.is_multiple_of(BLOCK) {
            self.close()?;
        }
        Ok((self.rows.done()?, self.blocks))
    }
}

/// What the list shows of a case and filters it by.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    file: &'a str,
    line: u32,
    verdict: Verdict,
    instruction: Instruction,
    suite: Option<Target>,
    call: &'a BTreeMap<String, String>,
    /// What the parties did, in words.
    did: String,
    /// What it has that people look for.
    has: Vec<&'static str>,
    /// Pairs that meet, and how they compare.
    pairs: BTreeMap<String, Outcome>,
    failure_groups: Vec<&'a str>,
    clauses: Vec<&'a str>,
}

impl<'a> Row<'a> {
    fn of(case: &'a CaseRecord) -> Self {
        let pairs = case.pairs.iter().map(|pair| {
            let (a, b) = &pair.targets;
            (format!("{a}/{b}"), Outcome::of(case, pair))
        });
        Self {
            id: &case.id,
            file: &case.file,
            line: case.line,
            verdict: case.verdict,
            instruction: case.instruction,
            suite: case.suite,
            call: &case.call,
            did: what_they_did(case),
            has: has(case),
            pairs: pairs.collect(),
            failure_groups: failure_groups(case).into_keys().collect(),
            clauses: cites(case),
        }
    }
}

fn has(case: &CaseRecord) -> Vec<&'static str> {
    let mut parts = case.targets.values();
    let all = [
        ("readings", !case.readings.is_empty()),
        ("holes", !case.holes.is_empty()),
        ("unseen", parts.clone().any(|t| !t.unseen.is_empty())),
        ("deviates", parts.any(|t| !t.deviates_from.is_empty())),
        ("renamed", case.name_differs.is_some()),
    ];
    let there = all.into_iter().filter(|(_, there)| *there);
    there.map(|(word, _)| word).collect()
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
    joined(did(true).chain(conforming(case)).chain(did(false)), "; ")
}
