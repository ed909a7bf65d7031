//! What may be behind the failures of implementations.

use std::{io, time::Duration};

use ptodiff_case::Case;
use ptodiff_diagnose::{Evidence, diagnose};
use ptodiff_record::{Diagnosis, Header};
use ptodiff_runner::Options;

/// How many failure groups of an implementation a run looks at.
pub(crate) const GROUPS: usize = 10;

/// Nothing yet of each implementation of a run.
pub(crate) fn evidence(header: &Header) -> Vec<Evidence> {
    let parties = header.implementations.iter().map(|i| i.party.clone());
    parties.map(Evidence::of).collect()
}

/// What explains the failures that `all` hold, of each the `groups` largest, found
/// within `time`.
///
/// # Errors
/// Threads that cannot be started.
pub(crate) fn of(
    all: &[Evidence],
    cases: &[Case],
    options: &Options,
    groups: usize,
    time: Duration,
) -> io::Result<Vec<Diagnosis>> {
    let mut found = Vec::new();
    let failing = all.iter().filter(|one| one.has_failures());
    for one in failing.filter(|_| !time.is_zero()) {
        found.extend(diagnose(one, cases, options, groups, time)?);
    }
    Ok(found)
}
