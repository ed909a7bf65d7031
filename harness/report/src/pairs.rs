//! How pairs compare, counted.

use std::collections::BTreeMap;

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, PairRecord, PairVerdict, TargetVerdict};
use serde::Serialize;

/// How a pair compares, with the reason why it is not compared.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// The same result.
    Agree,
    /// Different, and clauses permit it.
    Permitted,
    /// Different, and no clause permits it, or one of them breaks its contract.
    Violation,
    /// One of them rejects.
    Rejected,
    /// Nothing is promised of one of them, or it never returns.
    NoResult,
}

impl Outcome {
    /// How `pair` of `case` compares.
    pub(crate) fn of(case: &CaseRecord, pair: &PairRecord) -> Self {
        match pair.verdict {
            PairVerdict::Agree => Self::Agree,
            PairVerdict::Permitted => Self::Permitted,
            PairVerdict::Violation => Self::Violation,
            PairVerdict::NotCompared => {
                let rejects = |party| {
                    let part = case.targets.get(party);
                    part.is_some_and(|t| t.verdict == TargetVerdict::Rejected)
                };
                let (a, b) = &pair.targets;
                match pair.tells_of_a_rejection() || rejects(a) || rejects(b) {
                    true => Self::Rejected,
                    false => Self::NoResult,
                }
            }
        }
    }
}

/// How often each pair came to each [`Outcome`], in their order. One that never met has none.
pub(crate) type Pairs = BTreeMap<(Party, Party), [usize; 5]>;
