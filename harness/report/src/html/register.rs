//! Clauses and gaps with their text and what shows them, as data.

use std::collections::HashMap;

use ptodiff_isa::Target;
use ptodiff_register::{Entry, find};
use serde::Serialize;

use crate::coverage::{Coverage, CoveringTest};

/// What the register says and the run shows.
#[derive(Serialize)]
pub(super) struct Register<'a> {
    clauses: Vec<Clause<'a>>,
    gaps: Vec<Gap<'a>>,
}

/// What clauses and gaps have in common.
#[derive(Serialize)]
struct Common {
    id: &'static str,
    targets: &'static [Target],
    says: &'static str,
    source: &'static str,
    experiment: &'static str,
    status: String,
    /// Witnesses, by number in the list of cases.
    cases: Vec<usize>,
    failing: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct Clause<'a> {
    common: Common,
    kind: &'a str,
    tests: &'a [CoveringTest],
    missing: &'a [Target],
    /// Cases in which something cites it.
    cited: usize,
}

#[derive(Serialize)]
struct Gap<'a> {
    common: Common,
    in_use: char,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<&'a str>,
    readings: Vec<Reading<'a>>,
}

#[derive(Serialize)]
struct Reading<'a> {
    letter: char,
    says: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<(&'a str, &'a str)>,
}

impl<'a> Register<'a> {
    /// The register, with what `coverage` found in cases of these numbers.
    pub(super) fn of(coverage: &'a Coverage, numbers: &HashMap<String, usize>) -> Self {
        let named = |ids: &[String], numbers: &HashMap<String, usize>| -> Vec<usize> {
            let known = ids.iter().filter_map(|id| numbers.get(id.as_str()));
            known.copied().collect()
        };
        let common = |entry: &Entry, status: String, cases: &[String], failing: &[String]| Common {
            id: entry.id,
            targets: entry.targets,
            says: entry.says,
            source: entry.source,
            experiment: entry.experiment,
            status,
            cases: named(cases, numbers),
            failing: named(failing, numbers),
            reason: entry.no_case,
        };
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
        Self {
            clauses: clauses.collect(),
            gaps: gaps.collect(),
        }
    }
}
