//! Arguments that several commands share.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, Verdict};

use crate::{pto::PtoArgs, select::names_file, values::target};

/// Which cases.
#[derive(Args, Debug)]
pub(crate) struct Selection {
    /// Case files, .pto files, folders, or FILE:LINE
    #[arg(default_value = "cases")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only cases whose id contains TEXT, or is TEXT where it begins with `=`; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,
    /// Only cases that EXPR selects, as in 'dtype(half) & !target(cpu)'
    #[arg(long, value_name = "EXPR")]
    pub(crate) filterset: Vec<String>,
    /// Only cases that mirror this suite
    #[arg(long, value_name = "SUITE", value_parser = target)]
    pub(crate) suite: Option<Target>,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

impl Selection {
    /// The ids of the cases, where they are given whole.
    pub(crate) fn ids(&self) -> Vec<&str> {
        let ids = self.filter.iter().map(|text| text.strip_prefix('='));
        ids.collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether not all cases are meant.
    pub(crate) fn selects(&self) -> bool {
        !(self.filter.is_empty() && self.filterset.is_empty() && self.suite.is_none())
    }
}

/// One case.
#[derive(Args, Debug)]
pub(crate) struct Named {
    /// The case's id or name, or a file that has it alone
    pub(crate) case: String,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
    /// What .pto files do not say.
    #[command(flatten)]
    pub(crate) beside: PtoArgs,
}

impl Named {
    /// The file or folder where it is looked for.
    pub(crate) fn place(&self) -> PathBuf {
        match names_file(&self.case) {
            true => self.case.clone().into(),
            false => self.cases.clone(),
        }
    }
}

/// How a list is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

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
            true => ptodiff_report::write_line(out, &ptodiff_report::plain::cleaned(case)),
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
