//! Arguments that several commands share.

mod output;

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use ptodiff_isa::Target;

use crate::{pto::PtoArgs, values::target};

pub(crate) use output::{Limit, OutputArgs, Show, StatusLevel};

/// Which cases.
#[derive(ClapArgs, Debug)]
pub(crate) struct Selection {
    /// Case files or folders of them
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
}

/// One case.
#[derive(ClapArgs, Debug)]
pub(crate) struct Named {
    /// The case's id or name
    pub(crate) case: String,
    /// Where to look for cases
    #[arg(long, default_value = "cases")]
    pub(crate) cases: PathBuf,
}

/// How a list is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}
