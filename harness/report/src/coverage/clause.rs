//! One clause and its witnesses.

use ptodiff_isa::Target;
use ptodiff_record::CaseRecord;
use ptodiff_register::Entry;
use serde::Serialize;

use super::{TestWitness, sound, spoken::Spoken};

/// How far a clause is witnessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// On each of its targets, under the default readings.
    #[strum(serialize = "witnessed")]
    Witnessed,
    /// On some target only under a reading that is not the default.
    #[strum(serialize = "witnessed under a reading")]
    UnderReading,
    /// Nothing here can decide it; the register says why.
    #[strum(serialize = "not witnessable")]
    NotWitnessable,
    /// On some target by nothing.
    #[strum(serialize = "not witnessed")]
    NotWitnessed,
}

/// One clause and its witnesses.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClauseCoverage {
    /// Its number.
    pub id: &'static str,
    /// What kind of statement it is.
    pub kind: String,
    /// Targets it speaks of.
    pub targets: &'static [Target],
    /// How far it is witnessed.
    pub status: Status,
    /// Cases that are witnesses of it and conform, by id.
    pub cases: Vec<String>,
    /// Cases that say they are witnesses of it and are a violation, by id.
    pub failing: Vec<String>,
    /// Tests that are witnesses of it.
    pub tests: Vec<TestWitness>,
    /// Targets on which nothing is a witness of it.
    pub missing: Vec<Target>,
    /// Why nothing is, where the register says so.
    pub reason: Option<&'static str>,
    /// Whether the register gives a reason though there is a witness.
    pub needless_reason: bool,
    /// Cases in which a target refused, was owed a duty or had a freedom by it.
    pub cited: usize,
}

impl ClauseCoverage {
    pub(super) fn of(entry: &Entry, spoken: &Spoken<'_>, tests: &[TestWitness]) -> Self {
        let (good, bad): (Vec<&CaseRecord>, Vec<&CaseRecord>) = spoken
            .witnesses(entry.id)
            .iter()
            .partition(|case| sound(case));
        let tests: Vec<TestWitness> = tests
            .iter()
            .filter(|test| test.clause == entry.id)
            .copied()
            .collect();
        let on = |target: Target, by_default: bool| {
            good.iter().any(|case| {
                let witness = &case.witness;
                witness.targets.contains(&target) && (!by_default || witness.under.is_empty())
            })
        };
        let without = |by_default: bool| -> Vec<Target> {
            let targets = entry.targets.iter().copied();
            targets
                .filter(|t| tests.is_empty() && !on(*t, by_default))
                .collect()
        };
        let missing = without(false);
        let reason = entry.no_witness;
        let status = if !missing.is_empty() {
            // A reason is for all of a clause: a witness speaks against it.
            match reason {
                Some(_) if good.is_empty() && bad.is_empty() => Status::NotWitnessable,
                _ => Status::NotWitnessed,
            }
        } else if !without(true).is_empty() {
            Status::UnderReading
        } else {
            Status::Witnessed
        };
        let named = !good.is_empty() || !bad.is_empty();
        let ids = |cases: Vec<&CaseRecord>| cases.iter().map(|c| c.id.clone()).collect();
        Self {
            id: entry.id,
            kind: entry.kind.to_string(),
            targets: entry.targets,
            status,
            cases: ids(good),
            failing: ids(bad),
            tests,
            needless_reason: reason.is_some() && (named || missing.is_empty()),
            missing,
            reason,
            cited: spoken.cited(entry.id),
        }
    }
}
