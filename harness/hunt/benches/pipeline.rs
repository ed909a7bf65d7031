//! Small cases through the whole pipeline: draw, stimulus, three models, contract,
//! judge, classification.
//!
//! - `LABEL CASES`: cases a second on one thread and on two, of one round.
//! - `counts`: work for a tool that counts instructions, told to look at
//!   [`count_instructions_here`] alone. A line a row: its label, and of how many cases.
//!
//! An older build stands beside this one in `scripts/bench`: the first keeps its form.

use std::{error::Error, hint::black_box, sync::atomic::AtomicBool, time::Instant};

use ptodiff_generate::random::Rules;
use ptodiff_hunt::{Drawer, Limit, Plan, hunt};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Cases of a row that is counted: a turn of all that a hunt draws, many times.
const CASES: u64 = 4096;

/// Those run before, so that what is done once in a process is not counted.
const BEFORE: u64 = 256;

/// What is done with so many cases.
type Work = fn(&Plan, u64);

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes a flag of its own.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| w != "--bench")
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["counts"] => counts(),
        ["pipeline legal", cases] => {
            times("pipeline legal", &plan(Some(Rules::Legal)), cases.parse()?)
        }
        ["pipeline mix", cases] => times("pipeline mix", &plan(None), cases.parse()?),
        _ => Err("usage: pipeline counts | 'pipeline legal' CASES | 'pipeline mix' CASES".into()),
    }
}

fn plan(rules: Option<Rules>) -> Plan {
    Plan {
        rules,
        further: false,
        ..Plan::default()
    }
}

fn pool(threads: usize) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build()
}

fn times(label: &str, plan: &Plan, cases: u64) -> Result<(), Box<dyn Error>> {
    let rate = |threads| -> Result<f64, rayon::ThreadPoolBuildError> {
        let pool = pool(threads)?;
        let started = Instant::now();
        pool.install(|| pipeline(plan, cases));
        Ok(cases as f64 / started.elapsed().as_secs_f64())
    };
    let (one, two) = (rate(1)?, rate(2)?);
    println!("{label:<40} {one:>9.0} cases a second on one thread, {two:>9.0} on two");
    Ok(())
}

fn counts() -> Result<(), Box<dyn Error>> {
    let (legal, mix) = (plan(Some(Rules::Legal)), plan(None));
    let rows: [(&str, &Plan, Work); 6] = [
        ("draw legal", &legal, draw),
        ("draw mix", &mix, draw),
        ("stimulus legal", &legal, stimulus),
        ("stimulus mix", &mix, stimulus),
        ("pipeline legal", &legal, pipeline),
        ("pipeline mix", &mix, pipeline),
    ];
    let one = pool(1)?;
    for (label, plan, work) in rows {
        // All on the pool's thread, where a hunt works.
        one.install(|| {
            work(plan, BEFORE);
            count_instructions_here(&|| work(plan, CASES));
        });
        println!("{label}\t{CASES}");
    }
    Ok(())
}

/// All that is counted happens in here.
#[inline(never)]
fn count_instructions_here(work: &dyn Fn()) {
    work();
    // Nothing of it is left for after the return.
    black_box(());
}

fn draw(plan: &Plan, cases: u64) {
    let drawer = Drawer::new(plan);
    for number in 0..cases {
        black_box(drawer.number(number));
    }
}

/// Draws, and makes the bytes.
fn stimulus(plan: &Plan, cases: u64) {
    let drawer = Drawer::new(plan);
    for number in 0..cases {
        let case = drawer.number(number).case;
        black_box(ptodiff_generate::stimulus(&case, plan.seed));
    }
}

fn pipeline(plan: &Plan, cases: u64) {
    let never = AtomicBool::new(false);
    black_box(hunt(plan, Limit::count(cases), &never, |_| {}));
}
