//! The divergences as markup: readable without a script.

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
    /// The failure groups in it, where its name is none.
    several: Vec<String>,
    outlier: Option<String>,
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
    pub(super) fn of(header: &Header, all: &[Divergence]) -> Self {
        Self {
            groups: all.iter().take(GROUPS).map(|g| group(header, g)).collect(),
            more: all.len().saturating_sub(GROUPS),
        }
    }
}

fn group(header: &Header, of: &Divergence) -> Group {
    let first = &*of.first;
    let slots = of.slots.iter().take(SLOTS);
    let places: Vec<_> = slots.map(|slot| Place::of(first, slot)).collect();
    let mut parties: Vec<_> = places.iter().flat_map(|p| p.got.keys().copied()).collect();
    parties.sort_unstable();
    parties.dedup();
    let mut pairs = first.pairs.iter();
    let pair = pairs.find(|p| p.failure_groups.contains(&of.failure_group));
    let several = of.several().unwrap_or_default();
    let no_clause = pair.is_some_and(|pair| no_clause(first, pair));
    let row = |place: &Place<'_>| place.row(&parties, no_clause);
    let clause = |id: &String| Clause {
        id: id.clone(),
        says: find(id).map(|entry| entry.says),
    };
    Group {
        kind: match of.kind {
            Kind::Violation => "violation",
            Kind::Permitted => "permitted",
        },
        failure_group: of.failure_group.clone(),
        cases: of.cases,
        what: of.what.clone(),
        why: of.why.clone(),
        cause: of.cause.as_ref().map(Cause::said),
        diagnosis: of.diagnosis.iter().flat_map(Diagnosis::lines).collect(),
        several: several.into_iter().map(str::to_owned).collect(),
        outlier: of.outlier().map(ToString::to_string),
        clauses: of.clauses.iter().map(clause).collect(),
        first: Reference::to(first),
        slots: places.iter().map(row).collect(),
        parties: parties.iter().map(ToString::to_string).collect(),
        command: reproduce(header, first),
    }
}
