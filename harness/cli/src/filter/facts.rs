//! What predicates see of a case, before it ran and after.

use std::collections::BTreeMap;

use ptodiff_case::{Case, Form};
use ptodiff_isa::{Instruction, reading};
use ptodiff_record::CaseRecord;

use super::Key;

/// Something that filter expressions select.
pub(crate) trait Facts {
    /// Its values under `key`; none where it has none.
    fn values(&self, key: Key) -> Vec<String>;
}

impl Facts for Case {
    fn values(&self, key: Key) -> Vec<String> {
        match key {
            Key::Instruction => vec![self.call.instruction().to_string()],
            Key::Form => vec![Form::of(&self.call).to_string()],
            Key::Layout | Key::Mode | Key::Atomic | Key::Oob | Key::Conflict | Key::Dtype => {
                parameters(key, &ptodiff_runner::describe(self))
            }
            Key::Target => self.targets.iter().map(ToString::to_string).collect(),
            Key::Clause => {
                let outcomes = self
                    .rejected
                    .iter()
                    .chain(&self.undefined)
                    .chain(&self.hangs);
                let clauses = outcomes.map(|(_, clause)| clause).chain(&self.covers);
                clauses.map(ToString::to_string).collect()
            }
            Key::Gap => self.gap.iter().flat_map(|gap| gap_names(gap.0)).collect(),
            Key::File => vec![self.place.file.to_string_lossy().into_owned()],
            Key::Id => vec![self.id.clone()],
            Key::Verdict => Vec::new(),
        }
    }
}

impl Facts for CaseRecord {
    fn values(&self, key: Key) -> Vec<String> {
        match key {
            Key::Instruction => vec![self.instruction.to_string()],
            Key::Form => vec![form(self).to_string()],
            Key::Layout | Key::Mode | Key::Atomic | Key::Oob | Key::Conflict | Key::Dtype => {
                parameters(key, &self.call)
            }
            Key::Target => self.targets.keys().map(|p| p.target.to_string()).collect(),
            Key::Clause => {
                let reasons = self.targets.values().flat_map(|t| &t.reasons);
                let clauses = reasons.map(|reason| reason.clause.to_string());
                clauses.chain(self.covers.clauses.iter().cloned()).collect()
            }
            Key::Gap => self
                .covers
                .gap
                .iter()
                .flat_map(|gap| gap_names(gap))
                .collect(),
            Key::File => vec![self.file.clone()],
            Key::Id => vec![self.id.clone()],
            Key::Verdict => vec![self.verdict.to_string()],
        }
    }
}

/// What the parameters `of` a call say under `key`.
fn parameters(key: Key, of: &BTreeMap<String, String>) -> Vec<String> {
    let names = match key {
        Key::Layout => vec!["layout", "blayout"],
        key => vec![key.into()],
    };
    names
        .into_iter()
        .filter_map(|name| of.get(name).cloned())
        .collect()
}

/// The number of a gap, and the names of the readings that set it.
fn gap_names(id: &str) -> Vec<String> {
    let named = reading::GAPS
        .iter()
        .filter(|gap| gap.clauses.iter().any(|c| c.0 == id))
        .map(|gap| gap.name);
    named.chain([id]).map(str::to_owned).collect()
}

/// The form, which a record tells by the parameters that the call has.
fn form(record: &CaseRecord) -> Form {
    let has = |name: &str| record.call.contains_key(name);
    match record.instruction {
        Instruction::Mscatter if has("revision") => Form::MscatterFirst,
        Instruction::Mscatter => Form::Mscatter,
        Instruction::Mgather if has("exec") => Form::MgatherL1,
        Instruction::Mgather => Form::Mgather,
        Instruction::Tscatter if has("mask") => Form::TscatterMask,
        Instruction::Tscatter => Form::TscatterIndex,
        Instruction::Tgatherb => Form::Tgatherb,
    }
}
