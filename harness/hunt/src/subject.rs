//! From what a hunt found against subjects to smallest cases.

use ptodiff_case::Case;
use ptodiff_generate::stimulus;
use ptodiff_isa::{Party, Schedule};
use ptodiff_runner::{Subject, trial_beside};
use rayon::prelude::*;

use crate::{
    Found, Seen,
    plan::{Drawer, Plan},
    smallest::{Smallest, Wrong},
};

/// Of the first `most` signatures that `found` has of `subjects` smallest
/// cases, in order. A subject may not do the same each time: a case counts
/// only where it shows twice in a row.
#[must_use]
pub fn smallest(subjects: &[Subject], plan: &Plan, found: &Found, most: usize) -> Vec<Smallest> {
    let drawer = Drawer::new(plan);
    let all: Vec<(&String, &Seen)> = found.subjects.iter().take(most).collect();
    let one = |(signature, seen): &(&String, &Seen)| {
        let party = culprit(signature)?;
        let named = |s: &&Subject| s.target() == party.target && Some(s.name()) == name(&party);
        let subject = subjects.iter().find(named)?;
        Some(of(subject, plan, &drawer, signature, **seen))
    };
    all.par_iter().filter_map(one).collect()
}

fn of(subject: &Subject, plan: &Plan, drawer: &Drawer, signature: &str, seen: Seen) -> Smallest {
    let alone = std::slice::from_ref(subject);
    let once = |case: &Case, schedule: &Schedule| {
        let steps = stimulus(case, plan.seed).steps;
        let trial = trial_beside(alone, case, &steps, schedule);
        trial.of_subjects().iter().any(|shown| shown == signature)
    };
    let wrong = Wrong {
        signature,
        seen,
        who: subject.name(),
        tries: tries(signature),
        shows: &|case, schedule| once(case, schedule) && once(case, schedule),
        found: &|case, schedule| {
            let steps = stimulus(case, plan.seed).steps;
            trial_beside(alone, case, &steps, schedule).found(signature)
        },
    };
    wrong.smallest(plan, drawer)
}

/// The subject that a signature is about: it stands alone or second.
fn culprit(signature: &str) -> Option<Party> {
    let parties = signature.split(' ').nth(1)?;
    let last = parties.rsplit('/').next()?;
    last.parse().ok()
}

fn name(party: &Party) -> Option<&str> {
    party.form.as_deref()
}

/// How often a case is tried: each time that costs a process or a time limit
/// is one to be sparing with.
fn tries(signature: &str) -> usize {
    match signature.split(' ').nth(2) {
        Some("timeout") => 24,
        Some("crash" | "memory" | "protocol" | "start") => 200,
        _ => 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_names_the_subject() {
        let of = |signature| culprit(signature).map(|party| party.to_string());
        let mine = Some("a5:mine".to_owned());
        assert_eq!(of("MSCATTER a5:mine crash -"), mine);
        assert_eq!(of("MSCATTER a5/a5:mine contradiction valid -"), mine);
        assert_eq!(of("MSCATTER"), None);
    }
}
