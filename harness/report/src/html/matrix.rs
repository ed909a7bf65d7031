//! Instruction by pair of parties: how often they came to what.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_isa::{Instruction, Party};
use ptodiff_record::CaseRecord;
use serde_json::{Value, json};

use super::outcome::Outcome;

/// The matrix of cases that come one after the other.
#[derive(Default)]
pub(super) struct Meetings {
    /// How often each pair came to what. Those that never met have no entry.
    counts: BTreeMap<(Party, Party), BTreeMap<Instruction, BTreeMap<Outcome, usize>>>,
    instructions: BTreeSet<Instruction>,
}

impl Meetings {
    /// Counts the pairs of the next case.
    pub(super) fn add(&mut self, case: &CaseRecord) {
        self.instructions.insert(case.instruction);
        for pair in &case.pairs {
            let of = self.counts.entry(pair.targets.clone()).or_default();
            let cell = of.entry(case.instruction).or_default();
            *cell.entry(Outcome::of(case, pair)).or_default() += 1;
        }
    }

    /// The matrix for the template, pairs of `implementations` first: few instructions,
    /// and with implementations many pairs.
    pub(super) fn matrix(&self, implementations: &[&Party]) -> Value {
        let model = |party: &Party| !implementations.contains(&party);
        let mut pairs: Vec<_> = self.counts.iter().collect();
        // Then targets, then further forms of a case.
        pairs.sort_by_key(|((a, b), _)| {
            let forms = a.form.is_some() || b.form.is_some();
            (model(a) && model(b), forms, model(b) && b.form.is_some())
        });
        let row = |((a, b), counts): (&(Party, Party), &BTreeMap<_, BTreeMap<_, usize>>)| {
            let cell = |i| {
                let counts = counts.get(i)?.iter();
                let count = counts.map(|(what, cases)| json!({"outcome": what, "cases": cases}));
                Some(count.collect::<Vec<_>>())
            };
            let turned = model(a) && !model(b);
            json!({
                "pair": format!("{a}/{b}"),
                // An implementation first.
                "name": match turned {
                    true => format!("{b}/{a}"),
                    false => format!("{a}/{b}"),
                },
                "cells": self.instructions.iter().map(cell).collect::<Vec<_>>(),
            })
        };
        json!({
            "rows": pairs.into_iter().map(row).collect::<Vec<_>>(),
            "instructions": self.instructions,
        })
    }
}
