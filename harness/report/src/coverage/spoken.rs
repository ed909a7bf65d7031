//! Which cases speak of which entry of the register: found in one pass, since
//! a run may have a hundred thousand cases and the register has a thousand entries.

use std::collections::HashMap;

use ptodiff_record::CaseRecord;

/// Cases by what they speak of, in the order of the record.
pub(super) struct Spoken<'a> {
    covers: HashMap<&'a str, Vec<&'a CaseRecord>>,
    gaps: HashMap<&'a str, Vec<&'a CaseRecord>>,
    cited: HashMap<&'a str, usize>,
}

impl<'a> Spoken<'a> {
    /// Looks through `cases`.
    pub(super) fn of(cases: &'a [CaseRecord]) -> Self {
        let mut all = Self {
            covers: HashMap::new(),
            gaps: HashMap::new(),
            cited: HashMap::new(),
        };
        for case in cases {
            for clause in distinct(case.covers.clauses.iter().map(String::as_str).collect()) {
                all.covers.entry(clause).or_default().push(case);
            }
            if let Some(gap) = &case.covers.gap {
                all.gaps.entry(gap).or_default().push(case);
            }
            for clause in cites(case) {
                *all.cited.entry(clause).or_default() += 1;
            }
        }
        all
    }

    /// Cases that say they cover this clause.
    pub(super) fn covers(&self, clause: &str) -> &[&'a CaseRecord] {
        self.covers.get(clause).map_or(&[], Vec::as_slice)
    }

    /// Cases that distinguish the readings of this gap.
    pub(super) fn of_gap(&self, gap: &str) -> &[&'a CaseRecord] {
        self.gaps.get(gap).map_or(&[], Vec::as_slice)
    }

    /// In how many cases something cites this clause.
    pub(super) fn cited(&self, clause: &str) -> usize {
        self.cited.get(clause).copied().unwrap_or(0)
    }
}

/// The clauses that something in `case` cites, in order, each once.
pub(crate) fn cites(case: &CaseRecord) -> Vec<&str> {
    let targets = || case.targets.values();
    let reasons = targets().flat_map(|t| &t.reasons).map(|r| &r.clause);
    let unseen = targets().flat_map(|t| &t.unseen).map(|u| &u.clause);
    let found = targets().flat_map(|t| &t.findings);
    let found = found.filter_map(|f| f.clause.as_ref());
    let pairs = case.pairs.iter().flat_map(|p| &p.clauses);
    let all = reasons.chain(unseen).chain(found).chain(pairs);
    distinct(all.map(String::as_str).collect())
}

fn distinct(mut all: Vec<&str>) -> Vec<&str> {
    all.sort_unstable();
    all.dedup();
    all
}
