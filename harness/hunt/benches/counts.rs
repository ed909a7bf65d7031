//! The whole pipeline on one thread, for a tool that counts instructions: it is
//! told to look at [`count_instructions_here`] alone. A line for each row, with
//! tabs between: `count`, a label, and of how many cases. Words select by label.

use std::{hint::black_box, sync::atomic::AtomicBool};

use ptodiff_generate::{Stimulus, random::Rules, stimulus_into};
use ptodiff_hunt::{Drawer, Limit, Plan, hunt};

/// Cases of a row: a turn of all that a hunt draws, many times.
const CASES: u64 = 4096;

/// Those run before, so that what is done once in a process is not counted.
const BEFORE: u64 = 256;

/// What a row does with so many cases.
type Work = fn(&Plan, u64);

fn main() -> Result<(), rayon::ThreadPoolBuildError> {
    // cargo passes a flag of its own.
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&String> = words.iter().filter(|word| *word != "--bench").collect();
    let legal = Plan {
        rules: Some(Rules::Legal),
        further: false,
        ..Plan::default()
    };
    let mix = Plan {
        rules: None,
        ..legal.clone()
    };
    let rows: [(&str, &Plan, Work); 6] = [
        ("draw legal", &legal, draw),
        ("draw mix", &mix, draw),
        ("stimulus legal", &legal, stimulus),
        ("stimulus mix", &mix, stimulus),
        ("pipeline legal", &legal, pipeline),
        ("pipeline mix", &mix, pipeline),
    ];
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for (label, plan, work) in rows {
        if words.is_empty() || words.iter().any(|word| label.contains(*word)) {
            // All on the pool's thread, where a hunt works.
            one.install(|| {
                work(plan, BEFORE);
                count_instructions_here(&|| work(plan, CASES));
            });
            println!("count\t{label}\t{CASES}");
        }
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
    let mut made = Stimulus::default();
    for number in 0..cases {
        stimulus_into(&drawer.number(number).case, plan.seed, &mut made);
        black_box(&mut made);
    }
}

fn pipeline(plan: &Plan, cases: u64) {
    let never = AtomicBool::new(false);
    black_box(hunt(plan, Limit::Count(cases), &never, |_| {}));
}
