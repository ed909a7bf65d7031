//! The divergences as markup: readable without a script.

use std::collections::BTreeMap;

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Diagnosis, Header, reproduce::reproduce};
use ptodiff_register::find;
use serde::Serialize;

use super::place::{Place, Row, no_clause};
use crate::cause::Cause;
use crate::group::{Divergence, Kind};

/// Groups that are written out; the smaller ones are a filter of the list away.
const GROUPS: usize = 100;
/// Slots that are written out of a group's first case.
const SLOTS: usize = 3;

/// The divergences, for the template.
#[derive(Serialize)]
pub(super) struct Divergences {
    violations: Part,
    permitted: Part,
}

#[derive(Serialize)]
struct Part {
    groups: Vec<Group>,
    /// Groups that are left out.
    more: usize,
}

#[derive(Serialize)]
struct Group {
    kind: &'static str,
    failure_group: String,
    cases: usize,
    what: String,
    why: Option<String>,
    cause: Option<String>,
    diagnosis: Vec<String>,
    /// The failure groups in it and how many cases show each, where its name is none.
    several: Vec<(String, usize)>,
    outlier: Option<String>,
    /// The last lines that the implementation wrote to standard error.
    last_words: String,
    clauses: Vec<Clause>,
    first: Reference,
    slots: Vec<Row>,
    /// Parties with a value in `slots`.
    parties: Vec<String>,
    command: String,
}

#[derive(Serialize)]
struct Clause {
    id: String,
    says: Option<&'static str>,
}

/// Where a case stands.
#[derive(Serialize)]
pub(super) struct Reference {
    id: String,
    file: String,
    line: u32,
}

impl Reference {
    /// Of this case.
    pub(super) fn to(case: &CaseRecord) -> Self {
        Self {
            id: case.id.clone(),
            file: case.file.clone(),
            line: case.line,
        }
    }
}

impl Divergences {
    /// The divergences in these groups.
    /// `often` has how many cases show each failure group.
    pub(super) fn of(header: &Header, all: &[Divergence], often: &BTreeMap<String, usize>) -> Self {
        let part = |permitted: bool| {
            let own = all
                .iter()
                .filter(|g| (g.kind == Kind::Permitted) == permitted);
            Part {
                more: own.clone().count().saturating_sub(GROUPS),
                groups: own.take(GROUPS).map(|g| group(header, g, often)).collect(),
            }
        };
        Self {
            violations: part(false),
            permitted: part(true),
        }
    }
}

fn group(header: &Header, of: &Divergence, often: &BTreeMap<String, usize>) -> Group {
    let first = &*of.first;
    let slots = of.slots.iter().take(SLOTS);
    let places: Vec<_> = slots.map(|slot| Place::of(first, slot)).collect();
    let mut parties: Vec<_> = places.iter().flat_map(|p| p.got.keys().copied()).collect();
    let models = |party: &Party| !header.implementations.iter().any(|i| i.party == *party);
    parties.sort_unstable_by_key(|party| (models(party), *party));
    parties.dedup();
    let mut pairs = first.pairs.iter();
    let pair = pairs.find(|p| p.failure_groups.contains(&of.failure_group));
    let several = of.several().unwrap_or_default();
    let no_clause = pair.is_some_and(|pair| no_clause(first, pair));
    let row = |place: &Place<'_>| place.row(first, &parties, no_clause);
    let counted = |name: &str| {
        (
            name.to_owned(),
            often.get(name).copied().unwrap_or_default(),
        )
    };
    // Those of the slots that are shown say most.
    let shown = |id: &&String| !of.slots.iter().take(SLOTS).any(|s| s.clauses.contains(id));
    let mut clauses: Vec<&String> = of.clauses.iter().collect();
    clauses.sort_by_key(shown);
    let clause = |id: &String| Clause {
        id: id.clone(),
        says: find(id).map(|entry| entry.says),
    };
    Group {
        kind: match of.kind {
            Kind::Violation | Kind::Expectation => "violation",
            Kind::Permitted => "permitted",
        },
        failure_group: of.failure_group.clone(),
        cases: of.cases,
        what: of.what.clone(),
        why: of.why.clone(),
        cause: of.cause.as_ref().map(Cause::said),
        diagnosis: of.diagnosis.iter().flat_map(Diagnosis::lines).collect(),
        several: several.into_iter().map(counted).collect(),
        outlier: of.outlier().map(ToString::to_string),
        last_words: of.last_words().join("\n"),
        clauses: clauses.into_iter().map(clause).collect(),
        first: Reference {
            line: of.line,
            ..Reference::to(first)
        },
        slots: places.iter().map(row).collect(),
        parties: parties.iter().map(ToString::to_string).collect(),
        command: reproduce(header, first),
    }
}
