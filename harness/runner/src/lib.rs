//! Runs cases through the models in parallel and judges what comes out.
//!
//! One case goes: stimulus, answers of every model under every schedule,
//! contract, verdicts, record. Cases share nothing, so the record does not
//! depend on the number of threads.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod altered;
mod as_implementation;
pub mod axes;
mod case;
mod confirm;
mod context;
mod convert;
mod counterpart;
mod decided;
mod describe;
mod detail;
mod editions;
mod elements;
mod execute;
mod expectation;
mod hazard;
mod hole;
mod implementation;
mod in_order;
mod lane_indices;
mod legality;
mod party_run;
mod reading_outcome;
mod readings;
mod result_file;
mod trace;
mod trial;
mod unpromised;
mod value_source;
mod writers;

use std::{
    io::{self, BufRead as _, BufReader, Seek as _, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use ptodiff_case::Case;
use ptodiff_isa::{Model, Target, TargetReadings};
use ptodiff_model_a2a3::A2a3;
use ptodiff_model_a5::A5;
use ptodiff_model_cpu::Cpu;
use ptodiff_record::{
    CaseRecord, DEFAULT_SCHEDULES, Diagnosis, FORMAT, Header, Part, Took, Writer,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tempfile::SpooledTempFile;

pub use altered::altered;
pub use as_implementation::run_as_implementations;
pub use decided::decided;
pub use describe::{describe, describe_with};
pub use editions::{Change, changes};
pub use elements::{Element, Holds, elements, written_slots};
pub use execute::{schedule, schedules};
pub use hazard::{Difference, Hazard, hazard};
pub use implementation::{answered_twice, listed};
pub use in_order::in_order;
pub use legality::{
    Barring, Legality, Lifting, Undefined, barring, hangs, is_as_stated, legality, lifting,
    out_of_range,
};
pub use ptodiff_contract::{Duty, duties};
pub use ptodiff_impl::Implementation;
pub use reading_outcome::OutcomeKind;
pub use result_file::{Required, ResultFile, from_padding, judge_result_files, required};
pub use trace::{Trace, Untraced, trace};
pub use trial::{Trial, trial, trial_on, trials_beside};

/// The three models, in the order of [`Target`].
#[must_use]
pub fn models() -> [&'static dyn Model; 3] {
    [Target::Cpu, Target::A2a3, Target::A5].map(model_of)
}

/// The model of `target`.
#[must_use]
pub fn model_of(target: Target) -> &'static dyn Model {
    match target {
        Target::Cpu => &Cpu,
        Target::A2a3 => &A2a3,
        Target::A5 => &A5,
    }
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
    /// Whether the record shows each case's text, and where something differs
    /// its traces and slots: for pages that people read.
    pub details: bool,
    /// Which part of a larger run the cases are, if not all of it.
    pub part: Option<Part>,
    /// What the files of the cases do not say, as options of the command and their values.
    pub beside: Vec<(String, String)>,
    /// After how many failing cases a run ends; none runs all. The record then has the
    /// cases up to there.
    pub max_fails: Option<usize>,
    /// Whether a case fails that is flaky.
    pub fail_flaky: bool,
    /// Whether a case fails in which targets differ where nothing is promised.
    pub fail_unpromised: bool,
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
            details: false,
            part: None,
            beside: Vec::new(),
            max_fails: None,
            fail_flaky: false,
            fail_unpromised: false,
        }
    }
}

impl Options {
    /// The readings in force for `case`.
    #[must_use]
    pub fn readings(&self, case: &Case) -> TargetReadings {
        let chosen = self
            .readings
            .iter()
            .map(|(gap, choice)| (&**gap, &**choice));
        // Names were checked where they were read.
        case.readings.with(chosen).unwrap_or(case.readings)
    }

    /// The header of a record of `cases` cases run this way, without implementations.
    #[must_use]
    pub fn header(&self, cases: usize) -> Header {
        Header {
            ptodiff_record: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: self.seed,
            st_data: None,
            schedules: self.schedules,
            readings: self.readings.clone(),
            all_readings: self.all_readings,
            targets: self.targets.clone(),
            implementations: Vec::new(),
            cases,
            left_out: None,
            part: self.part.clone(),
            beside: self.beside.clone(),
            typed: Vec::new(),
        }
    }
}

/// Runs `cases`: their records, in order.
///
/// # Errors
/// That the threads could not be started.
pub fn run(cases: &[Case], options: &Options) -> io::Result<Vec<CaseRecord>> {
    run_with(&models(), cases, options)
}

/// As [`run`], on these `models`, at most one a target: tests plant wrong ones.
///
/// # Errors
/// As [`run`].
pub fn run_with(
    models: &[&dyn Model],
    cases: &[Case],
    options: &Options,
) -> io::Result<Vec<CaseRecord>> {
    let mut records = Vec::with_capacity(cases.len());
    let never = AtomicBool::new(false);
    run_each(models, &[], cases, options, &never, Ok, |record, _| {
        records.push(record);
        Ok(())
    })?;
    Ok(records)
}

/// As [`run`], with `implementations` as further columns: each is held to the contract
/// of the target that it claims to be, where that takes part, under the
/// readings in force. No two may have the same target and name.
///
/// No case is kept: `seen` is all that hears of it, and of how long it took.
///
/// # Errors
/// As [`run`], and what `seen` gives.
pub fn run_beside(
    implementations: &[Implementation],
    cases: &[Case],
    options: &Options,
    mut seen: impl FnMut(&CaseRecord, &Took) -> io::Result<()>,
) -> io::Result<()> {
    run_each(
        &models(),
        implementations,
        cases,
        options,
        &AtomicBool::new(false),
        Ok,
        |record, took| seen(&record, took),
    )
    .map(drop)
}

/// Bytes of lines that are kept in memory rather than in a file.
const KEPT: usize = 16 << 20;

/// As [`run_beside`], and writes the record to `to` as it grows. `last` says after
/// all cases what was diagnosed. Once `stop` is set it ends with the cases that were judged
/// by then; what comes back says whether that are fewer than all.
///
/// # Errors
/// As [`run_beside`], what the writer gives, and what `last` does.
pub fn record_beside(
    implementations: &[Implementation],
    cases: &[Case],
    options: &Options,
    stop: &AtomicBool,
    to: impl Write,
    mut seen: impl FnMut(&CaseRecord, &Took) -> io::Result<()>,
    last: impl FnOnce() -> io::Result<Vec<Diagnosis>>,
) -> io::Result<bool> {
    let header = |cases| Header {
        implementations: listed(implementations),
        ..options.header(cases)
    };
    // Written by the threads that run the cases.
    let with_line = |mut record: CaseRecord| {
        let line = ptodiff_record::line(&record).or_else(|_| {
            // The text of a case may be longer than a line of a record.
            record.detail = None;
            ptodiff_record::line(&record)
        })?;
        Ok((record, line))
    };
    let mut each = |to: &mut dyn FnMut(&str) -> io::Result<()>| {
        let seen = |(record, line): (CaseRecord, String), took: &Took| {
            to(&line)?;
            seen(&record, took)
        };
        let models = models();
        run_each(
            &models,
            implementations,
            cases,
            options,
            stop,
            with_line,
            seen,
        )
    };
    let mut writer;
    let stopped;
    if options.max_fails.is_none() {
        writer = Writer::new(to, &header(cases.len()))?;
        stopped = each(&mut |line| writer.line(line))?;
    } else {
        // The header says how many lines there are: they wait until that is known.
        let mut waiting = SpooledTempFile::new(KEPT);
        let mut count = 0;
        stopped = each(&mut |line| {
            count += 1;
            writeln!(waiting, "{line}")
        })?;
        let count = if stopped { cases.len() } else { count };
        let header = Header {
            left_out: Some(cases.len() - count).filter(|left| *left > 0),
            ..header(count)
        };
        writer = Writer::new(to, &header)?;
        waiting.rewind()?;
        for line in BufReader::new(waiting).lines() {
            writer.line(&line?)?;
        }
    }
    if stopped {
        writer.interrupted()?;
        return Ok(true);
    }
    for diagnosis in last()? {
        writer.diagnosis(&diagnosis)?;
    }
    writer.finish()?;
    Ok(false)
}

/// Why not all cases are run.
enum Ends {
    /// Enough of them failed.
    Enough,
    /// Somebody said so.
    Stopped,
    /// Something is wrong.
    Error(io::Error),
}

impl From<io::Error> for Ends {
    fn from(error: io::Error) -> Self {
        Self::Error(error)
    }
}

/// Cases of each of the first two parts of a run; of each next two twice as many.
const FIRST_PART: usize = 8;

/// The threads of a run.
fn threads(options: &Options) -> io::Result<ThreadPool> {
    let jobs = options.jobs;
    let builder = ThreadPoolBuilder::new().num_threads(jobs);
    let why = |e| io::Error::other(format!("cannot start {jobs} threads: {e}"));
    builder.build().map_err(why)
}

/// Runs all cases, or those up to the last failing one that is wanted, and hands what
/// `finished` makes of each to `seen`, in order: whether it was stopped before the last.
fn run_each<T: Send>(
    models: &[&dyn Model],
    implementations: &[Implementation],
    cases: &[Case],
    options: &Options,
    stop: &AtomicBool,
    finished: impl Fn(CaseRecord) -> io::Result<T> + Sync,
    mut seen: impl FnMut(T, &Took) -> io::Result<()>,
) -> io::Result<bool> {
    let pool = threads(options)?;
    let mut failing = 0;
    let processes = implementations.iter().map(Implementation::jobs).max();
    // Each may be the last.
    let processes = processes.filter(|_| options.max_fails.is_none());
    let together = processes.map_or(1, |most| {
        // One process that is all there is starts anew in each part.
        let parts = 4 * most.min(options.jobs).max(1);
        // What a call leaves behind shows in those of its part.
        let least = if most == 1 { FIRST_PART } else { 1 };
        (cases.len() / parts).clamp(least, case::TOGETHER)
    });
    let mut parts: Vec<&[Case]> = Vec::new();
    let mut left = cases;
    while !left.is_empty() {
        // The first are small: something is known soon, where each case takes seconds.
        let size = FIRST_PART << (parts.len() / 2).min(8);
        let part;
        (part, left) = left.split_at(size.min(together).min(left.len()));
        parts.push(part);
    }
    let stopped = || match stop.load(Ordering::SeqCst) {
        true => Err(Ends::Stopped),
        false => Ok(()),
    };
    let judged = |part: &&[Case]| -> Result<Vec<_>, Ends> {
        stopped()?;
        let all = case::run_cases(models, implementations, part, options);
        // The implementations may have been ended in the middle.
        stopped()?;
        // What the machine has no more of says nothing of the cases.
        if let Some(why) = implementations.iter().find_map(Implementation::fault) {
            return Err(io::Error::other(why.to_owned()).into());
        }
        let all = all.into_iter().map(|(record, took)| {
            let fails = record.fails(options.fail_flaky, options.fail_unpromised);
            finished(record).map(|of| (of, took, fails))
        });
        Ok(all.collect::<io::Result<Vec<_>>>()?)
    };
    let ended = in_order(&pool, &parts, judged, |done| {
        for (of, took, fails) in done? {
            failing += usize::from(fails);
            seen(of, &took)?;
            if options.max_fails.is_some_and(|most| failing >= most) {
                // Enough of them: that is no error.
                return Err(Ends::Enough);
            }
        }
        Ok(())
    });
    match ended {
        Ok(()) | Err(Ends::Enough) => Ok(false),
        Err(Ends::Stopped) => Ok(true),
        Err(Ends::Error(error)) => Err(error),
    }
}
