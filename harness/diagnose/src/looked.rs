//! A failure group that is looked at.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_case::{Case, Form};
use ptodiff_record::{Diagnosis, Fit};

use crate::{
    Explanation,
    evidence::{Shown, Wrong},
    property::Property,
    rank::is_pair,
};

/// A way to look for what explains a group, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// One mistake at a time.
    Alone,
    /// One in an implementation that keeps inside its operands.
    Inside,
    /// Two mistakes, one after the other.
    Pairs,
}

/// A group, and what was learnt of it.
pub(crate) struct Looked {
    pub(crate) of_group: Diagnosis,
    /// Other groups of the same cases: what explains one as a whole explains each.
    pub(crate) twins: Vec<String>,
    pub(crate) failed: BTreeMap<String, Shown>,
    /// Those of `failed` that show a value.
    pub(crate) failing: Vec<Case>,
    /// Forms of their calls, in order.
    pub(crate) forms: Vec<Form>,
    pub(crate) passing: Vec<Case>,
    /// What explains failures of it.
    pub(crate) found: Vec<Found>,
    /// What leaves all of a failure and does not [tell](Fit::tells).
    pub(crate) refused: Vec<Fit>,
    /// The last that was tried.
    pub(crate) tried: Option<Step>,
    /// Probed failures that no mistake alone explains; the first one where there are none.
    pub(crate) hard: Vec<Case>,
    /// What leaves anything wrong in those that were probed.
    pub(crate) wrong: Vec<Explanation>,
}

impl Looked {
    /// Whether calls were run that should be rejected, or the reverse, and nothing else is wrong.
    pub(crate) fn is_of_checks(&self) -> bool {
        let mut all = self.failed.values().flatten();
        all.all(|wrong| matches!(wrong, Wrong::Checked(_)))
    }

    pub(crate) fn is_explained(&self) -> bool {
        let failures = self.failing.len();
        self.found.iter().any(|one| one.fit.is_whole(failures))
    }

    /// What is told of it and of its twins: they are one where what is best explains all, but two
    /// mistakes that passes contradict.
    pub(crate) fn told(self) -> Vec<Diagnosis> {
        let (mut own, twins) = (self.of_group, self.twins);
        let is_one = |fit: &Fit| {
            let is_sure = fit.contradicts == 0 || !is_pair(fit);
            fit.explains > 0 && fit.is_whole(own.failures) && is_sure
        };
        if own.fits.first().is_some_and(is_one) {
            own.also.extend(twins);
            return vec![own];
        }
        let named = |failure_group| Diagnosis {
            failure_group,
            ..own.clone()
        };
        let twins: Vec<Diagnosis> = twins.into_iter().map(named).collect();
        std::iter::once(own).chain(twins).collect()
    }
}

/// What explains failures of a group.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) explanation: Explanation,
    pub(crate) fit: Fit,
    /// The failures that it explains.
    pub(crate) explained: BTreeSet<String>,
    /// The property of a call in which alone the mistake is made.
    pub(crate) only: Option<Property>,
}
