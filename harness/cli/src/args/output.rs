//! What the terminal is told of the cases of a command, and when it stops: the same options
//! wherever cases are run or judged.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use ptodiff_record::{CaseRecord, Verdict};

/// What is printed.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OutputArgs {
    /// Cases that get a line; `fail` if not given, in a gate none
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) status_level: Option<StatusLevel>,
    /// What else to print
    #[arg(long = "show", value_name = "WHAT", value_enum, value_delimiter = ',')]
    pub(crate) shown: Vec<Show>,
    /// Print only the failures and the last line
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Print all: --status-level all --show all
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl OutputArgs {
    /// Writes the line of `case`, if it gets one: by default those of `usual` do.
    ///
    /// # Errors
    /// What the writer gives.
    pub(crate) fn write_line(
        &self,
        out: &mut impl Write,
        case: &CaseRecord,
        usual: Option<StatusLevel>,
    ) -> io::Result<()> {
        let level = match case.verdict {
            Verdict::Violation => StatusLevel::Fail,
            Verdict::Permitted => StatusLevel::Permitted,
            Verdict::Agree | Verdict::Single => StatusLevel::Pass,
            Verdict::Rejected | Verdict::Undefined | Verdict::Hangs => StatusLevel::Skip,
        };
        let wanted = self.status_level.or(usual);
        match self.verbose || !self.quiet && wanted.is_some_and(|wanted| level <= wanted) {
            true => ptodiff_report::write_line(out, &ptodiff_report::plain::case(case)),
            false => Ok(()),
        }
    }

    /// Everything, as a file has it.
    pub(crate) fn all() -> Self {
        Self {
            verbose: true,
            ..Self::default()
        }
    }

    /// Whether this is printed at the end.
    pub(crate) fn shows(&self, what: Show) -> bool {
        self.verbose || self.shown.contains(&Show::All) || self.shown.contains(&what)
    }
}

/// How many cases may fail.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Limit {
    /// Stop at the first case that fails
    #[arg(long, conflicts_with = "max_fails")]
    fail_fast: bool,
    /// Stop at the Nth case that fails
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_fails: Option<u32>,
}

impl Limit {
    /// The one at which it stops.
    pub(crate) fn most(&self) -> Option<usize> {
        let most = self.max_fails.or(self.fail_fast.then_some(1));
        most.map(|most| most as usize)
    }
}

/// Cases that get a line while they are run: those of a level and of the ones before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub(crate) enum StatusLevel {
    /// With a violation
    Fail,
    /// And those with differences that clauses permit
    Permitted,
    /// And those with a result
    Pass,
    /// And those without
    Skip,
    /// All
    All,
}

/// What is printed at the end when asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Show {
    /// Groups of differences that clauses permit
    Permitted,
    /// Readings that mattered
    Readings,
    /// What is covered
    Coverage,
    /// All of it, every failure group and every count
    All,
}
