//! Which statements of the documents a record's cases cover.

mod entry;
mod spoken;
mod text;

use ptodiff_record::CaseRecord;
use serde::Serialize;

pub use entry::{ClauseCoverage, GapCoverage, GapStatus, Status};
pub use spoken::Spoken;
pub(crate) use spoken::cites;
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
    pub clauses: Vec<ClauseCoverage>,
    /// Every gap, in the order of the register.
    pub gaps: Vec<GapCoverage>,
}

impl Coverage {
    /// How far `cases` and `tests` cover the register.
    #[must_use]
    pub fn of(cases: &[CaseRecord], tests: &[CoveringTest]) -> Self {
        let mut all = Spoken::default();
        cases.iter().for_each(|case| all.add(case));
        all.coverage(tests)
    }

    /// How many clauses have this status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.clauses.iter().filter(|c| c.status == status).count()
    }

    /// How many gaps have this status.
    #[must_use]
    pub fn count_gaps(&self, status: GapStatus) -> usize {
        self.gaps.iter().filter(|g| g.status == status).count()
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
        self.count(Status::NotCovered) > 0
            || self.count_gaps(GapStatus::NotToldApart) > 0
            || self.clauses.iter().any(|c| c.needless_reason)
            || self.gaps.iter().any(|g| g.needless_reason)
    }
}
