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

impl Matrix {
    /// Counts the pairs of `cases`.
    pub(super) fn of(cases: &[CaseRecord]) -> Self {
        let mut counts: BTreeMap<(Instruction, &(Party, Party)), [usize; OUTCOMES]> =
            BTreeMap::new();
        for case in cases {
            for pair in &case.pairs {
                let cell = counts.entry((case.instruction, &pair.targets)).or_default();
                cell[Outcome::of(case, pair) as usize] += 1;
            }
        }
        let pairs: BTreeSet<&(Party, Party)> = counts.keys().map(|(_, pair)| *pair).collect();
        // Targets first, then further forms of a case.
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_by_key(|(a, b)| a.form.is_some() || b.form.is_some());
        let instructions: BTreeSet<Instruction> = cases.iter().map(|c| c.instruction).collect();
        let rows = instructions.into_iter().map(|instruction| Row {
            instruction,
            cells: pairs
                .iter()
                .map(|pair| counts.get(&(instruction, *pair)).map(cell))
                .collect(),
        });
        Self {
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
