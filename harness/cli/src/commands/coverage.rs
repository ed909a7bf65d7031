//! `ptodiff coverage`

mod axes;

use std::{
    collections::{BTreeMap, HashSet},
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use ptodiff_case::Corpus;
use ptodiff_record::{CaseRecord, Header};
use ptodiff_report::coverage::{Coverage, write_coverage};
use ptodiff_runner::Options;
use serde::Serialize;

use crate::{
    args::{Format, Selection},
    exit::{Error, Exit},
    files::Record,
    out::{say, stdout},
    plain, select,
    sources::TESTS,
    text::counted,
};

/// `ptodiff coverage`
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 all that can be covered is, 1 something is not, 2 a bad case or a \
    record that cannot be read."
)]
pub(crate) struct CoverageArgs {
    /// Which cases.
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// What came of the cases in this record, instead of running them now
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Instead of clauses: which promised combinations of form, policies, elements and layouts no case has
    #[arg(long)]
    pub(crate) axes: bool,
    /// Name every clause and gap, or every combination, with its cases
    #[arg(long)]
    pub(crate) all: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// Says which statements of the documents the selected cases cover, or which
/// combinations of parameters they have. What could be covered and is not is a violation.
///
/// # Errors
/// Bad cases, nothing selected, a record that cannot be read, or standard output fails.
pub(crate) fn coverage(args: &CoverageArgs) -> Result<Exit, Error> {
    let corpus = select::load(&args.selection, false)?;
    if args.axes {
        return axes::axes(args, &corpus);
    }
    let (targets, records) = match &args.from {
        Some(path) => {
            let (header, cases) = recorded(path, &corpus)?;
            (header.targets, cases)
        }
        None => {
            let options = Options::default();
            let records = ptodiff_runner::run(&corpus.cases, &options)
                .map_err(|e| Error::fault(format!("cannot run the cases: {e}")))?;
            (options.targets, records)
        }
    };
    let coverage = Coverage::of(&targets, &records, TESTS);
    let mut out = stdout();
    match args.format {
        Format::Text => write_coverage(&mut out, &coverage, args.all)?,
        Format::Json => {
            for clause in &coverage.clauses {
                write_json(&mut out, "clause", clause)?;
            }
            for gap in &coverage.gaps {
                write_json(&mut out, "gap", gap)?;
            }
        }
    }
    Ok(Exit::failed(coverage.fails()))
}

/// Those cases of the record at `path` that `corpus` has.
fn recorded(path: &Path, corpus: &Corpus) -> Result<(Header, Vec<CaseRecord>), Error> {
    let selected: HashSet<&str> = corpus.cases.iter().map(|c| c.id.as_str()).collect();
    let record = Record::open(path)?;
    let header = record.header().clone();
    let (mut cases, mut others) = (Vec::new(), 0);
    record.each(|case| {
        if selected.contains(case.id.as_str()) {
            // What a page shows of it is most of a record.
            let detail = None;
            cases.push(CaseRecord {
                detail,
                ..case.clone()
            });
        } else {
            others += 1;
        }
        Ok(())
    })?;
    if cases.is_empty() {
        return Err(Error::nothing(format!(
            "none of {} in the record is selected; PATHS names the files \
             that they are in",
            counted(others, "case")
        )));
    }
    if others > 0 {
        let others = counted(others, "case");
        say(format!("{others} of the record left out: not selected"));
    }
    Ok((header, cases))
}

/// One line: an object with one key, what it is.
fn write_json(out: &mut impl Write, kind: &str, of: &impl Serialize) -> std::io::Result<()> {
    plain::json(out, &BTreeMap::from([(kind, of)]))
}
