//! Clauses and gaps with their text and what shows them, as data.

use std::collections::HashMap;

use ptodiff_register::{Entry, find};
use serde_json::{Value, json};

use crate::coverage::Coverage;

/// The register, with what `coverage` found in cases of these numbers in the list of cases.
pub(super) fn register(coverage: &Coverage, numbers: &HashMap<String, usize>) -> Value {
    let numbered = |ids: &[String]| -> Vec<usize> {
        let known = ids.iter().filter_map(|id| numbers.get(id.as_str()));
        known.copied().collect()
    };
    // What clauses and gaps have in common.
    let common = |entry: &Entry, status: String, cases: &[String], failing: &[String]| {
        let mut common = json!({
            "id": entry.id,
            "targets": entry.targets,
            "says": entry.says,
            "source": entry.source,
            "experiment": entry.experiment,
            "status": status,
            "cases": numbered(cases),
            "failing": numbered(failing),
        });
        // Few have one, and the page of one case has all entries.
        if let Some(reason) = entry.no_case {
            common["reason"] = reason.into();
        }
        common
    };
    let clauses = coverage.clauses.iter().filter_map(|c| {
        Some(json!({
            "common": common(find(c.id)?, c.status.to_string(), &c.cases, &c.failing),
            "kind": c.kind,
            "tests": c.tests,
            "missing": c.missing,
            "cited": c.cited,
        }))
    });
    let gaps = coverage.gaps.iter().filter_map(|g| {
        let entry = find(g.id)?;
        let gap = entry.gap.as_ref()?;
        let readings = gap.readings.iter();
        let readings =
            readings.map(|r| json!({"letter": r.letter, "says": r.says, "choice": r.choice}));
        Some(json!({
            "common": common(entry, g.status.to_string(), &g.cases, &g.failing),
            "in_use": gap.in_use,
            "how": gap.how,
            "readings": readings.collect::<Vec<_>>(),
        }))
    });
    json!({
        "clauses": clauses.collect::<Vec<_>>(),
        "gaps": gaps.collect::<Vec<_>>(),
    })
}
