//! What a large table of which few rows are touched costs beside a small one.

use std::{hint::black_box, time::Instant};

use ptodiff_case::Case;
use ptodiff_generate::{Stimulus, stimulus_into};
use ptodiff_isa::{How, Log, Memory, Schedule};
use ptodiff_runner::{Room, models, trial_in};

use crate::peer::Failed;

/// Rows of the tables: 8 of each are touched.
const ROWS: [u32; 2] = [64, 65536];

/// Trials, or runs of the models, in one turn: one is too short for the clock.
const TIMES: usize = 100;

/// What is done with one case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Stimulus, models, contract, judge.
    Whole,
    /// The models alone, on one memory each.
    Models,
}

/// A row for each instruction and part: its label, and nanoseconds of the small
/// and of the large table, at best.
pub(crate) fn rows(
    rounds: usize,
    wanted: impl Fn(&str) -> bool,
    mut row: impl FnMut(&str, [f64; 2]),
) -> Result<(), Failed> {
    for instruction in ["MSCATTER", "MGATHER"] {
        for (part, called) in [(Part::Whole, "whole trial"), (Part::Models, "models alone")] {
            let label = format!("{instruction} table of 65536x64 beside 64x64, {called}");
            if !wanted(&label) {
                continue;
            }
            let [small, large] = ROWS.map(|rows| case(instruction, rows));
            let two = [small?, large?];
            let mut best = [f64::INFINITY; 2];
            for _ in 0..rounds {
                for (case, best) in two.iter().zip(&mut best) {
                    *best = best.min(match part {
                        Part::Whole => whole(case),
                        Part::Models => alone(case)?,
                    });
                }
            }
            row(&label, best);
        }
    }
    Ok(())
}

/// By rows of 64 floats, eight of them, all over the table.
fn case(instruction: &str, rows: u32) -> Result<Case, Failed> {
    let indices: Vec<String> = (0..8).map(|k| (k * (rows / 8) + k).to_string()).collect();
    let text = format!(
        "cases:\n  - name: table\n    instruction: {instruction}\n    mode: Row\n    dtype: float\n    \
         readings: {{cpu-form: templated}}\n    tile: {{shape: [8, 64]}}\n    \
         index: {{shape: [1, 8], data: {{values: [{}]}}}}\n    table: {{shape: [1, 1, 1, {rows}, 64]}}\n",
        indices.join(", ")
    );
    let corpus = ptodiff_case::load_str("table.yaml", &text);
    let mut corpus = corpus.map_err(|why| Failed(format!("{why:?}")))?;
    corpus
        .cases
        .pop()
        .ok_or_else(|| Failed("no case".to_owned()))
}

fn whole(case: &Case) -> f64 {
    let (mut stimulus, mut room) = (Stimulus::default(), Room::default());
    let mut once = || {
        stimulus_into(black_box(case), 0, &mut stimulus);
        let trial = trial_in(&mut room, &[], case, &stimulus.steps, &Schedule::InOrder);
        black_box(trial.verdict());
        room.take_back(trial);
    };
    once();
    let start = Instant::now();
    for _ in 0..TIMES {
        once();
    }
    start.elapsed().as_nanos() as f64 / TIMES as f64
}

fn alone(case: &Case) -> Result<f64, Failed> {
    let how = How {
        schedule: Schedule::InOrder,
        readings: case.readings,
    };
    let mut stimulus = Stimulus::default();
    stimulus_into(case, 0, &mut stimulus);
    let Some(step) = stimulus.steps.first() else {
        return Err(Failed("no step".to_owned()));
    };
    let (mut memory, mut log, mut took): (Memory, Log, f64) = (step.clone(), Log::default(), 0.0);
    for region in &mut memory.regions {
        // It notes what is written no more: that is for whoever copies and compares.
        region.bytes_mut();
    }
    for model in models() {
        let mut once = || {
            let end = model.execute(black_box(&case.call), &mut memory, &how, &mut log);
            end.map_err(|why| Failed(why.0))
        };
        // Its pages are touched and its caches warm.
        let _ = once()?;
        let start = Instant::now();
        for _ in 0..TIMES {
            let _ = once()?;
        }
        took += start.elapsed().as_nanos() as f64 / TIMES as f64;
    }
    Ok(took)
}
