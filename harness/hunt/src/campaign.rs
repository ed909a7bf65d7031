//! Running a hunt: each thread takes the next few numbers until none are left.

use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use ptodiff_generate::{Stimulus, stimulus_into};
use ptodiff_isa::Model;
use ptodiff_runner::{Room, Subject, models, trial_among};

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
const BLOCK: u64 = 32;

/// Hunts by `plan` on the threads at hand until `limit` is reached or `stop`
/// is set, from case 0 on without a gap. `progress` hears how many cases are done.
pub fn hunt(
    plan: &Plan,
    limit: Limit,
    stop: &AtomicBool,
    progress: impl FnMut(u64) + Send,
) -> Found {
    hunt_beside(&[], plan, limit, stop, progress)
}

/// As [`hunt()`], with `subjects` beside the models in every case of their
/// targets. `stop` then ends it without the case at hand, with gaps.
pub fn hunt_beside(
    subjects: &[Subject],
    plan: &Plan,
    limit: Limit,
    stop: &AtomicBool,
    progress: impl FnMut(u64) + Send,
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
    progress: impl FnMut(u64) + Send,
) -> Found {
    let drawer = Drawer::new(plan);
    let started = Instant::now();
    let next = AtomicU64::new(0);
    let told = Mutex::new((0, progress));
    let broken_off = AtomicBool::new(false);
    // The cases from the one that is next on, for whoever has time.
    let block = || {
        let late = match limit {
            Limit::Count(_) => false,
            Limit::Time(time) => next.load(Ordering::Relaxed) > 0 && started.elapsed() >= time,
        };
        if late || stop.load(Ordering::Relaxed) || broken_off.load(Ordering::Relaxed) {
            return None;
        }
        let from = next.fetch_add(BLOCK, Ordering::Relaxed);
        let to = match limit {
            Limit::Count(count) => count.min(from + BLOCK),
            Limit::Time(_) => from + BLOCK,
        };
        (from < to).then_some(from..to)
    };
    let parts = rayon::broadcast(|_| {
        let _guard = Guard(&broken_off);
        let mut found = Found::default();
        let mut desk = Desk::new(&drawer);
        while let Some(cases) = block() {
            let before = found.cases;
            numbers(
                &mut desk, &mut found, bench, &drawer, plan.seed, cases, stop,
            );
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            let (done, progress) = &mut *told;
            *done += found.cases - before;
            progress(*done);
        }
        found
    });
    let mut all = Found::default();
    for part in parts {
        all.merge(part);
    }
    all
}

/// Set by a thread that panics: what the others find would be lost.
struct Guard<'a>(&'a AtomicBool);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
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

/// Adds what the cases of these numbers show: all of them, or with subjects those
/// before `stop`.
fn numbers(
    desk: &mut Desk,
    found: &mut Found,
    bench: Bench<'_>,
    drawer: &Drawer,
    seed: u64,
    cases: Range<u64>,
    stop: &AtomicBool,
) {
    for number in cases {
        if !bench.subjects.is_empty() && stop.load(Ordering::Relaxed) {
            return;
        }
        drawer.number_into(number, &mut desk.draw);
        stimulus_into(&desk.draw.case, seed, &mut desk.stimulus);
        one(desk, found, bench, number, stop);
    }
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
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// More cases than a block has, and no whole number of blocks.
    const CASES: u64 = 20 * BLOCK + 7;

    /// Hunts on so many threads; `heard` hears of progress, and may stop it.
    fn on(threads: usize, limit: Limit, heard: impl Fn(u64, &AtomicBool) + Send + Sync) -> Found {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("threads start");
        let (plan, stop) = (Plan::default(), AtomicBool::new(false));
        pool.install(|| hunt(&plan, limit, &stop, |cases| heard(cases, &stop)))
    }

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let found = |threads: usize| {
            let last = AtomicU64::new(0);
            let heard = |cases, _: &AtomicBool| {
                let before = last.swap(cases, Ordering::Relaxed);
                assert!(before < cases, "{before} before {cases}");
            };
            let found = on(threads, Limit::Count(CASES), heard);
            assert_eq!((found.cases, last.into_inner()), (CASES, CASES));
            found
        };
        let one = found(1);
        assert!(!one.holes.is_empty() && !one.relations.is_empty());
        assert_eq!(one.verdicts.values().sum::<u64>(), CASES);
        assert_eq!(found(3), one);
    }

    #[test]
    fn a_hunt_that_is_stopped_leaves_no_gap() {
        // The others are somewhere in a block of theirs when one says so.
        for blocks in [3, 8, 13, 18, 23, 28] {
            let found = on(3, Limit::Count(100 * BLOCK), |cases, stop| {
                stop.store(cases >= blocks * BLOCK, Ordering::Relaxed);
            });
            let cases = found.cases;
            assert!((blocks * BLOCK..100 * BLOCK).contains(&cases), "{cases}");
            assert_eq!(found, on(1, Limit::Count(cases), |_, _| {}));
        }
    }

    #[test]
    fn a_panic_ends_it_soon() {
        let last = AtomicU64::new(0);
        let heard = |cases, _: &AtomicBool| {
            last.store(cases, Ordering::Relaxed);
            assert_ne!(cases, 3 * BLOCK, "a mistake of ours");
        };
        let hunt = || on(3, Limit::Count(1000 * BLOCK), heard);
        assert!(catch_unwind(AssertUnwindSafe(hunt)).is_err());
        let last = last.into_inner();
        assert!(last < 500 * BLOCK, "{last}");
    }

    #[test]
    fn a_hunt_without_time_tries_a_few() {
        let found = on(3, Limit::Time(Duration::ZERO), |_, _| {});
        assert!((BLOCK..CASES).contains(&found.cases), "{}", found.cases);
        assert_eq!(found, on(1, Limit::Count(found.cases), |_, _| {}));
    }
}
