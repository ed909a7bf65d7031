//! Every statement of the documents with its number, and every gap in them.
//!
//! `clauses.jsonl` is the one place where they stand, a line each.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use std::sync::OnceLock;

use ptodiff_isa::Target;
use serde::Deserialize;

/// What kind of statement a clause is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Fixes a value.
    Value,
    /// Leaves several outcomes open on purpose.
    Freedom,
    /// Promises nothing.
    Undefined,
    /// A constraint that a check enforces, or what checks let through.
    Legality,
    /// A constraint that the caller owes.
    Caller,
    /// What is issued, in which order and how often.
    Trace,
    /// How it is written.
    Syntax,
    /// What the documents leave open without saying so.
    Gap,
}

/// One entry of the register.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// `MSCATTER-OOB-04`.
    pub id: String,
    /// Targets it speaks of.
    pub targets: Vec<Target>,
    /// What kind of statement it is.
    pub kind: Kind,
    /// The statement.
    pub says: String,
    /// A smallest experiment that shows whether it holds.
    pub witness: String,
    /// Where in the documents it stands.
    pub source: String,
}

/// All entries, in the order of the documents.
#[must_use]
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        include_str!("../clauses.jsonl")
            .lines()
            .map(|line| {
                serde_json::from_str(line).expect("the tests read every line of the register")
            })
            .collect()
    })
}

/// The entry with this number.
#[must_use]
pub fn find(id: &str) -> Option<&'static Entry> {
    entries().iter().find(|e| e.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_line_reads_and_every_number_is_used_once() {
        let mut seen = HashSet::new();
        for entry in entries() {
            assert!(seen.insert(&entry.id), "{} stands twice", entry.id);
            assert_eq!(
                entry.id.contains("-GAP-"),
                entry.kind == Kind::Gap,
                "{}",
                entry.id
            );
            assert!(!entry.targets.is_empty(), "{}", entry.id);
        }
        assert_eq!(seen.len(), 828);
    }

    #[test]
    fn parameters_answer_gaps_of_the_register() {
        for gap in ptodiff_isa::reading::GAPS {
            for clause in gap.clauses {
                assert_eq!(find(clause.0).map(|e| e.kind), Some(Kind::Gap), "{clause}");
            }
        }
    }

    #[test]
    fn the_fixed_readings_name_gaps_of_the_register() {
        let table = include_str!("../../isa/READINGS.md");
        let mut named = 0;
        for word in table.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
            if word.contains("-GAP-") {
                assert!(
                    find(word).is_some(),
                    "{word} is in READINGS.md but not in the register"
                );
                named += 1;
            }
        }
        assert!(named > 60, "only {named} gaps found in READINGS.md");
    }
}
