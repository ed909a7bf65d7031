//! Arguments of the commands that work on records of runs.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use ptodiff_case::waiver::{Date, NoDate};
use ptodiff_register::Edition;

use crate::readings::editions;

/// `ptodiff report`
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "A PATH of `-` is standard output, for one report at a time. Without any of the \
    options the text is printed. Exit codes: 0 whatever the record shows, 2 a record that cannot be read."
)]
pub(crate) struct Report {
    /// The record, `-` for standard input
    #[arg(long, value_name = "FILE", default_value = "reports/out/run.jsonl")]
    pub(crate) from: PathBuf,
    /// Write the page, to PATH or to report.html beside the record
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pub(crate) html: Option<Option<PathBuf>>,
    /// Write JUnit XML, to PATH or to junit.xml beside the record
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pub(crate) junit: Option<Option<PathBuf>>,
    /// Write a summary in Markdown, to PATH or to summary.md beside the record
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pub(crate) md: Option<Option<PathBuf>>,
    /// Print annotations for a GitHub check
    #[arg(long)]
    pub(crate) annotations: bool,
    /// Print all divergences and counts, as a run does at its end with --show all
    #[arg(long)]
    pub(crate) text: bool,
}

/// `ptodiff diff`
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 the second is not worse, 1 it is: a case is gone, a new one \
    is a violation, one shows a violation that it did not show, or has lost a result or a \
    comparison; 2 a record that cannot be read. With --editions 0, whatever changes."
)]
pub(crate) struct Diff {
    /// The earlier record and the later one; with --editions case files or folders
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Say which cases change from edition A to edition B, and how
    #[arg(long, value_name = "A,B", value_parser = editions, conflicts_with_all = ["format", "out"])]
    pub(crate) editions: Option<[&'static Edition; 2]>,
    /// Only cases that EXPR selects in one of the two, as in 'verdict(violation)'
    #[arg(long, value_name = "EXPR")]
    pub(crate) filterset: Vec<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(crate) format: DiffFormat,
    /// Write it to FILE
    #[arg(
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub(crate) out: PathBuf,
}

/// How the difference of two records is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people
    Text,
    /// For the summary of a CI job
    Md,
    /// A page
    Html,
}

/// `ptodiff merge`
#[derive(ClapArgs, Debug)]
pub(crate) struct Merge {
    /// The records of all parts of a run or of a hunt, in any order
    #[arg(required = true)]
    pub(crate) parts: Vec<PathBuf>,
    /// Where the record of the whole goes
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// `ptodiff gate`
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 the gate passed, 1 it failed, 2 a file that cannot be read \
    or has a mistake, 3 nothing was tested, 70 a fault of the harness. --dry-run ends with 0 even where the gate failed; \
    --bless with 1 where it would still fail."
)]
pub(crate) struct Gate {
    /// The record of a run; without it all cases are run now
    #[arg(
        long,
        value_name = "FILE",
        // What says how cases are run would be passed over in silence.
        conflicts_with_all = ["cases", "implementation", "claims", "implementation_time", "implementation_memory"]
    )]
    pub(crate) from: Option<PathBuf>,
    /// Where the cases are, when they are run now
    #[arg(long, default_value = crate::select::USUAL)]
    pub(crate) cases: PathBuf,
    /// The file of waivers; baseline.json, what a run is known to show, stands beside it
    #[arg(long, value_name = "FILE", default_value = Self::WAIVERS)]
    pub(crate) baseline: PathBuf,
    /// Show as a diff how baseline and waivers would have to change for the gate to pass
    #[arg(long)]
    pub(crate) bless: bool,
    /// Make that change
    #[arg(long, requires = "bless")]
    pub(crate) write: bool,
    /// Say what makes the gate fail, and end with 0
    #[arg(long, conflicts_with = "bless")]
    pub(crate) dry_run: bool,
    /// What is printed.
    #[command(flatten)]
    pub(crate) output_args: super::OutputArgs,
    /// The day that waivers are compared with, instead of today in UTC
    #[arg(long, value_name = "DATE", hide = true, value_parser = date)]
    pub(crate) today: Option<Date>,
    /// Which implementations take part.
    #[command(flatten)]
    pub(crate) implementations: crate::implementations::Implementations,
}

impl Gate {
    /// Where waivers are unless told.
    pub(crate) const WAIVERS: &str = "reports/waivers.yaml";
}

fn date(text: &str) -> Result<Date, String> {
    text.parse().map_err(|e: NoDate| e.to_string())
}
