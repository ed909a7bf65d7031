//! One clause and the cases that cover it.

use ptodiff_isa::Target;
use ptodiff_register::Entry;
use serde::Serialize;

use super::{
    CoveringTest,
    spoken::{Speaker, Spoken},
};

/// How far a clause is covered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// On each of its targets, under the default readings.
    #[strum(serialize = "covered")]
    Covered,
    /// On some target only under a reading that is not the default.
    #[strum(serialize = "covered under a reading")]
    UnderReading,
    /// Nothing here can decide it; the register says why.
    #[strum(serialize = "not coverable")]
    NotCoverable,
    /// On some target by nothing.
    #[strum(serialize = "not covered")]
    NotCovered,
}

/// One clause and the cases that cover it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClauseCoverage {
    /// Its number.
    pub id: &'static str,
    /// What kind of statement it is.
    pub kind: String,
    /// Targets it speaks of.
    pub targets: &'static [Target],
    /// How far it is covered.
    pub status: Status,
    /// Cases that cover it and conform, by id.
    pub cases: Vec<String>,
    /// Cases that say they cover it and are a violation, by id.
    pub failing: Vec<String>,
    /// Tests that cover it.
    pub tests: Vec<CoveringTest>,
    /// Targets on which nothing covers it.
    pub missing: Vec<Target>,
    /// Why nothing is, where the register says so.
    pub reason: Option<&'static str>,
    /// Whether the register gives a reason though there is a case that covers it.
    pub needless_reason: bool,
    /// Cases in which a target rejected, was owed a precondition or had a freedom by it.
    pub cited: usize,
}

impl ClauseCoverage {
    pub(super) fn of(entry: &Entry, spoken: &Spoken, tests: &[CoveringTest]) -> Self {
        let (good, bad): (Vec<&Speaker>, Vec<&Speaker>) = spoken
            .covers(entry.id)
            .iter()
            .map(|case| &**case)
            .partition(|case| case.sound);
        let tests: Vec<CoveringTest> = tests
            .iter()
            .filter(|test| test.clause == entry.id)
            .copied()
            .collect();
        let on = |target: Target, by_default: bool| {
            good.iter()
                .any(|case| case.targets.contains(&target) && (!by_default || case.by_default))
        };
        let without = |by_default: bool| -> Vec<Target> {
            let targets = entry.targets.iter().copied();
            targets
                .filter(|t| tests.is_empty() && !on(*t, by_default))
                .collect()
        };
        let missing = without(false);
        let reason = entry.no_case;
        let status = if !missing.is_empty() {
            // A reason is for all of a clause: a case that covers it speaks against it.
            match reason {
                Some(_) if good.is_empty() && bad.is_empty() => Status::NotCoverable,
                _ => Status::NotCovered,
            }
        } else if !without(true).is_empty() {
            Status::UnderReading
        } else {
            Status::Covered
        };
        let named = !good.is_empty() || !bad.is_empty();
        let ids = |cases: Vec<&Speaker>| cases.iter().map(|c| c.id.clone()).collect();
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
