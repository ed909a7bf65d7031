//! Clauses and gaps with their text and what shows them, as data.

use ptodiff_isa::Target;
use ptodiff_register::{Entry, find};
use serde::Serialize;

use crate::coverage::{Coverage, CoveringTest, EntryCoverage};

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
    let clauses = coverage.clauses.iter().filter_map(|of| {
        Some(Clause {
            common: common(of, find(of.id)?),
            kind: of.kind.as_deref()?,
            tests: of.tests.as_deref()?,
            missing: of.missing.as_deref()?,
            cited: of.cited?,
        })
    });
    let gaps = coverage.gaps.iter().filter_map(|of| {
        let entry = find(of.id)?;
        let gap = entry.gap.as_ref()?;
        let readings = gap.readings.iter().map(|r| Reading {
            letter: r.letter,
            says: r.says,
            choice: r.choice,
        });
        Some(Gap {
            common: common(of, entry),
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

fn common<'a>(of: &'a EntryCoverage, entry: &Entry) -> Common<'a> {
    Common {
        id: entry.id,
        targets: entry.targets,
        says: entry.says,
        source: entry.source,
        experiment: entry.experiment,
        status: of.status.to_string(),
        cases: &of.cases,
        failing: &of.failing,
        reason: entry.no_case,
    }
}
