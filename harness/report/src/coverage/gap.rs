//! One gap and the case that distinguishes its readings.

use ptodiff_isa::Target;
use ptodiff_register::Entry;
use serde::Serialize;

use super::spoken::{Speaker, Spoken};

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
        let (good, bad): (Vec<&Speaker>, Vec<&Speaker>) = spoken
            .of_gap(entry.id)
            .iter()
            .map(|case| &**case)
            .partition(|case| case.sound);
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
        let ids = |cases: Vec<&Speaker>| cases.iter().map(|c| c.id.clone()).collect();
        Some(Self {
            id: entry.id,
            targets: entry.targets,
            status,
            in_use: gap.in_use,
            needless_reason: reason.is_some() && !good.is_empty(),
            cases: ids(good),
            failing: ids(bad),
            reason,
        })
    }
}
