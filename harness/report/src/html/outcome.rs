//! How a pair compares, with the reason why it is not compared.

use ptodiff_record::{CaseRecord, PairRecord, PairVerdict, TargetVerdict};
use serde::Serialize;

/// How a pair compares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
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
    pub(super) fn of(case: &CaseRecord, pair: &PairRecord) -> Self {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pair_is_rejected_where_the_case_expected_another_rejection_of_one() {
        let case = json!({
            "id": "c", "name": "c", "instruction": "TGATHERB", "file": "a.yaml", "line": 1,
            "call": {}, "verdict": "violation",
            "targets": {"cpu": {"verdict": "undefined"}, "a5": {"verdict": "violates"}},
            "pairs": [{"targets": ["cpu", "a5"], "verdict": "not-compared", "why": "a5: rejected"}],
        });
        let case: CaseRecord = serde_json::from_value(case).expect("a case");
        assert_eq!(Outcome::of(&case, &case.pairs[0]), Outcome::Rejected);
    }
}
