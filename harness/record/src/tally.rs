//! Counts over the cases of a record.

use std::collections::BTreeMap;

use ptodiff_isa::Party;
use serde::Serialize;

use crate::{CaseRecord, PairVerdict, TargetVerdict, Verdict};

/// One party's counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TargetTally {
    /// Conforms.
    pub conforms: usize,
    /// Rejected as documented.
    pub rejected: usize,
    /// Nothing promised.
    pub undefined: usize,
    /// Never returns, as documented.
    pub hangs: usize,
    /// Violates.
    pub violates: usize,
    /// An implementation that cannot run it.
    pub unsupported: usize,
}

/// One pair's counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairTally {
    /// Same result.
    pub agree: usize,
    /// Different with a clause.
    pub permitted: usize,
    /// Different without.
    pub violation: usize,
    /// One side has no defined result.
    pub not_compared: usize,
}

/// Counts over a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Cases.
    pub cases: usize,
    /// Per verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// Per party.
    pub targets: BTreeMap<Party, TargetTally>,
    /// Per pair.
    pub pairs: BTreeMap<(Party, Party), PairTally>,
    /// Cases on which a reading mattered.
    pub readings_mattered: usize,
}

impl Tally {
    /// How many cases came to `verdict`.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// `1 agree, 2 violation`
    #[must_use]
    pub fn by_verdict(&self) -> String {
        let counts = self.verdicts.iter();
        let counts = counts.map(|(verdict, count)| format!("{count} {verdict}"));
        counts.collect::<Vec<_>>().join(", ")
    }

    /// Counts one more.
    pub fn add(&mut self, case: &CaseRecord) {
        self.cases += 1;
        *self.verdicts.entry(case.verdict).or_default() += 1;
        self.readings_mattered += usize::from(!case.readings.is_empty());
        for (party, record) in &case.targets {
            let counts = self.targets.entry(party.clone()).or_default();
            match record.verdict {
                TargetVerdict::Conforms => counts.conforms += 1,
                TargetVerdict::Rejected => counts.rejected += 1,
                TargetVerdict::Undefined => counts.undefined += 1,
                TargetVerdict::Hangs => counts.hangs += 1,
                TargetVerdict::Violates => counts.violates += 1,
                TargetVerdict::Unsupported => counts.unsupported += 1,
            }
        }
        for pair in &case.pairs {
            let counts = self.pairs.entry(pair.targets.clone()).or_default();
            match pair.verdict {
                PairVerdict::Agree => counts.agree += 1,
                PairVerdict::Permitted => counts.permitted += 1,
                PairVerdict::Violation => counts.violation += 1,
                PairVerdict::NotCompared => counts.not_compared += 1,
            }
        }
    }
}
