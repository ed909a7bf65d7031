//! How far one clause or gap is covered, and by which cases.

use ptodiff_isa::Target;
use ptodiff_register::Entry;
use serde::Serialize;

use super::{CoveringTest, Speaker, Speakers, Spoken};

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

/// How far the readings of a gap are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
pub enum GapStatus {
    /// By a case under each of them that can be put into force.
    #[strum(serialize = "distinguished, by running")]
    Run,
    /// By a case that runs the reading in use and states the others.
    #[strum(serialize = "distinguished, as stated")]
    Stated,
    /// Nothing that can be seen here depends on it; the register says why.
    #[strum(serialize = "shows in no case")]
    ShowsInNoCase,
    /// By nothing.
    #[strum(serialize = "not distinguished")]
    NotToldApart,
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
        let (good, bad) = by_soundness(&spoken.covers, entry);
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
        Self {
            id: entry.id,
            kind: entry.kind.to_string(),
            targets: entry.targets,
            status,
            cases: ids(&good),
            failing: ids(&bad),
            tests,
            needless_reason: reason.is_some() && (named || missing.is_empty()),
            missing,
            reason,
            cited: spoken.cited.get(entry.id).copied().unwrap_or(0),
        }
    }
}

/// One gap and the case that distinguishes its readings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GapCoverage {
    /// Its number.
    pub id: &'static str,
    /// Targets it speaks of.
    pub targets: &'static [Target],
    /// How far its readings are distinguished.
    pub status: GapStatus,
    /// The letter of the reading in use.
    pub in_use: char,
    /// Cases that distinguish them and conform, by id.
    pub cases: Vec<String>,
    /// Cases that should, and are a violation, by id.
    pub failing: Vec<String>,
    /// Why no case does, where the register says so.
    pub reason: Option<&'static str>,
    /// Whether the register gives a reason though a case does.
    pub needless_reason: bool,
}

impl GapCoverage {
    pub(super) fn of(entry: &Entry, spoken: &Spoken) -> Option<Self> {
        let gap = entry.gap.as_ref()?;
        let (good, bad) = by_soundness(&spoken.gaps, entry);
        let run = |case: &&Speaker| case.ran > 1;
        let reason = entry.no_case;
        let status = if good.iter().any(run) {
            GapStatus::Run
        } else if !good.is_empty() {
            GapStatus::Stated
        } else if reason.is_some() && bad.is_empty() {
            GapStatus::ShowsInNoCase
        } else {
            GapStatus::NotToldApart
        };
        Some(Self {
            id: entry.id,
            targets: entry.targets,
            status,
            in_use: gap.in_use,
            needless_reason: reason.is_some() && !good.is_empty(),
            cases: ids(&good),
            failing: ids(&bad),
            reason,
        })
    }
}

/// Of the cases that speak of `entry` those in which nothing is wrong, and the others.
fn by_soundness<'a>(all: &'a Speakers, entry: &Entry) -> (Vec<&'a Speaker>, Vec<&'a Speaker>) {
    let own = all.get(entry.id).into_iter().flatten();
    own.map(|case| &**case).partition(|case| case.sound)
}

fn ids(cases: &[&Speaker]) -> Vec<String> {
    cases.iter().map(|case| case.id.clone()).collect()
}
