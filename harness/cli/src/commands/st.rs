//! `ptodiff st`

mod check;
mod export;

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use ptodiff_case::{Case, Fill};
use ptodiff_isa::Target;

use crate::{
    args,
    exit::{Error, Exit},
    readings::ReadAs,
};

/// `ptodiff st`
#[derive(Args, Debug)]
pub(crate) struct St {
    /// What to do with the data of a suite.
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Write every mirrored case's inputs and the result that the contract requires
    Export(Export),
    /// Judge the results that stand in data folders, whoever made them
    Check(Check),
}

/// `ptodiff st export`
#[derive(Args, Debug)]
struct Export {
    /// Which cases.
    #[command(flatten)]
    mirrored: Mirrored,
    /// Where the folders go, one a case
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Root seed of all data
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// `ptodiff st check`
#[derive(Args, Debug)]
struct Check {
    /// The folder of the data folders
    #[arg(value_name = "DIR")]
    data: PathBuf,
    /// Which cases.
    #[command(flatten)]
    mirrored: Mirrored,
    /// The target whose contract the results are held to; the suite's own if not given
    #[arg(long = "as", value_name = "TARGET", value_parser = crate::values::target)]
    held_to: Option<Target>,
    /// How the gaps of the documents are read.
    #[command(flatten)]
    read_as: ReadAs,
    /// Schedules each case runs under on A5
    #[arg(long, default_value_t = ptodiff_record::DEFAULT_SCHEDULES, value_parser = clap::value_parser!(u32).range(1..=1000))]
    schedules: u32,
    /// Threads; as many as the machine has cores if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Where the reports go
    #[arg(long, value_name = "DIR", default_value = crate::reports::OUT)]
    out: PathBuf,
    /// Folders and `output.bin` may be missing: otherwise that is exit code 3
    #[arg(long)]
    partial: bool,
    /// What is printed.
    #[command(flatten)]
    output_args: args::OutputArgs,
    /// When it stops.
    #[command(flatten)]
    limit: args::Limit,
    /// How long to explain failures
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::values::time_or_none)]
    diagnosis: Duration,
}

/// Which mirrored cases.
#[derive(Args, Debug)]
struct Mirrored {
    /// The suite: cpu, a2a3 or a5
    #[arg(long, value_name = "SUITE", value_parser = crate::values::target)]
    suite: Target,
    /// Only cases whose id contains TEXT, or is TEXT where it begins with `=`; may be repeated
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Only cases that EXPR selects, as in 'dtype(half) & mode(row)'
    #[arg(long, value_name = "EXPR")]
    filterset: Vec<String>,
    /// Where to look for cases
    #[arg(long, default_value = "cases/st")]
    cases: PathBuf,
}

impl Mirrored {
    /// Where the cases come with the command that is said unless it is to be `quiet`.
    fn load(&self, quiet: bool) -> Result<Loaded, Error> {
        let whole = args::Selection {
            paths: vec![self.cases.clone()],
            filter: Vec::new(),
            filterset: Vec::new(),
            suite: Some(self.suite),
            beside: Default::default(),
        };
        let mut corpus = crate::select::load(&whole, quiet)?;
        let prefix = format!("{}/", self.suite);
        // Ids of mirrored cases begin with their suite.
        let folder = |case: &Case| case.id.strip_prefix(&prefix).unwrap_or(&case.id).to_owned();
        let folders = corpus.cases.iter().map(folder).collect();
        let selection = args::Selection {
            filter: self.filter.clone(),
            filterset: self.filterset.clone(),
            ..whole
        };
        crate::select::keep(&mut corpus, &selection)?;
        let cases = corpus.cases.into_iter();
        let cases = cases.map(|case| (folder(&case), case)).collect();
        Ok(Loaded { cases, folders })
    }
}

/// The cases of a suite.
struct Loaded {
    /// Those that are selected, and the folder of each, in the order of their files.
    cases: Vec<(String, Case)>,
    /// The folders of all of them.
    folders: BTreeSet<String>,
}

/// The case as the suites' hosts call it: what the call writes is zero before. They zero what
/// is in GM, and a tile is zeroed by the kernel or the instruction, or written as a whole.
fn hosted(case: &Case) -> Case {
    let mut hosted = case.clone();
    hosted.data.set_fill(case.call.output(), Fill::Zeros);
    hosted
}

impl St {
    /// Where the cases of a check are, how it reads the gaps, and whether it is to be quiet.
    pub(crate) fn reads(&mut self) -> Option<(PathBuf, &mut ReadAs, bool)> {
        match &mut self.command {
            Command::Export(_) => None,
            Command::Check(own) => {
                let cases = own.mirrored.cases.clone();
                Some((cases, &mut own.read_as, own.output_args.quiet))
            }
        }
    }
}

/// Exports or checks the data of a suite.
///
/// # Errors
/// Bad cases, nothing selected, or files that cannot be read or written.
pub(crate) fn st(args: &St) -> Result<Exit, Error> {
    match &args.command {
        Command::Export(export) => export::export(export),
        Command::Check(check) => check::check(check),
    }
}
