//! `ptodiff report`

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use ptodiff_case::waiver::today;
use ptodiff_record::Took;

use crate::{
    config,
    exit::{Error, Exit},
    files::{Record, is_stream, write_to},
    old_words::load_waivers,
    out::stdout,
    reports::{ReportFormat, Reports},
};

/// `ptodiff report`
#[derive(Args, Debug)]
#[command(
    after_help = "A PATH of `-` is standard output, for one report at a time. Without any of the \
    options the text is printed. Exit codes: 0 whatever the record shows, 2 a record that cannot be read."
)]
pub(crate) struct Report {
    /// The record, `-` for standard input; that of the last run if not given
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Write the page, to PATH or to report.html beside the record
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pub(crate) html: Option<Option<PathBuf>>,
    /// Write JUnit XML, to PATH or to junit.xml beside the record
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pub(crate) junit: Option<Option<PathBuf>>,
    /// Write a summary in Markdown, to PATH or to summary.md beside the record
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pub(crate) md: Option<Option<PathBuf>>,
    /// What this file waives fails no test, gets no annotation and stands apart in the page
    #[arg(long, value_name = "FILE")]
    pub(crate) waivers: Option<PathBuf>,
    /// Print annotations for a GitHub check
    #[arg(long)]
    pub(crate) annotations: bool,
    /// Print all divergences and counts, as a run does at its end with --show all
    #[arg(long)]
    pub(crate) text: bool,
}

/// Makes the reports that are asked for of a record.
///
/// # Errors
/// If two of them, or one and a text, would go to standard output, the record
/// cannot be read, or a report cannot be written.
pub(crate) fn report(args: &Report) -> Result<Exit, Error> {
    let from = &match &args.from {
        Some(from) => from.clone(),
        None => config::out()?.join("run.jsonl"),
    };
    let mut files = Vec::new();
    for (option, asked, name, format) in [
        ("--html", &args.html, "report.html", ReportFormat::Page),
        ("--junit", &args.junit, "junit.xml", ReportFormat::Junit),
        ("--md", &args.md, "summary.md", ReportFormat::Markdown),
    ] {
        let path = match asked {
            None => continue,
            Some(Some(path)) => path.clone(),
            Some(None) if is_stream(from) => {
                return Err(Error::usage(format!(
                    "a record of standard input has no folder: say where {name} goes, as in \
                     {option} PATH"
                )));
            }
            Some(None) if from.is_dir() => from.join(name),
            Some(None) => from.with_file_name(name),
        };
        files.push((option, format, path));
    }
    one_to_a_stream(args, &files)?;
    let text = args.text || files.is_empty() && !args.annotations;
    let asked: Vec<ReportFormat> = files.iter().map(|(_, format, _)| *format).collect();
    let waivers = args.waivers.as_deref().map(load_waivers).transpose()?;
    let record = Record::open(from)?.or_interrupted();
    let all = record.header().cases;
    let mut reports = Reports::new(record.header(), &asked, Vec::new());
    let waivers = waivers.into_iter().flat_map(|waivers| waivers.list);
    reports.waivers = waivers.filter(|own| own.expires >= today()).collect();
    let diagnoses = record.each(|case| Ok(reports.add(case, &Took::default())?))?;
    reports.failures.diagnosed(&diagnoses);
    if reports.summary.totals.cases < all {
        reports.summary.totals.interrupted = Some(all);
    }
    for (_, format, path) in &files {
        write_to(path, |to| reports.write(*format, to))?;
    }
    if args.annotations {
        write_to(Path::new("-"), |to| {
            reports.write(ReportFormat::Annotations, to)
        })?;
    }
    if text {
        stdout().write_all(&reports.whole(reports.exit())?)?;
    }
    Ok(Exit::Conforms)
}

/// A report in standard output stands there alone: its reader takes all
/// for one page or document.
fn one_to_a_stream(args: &Report, files: &[(&str, ReportFormat, PathBuf)]) -> Result<(), Error> {
    let streams = files.iter().filter(|(_, _, path)| is_stream(path));
    let mut options = streams.map(|(option, ..)| *option);
    let Some(first) = options.next() else {
        return Ok(());
    };
    let lines = [("--annotations", args.annotations), ("--text", args.text)];
    let lines = lines.into_iter().filter(|(_, asked)| *asked);
    match options.chain(lines.map(|(option, _)| option)).next() {
        None => Ok(()),
        Some(second) => Err(Error::usage(format!(
            "{first} and {second} would both go to standard output: give a PATH to one of them, \
             or call report twice"
        ))),
    }
}
