//! What a record shows of an implementation: which cases it failed and what it left.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_isa::{Party, Schedule};
use ptodiff_record::{CaseRecord, Finding, TargetRecord, TargetVerdict};

/// What one case shows of a party that failed it: values in slots, and guard zones
/// that changed.
pub(crate) type Shown = BTreeSet<String>;

/// What the cases of a run show of one implementation.
#[derive(Clone, Debug)]
pub struct Evidence {
    party: Party,
    /// By failure group: cases by id, with what each shows.
    pub(crate) failed: BTreeMap<String, BTreeMap<String, Shown>>,
    /// Ids of the cases that conform.
    pub(crate) passed: BTreeSet<String>,
}

impl Evidence {
    /// Nothing yet of `party`.
    #[must_use]
    pub const fn of(party: Party) -> Self {
        Self {
            party,
            failed: BTreeMap::new(),
            passed: BTreeSet::new(),
        }
    }

    /// The implementation.
    #[must_use]
    pub const fn party(&self) -> &Party {
        &self.party
    }

    /// Whether it failed a case in a way that another model could repeat.
    #[must_use]
    pub fn has_failures(&self) -> bool {
        !self.failed.is_empty()
    }

    /// Ids of the cases that it failed so.
    pub fn failures(&self) -> impl Iterator<Item = &str> {
        self.failed
            .values()
            .flat_map(|cases| cases.keys().map(String::as_str))
    }

    /// Takes the failure groups of each of `causes` for one, by the name of the largest: what
    /// explains a part of a cause explains little. A failure group of two causes stays alone.
    pub fn unite(&mut self, causes: &[BTreeSet<String>]) {
        let often = |group: &String| causes.iter().filter(|cause| cause.contains(group)).count();
        for cause in causes {
            let own: Vec<&String> = cause
                .iter()
                .filter(|group| self.failed.contains_key(*group) && often(group) == 1)
                .collect();
            let size = |group: &&&String| self.failed.get(**group).map_or(0, BTreeMap::len);
            let Some(largest) = own.iter().max_by_key(size).copied() else {
                continue;
            };
            let mut whole = BTreeMap::new();
            for group in own {
                whole.extend(self.failed.remove(group).unwrap_or_default());
            }
            self.failed.insert(largest.clone(), whole);
        }
    }

    /// Takes in what came of a case.
    pub fn add(&mut self, case: &CaseRecord) {
        let Some(record) = case.targets.get(&self.party) else {
            return;
        };
        match record.verdict {
            TargetVerdict::Conforms => {
                self.passed.insert(case.id.clone());
            }
            TargetVerdict::Violates => {
                let Some(shown) = shown(&self.party, record) else {
                    return;
                };
                if shown.is_empty() {
                    return;
                }
                for finding in &record.findings {
                    let group = self
                        .failed
                        .entry(finding.failure_group.clone())
                        .or_default();
                    group.insert(case.id.clone(), shown.clone());
                }
            }
            _ => {}
        }
    }
}

/// What `record` shows of `party` under the first schedule, the one that explanations are run
/// under; none where it ended without a result.
pub(crate) fn shown(party: &Party, record: &TargetRecord) -> Option<Shown> {
    let first = Schedule::InOrder.to_string();
    let is_first = |finding: &&Finding| finding.schedule.as_ref().is_none_or(|of| *of == first);
    let seen = record.findings.iter().filter(|finding| is_seen(finding));
    seen.filter(is_first).map(|f| one(party, f)).collect()
}

/// Whether it shows in what a process answers, which does not tell where it read.
pub(crate) fn is_seen(finding: &Finding) -> bool {
    place(finding) != "out-of-bounds"
}

/// The kind of place: the third word of the failure group.
fn place(finding: &Finding) -> &str {
    finding.failure_group.split(' ').nth(2).unwrap_or_default()
}

fn one(party: &Party, finding: &Finding) -> Option<String> {
    if let Some(slot) = &finding.slot {
        let got = slot.got.get(party)?;
        return Some(format!("{} {} {}", slot.role, slot.offset, got.bits));
    }
    matches!(place(finding), "guard" | "input").then(|| finding.what.clone())
}
