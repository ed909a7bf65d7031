//! The violations of a record.

use std::collections::BTreeMap;

use ptodiff_record::{CaseRecord, PairVerdict, Verdict};

/// What a violation is known by: its failure group, and the party or the two
/// parties that it is recorded under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key<'a> {
    pub(crate) failure_group: &'a str,
    /// Place in [`Violations::parties`].
    parties: usize,
}

/// Where a violation shows.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence<'a> {
    pub(crate) case: &'a CaseRecord,
    /// In one line.
    pub(crate) what: &'a str,
}

/// The violations of a record.
#[derive(Default)]
pub(crate) struct Violations<'a> {
    /// Where each shows, in the order of the record, a case once.
    pub(crate) shown: BTreeMap<Key<'a>, Vec<Occurrence<'a>>>,
    /// Cases that are one and do not say by which failure group.
    pub(crate) unsigned: Vec<&'a CaseRecord>,
    parties: Vec<String>,
}

impl<'a> Violations<'a> {
    pub(crate) fn of(cases: &'a [CaseRecord]) -> Self {
        let mut all = Self::default();
        for case in cases {
            let mut signed = false;
            for (party, target) in &case.targets {
                for finding in &target.findings {
                    all.add(
                        case,
                        &finding.failure_group,
                        party.to_string(),
                        &finding.what,
                    );
                    signed = true;
                }
            }
            for pair in case
                .pairs
                .iter()
                .filter(|p| p.verdict == PairVerdict::Violation)
            {
                let parties = format!("{}/{}", pair.targets.0, pair.targets.1);
                let what = pair.why.as_deref().unwrap_or("the two differ");
                for failure_group in &pair.failure_groups {
                    all.add(case, failure_group, parties.clone(), what);
                    signed = true;
                }
            }
            if case.verdict == Verdict::Violation && !signed {
                all.unsigned.push(case);
            }
        }
        all
    }

    /// The party (`a5`) or parties (`cpu/a5`) of a violation.
    pub(crate) fn parties(&self, key: Key<'_>) -> &str {
        &self.parties[key.parties]
    }

    fn add(
        &mut self,
        case: &'a CaseRecord,
        failure_group: &'a str,
        parties: String,
        what: &'a str,
    ) {
        let known = self.parties.iter().position(|p| *p == parties);
        let parties = known.unwrap_or_else(|| {
            self.parties.push(parties);
            self.parties.len() - 1
        });
        let shown = self
            .shown
            .entry(Key {
                failure_group,
                parties,
            })
            .or_default();
        if shown.last().is_none_or(|last| last.case.id != case.id) {
            shown.push(Occurrence { case, what });
        }
    }
}
