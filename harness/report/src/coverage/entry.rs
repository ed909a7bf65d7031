//! How far one clause or gap is covered, and by which cases.

use ptodiff_isa::Target;
use ptodiff_register::Entry;
use serde::Serialize;

use super::{CoveringTest, Speaker, Spoken};

/// How far a clause is covered on those of its targets that ran, or the readings of a gap are
/// distinguished.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A clause on each of these targets, under the default readings.
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
    /// A gap by a case under each of its readings that can be put into force.
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
    NotDistinguished,
    /// A clause of targets that did not run, or a gap by nothing here and of a target that did
    /// not run.
    #[strum(serialize = "left to other targets")]
    OtherTargets,
}

/// One clause or gap and the cases that cover it or distinguish its readings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EntryCoverage {
    /// Its number.
    pub id: &'static str,
    /// What kind of statement a clause is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Targets it speaks of.
    pub targets: &'static [Target],
    /// How far it is covered.
    pub status: Status,
    /// The letter of a gap's reading in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_use: Option<char>,
    /// Cases that cover it and conform, by id.
    pub cases: Vec<String>,
    /// Cases that say they cover it and are a violation, by id.
    pub failing: Vec<String>,
    /// Tests that cover a clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<Vec<CoveringTest>>,
    /// Targets that ran and on which nothing covers a clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<Target>>,
    /// Why no case does, where the register says so.
    pub reason: Option<&'static str>,
    /// Whether the register gives a reason though there is a case that covers it.
    pub needless_reason: bool,
    /// Cases in which a target rejected, was owed a precondition or had a freedom by a clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cited: Option<usize>,
}

impl EntryCoverage {
    /// Whether it could be covered and is not, or has a reason why beside a case that does.
    pub(super) fn is_wrong(&self) -> bool {
        let lacks = matches!(self.status, Status::NotCovered | Status::NotDistinguished);
        lacks || self.needless_reason
    }

    pub(super) fn of(entry: &Entry, spoken: &Spoken, tests: &[CoveringTest]) -> Self {
        let all = match entry.gap {
            Some(_) => &spoken.gaps,
            None => &spoken.covers,
        };
        let own = all.get(entry.id).into_iter().flatten().map(|case| &**case);
        let (good, bad): (Vec<&Speaker>, Vec<&Speaker>) = own.partition(|case| case.sound);
        let ids = |cases: &[&Speaker]| cases.iter().map(|case| case.id.clone()).collect();
        let named = !good.is_empty() || !bad.is_empty();
        let reason = entry.no_case;
        let asked = entry.targets.iter().copied();
        let asked: Vec<Target> = asked.filter(|t| spoken.targets.contains(t)).collect();
        let bare = Self {
            id: entry.id,
            kind: None,
            targets: entry.targets,
            status: Status::NotDistinguished,
            in_use: None,
            cases: ids(&good),
            failing: ids(&bad),
            tests: None,
            missing: None,
            reason,
            needless_reason: reason.is_some() && !good.is_empty(),
            cited: None,
        };
        if let Some(gap) = &entry.gap {
            let status = match reason {
                _ if good.iter().any(|case| case.ran > 1) => Status::Run,
                _ if !good.is_empty() => Status::Stated,
                Some(_) if !named => Status::ShowsInNoCase,
                // One case shows it, on any of its targets.
                None if !named && asked.len() < entry.targets.len() => Status::OtherTargets,
                _ => Status::NotDistinguished,
            };
            return Self {
                status,
                in_use: Some(gap.in_use),
                ..bare
            };
        }
        let tests = tests.iter().filter(|test| test.clause == entry.id);
        let tests: Vec<CoveringTest> = tests.copied().collect();
        let without = |by_default: bool| -> Vec<Target> {
            let takes = |case: &Speaker, target: Target| {
                case.targets.contains(&target) && (!by_default || case.by_default)
            };
            let lacks = |t: &Target| tests.is_empty() && !good.iter().any(|case| takes(case, *t));
            asked.iter().copied().filter(lacks).collect()
        };
        let missing = without(false);
        let status = match reason {
            _ if asked.is_empty() => Status::OtherTargets,
            // A reason is for all of a clause: a case that covers it speaks against it.
            Some(_) if !missing.is_empty() && !named => Status::NotCoverable,
            _ if !missing.is_empty() => Status::NotCovered,
            _ if !without(true).is_empty() => Status::UnderReading,
            _ => Status::Covered,
        };
        Self {
            kind: Some(entry.kind.to_string()),
            status,
            needless_reason: reason.is_some() && (named || !tests.is_empty()),
            tests: Some(tests),
            missing: Some(missing),
            cited: Some(spoken.cited.get(entry.id).copied().unwrap_or(0)),
            ..bare
        }
    }
}
