//! Instruction by pair of parties: how often they came to what.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_isa::{Instruction, Party};
use ptodiff_record::CaseRecord;
use serde::Serialize;
use strum::VariantArray;

use super::outcome::Outcome;

/// The matrix, for the template: few instructions, and with implementations many pairs.
#[derive(Serialize)]
pub(super) struct Matrix {
    instructions: Vec<Instruction>,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    /// Its address, as `cpu/a5`.
    pair: String,
    /// The same, an implementation first.
    name: String,
    /// A cell an instruction: what came about, and how often; none where the two never met.
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

    /// The matrix, pairs of `implementations` first.
    pub(super) fn matrix(&self, implementations: &[&Party]) -> Matrix {
        let pairs: BTreeSet<&(Party, Party)> = self.counts.keys().map(|(_, pair)| pair).collect();
        let model = |party: &Party| !implementations.contains(&party);
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        // Then targets, then further forms of a case.
        pairs.sort_by_key(|(a, b)| {
            let forms = a.form.is_some() || b.form.is_some();
            (model(a) && model(b), forms, model(b) && b.form.is_some())
        });
        let cell = |instruction: &Instruction, pair: &(Party, Party)| {
            let counts = self.counts.get(&(*instruction, pair.clone()));
            counts.map(cell)
        };
        let row = |pair: &&(Party, Party)| {
            let (a, b) = pair;
            let turned = model(a) && !model(b);
            Row {
                pair: format!("{a}/{b}"),
                name: match turned {
                    true => format!("{b}/{a}"),
                    false => format!("{a}/{b}"),
                },
                cells: self.instructions.iter().map(|i| cell(i, pair)).collect(),
            }
        };
        Matrix {
            rows: pairs.iter().map(row).collect(),
            instructions: self.instructions.iter().copied().collect(),
        }
    }
}

const OUTCOMES: usize = Outcome::VARIANTS.len();

fn cell(counts: &[usize; OUTCOMES]) -> Vec<Count> {
    let outcomes = Outcome::VARIANTS.iter().copied().zip(counts);
    let met = outcomes.filter(|(_, cases)| **cases > 0);
    met.map(|(outcome, cases)| Count {
        outcome,
        cases: *cases,
    })
    .collect()
}
