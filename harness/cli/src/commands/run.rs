//! `ptodiff run`

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anstream::adapter::strip_bytes;
use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, Header, Tally, TargetVerdict, Verdict};
use ptodiff_report::Coverage;
use ptodiff_runner::Options;

use crate::{
    args::Run,
    exit::{Error, Exit},
    screen::Screen,
    select,
    sources::TESTS,
};

/// Runs the selected cases and writes the reports.
///
/// # Errors
/// Bad cases, nothing selected, or the reports cannot be written.
pub(crate) fn run(args: &Run) -> Result<Exit, Error> {
    let corpus = select::load(&args.selection)?;
    let options = options(args);
    let header = options.header(corpus.cases.len());
    fs::create_dir_all(&args.out).map_err(|e| cannot_write(&args.out, &e))?;

    let path = args.out.join("run.jsonl");
    let mut screen = Screen::new(corpus.cases.len());
    let mut line = Vec::new();
    let records = write_whole(&path, |to| {
        ptodiff_runner::run(&corpus.cases, &options, to, |record| {
            line.clear();
            if !args.quiet || record.verdict == Verdict::Violation {
                // A vector takes all that is written to it.
                let _ = ptodiff_report::write_line(&mut line, record);
                screen.write(&line);
            }
            screen.advance(1);
        })
    })?;

    let coverage = Coverage::of(&records, TESTS);
    let covered = args.out.join("coverage.json");
    write_whole(&covered, |to| {
        serde_json::to_writer_pretty(&mut *to, &coverage)?;
        to.write_all(b"\n")
    })?;
    let summary = args.out.join("summary.txt");
    let mut text = Vec::new();
    write_report(&mut text, &header, &records)?;
    if records.iter().any(|r| !r.witness.is_empty()) {
        ptodiff_report::coverage::write_line(&mut text, &coverage)?;
    }
    write_whole(&summary, |to| to.write_all(&strip_bytes(&text).into_vec()))?;
    writeln!(
        text,
        "  record {}, summary {}, coverage {}",
        path.display(),
        summary.display(),
        covered.display()
    )?;
    screen.write(&text);
    screen.finish()?;
    Ok(exit(&records))
}

fn options(args: &Run) -> Options {
    let mut options = Options {
        seed: args.seed,
        schedules: args.schedules,
        readings: args.reading.clone(),
        all_readings: args.readings.is_some(),
        ..Options::default()
    };
    if let Some(jobs) = args.jobs {
        options.jobs = usize::from(jobs);
    }
    if !args.target.is_empty() {
        let chosen = |t: &Target| args.target.contains(t);
        options.targets.retain(chosen);
    }
    options
}

fn write_report(mut to: impl Write, header: &Header, records: &[CaseRecord]) -> io::Result<()> {
    ptodiff_report::write_groups(&mut to, header, &ptodiff_report::groups(records))?;
    ptodiff_report::write_summary(to, records)
}

/// A violation fails the run; a run in which no target conformed has shown nothing.
fn exit(records: &[CaseRecord]) -> Exit {
    let compared = records
        .iter()
        .flat_map(|r| r.targets.values())
        .any(|t| t.verdict != TargetVerdict::Undefined);
    if Tally::of(records).count(Verdict::Violation) > 0 {
        Exit::Violation
    } else if compared {
        Exit::Conforms
    } else {
        Exit::Nothing
    }
}

/// Writes a file whole or not at all: an older one stays until the new one is complete.
fn write_whole<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> Result<T, Error> {
    let mut part = PathBuf::from(path);
    part.as_mut_os_string().push(".part");
    let written = || {
        let mut to = BufWriter::new(File::create(&part)?);
        let done = write(&mut to)?;
        to.flush()?;
        fs::rename(&part, path)?;
        Ok(done)
    };
    written().map_err(|e| {
        // What could not be finished is of no use; the error that matters is the first.
        let _ = fs::remove_file(&part);
        cannot_write(path, &e)
    })
}

fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::fault(format!("cannot write {}: {error}", path.display()))
}
