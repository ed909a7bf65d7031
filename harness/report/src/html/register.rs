//! Clauses and gaps with their text and what shows them, as data.

use ptodiff_isa::Target;
use ptodiff_register::{Entry, find};
use serde::Serialize;

use crate::coverage::{Coverage, CoveringTest};

/// Clauses and gaps, in the order of the register.
#[derive(Serialize)]
pub(super) struct Register<'a> {
    clauses: Vec<Clause<'a>>,
    gaps: Vec<Gap<'a>>,
}

/// What clauses and gaps have in common. Cases are told by their ids.
#[derive(Serialize)]
struct Common<'a> {
    cases: &'a [String],
    experiment: &'static str,
    failing: &'a [String],
    id: &'static str,
    /// Few have one, and the page of one case has all entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    says: &'static str,
    source: &'static str,
    status: String,
    targets: &'static [Target],
}

#[derive(Serialize)]
struct Clause<'a> {
    cited: usize,
    common: Common<'a>,
    kind: &'a str,
    missing: &'a [Target],
    tests: &'a [CoveringTest],
}

#[derive(Serialize)]
struct Gap<'a> {
    common: Common<'a>,
    how: Option<&'a str>,
    in_use: char,
    readings: Vec<Reading>,
}

#[derive(Serialize)]
struct Reading {
    choice: Option<(&'static str, &'static str)>,
    letter: char,
    says: &'static str,
}

/// The register, with what `coverage` found.
pub(super) fn register(coverage: &Coverage) -> Register<'_> {
    fn common<'a>(
        entry: &Entry,
        status: String,
        cases: &'a [String],
        failing: &'a [String],
    ) -> Common<'a> {
        Common {
            id: entry.id,
            targets: entry.targets,
            says: entry.says,
            source: entry.source,
            experiment: entry.experiment,
            status,
            cases,
            failing,
            reason: entry.no_case,
        }
    }
    let clauses = coverage.clauses.iter().filter_map(|c| {
        Some(Clause {
            common: common(find(c.id)?, c.status.to_string(), &c.cases, &c.failing),
            kind: &c.kind,
            tests: &c.tests,
            missing: &c.missing,
            cited: c.cited,
        })
    });
    let gaps = coverage.gaps.iter().filter_map(|g| {
        let entry = find(g.id)?;
        let gap = entry.gap.as_ref()?;
        let readings = gap.readings.iter().map(|r| Reading {
            letter: r.letter,
            says: r.says,
            choice: r.choice,
        });
        Some(Gap {
            common: common(entry, g.status.to_string(), &g.cases, &g.failing),
            in_use: gap.in_use,
            how: gap.how,
            readings: readings.collect(),
        })
    });
    Register {
        clauses: clauses.collect(),
        gaps: gaps.collect(),
    }
}
