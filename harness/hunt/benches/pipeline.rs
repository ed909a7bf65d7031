//! Small cases through the whole pipeline: draw, stimulus, three models,
//! contract, judge, classification. Cases a second on one thread and on two,
//! the best of many short rounds that take turns: clocks and neighbours change
//! what a core does by a quarter within a second. Arguments: a word that a row's
//! label has, and how many cases a round has; with a number there is one round,
//! for tools that count instructions.

use std::{
    hint::black_box,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use ptodiff_generate::random::Rules;
use ptodiff_hunt::{Limit, Plan, hunt};

/// Cases of a round.
const CASES: u64 = 50_000;

/// Rounds of each row.
const ROUNDS: usize = 50;

fn main() {
    let given = || std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let count = given().find_map(|arg| arg.parse().ok());
    let word = given().find(|arg| arg.parse::<u64>().is_err());
    let (cases, rounds) = count.map_or((CASES, ROUNDS), |count| (count, 1));
    let rows = [
        ("pipeline legal", Some(Rules::Legal), false),
        ("pipeline mix", None, false),
        ("pipeline mix, relations and readings", None, true),
    ];
    let wanted = |label: &str| {
        word.as_ref()
            .is_none_or(|word| label.contains(word.as_str()))
    };
    // Threads keep what memory they have from round to round.
    let pools = [1, 2].map(|jobs| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        pool.expect("threads start")
    });
    for (label, rules, further) in rows.into_iter().filter(|row| wanted(row.0)) {
        let plan = Plan {
            rules,
            further,
            ..Plan::default()
        };
        let mut best = [Duration::MAX; 2];
        for _ in 0..rounds {
            for (best, pool) in best.iter_mut().zip(&pools) {
                let never = AtomicBool::new(false);
                let started = Instant::now();
                black_box(pool.install(|| hunt(&plan, Limit::Count(cases), &never, |_| {})));
                *best = started.elapsed().min(*best);
            }
        }
        let [one, two] = best.map(|took| cases as f64 / took.as_secs_f64());
        println!(
            "{label:<40} {one:>9.0} cases a second on one thread, {two:>9.0} on two, {:.2}x",
            two / one
        );
    }
}
