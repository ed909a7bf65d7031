//! What may be behind the failures of implementations.

use std::{io, time::Duration};

use ptodiff_case::Case;
use ptodiff_diagnose::{Evidence, diagnose};
use ptodiff_isa::Party;
use ptodiff_record::{CaseRecord, Diagnosis, Header};
use ptodiff_report::{Divergence, Fails, Groups, plain};
use ptodiff_runner::Options;

use crate::interrupt::was_heard;

/// How many failure groups of an implementation a run looks at.
pub(crate) const GROUPS: usize = 10;

/// The failures of a record, and of some parties what may be behind them.
#[derive(Default)]
pub(crate) struct Failures {
    groups: Groups,
    evidence: Vec<Evidence>,
}

/// The implementations of a record.
pub(crate) fn parties(header: &Header) -> Vec<Party> {
    let parties = header.implementations.iter().map(|i| i.party.clone());
    parties.collect()
}

impl Failures {
    /// None yet, with nothing known of each of `parties`.
    pub(crate) fn of(parties: Vec<Party>) -> Self {
        Self {
            groups: Groups::default(),
            evidence: parties.into_iter().map(Evidence::of).collect(),
        }
    }

    /// Takes in what came of the next case, as the record has it and made plain, and what hides
    /// failures of it, as [`Groups::add_but`] does.
    pub(crate) fn add(
        &mut self,
        case: &CaseRecord,
        plain: &CaseRecord,
        waived: impl Fn(&str, &str) -> Option<String>,
    ) -> Vec<Fails> {
        let all = self.groups.add_but(plain, waived);
        for one in &mut self.evidence {
            let own = all
                .iter()
                .filter(|fails| fails.parties == [one.party().clone()]);
            let own: Vec<usize> = own.map(Fails::group).collect();
            one.add(case, own);
        }
        all
    }

    /// Ids of the cases that one of the parties failed.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.evidence.iter().flat_map(Evidence::failures)
    }

    /// Says what explains them, of each party the `groups` largest, found within `time`.
    pub(crate) fn explain(
        &mut self,
        cases: &[Case],
        options: &Options,
        groups: usize,
        time: Duration,
    ) -> io::Result<Vec<Diagnosis>> {
        let mut found = Vec::new();
        if self.ids().next().is_some() && !time.is_zero() {
            let by_cause = self.groups.by_cause();
            let all = self.evidence.iter().filter(|one| one.has_failures());
            // Whoever interrupts waits for what is begun.
            for one in all.take_while(|_| !was_heard()) {
                found.extend(diagnose(one, &by_cause, cases, options, groups, time)?);
            }
        }
        self.diagnosed(&found);
        Ok(found)
    }

    /// Adds what a record says may be behind them.
    pub(crate) fn diagnosed(&mut self, diagnoses: &[Diagnosis]) {
        for diagnosis in diagnoses {
            self.groups.diagnosed(&plain::cleaned(diagnosis));
        }
    }

    /// The groups of divergences, once all is known.
    pub(crate) fn sorted(self) -> Vec<Divergence> {
        self.groups.sorted()
    }
}
