//! Which statements of the documents a record's cases cover.

mod entry;
mod text;

use std::{collections::HashMap, sync::Arc};

use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, Verdict};
use ptodiff_register::{Entry, entries};
use serde::Serialize;

pub use entry::{EntryCoverage, Status};
pub use text::{write_coverage, write_line};

/// A test of the harness that covers a clause, for what no case can say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct CoveringTest {
    /// The clause.
    pub clause: &'static str,
    /// File and line of the test.
    pub place: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// How far a record covers the register.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Coverage {
    /// Every clause, in the order of the register.
    pub clauses: Vec<EntryCoverage>,
    /// Every gap, in the order of the register.
    pub gaps: Vec<EntryCoverage>,
}

impl Coverage {
    /// How far `cases`, which ran on `targets`, and `tests` cover the register.
    #[must_use]
    pub fn of(targets: &[Target], cases: &[CaseRecord], tests: &[CoveringTest]) -> Self {
        let mut all = Spoken::new(targets);
        cases.iter().for_each(|case| all.add(case));
        all.coverage(tests)
    }

    /// Clauses, then gaps.
    fn all(&self) -> impl Iterator<Item = &EntryCoverage> {
        self.clauses.iter().chain(&self.gaps)
    }

    /// How many clauses or gaps have this status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.all().filter(|one| one.status == status).count()
    }

    /// How many of the clauses, and how many of the gaps, are not left to other targets.
    pub(crate) fn asked(&self) -> [usize; 2] {
        [&self.clauses, &self.gaps].map(|all| {
            let asked = all.iter().filter(|one| one.status != Status::OtherTargets);
            asked.count()
        })
    }

    /// The documents by name, each with what is covered of it.
    pub(crate) fn areas(&self) -> Vec<(&str, Self)> {
        // `MSCATTER` of `MSCATTER-OOB-03`.
        let name = |id: &'static str| id.split_once('-').map_or(id, |(document, _)| document);
        let mut names: Vec<&str> = self.clauses.iter().map(|c| name(c.id)).collect();
        names.dedup();
        let area = |own| {
            let (mut clauses, mut gaps) = (self.clauses.clone(), self.gaps.clone());
            clauses.retain(|c| name(c.id) == own);
            gaps.retain(|g| name(g.id) == own);
            (own, Self { clauses, gaps })
        };
        names.into_iter().map(area).collect()
    }

    /// Whether something that could be covered is not, or a reason for not
    /// covering stands beside a case that covers it.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.all().any(EntryCoverage::is_wrong)
    }
}

/// What is kept of a case that covers something.
#[derive(Debug)]
struct Speaker {
    id: String,
    /// Whether it can be believed: nothing in it is wrong.
    sound: bool,
    /// Targets of which it expects something.
    targets: Vec<Target>,
    /// Whether it rests on default readings alone.
    by_default: bool,
    /// Readings of its gap that it ran under.
    ran: usize,
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

type Speakers = HashMap<String, Vec<Arc<Speaker>>>;

/// Cases that come one after the other, by what they speak of: found in one pass, since a
/// run may have a million cases and the register has a thousand entries.
#[derive(Debug, Default)]
pub struct Spoken {
    /// Targets that ran.
    targets: Vec<Target>,
    /// By clause the cases that say they cover it.
    covers: Speakers,
    /// By gap the cases that distinguish its readings.
    gaps: Speakers,
    /// In how many cases something cites a clause.
    cited: HashMap<String, usize>,
}

impl Spoken {
    /// Of no case yet, in a run on `targets`.
    #[must_use]
    pub fn new(targets: &[Target]) -> Self {
        Self {
            targets: targets.to_vec(),
            ..Self::default()
        }
    }

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
        let [clauses, gaps] = [clauses, gaps].map(|all| {
            let of = |entry| EntryCoverage::of(entry, self, tests);
            all.into_iter().map(of).collect()
        });
        Coverage { clauses, gaps }
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
