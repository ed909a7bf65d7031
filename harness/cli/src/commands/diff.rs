//! `ptodiff diff`

mod editions;

use std::path::{Path, PathBuf};

use anstream::adapter::strip_bytes;
use clap::{Args, ValueEnum};
use ptodiff_record::CaseRecord;
use ptodiff_register::Edition;
use ptodiff_report::{Comparison, diff::RunDiff, write_diff, write_diff_html, write_diff_markdown};

use crate::{
    exit::{Error, Exit},
    files::{Record, write_to},
    filter::Filter,
    out::stdout,
    readings::editions,
};

/// `ptodiff diff`
#[derive(Args, Debug)]
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

/// Says how the records of two runs differ. A change to the worse is a violation. With
/// `--editions`: which cases two editions read otherwise.
///
/// # Errors
/// If a record cannot be read, or the difference cannot be written.
pub(crate) fn diff(args: &Diff) -> Result<Exit, Error> {
    if let Some(two) = args.editions {
        let filter = Filter::parse(&args.filterset, false)?;
        return editions::diff(two, &args.paths, &filter);
    }
    let filter = Filter::parse(&args.filterset, true)?;
    let [earlier, later] = &args.paths[..] else {
        return Err(Error::usage(format!(
            "diff takes two records, an earlier one and a later one; there are {}",
            args.paths.len()
        )));
    };
    let (before, after) = (Record::open(earlier)?, Record::open(later)?);
    let headers = [before.header().clone(), after.header().clone()];
    let [old, new] = &headers;
    let mut all = Comparison::of([old, new]);
    // A case is taken where the filter takes it in one of the two.
    let mut any = false;
    let mut takes = |case: &CaseRecord| {
        let taken = filter.takes(case);
        any |= taken;
        taken
    };
    before.each(|case| {
        all.before(case, takes(case));
        Ok(())
    })?;
    after.each(|case| {
        all.after(case, takes(case));
        Ok(())
    })?;
    if !any {
        return Err(Error::nothing("-E selects no case of the two records"));
    }
    let names = [earlier, later].map(|path| path.to_string_lossy());
    let [old, new] = &names;
    let [before, after] = &headers;
    let diff = all.done([old, new], [before, after]);
    write(&diff, args.format, &args.out)?;
    Ok(Exit::failed(diff.regressed()))
}

fn write(diff: &RunDiff<'_>, format: DiffFormat, out: &Path) -> Result<(), Error> {
    match format {
        DiffFormat::Text if out.as_os_str() == "-" => Ok(write_diff(stdout(), diff)?),
        DiffFormat::Text => {
            let mut text = Vec::new();
            write_diff(&mut text, diff)?;
            write_to(out, |to| to.write_all(&strip_bytes(&text).into_vec()))
        }
        DiffFormat::Md => write_to(out, |to| write_diff_markdown(to, diff)),
        DiffFormat::Html => write_to(out, |to| write_diff_html(to, diff)),
    }
}
