//! Instruction by pair of parties: how often they came to what.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_isa::{Instruction, Party};
use ptodiff_record::CaseRecord;
use serde::Serialize;
use strum::VariantArray;

use super::outcome::Outcome;

/// The matrix, for the template.
#[derive(Serialize)]
pub(super) struct Matrix {
    /// Pairs, as `cpu/a5`.
    pairs: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    instruction: Instruction,
    /// A cell a pair; none where the two never met.
    cells: Vec<Option<Vec<Count>>>,
}

#[derive(Serialize)]
struct Count {
    outcome: Outcome,
    cases: usize,
}

/// The matrix of cases that come one after the other.
#[derive(Default)]
pub(super) struct Meetings {
    counts: BTreeMap<(Instruction, (Party, Party)), [usize; OUTCOMES]>,
    instructions: BTreeSet<Instruction>,
}

impl Meetings {
    /// Counts the pairs of the next case.
    pub(super) fn add(&mut self, case: &CaseRecord) {
        self.instructions.insert(case.instruction);
        for pair in &case.pairs {
            let two = (case.instruction, pair.targets.clone());
            let cell = self.counts.entry(two).or_default();
            cell[Outcome::of(case, pair) as usize] += 1;
        }
    }

    /// The matrix.
    pub(super) fn matrix(&self) -> Matrix {
        let pairs: BTreeSet<&(Party, Party)> = self.counts.keys().map(|(_, pair)| pair).collect();
        // Targets first, then further forms of a case.
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_by_key(|(a, b)| a.form.is_some() || b.form.is_some());
        let count = |instruction, pair: &&(Party, Party)| {
            self.counts.get(&(instruction, (*pair).clone())).map(cell)
        };
        let rows = self.instructions.iter().map(|instruction| Row {
            instruction: *instruction,
            cells: pairs.iter().map(|pair| count(*instruction, pair)).collect(),
        });
        Matrix {
            rows: rows.collect(),
            pairs: pairs.iter().map(|(a, b)| format!("{a}/{b}")).collect(),
        }
    }
}

const OUTCOMES: usize = Outcome::VARIANTS.len();

fn cell(counts: &[usize; OUTCOMES]) -> Vec<Count> {
    let outcomes = Outcome::VARIANTS.iter().zip(counts);
    outcomes
        .map(|(outcome, cases)| Count {
            outcome: *outcome,
            cases: *cases,
        })
        .collect()
}
