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

/// Of each failure group of `wrong` a smallest case, in order, where it is about one of
/// `implementations`. A case counts only where it shows again when it is asked alone.
#[must_use]
pub fn smallest(
    implementations: &[Implementation],
    plan: &Plan,
    wrong: &[(&str, Seen)],
) -> Vec<Option<Smallest>> {
    let drawer = Drawer::new(plan);
    let one = |(failure_group, seen): &(&str, Seen)| {
        let party = culprit(failure_group)?;
        let named =
            |s: &&Implementation| s.target() == party.target && Some(s.name()) == name(&party);
        let implementation = implementations.iter().find(named)?;
        Some(of(implementation, plan, &drawer, failure_group, *seen))
    };
    wrong.par_iter().map(one).collect()
}

/// Cases to be run again for what those have in common that show one of `wrong`: some of
/// them, and some to which implementations conform, each called after its number. What ends
/// without a result is not among them: it says nothing of values, and takes its time.
#[must_use]
pub fn to_compare(plan: &Plan, found: &Found, wrong: &[(&str, Seen)]) -> Vec<Case> {
    let of_values = wrong.iter().filter(|(group, _)| tries(group) == TRIES);
    let mut numbers: BTreeSet<u64> = of_values
        .filter_map(|(group, _)| found.wrong.get(*group))
        .flatten()
        .copied()
        .collect();
    if numbers.is_empty() {
        return Vec::new();
    }
    numbers.extend(found.right.values().flatten());
    let drawer = Drawer::new(plan);
    let case = |number: u64| {
        let name = number.to_string();
        Case {
            id: name.clone(),
            name,
            ..drawer.number(number).case
        }
    };
    numbers.into_iter().map(case).collect()
}

fn of(
    implementation: &Implementation,
    plan: &Plan,
    drawer: &Drawer,
    failure_group: &str,
    seen: Seen,
) -> Smallest {
    let alone = std::slice::from_ref(implementation);
    let shows = |case: &Case, schedule: &Schedule, confirm: bool| {
        let steps = stimulus(case, plan.seed).steps;
        let mut trial = trial_beside(alone, case, &steps, schedule);
        if confirm {
            trial.confirm(alone);
        }
        let shown = trial.of_implementations();
        shown.iter().any(|shown| shown == failure_group)
    };
    let wrong = Wrong {
        failure_group,
        seen,
        who: implementation.name(),
        tries: tries(failure_group),
        // An implementation has readings of its own.
        readings: true,
        shows: &|case, schedule| shows(case, schedule, true),
        // To be asked alone costs a process, and most have a start that takes longer
        // than a hundred calls.
        seems: &|case, schedule| shows(case, schedule, false),
        found: &|case, schedule| {
            let steps = stimulus(case, plan.seed).steps;
            let mut trial = trial_beside(alone, case, &steps, schedule);
            trial.confirm(alone);
            trial.found(failure_group)
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

/// How often a case is tried that has a result.
const TRIES: usize = 1000;

/// How often a case is tried: each time that costs a process or a time limit
/// is one to be sparing with.
fn tries(failure_group: &str) -> usize {
    match failure_group.split(' ').nth(2) {
        Some("timeout") => 24,
        Some("crash" | "memory" | "protocol" | "start") => 200,
        _ => TRIES,
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
