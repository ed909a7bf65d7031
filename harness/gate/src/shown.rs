//! What a record shows that must not be lost.

use std::collections::BTreeMap;

use ptodiff_isa::{Party, Target};
use ptodiff_record::{CaseRecord, Covers, PairVerdict, TargetVerdict, Verdict};
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
pub enum Distinguished {
    /// A case runs the reading in use and states the others.
    #[strum(serialize = "as stated")]
    AsStated,
    /// A case runs under several.
    #[strum(serialize = "by running")]
    ByRunning,
}

/// The parties that have a result in `case`, or of `implementations` that reject or hang
/// as they must, and the pairs that are compared there, as `cpu/a5`.
pub(crate) fn results(case: &CaseRecord, implementations: &[Party]) -> Vec<String> {
    use TargetVerdict::{Conforms, Hangs, Rejected, Violates};
    let ran = case
        .targets
        .iter()
        .filter(|(party, own)| match own.verdict {
            Conforms | Violates => true,
            Rejected | Hangs => implementations.contains(party),
            _ => false,
        });
    let ran = ran.map(|(party, _)| party.to_string());
    let compared = case
        .pairs
        .iter()
        .filter(|p| p.verdict != PairVerdict::NotCompared);
    let compared = compared.map(|p| format!("{}/{}", p.targets.0, p.targets.1));
    ran.chain(compared).collect()
}

/// The pairs of `case` that differ and must not, or of which one has no right result.
pub(crate) fn wrong(case: &CaseRecord) -> Vec<String> {
    let pairs = case.pairs.iter();
    let wrong = pairs.filter(|p| p.verdict == PairVerdict::Violation);
    wrong
        .map(|p| format!("{}/{}", p.targets.0, p.targets.1))
        .collect()
}

/// By clause and target how it is covered.
pub(crate) type Clauses = BTreeMap<String, BTreeMap<Target, Covered>>;

/// Notes that `clause` is covered on `target`, if it speaks of it.
fn note(all: &mut Clauses, clause: &str, target: Target, how: Covered) {
    let speaks = find(clause).is_none_or(|entry| entry.targets.contains(&target));
    if speaks {
        let on = all.entry(clause.to_owned()).or_default();
        let best = on.entry(target).or_insert(how);
        *best = how.max(*best);
    }
}

/// Notes how a case covers clauses.
pub(crate) fn add_clauses(all: &mut Clauses, covers: &Covers) {
    let how = match covers.under.is_empty() {
        true => Covered::ByDefault,
        false => Covered::UnderReading,
    };
    for clause in &covers.clauses {
        for target in &covers.targets {
            note(all, clause, *target, how);
        }
    }
}

/// The clauses that tests cover, each on all targets that it speaks of.
pub(crate) fn by_tests(tests: &[&str]) -> Clauses {
    let mut all = Clauses::new();
    for clause in tests {
        for target in find(clause).map_or(&[][..], |entry| entry.targets) {
            note(&mut all, clause, *target, Covered::ByDefault);
        }
    }
    all
}

/// Notes how a case distinguishes the readings of a gap.
pub(crate) fn add_gap(all: &mut BTreeMap<String, Distinguished>, covers: &Covers) {
    let Some(gap) = &covers.gap else {
        return;
    };
    let ran = covers.answers.iter().filter(|a| a.verdict.is_some());
    let told = match ran.count() {
        0 | 1 => Distinguished::AsStated,
        _ => Distinguished::ByRunning,
    };
    let best = all.entry(gap.clone()).or_insert(told);
    *best = told.max(*best);
}

/// Whether a case can be believed: nothing in it is wrong.
pub(crate) fn sound(case: &CaseRecord) -> bool {
    case.verdict != Verdict::Violation
}
