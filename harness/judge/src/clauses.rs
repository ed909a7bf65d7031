//! Clauses that a call breaks, and lists of them.

use ptodiff_contract::{Broken, Enforced};
use ptodiff_isa::Clause;

use crate::input::PartyInput;

/// Constraints and preconditions that are broken.
pub(crate) fn constraints<'a>(input: &PartyInput<'a>) -> impl Iterator<Item = &'a Broken> {
    input.legality.iter().chain(input.preconditions)
}

pub(crate) fn broken(input: &PartyInput<'_>, by: Enforced) -> Vec<Clause> {
    if input.legality.is_empty() && input.preconditions.is_empty() {
        return Vec::new();
    }
    sorted(
        constraints(input)
            .filter(|broken| broken.enforced == by)
            .map(|broken| broken.clause),
    )
}

pub(crate) fn sorted(clauses: impl Iterator<Item = Clause>) -> Vec<Clause> {
    let mut clauses: Vec<_> = clauses.collect();
    clauses.sort_unstable();
    clauses.dedup();
    clauses
}

/// The expected clauses that are not there.
pub(crate) fn missing(expected: &[Clause], there: &[Clause]) -> Vec<Clause> {
    let all = expected.iter().filter(|clause| !there.contains(clause));
    all.copied().collect()
}

pub(crate) fn list(clauses: &[Clause]) -> String {
    let names: Vec<_> = clauses.iter().map(|clause| clause.0).collect();
    names.join(" and ")
}
