//! From what no clause explains of the models to smallest cases.

use ptodiff_case::Case;
use ptodiff_generate::stimulus;
use ptodiff_isa::{Call, Model, Schedule, Target};
use ptodiff_runner::trial_on;
use rayon::prelude::*;

use crate::{
    Found, Relation, Seen,
    plan::{Drawer, Plan},
    relation,
    smallest::{Smallest, Wrong},
};

/// How often a case is tried while it is shrunk.
const TRIES: usize = 1000;

/// Of the first `most` failure groups that `found` has of `models` smallest cases,
/// in order.
#[must_use]
pub fn unexplained(
    models: &[&dyn Model],
    plan: &Plan,
    found: &Found,
    most: usize,
) -> Vec<Smallest> {
    let drawer = Drawer::new(plan);
    let all: Vec<(&String, &Seen)> = found.unexplained.iter().take(most).collect();
    let one = |(failure_group, seen): &(&String, &Seen)| {
        let show = |case: &Case, schedule: &Schedule| {
            shows(models, plan.seed, failure_group, case, schedule)
        };
        let wrong = Wrong {
            failure_group,
            seen: **seen,
            who: "unexplained",
            tries: TRIES,
            shows: &show,
            seems: &show,
            readings: false,
            found: &|case, schedule| {
                let steps = stimulus(case, plan.seed).steps;
                trial_on(models, case, &steps, schedule).found(failure_group)
            },
        };
        wrong.smallest(plan, &drawer)
    };
    all.par_iter().map(one).collect()
}

fn shows(
    models: &[&dyn Model],
    seed: u64,
    failure_group: &str,
    case: &Case,
    schedule: &Schedule,
) -> bool {
    let steps = stimulus(case, seed).steps;
    let Some((target, relation)) = parts(failure_group) else {
        let trial = trial_on(models, case, &steps, schedule);
        return trial
            .unexplained()
            .iter()
            .any(|shown| shown == failure_group);
    };
    let mut models = models.iter().filter(|model| model.target() == target);
    let fails = |model: &&dyn Model| {
        let checked = relation::check(
            relation,
            *model,
            &case.call,
            &steps,
            &case.readings[model.target()],
        );
        matches!(checked, Some(Err(_)))
    };
    broken(&case.call, target, relation) == failure_group
        && case.targets.contains(&target)
        && models.any(fails)
}

/// The failure group of a relation that does not hold on `target`.
pub(crate) fn broken(call: &Call, target: Target, relation: Relation) -> String {
    format!("{} {target} {WORD} {relation}", call.instruction())
}

/// What stands before the name of a relation.
const WORD: &str = "relation";

/// The target and the relation of a failure group that [`broken`] made.
fn parts(failure_group: &str) -> Option<(Target, Relation)> {
    let mut words = failure_group.split(' ').skip(1);
    let target = words.next()?.parse().ok()?;
    let relation = words
        .next()
        .filter(|word| *word == WORD)
        .and(words.next())?;
    Some((target, relation.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_group_names_the_relation() {
        let clamped = Some((Target::A5, Relation::Clamped));
        assert_eq!(parts("MSCATTER a5 relation clamped"), clamped);
        assert_eq!(parts("MSCATTER a5 valid MSCATTER-SEM-02"), None);
        assert_eq!(parts("MSCATTER"), None);
    }
}
