//! Smallest cases of what was done wrong: by a model where no clause explains it, and by
//! an implementation.

use std::{collections::BTreeSet, slice};

use ptodiff_case::Case;
use ptodiff_generate::{literal, stimulus};
use ptodiff_isa::{
    Call, Form, Memory, Model, Party, Schedule, Target,
    reading::{GAPS, Gap},
};
use ptodiff_record::Verdict;
use ptodiff_runner::{Implementation, Trial, models, trial_on, trials_beside};
use rayon::prelude::*;

use crate::{
    Found, Relation, Seen,
    plan::{Drawer, Plan},
    relation,
    shrink::shrink_within,
};

/// A smallest case of one kind of wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Smallest {
    /// What groups it with others of its kind.
    pub failure_group: String,
    /// Cases of the hunt that showed it.
    pub seen: Seen,
    /// The case, called after who did wrong and the number of the case drawn.
    pub case: Case,
    /// The order of lanes under which it shows; none where it never showed
    /// again, and the case is the one drawn.
    pub schedule: Option<Schedule>,
    /// Whether somebody stopped it before it was as small as it may be.
    pub stopped: bool,
    /// Whether it was tried as often as it may be before it was as small as it may be.
    pub spent: bool,
    /// What was done there, in words, where it is not two that differ.
    pub why: Option<String>,
}

impl Smallest {
    /// Whether both are one call with the same data, whatever they are called and whichever
    /// targets they are for.
    #[must_use]
    pub fn is_same_call(&self, other: &Self) -> bool {
        let [a, b] = [&self.case, &other.case];
        (&a.call, &a.data, a.chunks) == (&b.call, &b.data, b.chunks)
            && a.readings == b.readings
            && self.schedule == other.schedule
    }
}

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
        let wrong = Wrong {
            failure_group,
            seen: **seen,
            who: "unexplained",
            tries: TRIES,
            stop: &|| false,
            shows: &|case, schedule, _| shows(models, plan.seed, failure_group, case, schedule),
            is_of: &|_, _| true,
            found: &|case, schedule| {
                let steps = stimulus(case, plan.seed).steps;
                trial_on(models, case, &steps, schedule).found(failure_group)
            },
        };
        wrong.smallest(plan, &drawer)
    };
    all.par_iter().map(one).collect()
}

/// A case of the models and one implementation.
fn trial<'a>(
    implementation: &[Implementation],
    case: &'a Case,
    steps: &'a [Memory],
    schedule: &'a Schedule,
) -> Trial<'a> {
    let one = std::iter::once((case, steps, schedule));
    trials_beside(&models(), implementation, one).remove(0)
}

/// Of each failure group of `wrong` a smallest case, in order, where it is about one of
/// `implementations`. A case counts only where it shows again when it is asked alone, and is of
/// the kind that is looked for, by its place in `wrong`. Once it is to `stop` each is as it was
/// by then: the implementations may have ended.
#[must_use]
pub fn smallest(
    implementations: &[Implementation],
    plan: &Plan,
    wrong: &[(&str, Seen)],
    is_of: &(dyn Fn(usize, &Case) -> bool + Sync),
    stop: &(dyn Fn() -> bool + Sync),
    one_more: &(dyn Fn() + Sync),
) -> Vec<Option<Smallest>> {
    let drawer = Drawer::new(plan);
    let one = |(n, (failure_group, seen)): (usize, &(&str, Seen))| {
        let party = culprit(failure_group)?;
        let named = |s: &&Implementation| {
            s.target() == party.target && Some(s.name()) == party.form.as_deref()
        };
        let implementation = implementations.iter().find(named)?;
        let alone = std::slice::from_ref(implementation);
        let wrong = Wrong {
            failure_group,
            seen: *seen,
            who: implementation.name(),
            tries: tries(failure_group),
            stop,
            // An implementation has readings of its own.
            is_of: &|case, draw| are_read_alike(case, draw) && is_of(n, case),
            // To be asked alone costs a process, and most have a start that takes longer
            // than a hundred calls.
            shows: &|case, schedule, sure| {
                let steps = stimulus(case, plan.seed).steps;
                // Where nothing is promised of its target nothing is wrong.
                let mut own = case.clone();
                own.targets = vec![party.target];
                if trial(&[], &own, &steps, schedule).verdict() == Verdict::Undefined {
                    return false;
                }
                let mut trial = trial(alone, case, &steps, schedule);
                if sure {
                    Trial::confirm(slice::from_mut(&mut trial), alone);
                }
                let shown = trial.of_implementations();
                shown.iter().any(|shown| shown == failure_group)
            },
            found: &|case, schedule| {
                let steps = stimulus(case, plan.seed).steps;
                let mut trial = trial(alone, case, &steps, schedule);
                Trial::confirm(slice::from_mut(&mut trial), alone);
                trial.found(failure_group)
            },
        };
        let smallest = wrong.smallest(plan, &drawer);
        one_more();
        Some(smallest)
    };
    wrong.par_iter().enumerate().map(one).collect()
}

/// Cases to be run again for what those have in common that show one of `wrong`: some of
/// them, and some to which implementations conform, each called after its number and with the
/// data that it was drawn with. What ends without a result is not among them: it says nothing of
/// values, and takes its time.
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
            // Data that is drawn depends on the id.
            ..literal(&drawer.number(number).case, plan.seed)
        }
    };
    numbers.into_iter().map(case).collect()
}

/// Whether the gaps of a call's form are read alike in both.
fn are_read_alike(case: &Case, other: &Case) -> bool {
    let form = Form::of(&case.call);
    case.targets.iter().all(|&target| {
        let mut about = GAPS.iter().filter(|gap| gap.is_about(form, target));
        let of = |case: &Case, gap: &Gap| gap.choice(&case.readings[target]);
        about.all(|gap| of(case, gap) == of(other, gap))
    })
}

/// A kind of wrong, and how it is looked for.
struct Wrong<'a> {
    /// What groups it with others of its kind.
    failure_group: &'a str,
    /// Cases of the hunt that showed it.
    seen: Seen,
    /// Who did it.
    who: &'a str,
    /// How often a case is tried.
    tries: usize,
    /// Whether nobody is to be asked any more.
    stop: &'a (dyn Fn() -> bool + Sync),
    /// Whether a case shows it under an order of lanes, for sure or, at less cost,
    /// as it seems.
    shows: &'a dyn Fn(&Case, &Schedule, bool) -> bool,
    /// Whether a case is of the kind of the one that was drawn, which comes second.
    is_of: &'a dyn Fn(&Case, &Case) -> bool,
    /// What is found where it shows, in words.
    found: &'a dyn Fn(&Case, &Schedule) -> Option<String>,
}

impl Wrong<'_> {
    fn is_stopped(&self) -> bool {
        (self.stop)()
    }

    /// Whether a case shows it; what comes of one that is stopped says nothing.
    fn is_shown(&self, case: &Case, schedule: &Schedule, sure: bool) -> bool {
        !self.is_stopped() && (self.shows)(case, schedule, sure) && !self.is_stopped()
    }

    /// The first case drawn that shows it, made as small as it may be.
    fn smallest(&self, plan: &Plan, drawer: &Drawer) -> Smallest {
        let seed = plan.seed;
        let draw = drawer.number(self.seen.first);
        // Best where a plain run begins.
        let orders = [Schedule::InOrder, Schedule::Reversed, draw.schedule];
        let shown = |s: &Schedule| self.is_shown(&draw.case, s, true);
        let schedule = orders.into_iter().find(shown);
        let mut tried = 0;
        let mut case = match &schedule {
            None => literal(&draw.case, seed),
            Some(schedule) => {
                let same = |case: &Case| (self.is_of)(case, &draw.case);
                // Of no use is a case that an implementation was not built for.
                let holds = |call: &Call| plan.holds(call);
                let mut shrunk = |sure| {
                    tried = 0;
                    let mut keeps = |case: &Case| {
                        tried += 1;
                        same(case) && self.is_shown(case, schedule, sure)
                    };
                    shrink_within(&draw.case, seed, self.tries, &holds, &mut keeps)
                };
                let small = shrunk(false);
                match self.is_stopped() || self.is_shown(&small, schedule, true) {
                    true => small,
                    false => shrunk(true),
                }
            }
        };
        case.name = format!("{}-{}", self.who, self.seen.first);
        let found = |schedule| (self.found)(&case, schedule);
        let stopped = self.is_stopped();
        let why = schedule.as_ref().filter(|_| !stopped).and_then(found);
        Smallest {
            stopped,
            spent: tried == self.tries,
            why,
            failure_group: self.failure_group.to_owned(),
            seen: self.seen,
            case,
            schedule,
        }
    }
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
        let checked = relation::check(relation, *model, case, &steps);
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

/// The implementation that a failure group is about: it stands alone or second.
fn culprit(failure_group: &str) -> Option<Party> {
    let parties = failure_group.split(' ').nth(1)?;
    let last = parties.rsplit('/').next()?;
    last.parse().ok()
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
    fn a_failure_group_names_the_relation_or_the_implementation() {
        let clamped = Some((Target::A5, Relation::Clamped));
        assert_eq!(parts("MSCATTER a5 relation clamped"), clamped);
        assert_eq!(parts("MSCATTER a5 valid MSCATTER-SEM-02"), None);
        assert_eq!(parts("MSCATTER"), None);
        let of = |failure_group| culprit(failure_group).map(|party| party.to_string());
        let mine = Some("a5:mine".to_owned());
        assert_eq!(of("MSCATTER a5:mine crash -"), mine);
        assert_eq!(of("MSCATTER a5/a5:mine contradiction valid -"), mine);
        assert_eq!(of("MSCATTER"), None);
    }
}
