//! From what a hunt found against implementations to smallest cases.

use std::collections::BTreeSet;

use ptodiff_case::Case;
use ptodiff_generate::stimulus;
use ptodiff_isa::{Party, Schedule};
use ptodiff_runner::{Implementation, trial_beside};
use rayon::prelude::*;

use crate::{
    Found, Seen,
    plan::{Drawer, Plan},
    smallest::{Smallest, Wrong},
};

/// Of the `most` most frequent failure groups that `found` has of `implementations` and
/// that are not `known` smallest cases, in order. A case counts only where it shows again when it is asked alone.
#[must_use]
pub fn smallest(
    implementations: &[Implementation],
    plan: &Plan,
    found: &Found,
    known: &BTreeSet<String>,
    most: usize,
) -> Vec<Smallest> {
    let drawer = Drawer::new(plan);
    let all: Vec<(&String, &Seen)> = found.most_frequent(known).into_iter().take(most).collect();
    let one = |(failure_group, seen): &(&String, &Seen)| {
        let party = culprit(failure_group)?;
        let named =
            |s: &&Implementation| s.target() == party.target && Some(s.name()) == name(&party);
        let implementation = implementations.iter().find(named)?;
        Some(of(implementation, plan, &drawer, failure_group, **seen))
    };
    all.par_iter().filter_map(one).collect()
}

fn of(
    implementation: &Implementation,
    plan: &Plan,
    drawer: &Drawer,
    failure_group: &str,
    seen: Seen,
) -> Smallest {
    let alone = std::slice::from_ref(implementation);
    let once = |case: &Case, schedule: &Schedule| {
        let steps = stimulus(case, plan.seed).steps;
        let trial = trial_beside(alone, case, &steps, schedule);
        trial
            .of_implementations()
            .iter()
            .any(|shown| shown == failure_group)
    };
    let wrong = Wrong {
        failure_group,
        seen,
        who: implementation.name(),
        tries: tries(failure_group),
        // An implementation has readings of its own.
        readings: true,
        // A trial asks again what goes wrong.
        shows: &once,
        found: &|case, schedule| {
            let steps = stimulus(case, plan.seed).steps;
            trial_beside(alone, case, &steps, schedule).found(failure_group)
        },
    };
    wrong.smallest(plan, drawer)
}

/// The implementation that a failure group is about: it stands alone or second.
fn culprit(failure_group: &str) -> Option<Party> {
    let parties = failure_group.split(' ').nth(1)?;
    let last = parties.rsplit('/').next()?;
    last.parse().ok()
}

fn name(party: &Party) -> Option<&str> {
    party.form.as_deref()
}

/// How often a case is tried: each time that costs a process or a time limit
/// is one to be sparing with.
fn tries(failure_group: &str) -> usize {
    match failure_group.split(' ').nth(2) {
        Some("timeout") => 24,
        Some("crash" | "memory" | "protocol" | "start") => 200,
        _ => 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_group_names_the_implementation() {
        let of = |failure_group| culprit(failure_group).map(|party| party.to_string());
        let mine = Some("a5:mine".to_owned());
        assert_eq!(of("MSCATTER a5:mine crash -"), mine);
        assert_eq!(of("MSCATTER a5/a5:mine contradiction valid -"), mine);
        assert_eq!(of("MSCATTER"), None);
    }
}
