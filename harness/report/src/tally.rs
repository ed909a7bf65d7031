//! Counts over the cases of a record.

use std::collections::BTreeMap;

use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, PairRecord, PairVerdict, TargetVerdict, Verdict};
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

/// Counts the pairs of one more case.
pub(crate) fn add_pairs(all: &mut Pairs, case: &CaseRecord) {
    for pair in &case.pairs {
        let counts = all.entry(pair.targets.clone()).or_default();
        counts[Outcome::of(case, pair) as usize] += 1;
    }
}

/// Counts over a run.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Cases.
    pub(crate) cases: usize,
    /// Per verdict.
    pub(crate) verdicts: BTreeMap<Verdict, usize>,
    /// Per party how often it did what, in the order of [`TargetVerdict`].
    pub(crate) targets: BTreeMap<Party, [usize; 6]>,
    /// Per pair.
    pub(crate) pairs: Pairs,
    /// Cases on which a reading mattered.
    pub(crate) readings_mattered: usize,
}

impl Tally {
    /// How many cases came to `verdict`.
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// `1 agree, 2 violation`
    pub(crate) fn by_verdict(&self) -> String {
        let counts = self.verdicts.iter();
        let counts = counts.map(|(verdict, count)| format!("{count} {verdict}"));
        counts.collect::<Vec<_>>().join(", ")
    }

    /// Whether an implementation cannot run some case.
    pub(crate) fn is_lacking(&self) -> bool {
        let unsupported = TargetVerdict::Unsupported as usize;
        self.targets.values().any(|n| n[unsupported] > 0)
    }

    /// Counts one more.
    pub(crate) fn add(&mut self, case: &CaseRecord) {
        self.cases += 1;
        *self.verdicts.entry(case.verdict).or_default() += 1;
        self.readings_mattered += usize::from(!case.readings.is_empty());
        for (party, record) in &case.targets {
            let counts = self.targets.entry(party.clone()).or_default();
            counts[record.verdict as usize] += 1;
        }
        add_pairs(&mut self.pairs, case);
    }
}
