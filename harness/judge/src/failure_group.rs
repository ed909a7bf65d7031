//! Failure groups: short strings by which findings of many cases are grouped and waived.
//!
//! `INSTRUCTION PARTY PLACE CLAUSE` for what a party did wrong, and
//! `INSTRUCTION PARTY/PARTY KIND PLACE CLAUSES` for two that differ, `-`
//! where there is no clause. No shape, no value and no offset is in them: two
//! cases that fail for the same reason have the same failure groups.

use ptodiff_isa::{Clause, Instruction, Party};

use crate::{Cause, NotCompared, PairVerdict, TargetVerdict, Unjudged};

/// The failure groups of what a party did wrong, in order, each once; empty if
/// it did nothing wrong.
#[must_use]
pub fn target_failure_groups(
    instruction: Instruction,
    party: &Party,
    verdict: &TargetVerdict,
) -> Vec<String> {
    let mut failure_groups: Vec<_> = match verdict {
        TargetVerdict::Violates { findings, .. } => findings
            .iter()
            .map(|f| format!("{instruction} {party} {} {}", f.place, name(f.clause)))
            .collect(),
        TargetVerdict::Unjudged(why) => {
            let why = match why {
                Unjudged::NoAnswer => "no-answer",
                Unjudged::NoPermits => "no-permits",
                Unjudged::MalformedPermits(_) => "malformed-permits",
                Unjudged::NothingCompared => "nothing-compared",
            };
            vec![format!("{instruction} {party} unjudged {why}")]
        }
        TargetVerdict::Conforms { .. }
        | TargetVerdict::RejectedAsDocumented { .. }
        | TargetVerdict::Hangs(_)
        | TargetVerdict::Undefined(_)
        | TargetVerdict::Unsupported(_) => Vec::new(),
    };
    failure_groups.sort_unstable();
    failure_groups.dedup();
    failure_groups
}

/// The failure groups of how two parties differ, in order, each once; empty if
/// they agree, if nothing was to be compared, and where a party's own
/// failure groups say it already.
#[must_use]
pub fn pair_failure_groups(
    instruction: Instruction,
    parties: &[Party; 2],
    verdict: &PairVerdict,
) -> Vec<String> {
    let [a, b] = parties;
    let (kind, differences) = match verdict {
        PairVerdict::Permitted { differences, .. } => ("permitted", differences),
        PairVerdict::Violation {
            cause: Cause::Contradiction,
            differences,
        } => ("contradiction", differences),
        PairVerdict::NotCompared(NotCompared::NothingCompared) => {
            return vec![format!("{instruction} {a}/{b} nothing-compared")];
        }
        PairVerdict::Agree { .. } | PairVerdict::Violation { .. } | PairVerdict::NotCompared(_) => {
            return Vec::new();
        }
    };
    let described = differences.described.iter();
    let mut failure_groups: Vec<_> = described
        .map(|slot| {
            let clauses = if slot.clauses.is_empty() {
                slot.ruled.map(name).join("/")
            } else {
                let names: Vec<_> = slot.clauses.iter().map(|clause| clause.0).collect();
                names.join("+")
            };
            format!("{instruction} {a}/{b} {kind} {} {clauses}", slot.place)
        })
        .collect();
    failure_groups.sort_unstable();
    failure_groups.dedup();
    failure_groups
}

fn name(clause: Option<Clause>) -> &'static str {
    clause.map_or("-", |clause| clause.0)
}
