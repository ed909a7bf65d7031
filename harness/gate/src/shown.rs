//! What a record shows that must not be lost.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, PairVerdict, TargetVerdict, Verdict};
use ptodiff_register::find;
use serde::{Deserialize, Serialize};

/// How a clause is covered on a target, the weaker first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, strum::Display,
)]
#[serde(rename_all = "kebab-case")]
pub enum Covered {
    /// Under a reading that is not the default.
    #[strum(serialize = "only under a reading that is not the default")]
    UnderReading,
    /// As the documents stand.
    #[strum(serialize = "under the default readings")]
    ByDefault,
}

/// How the readings of a gap are distinguished, the weaker first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, strum::Display,
)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// A case runs the reading in use and states the others.
    #[strum(serialize = "as stated")]
    AsStated,
    /// A case runs under several.
    #[strum(serialize = "by running")]
    ByRunning,
}

/// The parties that have a result in `case`, and the pairs that are compared
/// there, as `cpu/a5`.
pub(crate) fn results(case: &CaseRecord) -> Vec<String> {
    let has_result = |verdict| matches!(verdict, TargetVerdict::Conforms | TargetVerdict::Violates);
    let ran = case.targets.iter().filter(|(_, t)| has_result(t.verdict));
    let ran = ran.map(|(party, _)| party.to_string());
    let compared = case
        .pairs
        .iter()
        .filter(|p| p.verdict != PairVerdict::NotCompared);
    let compared = compared.map(|p| format!("{}/{}", p.targets.0, p.targets.1));
    ran.chain(compared).collect()
}

/// By case the targets of which it expects something, where it does.
pub(crate) fn expectations(cases: &[CaseRecord]) -> BTreeMap<String, Vec<Target>> {
    let expecting = cases.iter().filter(|case| !case.covers.targets.is_empty());
    let targets = expecting.map(|case| (case.id.clone(), case.covers.targets.clone()));
    targets.collect()
}

/// By clause and target how `cases`, and `tests` by clause, cover it.
pub(crate) fn clauses(
    cases: &[CaseRecord],
    tests: &[&str],
) -> BTreeMap<String, BTreeMap<Target, Covered>> {
    let mut all: BTreeMap<String, BTreeMap<Target, Covered>> = BTreeMap::new();
    let mut note = |clause: &str, target: Target, how: Covered| {
        let speaks = find(clause).is_none_or(|entry| entry.targets.contains(&target));
        if speaks {
            let on = all.entry(clause.to_owned()).or_default();
            let best = on.entry(target).or_insert(how);
            *best = how.max(*best);
        }
    };
    for case in cases.iter().filter(|case| sound(case)) {
        let how = match case.covers.under.is_empty() {
            true => Covered::ByDefault,
            false => Covered::UnderReading,
        };
        for clause in &case.covers.clauses {
            for target in &case.covers.targets {
                note(clause, *target, how);
            }
        }
    }
    for clause in tests {
        // A test covers its clause on all targets that it speaks of.
        for target in find(clause).map_or(&[][..], |entry| entry.targets) {
            note(clause, *target, Covered::ByDefault);
        }
    }
    all
}

/// By gap how `cases` distinguish its readings.
pub(crate) fn gaps(cases: &[CaseRecord]) -> BTreeMap<String, Told> {
    let mut all = BTreeMap::new();
    for case in cases.iter().filter(|case| sound(case)) {
        let Some(gap) = &case.covers.gap else {
            continue;
        };
        let ran = case.covers.answers.iter().filter(|a| a.verdict.is_some());
        let told = match ran.count() {
            0 | 1 => Told::AsStated,
            _ => Told::ByRunning,
        };
        let best = all.entry(gap.clone()).or_insert(told);
        *best = told.max(*best);
    }
    all
}

/// The holes that `cases` show, each with its instruction.
pub(crate) fn holes(cases: &[CaseRecord]) -> BTreeSet<String> {
    let of = |case: &CaseRecord| {
        let instruction = case.instruction;
        let holes = case.holes.iter();
        holes
            .map(|hole| format!("{instruction} {hole}"))
            .collect::<Vec<_>>()
    };
    cases.iter().flat_map(of).collect()
}

/// Whether a case can be believed: nothing in it is wrong.
fn sound(case: &CaseRecord) -> bool {
    case.verdict != Verdict::Violation
}
