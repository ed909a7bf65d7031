//! Figures of the cases in `cases.yaml`, for `scripts/bench`: lines with tabs between.
//!
//! - `labels`: those of the cases that peers run as well.
//! - `times LABEL FOLDER RUNS`: a model's nanoseconds of one call, at best.
//! - `counts`: work for a tool that counts instructions.

mod counts;
mod times;

use std::{error::Error, hint::black_box, path::Path, process::ExitCode};

use ptodiff_case::Case;
use ptodiff_generate::stimulus;
use ptodiff_isa::{Call, End, How, Log, Memory, Model, Region, Schedule};

/// Why there are no figures.
type Failed = Box<dyn Error>;

const USAGE: &str = "usage: speed labels | times LABEL FOLDER RUNS | counts";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("speed: {why}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Failed> {
    // cargo passes a flag of its own.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| w != "--bench")
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["labels"] => {
            for case in cases("peers")? {
                println!("{}", case.name);
            }
        }
        ["times", label, folder, runs] => {
            let case = cases("peers")?.into_iter().find(|case| case.name == label);
            let case = case.ok_or_else(|| format!("no case has the label {label}"))?;
            times::write(&case, Path::new(folder), runs.parse()?)?;
        }
        ["counts"] => counts::rows()?,
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

/// Those that say they are for `part`.
fn cases(part: &str) -> Result<Vec<Case>, Failed> {
    let corpus = ptodiff_case::load_str("cases.yaml", include_str!("cases.yaml"));
    let mut cases = corpus.map_err(|why| format!("{why:?}"))?.cases;
    let said = |case: &Case| case.about.clone().unwrap_or_default();
    cases.retain(|case| said(case).contains(part));
    Ok(cases)
}

/// The operands of `case`, always the same bytes. They note no writes: that is for whoever compares.
fn operands(case: &Case) -> Result<Memory, Failed> {
    let made = stimulus(case, 0);
    let step = made.steps.first().ok_or("no step")?;
    let plain = |r: &Region| Region::new(r.role, r.bytes().to_vec(), r.body_range());
    Ok(Memory {
        regions: step.regions.iter().map(plain).collect(),
    })
}

/// Under which schedule and readings models run `case`.
fn how(case: &Case) -> How {
    How {
        schedule: Schedule::InOrder,
        readings: *case.data_readings(),
    }
}

/// Runs `call` on `memory` once.
fn execute(
    model: &dyn Model,
    call: &Call,
    how: &How,
    memory: &mut Memory,
    log: &mut Log,
) -> Result<(), Failed> {
    match black_box(model.execute(black_box(call), memory, how, log)) {
        Ok(End::Finished) => Ok(()),
        other => Err(format!("{}: {other:?}", model.target()).into()),
    }
}
