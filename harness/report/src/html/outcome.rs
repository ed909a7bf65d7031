//! How a pair compares, with the reason why it is not compared.

use ptodiff_record::{CaseRecord, PairRecord, PairVerdict, TargetVerdict};
use serde::Serialize;

/// How a pair compares.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, strum::Display, strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Outcome {
    /// The same result.
    Agree,
    /// Different, and clauses permit it.
    Permitted,
    /// Different, and no clause permits it, or one of them breaks its contract.
    Violation,
    /// One of them refuses.
    Refused,
    /// Nothing is promised of one of them, or it never returns.
    NoResult,
}

impl Outcome {
    /// How `pair` of `case` compares.
    pub(super) fn of(case: &CaseRecord, pair: &PairRecord) -> Self {
        match pair.verdict {
            PairVerdict::Agree => Self::Agree,
            PairVerdict::Permitted => Self::Permitted,
            PairVerdict::Violation => Self::Violation,
            PairVerdict::NotCompared => {
                let refuses = |party| {
                    let part = case.targets.get(party);
                    part.is_some_and(|t| t.verdict == TargetVerdict::Refused)
                };
                match refuses(&pair.targets.0) || refuses(&pair.targets.1) {
                    true => Self::Refused,
                    false => Self::NoResult,
                }
            }
        }
    }
}
