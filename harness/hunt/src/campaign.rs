//! Running a hunt: each thread takes the next few numbers until none are left.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use ptodiff_generate::{Stimulus, stimulus};
use ptodiff_isa::{Memory, Model};
use ptodiff_judge::TargetVerdict;
use ptodiff_runner::{Implementation, Trial, models, trial_on, trials_beside};

use crate::{
    Found, Seen,
    found::add_seen,
    plan::{Draw, Drawer, Plan},
    relation,
    smallest::broken,
};

/// How long a hunt goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// For the cases of these numbers.
    Numbers {
        /// The first.
        from: u64,
        /// Behind the last.
        to: u64,
    },
    /// Until at least so much time has passed.
    Time(Duration),
}

impl Limit {
    /// For so many cases, the first of all.
    #[must_use]
    pub const fn count(count: u64) -> Self {
        Self::Numbers { from: 0, to: count }
    }
}

/// Cases of which implementations are asked together in a hunt for so many: each time
/// may cost a process or two.
const TOGETHER: u64 = 256;

/// Cases that a thread takes at a time: whoever stops a hunt waits for them.
const BATCH: u64 = 32;

/// As [`hunt_on`], of the models alone.
pub fn hunt(
    plan: &Plan,
    limit: Limit,
    stop: &AtomicBool,
    progress: impl FnMut(u64) + Send,
) -> Found {
    let participants = Participants {
        models: &models(),
        implementations: &[],
    };
    hunt_on(participants, plan, limit, stop, progress)
}

/// Who takes part in a hunt.
#[derive(Clone, Copy)]
pub struct Participants<'a> {
    /// The models, at most one a target: tests of the tester bring wrong ones.
    pub models: &'a [&'a dyn Model],
    /// The implementations beside them.
    pub implementations: &'a [Implementation],
}

/// Hunts by `plan` on the threads at hand until `limit` is reached or `stop`
/// is set, from its first case on without a gap. `progress` is called with how many
/// cases are done. With implementations, which take part in every case of their targets,
/// `stop` ends it without the cases at hand, with gaps.
pub fn hunt_on(
    participants: Participants<'_>,
    plan: &Plan,
    limit: Limit,
    stop: &AtomicBool,
    progress: impl FnMut(u64) + Send,
) -> Found {
    let drawer = Drawer::new(plan);
    let started = Instant::now();
    let first = match limit {
        Limit::Numbers { from, .. } => from,
        Limit::Time(_) => 0,
    };
    let next = AtomicU64::new(first);
    let told = Mutex::new((0, progress));
    let broken_off = AtomicBool::new(false);
    let size = match limit {
        Limit::Numbers { .. } if !participants.implementations.is_empty() => TOGETHER,
        // Who stops a hunt with implementations does not wait for one of them.
        Limit::Numbers { .. } | Limit::Time(_) => BATCH,
    };
    // The cases from the next one on, for a thread that is idle.
    let take = || {
        let late = match limit {
            Limit::Numbers { .. } => false,
            Limit::Time(time) => next.load(Ordering::Relaxed) > 0 && started.elapsed() >= time,
        };
        if late || stop.load(Ordering::Relaxed) || broken_off.load(Ordering::Relaxed) {
            return None;
        }
        let from = next.fetch_add(size, Ordering::Relaxed);
        let to = match limit {
            Limit::Numbers { to, .. } => to.min(from + size),
            Limit::Time(_) => from + size,
        };
        (from < to).then_some(from..to)
    };
    let parts = rayon::broadcast(|_| {
        let _guard = Guard(&broken_off);
        let mut found = Found::default();
        while let Some(cases) = take() {
            let before = found.cases;
            let draws = cases.map(|number| (number, drawer.number(number)));
            if participants.implementations.is_empty() {
                for (number, draw) in draws {
                    let stimulus = stimulus(&draw.case, plan.seed);
                    let (case, steps) = (&draw.case, &stimulus.steps);
                    let models = participants.models;
                    let trial = trial_on(models, case, steps, &draw.schedule);
                    add(&mut found, models, (number, &draw), steps, &trial);
                }
            } else {
                let draws: Vec<(u64, Draw)> = draws.collect();
                together(&mut found, participants, plan, &draws, stop);
            }
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

/// Adds what cases show that implementations are asked for together.
fn together(
    found: &mut Found,
    participants: Participants<'_>,
    plan: &Plan,
    draws: &[(u64, Draw)],
    stop: &AtomicBool,
) {
    let Participants {
        models,
        implementations,
    } = participants;
    let stimuli: Vec<Stimulus> = draws
        .iter()
        .map(|(_, draw)| stimulus(&draw.case, plan.seed))
        .collect();
    let cases = draws.iter().zip(&stimuli);
    let cases = cases.map(|((_, draw), s)| (&draw.case, &s.steps[..], &draw.schedule));
    let mut trials = trials_beside(models, implementations, cases);
    Trial::confirm(&mut trials, implementations);
    if implementations.iter().any(|i| i.fault().is_some()) {
        // What the machine has no more of says nothing of the cases.
        stop.store(true, Ordering::Relaxed);
    }
    if stop.load(Ordering::Relaxed) {
        // The implementations may have been ended in the middle.
        return;
    }
    for (((number, draw), stimulus), trial) in draws.iter().zip(&stimuli).zip(trials) {
        add(found, models, (*number, draw), &stimulus.steps, &trial);
    }
}

/// Adds what the trial of a case shows.
fn add(
    found: &mut Found,
    models: &[&dyn Model],
    (number, draw): (u64, &Draw),
    steps: &[Memory],
    trial: &Trial<'_>,
) {
    let case = &draw.case;
    found.cases += 1;
    *found.verdicts.entry(trial.verdict()).or_default() += 1;
    let once = Seen::once(number);
    for failure_group in trial.unexplained() {
        add_seen(&mut found.unexplained, failure_group, once);
    }
    for (implementation, verdict) in trial.implementations() {
        found.note_asked(
            implementation,
            !matches!(verdict, TargetVerdict::Unsupported(_)),
        );
        if matches!(
            verdict,
            TargetVerdict::Conforms { .. } | TargetVerdict::RejectedAsDocumented { .. }
        ) {
            found.note_right(number, implementation);
        }
    }
    for failure_group in trial.of_implementations() {
        found.note_implementation(number, failure_group);
    }
    for failure_group in trial.flaky() {
        add_seen(&mut found.flaky, failure_group, once);
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
    for model in models {
        let target = model.target();
        if !case.targets.contains(&target) {
            continue;
        }
        match relation::check(relation, *model, case, steps) {
            None => continue,
            Some(Ok(())) => {}
            Some(Err(_)) => {
                let group = broken(&case.call, target, relation);
                add_seen(&mut found.unexplained, group, once);
            }
        }
        *found.relations.entry(relation.into()).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// No whole number of batches.
    const CASES: u64 = 20 * BATCH + 7;

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
            let found = on(threads, Limit::count(CASES), heard);
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
        // The others are somewhere in a batch of theirs when one says so.
        for few in [3, 8, 13, 18, 23, 28] {
            let found = on(3, Limit::count(100 * BATCH), |cases, stop| {
                stop.store(cases >= few * BATCH, Ordering::Relaxed);
            });
            let cases = found.cases;
            assert!((few * BATCH..100 * BATCH).contains(&cases), "{cases}");
            assert_eq!(found, on(1, Limit::count(cases), |_, _| {}));
        }
    }

    #[test]
    fn the_parts_of_a_hunt_are_the_hunt() {
        let whole = on(2, Limit::count(CASES), |_, _| {});
        let part = |from, to| on(2, Limit::Numbers { from, to }, |_, _| {});
        let mut all = part(BATCH + 3, CASES);
        assert_eq!(all.cases, CASES - BATCH - 3);
        assert_ne!(all, on(2, Limit::count(all.cases), |_, _| {}));
        all.merge(part(0, BATCH + 3));
        all.merge(part(CASES, CASES));
        assert_eq!(all, whole);
    }

    #[test]
    fn a_panic_ends_it_soon() {
        let last = AtomicU64::new(0);
        let heard = |cases, _: &AtomicBool| {
            last.store(cases, Ordering::Relaxed);
            assert!(cases < 5_000, "a mistake of ours");
        };
        let hunt = || on(3, Limit::count(100_000), heard);
        assert!(catch_unwind(AssertUnwindSafe(hunt)).is_err());
        let last = last.into_inner();
        assert!(last < 50_000, "{last}");
    }

    #[test]
    fn a_hunt_without_time_tries_a_few() {
        let found = on(3, Limit::Time(Duration::ZERO), |_, _| {});
        assert!((1..100_000).contains(&found.cases), "{}", found.cases);
        assert_eq!(found, on(1, Limit::count(found.cases), |_, _| {}));
    }
}
