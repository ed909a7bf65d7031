//! Running a hunt: blocks of numbers in parallel, joined in order.

use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use ptodiff_generate::{Stimulus, stimulus_into};
use ptodiff_isa::Model;
use ptodiff_runner::{Room, Subject, models, trial_among};
use rayon::prelude::*;

use crate::{
    Found,
    plan::{Draw, Drawer, Plan},
    relation,
    unexplained::broken,
};

/// How long a hunt goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// For so many cases.
    Count(u64),
    /// Until at least so much time has passed.
    Time(Duration),
}

/// Cases that one thread tries in a go: so few that none waits long for another.
const BLOCK: u64 = 128;

/// Blocks a thread between two looks at the clock, at which all wait for the last.
const BLOCKS: u64 = 64;

/// Hunts by `plan` on the threads at hand until `limit` is reached or `stop`
/// is set, from case 0 on without a gap. `progress` hears how many cases are done.
pub fn hunt(plan: &Plan, limit: Limit, stop: &AtomicBool, progress: impl FnMut(u64)) -> Found {
    hunt_beside(&[], plan, limit, stop, progress)
}

/// As [`hunt()`], with `subjects` beside the models in every case of their
/// targets. `stop` then ends it without the case at hand, with gaps.
pub fn hunt_beside(
    subjects: &[Subject],
    plan: &Plan,
    limit: Limit,
    stop: &AtomicBool,
    progress: impl FnMut(u64),
) -> Found {
    let bench = Bench {
        models: &models(),
        subjects,
    };
    hunt_on(bench, plan, limit, stop, progress)
}

/// Who takes part in a hunt.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// The models, at most one a target: tests of the tester bring wrong ones.
    pub models: &'a [&'a dyn Model],
    /// The subjects beside them.
    pub subjects: &'a [Subject],
}

/// As [`hunt_beside`], of all on `bench`.
pub fn hunt_on(
    bench: Bench<'_>,
    plan: &Plan,
    limit: Limit,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64),
) -> Found {
    let drawer = Drawer::new(plan);
    let started = Instant::now();
    let mut found = Found::default();
    // One a thread, once each has had its first block.
    let left: Mutex<Vec<Desk>> = Mutex::default();
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
            let desk = left.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut desk = desk.unwrap_or_else(|| Desk::new(&drawer));
            let done = numbers(&mut desk, bench, &drawer, plan.seed, cases, stop);
            left.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(desk);
            done
        };
        let done: Vec<(Found, bool)> = (0..blocks).into_par_iter().map(block).collect();
        for (part, whole) in done {
            found.merge(part);
            if !whole && bench.subjects.is_empty() {
                // What follows would leave a gap.
                break;
            }
        }
        progress(found.cases);
    }
}

/// Memory that one thread uses from case to case.
struct Desk {
    draw: Draw,
    stimulus: Stimulus,
    room: Room,
}

impl Desk {
    fn new(drawer: &Drawer) -> Self {
        Self {
            // What is drawn instead takes its memory.
            draw: drawer.number(0),
            stimulus: Stimulus::default(),
            room: Room::default(),
        }
    }
}

/// What the cases of these numbers show, and whether it is that of all of them:
/// `stop` is looked at before each.
fn numbers(
    desk: &mut Desk,
    bench: Bench<'_>,
    drawer: &Drawer,
    seed: u64,
    cases: Range<u64>,
    stop: &AtomicBool,
) -> (Found, bool) {
    let mut found = Found::default();
    for number in cases {
        if stop.load(Ordering::Relaxed) {
            return (found, false);
        }
        drawer.number_into(number, &mut desk.draw);
        stimulus_into(&desk.draw.case, seed, &mut desk.stimulus);
        one(desk, &mut found, bench, number, stop);
    }
    (found, true)
}

fn one(desk: &mut Desk, found: &mut Found, bench: Bench<'_>, number: u64, stop: &AtomicBool) {
    let Bench { models, subjects } = bench;
    let Desk {
        draw,
        stimulus,
        room,
    } = desk;
    let case = &draw.case;
    let steps = &stimulus.steps;
    let trial = trial_among(room, models, subjects, case, steps, &draw.schedule);
    if !subjects.is_empty() && stop.load(Ordering::Relaxed) {
        // Whoever sets it may have ended the subjects in the middle of the case.
        return;
    }
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
    room.take_back(trial);
    if !holes.is_empty() {
        found.note_holes(number, case, holes);
    }
    let Some(relation) = draw.relation else {
        return;
    };
    for model in models {
        let target = model.target();
        if !case.targets.contains(&target) {
            continue;
        }
        match relation::check(relation, *model, &case.call, steps, &case.readings) {
            None => continue,
            Some(Ok(())) => {}
            Some(Err(_)) => {
                found.note_unexplained(number, broken(&case.call, target, relation));
            }
        }
        *found.relations.entry(relation.into()).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More cases than a block has, and no whole number of blocks.
    const CASES: u64 = 5 * BLOCK + 7;

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let found = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads start");
            let (plan, never) = (Plan::default(), AtomicBool::new(false));
            let mut heard = 0;
            let found =
                pool.install(|| hunt(&plan, Limit::Count(CASES), &never, |cases| heard = cases));
            assert_eq!((found.cases, heard), (CASES, CASES));
            found
        };
        let one = found(1);
        assert!(!one.holes.is_empty() && !one.relations.is_empty());
        assert_eq!(one.verdicts.values().sum::<u64>(), CASES);
        assert_eq!(found(3), one);
    }
}
