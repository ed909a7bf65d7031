//! Running a hunt: blocks of numbers in parallel, joined in order.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use ptodiff_generate::{Stimulus, stimulus_into};
use ptodiff_runner::{Subject, models, trial_beside};
use rayon::prelude::*;

use crate::{
    Found,
    plan::{Draw, Drawer, Plan},
    relation,
};

/// How long a hunt goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// For so many cases.
    Count(u64),
    /// Until at least so much time has passed.
    Time(Duration),
}

/// Cases that one thread tries in a go.
const BLOCK: u64 = 1024;

/// Blocks a thread between two looks at the clock.
const BLOCKS: u64 = 8;

/// Hunts by `plan` on the threads at hand until `limit` is reached or `stop`
/// is set, from case 0 on without a gap. `progress` hears how many cases are done.
pub fn hunt(plan: &Plan, limit: Limit, stop: &AtomicBool, progress: impl FnMut(u64)) -> Found {
    hunt_beside(&[], plan, limit, stop, progress)
}

/// As [`hunt()`], with `subjects` beside the models in every case of their
/// targets. `stop` then ends it after the case at hand, with gaps.
pub fn hunt_beside(
    subjects: &[Subject],
    plan: &Plan,
    limit: Limit,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64),
) -> Found {
    let drawer = Drawer::new(plan);
    let started = Instant::now();
    let mut found = Found::default();
    let at_once = BLOCK * BLOCKS * rayon::current_num_threads() as u64;
    loop {
        let from = found.cases;
        let to = match limit {
            Limit::Count(count) => count.min(from.saturating_add(at_once)),
            Limit::Time(time) if from > 0 && started.elapsed() >= time => from,
            Limit::Time(_) => from.saturating_add(at_once),
        };
        if from == to || stop.load(Ordering::Relaxed) {
            return found;
        }
        let blocks = (to - from).div_ceil(BLOCK);
        let block = |k: u64| {
            let first = from + k * BLOCK;
            let cases = first..(first + BLOCK).min(to);
            numbers(subjects, &drawer, plan.seed, cases, stop)
        };
        let done: Vec<Found> = (0..blocks).into_par_iter().map(block).collect();
        done.into_iter().for_each(|part| found.merge(part));
        progress(found.cases);
    }
}

/// What the cases of these numbers show. Subjects may take long, so that `stop`
/// is looked at after each case of theirs.
fn numbers(
    subjects: &[Subject],
    drawer: &Drawer,
    seed: u64,
    cases: Range<u64>,
    stop: &AtomicBool,
) -> Found {
    let mut found = Found::default();
    let mut stimulus = Stimulus::default();
    for number in cases {
        if !subjects.is_empty() && stop.load(Ordering::Relaxed) {
            break;
        }
        let draw = drawer.number(number);
        stimulus_into(&draw.case, seed, &mut stimulus);
        one(&mut found, subjects, number, &draw, &stimulus);
    }
    found
}

fn one(found: &mut Found, subjects: &[Subject], number: u64, draw: &Draw, stimulus: &Stimulus) {
    let case = &draw.case;
    let trial = trial_beside(subjects, case, &stimulus.steps, &draw.schedule);
    found.cases += 1;
    *found.verdicts.entry(trial.verdict()).or_default() += 1;
    for signature in trial.unexplained() {
        found.note_unexplained(number, signature);
    }
    for (subject, ran) in trial.subjects() {
        found.note_asked(subject, ran);
    }
    for signature in trial.of_subjects() {
        found.note_subject(number, signature);
    }
    let mut holes = trial.holes();
    if draw.readings {
        found.readings += 1;
        holes.extend(trial.open_readings(&[]));
    }
    if !holes.is_empty() {
        found.note_holes(number, case, holes);
    }
    let Some(relation) = draw.relation else {
        return;
    };
    for model in models() {
        let target = model.target();
        if !case.targets.contains(&target) {
            continue;
        }
        let steps = &stimulus.steps;
        match relation::check(relation, model, &case.call, steps, &case.readings) {
            None => continue,
            Some(Ok(())) => {}
            Some(Err(_)) => {
                let instruction = case.call.instruction();
                let signature = format!("{instruction} {target} relation {relation}");
                found.note_unexplained(number, signature);
            }
        }
        *found.relations.entry(relation.into()).or_default() += 1;
    }
}
