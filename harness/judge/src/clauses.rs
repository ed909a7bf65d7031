//! Clauses that a call breaks, and lists of them.

use ptodiff_contract::{Broken, Enforced, OperandPermits, Permits};
use ptodiff_isa::{Clause, Memory, Role};

use crate::input::PartyInput;

/// Constraints and preconditions that are broken.
pub(crate) fn constraints<'a>(input: &PartyInput<'a>) -> impl Iterator<Item = &'a Broken> {
    input.legality.iter().chain(input.preconditions)
}

pub(crate) fn broken(input: &PartyInput<'_>, by: Enforced) -> Vec<Clause> {
    let those = constraints(input).filter(|broken| broken.enforced == by);
    sorted(those.map(|broken| broken.clause))
}

/// In order, each once.
pub(crate) fn sorted(clauses: impl Iterator<Item = Clause>) -> Vec<Clause> {
    let mut clauses: Vec<_> = clauses.collect();
    clauses.sort_unstable();
    clauses.dedup();
    clauses
}

/// The clauses that leave slots of the operand that plays `role` open.
pub(crate) fn open_by(permits: &Permits, role: Role) -> Vec<Clause> {
    let open = permits.of(role).into_iter().flat_map(OperandPermits::open);
    sorted(open.map(|run| run.clause))
}

/// Slots of the operand that plays `role` about which something is said, if only that
/// they are kept.
pub(crate) fn promised(permits: &Permits, before: &Memory, role: Role) -> u64 {
    let (Some(operand), Some(before)) = (permits.of(role), before.get(role)) else {
        return 0;
    };
    let open: usize = operand.open().map(|run| run.len).sum();
    ((before.body().len() - open) / operand.dtype.size()) as u64
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
