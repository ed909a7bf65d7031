//! Which cases speak of which entry of the register: found in one pass, since
//! a run may have a million cases and the register has a thousand entries.

use std::{collections::HashMap, sync::Arc};

use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, Verdict};
use ptodiff_register::{Entry, entries};

use super::{ClauseCoverage, Coverage, CoveringTest, GapCoverage};

/// What is kept of a case that covers something.
#[derive(Debug)]
pub(super) struct Speaker {
    pub(super) id: String,
    /// Whether it can be believed: nothing in it is wrong.
    pub(super) sound: bool,
    /// Targets of which it expects something.
    pub(super) targets: Vec<Target>,
    /// Whether it rests on default readings alone.
    pub(super) by_default: bool,
    /// Readings of its gap that it ran under.
    pub(super) ran: usize,
}

impl Speaker {
    fn of(case: &CaseRecord) -> Self {
        let answers = case.covers.answers.iter();
        Self {
            id: case.id.clone(),
            sound: case.verdict != Verdict::Violation,
            targets: case.covers.targets.clone(),
            by_default: case.covers.under.is_empty(),
            ran: answers.filter(|a| a.verdict.is_some()).count(),
        }
    }
}

pub(super) type Speakers = HashMap<String, Vec<Arc<Speaker>>>;

/// Cases that come one after the other, by what they speak of.
#[derive(Debug, Default)]
pub struct Spoken {
    /// By clause the cases that say they cover it.
    pub(super) covers: Speakers,
    /// By gap the cases that distinguish its readings.
    pub(super) gaps: Speakers,
    /// In how many cases something cites a clause.
    pub(super) cited: HashMap<String, usize>,
}

impl Spoken {
    /// Adds the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        if case.covers.has_something() {
            let speaker = Arc::new(Speaker::of(case));
            for clause in distinct(case.covers.clauses.iter().map(String::as_str).collect()) {
                let of = self.covers.entry(clause.to_owned()).or_default();
                of.push(Arc::clone(&speaker));
            }
            if let Some(gap) = &case.covers.gap {
                self.gaps.entry(gap.clone()).or_default().push(speaker);
            }
        }
        for clause in cites(case) {
            match self.cited.get_mut(clause) {
                Some(cited) => *cited += 1,
                None => {
                    self.cited.insert(clause.to_owned(), 1);
                }
            }
        }
    }

    /// Whether any case covers something.
    #[must_use]
    pub fn has_something(&self) -> bool {
        !self.covers.is_empty() || !self.gaps.is_empty()
    }

    /// How far these cases and `tests` cover the register.
    #[must_use]
    pub fn coverage(&self, tests: &[CoveringTest]) -> Coverage {
        let (gaps, clauses): (Vec<&Entry>, Vec<&Entry>) =
            entries().iter().partition(|entry| entry.gap.is_some());
        Coverage {
            clauses: clauses
                .into_iter()
                .map(|entry| ClauseCoverage::of(entry, self, tests))
                .collect(),
            gaps: gaps
                .into_iter()
                .filter_map(|entry| GapCoverage::of(entry, self))
                .collect(),
        }
    }
}

/// The clauses that something in `case` cites, in order, each once.
pub(crate) fn cites(case: &CaseRecord) -> Vec<&str> {
    let targets = || case.targets.values();
    let reasons = targets().flat_map(|t| &t.reasons).map(|r| &r.clause);
    let unseen = targets().flat_map(|t| &t.unseen).map(|u| &u.clause);
    let found = targets().flat_map(|t| &t.findings);
    let found = found.filter_map(|f| f.clause.as_ref());
    let pairs = case.pairs.iter().flat_map(|p| &p.clauses);
    let all = reasons.chain(unseen).chain(found).chain(pairs);
    distinct(all.map(String::as_str).collect())
}

fn distinct(mut all: Vec<&str>) -> Vec<&str> {
    all.sort_unstable();
    all.dedup();
    all
}
