//! From what a hunt found against subjects to smallest cases.

use ptodiff_case::Case;
use ptodiff_generate::{literal, stimulus};
use ptodiff_isa::{Call, Party, Schedule};
use ptodiff_runner::{Subject, trial_beside};
use rayon::prelude::*;

use crate::{
    Found, Seen,
    plan::{Drawer, Plan},
    shrink::shrink_within,
};

/// A smallest case of one kind of wrong that a subject did.
#[derive(Clone, PartialEq, Debug)]
pub struct Smallest {
    /// What groups it with others of its kind.
    pub signature: String,
    /// Cases of the hunt that showed it.
    pub seen: Seen,
    /// The case, called after its subject and the number of the case drawn.
    pub case: Case,
    /// The order of lanes under which it shows; none where it never showed
    /// again, and the case is the one drawn.
    pub schedule: Option<Schedule>,
    /// What the subject did there, in words, where it is not two that differ.
    pub why: Option<String>,
}

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
    let seed = plan.seed;
    let draw = drawer.number(seen.first);
    let shows = |case: &Case, schedule: &Schedule| {
        let steps = stimulus(case, seed).steps;
        let alone = std::slice::from_ref(subject);
        let trial = trial_beside(alone, case, &steps, schedule);
        trial.of_subjects().iter().any(|shown| shown == signature)
    };
    // Best where a plain run begins.
    let orders = [Schedule::InOrder, Schedule::Reversed, draw.schedule];
    let schedule = orders.into_iter().find(|s| shows(&draw.case, s));
    let mut case = match &schedule {
        None => literal(&draw.case, seed),
        Some(schedule) => {
            let mut twice = |case: &Case| shows(case, schedule) && shows(case, schedule);
            // Of no use is a case that the subject was not built for.
            let holds = |call: &Call| plan.holds(call);
            shrink_within(&draw.case, seed, tries(signature), &holds, &mut twice)
        }
    };
    case.name = format!("{}-{}", subject.name(), seen.first);
    let why = schedule.as_ref().and_then(|schedule| {
        let steps = stimulus(&case, seed).steps;
        trial_beside(std::slice::from_ref(subject), &case, &steps, schedule).found(signature)
    });
    Smallest {
        signature: signature.to_owned(),
        seen,
        case,
        schedule,
        why,
    }
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
