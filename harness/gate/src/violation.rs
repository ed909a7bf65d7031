//! The violations of a record.

use std::{collections::BTreeMap, fmt, sync::Arc};

use ptodiff_record::{CaseRecord, PairVerdict, Verdict};

/// What a violation is known by: its failure group, and the party or the two
/// parties that it is recorded under.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) failure_group: Arc<str>,
    /// Place in [`Violations::parties`].
    parties: usize,
}

/// A case of which something is said.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) id: String,
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl Place {
    fn of(case: &CaseRecord) -> Self {
        Self {
            id: case.id.clone(),
            file: case.file.clone(),
            line: case.line,
        }
    }
}

/// `ID (FILE:LINE)`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}:{})", self.id, self.file, self.line)
    }
}

/// Where a violation shows.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    pub(crate) case: Arc<Place>,
    /// Of what was wrong once, and not when it was asked again, what that was.
    pub(crate) once: Option<String>,
}

/// The violations of cases that come one after the other, and what is flaky there.
#[derive(Debug, Default)]
pub(crate) struct Violations {
    /// Where each shows, in the order of the record, a case once.
    pub(crate) shown: BTreeMap<Key, Vec<Occurrence>>,
    /// Cases that are one and do not say by which failure group.
    pub(crate) unsigned: Vec<Place>,
    parties: Vec<String>,
}

impl Violations {
    pub(crate) fn add(&mut self, case: &CaseRecord) {
        let mut place = None;
        for (party, target) in &case.targets {
            for finding in &target.findings {
                let group = &finding.failure_group;
                self.note(case, &mut place, group, party.to_string(), None);
            }
        }
        let wrong = case
            .pairs
            .iter()
            .filter(|p| p.verdict == PairVerdict::Violation);
        for pair in wrong {
            let parties = format!("{}/{}", pair.targets.0, pair.targets.1);
            for failure_group in &pair.failure_groups {
                self.note(case, &mut place, failure_group, parties.clone(), None);
            }
        }
        if case.verdict == Verdict::Violation && place.is_none() {
            self.unsigned.push(Place::of(case));
        }
        for (party, target) in &case.targets {
            for finding in &target.flaky {
                let group = &finding.failure_group;
                let once = Some(finding.what.clone());
                self.note(case, &mut place, group, party.to_string(), once);
            }
        }
    }

    /// The party (`a5`) or parties (`cpu/a5`) of a violation.
    pub(crate) fn parties(&self, key: &Key) -> &str {
        &self.parties[key.parties]
    }

    fn note(
        &mut self,
        case: &CaseRecord,
        place: &mut Option<Arc<Place>>,
        failure_group: &str,
        parties: String,
        once: Option<String>,
    ) {
        let known = self.parties.iter().position(|p| *p == parties);
        let parties = known.unwrap_or_else(|| {
            self.parties.push(parties);
            self.parties.len() - 1
        });
        let failure_group = failure_group.into();
        let shown = self.shown.entry(Key {
            failure_group,
            parties,
        });
        let shown = shown.or_default();
        let place = place.get_or_insert_with(|| Arc::new(Place::of(case)));
        if shown
            .last()
            .is_some_and(|last| Arc::ptr_eq(&last.case, place))
        {
            return;
        }
        shown.push(Occurrence {
            case: Arc::clone(place),
            once,
        });
    }
}
