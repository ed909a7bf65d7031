//! Runs cases through the models in parallel and judges what comes out.
//!
//! One case goes: stimulus, answers of every model under every schedule,
//! contract, verdicts, record. Cases share nothing, so the record does not
//! depend on the number of threads.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod account;
mod case;
mod concern;
mod convert;
mod counterpart;
mod describe;
mod execute;
mod hazard;
mod hole;
mod legality;
mod readings;
mod trace;
mod trial;
mod witness;

use std::io::{self, Write};

use ptodiff_case::Case;
use ptodiff_isa::{Model, Readings, Target};
use ptodiff_model_a2a3::A2a3;
use ptodiff_model_a5::A5;
use ptodiff_model_cpu::Cpu;
use ptodiff_record::{CaseRecord, DEFAULT_SCHEDULES, FORMAT, Header};
use rayon::prelude::*;

pub use describe::describe;
pub use execute::schedules;
pub use hazard::{Difference, Hazard, hazard};
pub use legality::{Legality, legality};
pub use trace::{Trace, Untraced, trace};
pub use trial::{Trial, trial};

/// The three models, in the order of [`Target`].
#[must_use]
pub fn models() -> [&'static dyn Model; 3] {
    [&Cpu, &A2a3, &A5]
}

/// How cases are run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Root seed of all data.
    pub seed: u64,
    /// Schedules that a concurrent target runs under, at least one.
    pub schedules: u32,
    /// Targets that take part, where the case selects them.
    pub targets: Vec<Target>,
    /// Threads.
    pub jobs: usize,
    /// Answers to gaps that override the cases' own, as (gap, choice).
    pub readings: Vec<(String, String)>,
    /// Whether each case is judged again under every other choice that matters for it.
    pub all_readings: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            schedules: DEFAULT_SCHEDULES,
            targets: vec![Target::Cpu, Target::A2a3, Target::A5],
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            readings: Vec::new(),
            all_readings: false,
        }
    }
}

impl Options {
    /// The readings in force for `case`.
    #[must_use]
    pub fn readings(&self, case: &Case) -> Readings {
        let mut readings = case.readings;
        for (gap, choice) in &self.readings {
            // Names were checked where they were read; an unknown one changes nothing.
            let _ = readings.set(gap, choice);
        }
        readings
    }

    /// The header of a record of `cases` cases run this way.
    #[must_use]
    pub fn header(&self, cases: usize) -> Header {
        Header {
            ptodiff_record: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: self.seed,
            schedules: self.schedules,
            readings: self.readings.clone(),
            all_readings: self.all_readings,
            targets: self.targets.clone(),
            cases,
            part: None,
        }
    }
}

/// Cases that are judged before their lines are written and shown.
const BLOCK: usize = 64;

/// Runs `cases`, writes the record to `to` as it grows, and hands every
/// finished case to `seen`, both in the order of `cases`.
///
/// # Errors
/// What the writer gives, or that the threads could not be started.
pub fn run(
    cases: &[Case],
    options: &Options,
    mut to: impl Write,
    mut seen: impl FnMut(&CaseRecord),
) -> io::Result<Vec<CaseRecord>> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs)
        .build()
        .map_err(io::Error::other)?;
    ptodiff_record::write_header(&mut to, &options.header(cases.len()))?;
    let mut records = Vec::with_capacity(cases.len());
    for block in cases.chunks(BLOCK) {
        let done: Vec<CaseRecord> = pool.install(|| {
            block
                .par_iter()
                .map(|case| case::run_case(case, options))
                .collect()
        });
        for record in done {
            ptodiff_record::write_case(&mut to, &record)?;
            seen(&record);
            records.push(record);
        }
    }
    to.flush()?;
    Ok(records)
}
