//! The divergences as markup: readable without a script.

use std::collections::BTreeMap;

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Header, reproduce::reproduce};
use ptodiff_register::{Entry, find};
use serde_json::{Value, json};

use super::place::{Place, no_clause};
use crate::cause::Cause;
use crate::group::{Divergence, Kind};

/// Groups that are written out; the smaller ones are a filter of the list away.
const GROUPS: usize = 100;
/// Slots that are written out of a group's first case.
const SLOTS: usize = 3;

/// Where a case stands, and at which line of its file.
pub(super) fn reference(case: &CaseRecord, line: u32) -> Value {
    json!({"id": case.id, "file": case.file, "line": line})
}

/// The divergences in `all`, for the template.
/// `often` has how many cases show each failure group.
pub(super) fn divergences(
    header: &Header,
    all: &[Divergence],
    often: &BTreeMap<String, usize>,
) -> Value {
    let part = |kind: &str| {
        let own = all.iter().filter(|group| of_page(group.kind) == kind);
        let first = own.clone().take(GROUPS);
        let groups: Vec<Value> = first.map(|g| group(header, g, often)).collect();
        json!({"groups": groups, "more": own.count().saturating_sub(GROUPS)})
    };
    json!({
        "violations": part("violation"),
        "waived": part("waived"),
        "permitted": part("permitted"),
    })
}

/// The part of the page that groups of this kind are in.
const fn of_page(kind: Kind) -> &'static str {
    match kind {
        Kind::Violation | Kind::Expectation => "violation",
        Kind::Waived | Kind::Permitted => kind.word(),
    }
}

fn group(header: &Header, of: &Divergence, often: &BTreeMap<String, usize>) -> Value {
    let first = &*of.first;
    let slots = &of.slots[..of.slots.len().min(SLOTS)];
    let places: Vec<_> = slots.iter().map(|slot| Place::of(first, slot)).collect();
    let mut parties: Vec<_> = places.iter().flat_map(|p| p.got.keys().copied()).collect();
    let models = |party: &Party| !header.implementations.iter().any(|i| i.party == *party);
    parties.sort_unstable_by_key(|party| (models(party), *party));
    parties.dedup();
    let mut pairs = first.pairs.iter();
    let pair = pairs.find(|p| p.failure_groups.contains(&of.failure_group));
    let no_clause = pair.is_some_and(|pair| no_clause(first, pair));
    let row = |place: &Place<'_>| place.row(first, &parties, no_clause);
    let counted = |name| (name, often.get(name).copied().unwrap_or_default());
    let several = of.several().unwrap_or_default().into_iter().map(counted);
    // Those of the slots that are shown say most.
    let shown = |id: &&String| !slots.iter().any(|s| s.clauses.contains(id));
    let mut clauses: Vec<&String> = of.clauses.iter().collect();
    clauses.sort_by_key(shown);
    let said = |entry: &Entry| match entry.fixed() {
        Some(so) => format!("{} Read so: {so}", entry.says),
        None => entry.says.to_owned(),
    };
    let clause = |id| json!({"id": id, "says": find(id).map(said)});
    json!({
        "kind": of_page(of.kind),
        "waived": of.waived,
        "failure_group": of.failure_group,
        "cases": of.cases,
        "what": of.told(),
        "why": of.why,
        "due": of.due().0,
        "open": of.open(),
        "cause": of.cause.as_ref().map(Cause::said),
        // Each line with whether it stands out.
        "diagnosis": of.diagnosed(),
        // The failure groups in it and how many cases show each, where its name is none.
        "several": several.collect::<Vec<_>>(),
        "outlier": of.outlier(),
        "last_words": of.last_words().join("\n"),
        // Who says that they are broken, where a party alone does.
        "named_by": of.named_by(),
        "clauses": clauses.into_iter().map(|id| clause(id)).collect::<Vec<_>>(),
        "first": reference(first, of.line),
        "slots": places.iter().map(row).collect::<Vec<_>>(),
        "parties": parties,
        "command": reproduce(header, first),
    })
}
