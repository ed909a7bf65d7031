//! `ptodiff diff`

use std::{collections::HashSet, path::Path};

use anstream::adapter::strip_bytes;
use ptodiff_report::{
    compare,
    diff::{Named, RunDiff},
    write_diff, write_diff_html, write_diff_markdown,
};

use crate::{
    args::{self, DiffFormat},
    exit::{Error, Exit},
    files::{Record, read_record, write_to},
    filter::Filter,
    out::stdout,
};

/// Says how the records of two runs differ. A change to the worse is a violation.
///
/// # Errors
/// If a record cannot be read, or the difference cannot be written.
pub(crate) fn diff(args: &args::Diff) -> Result<Exit, Error> {
    let filter = Filter::parse(&args.filterset, true)?;
    let (mut before, mut after) = (read_record(&args.before)?, read_record(&args.after)?);
    keep(&filter, &mut before, &mut after)?;
    let names = [&args.before, &args.after].map(|path| path.to_string_lossy());
    let [old, new] = &names;
    let diff = compare(named(old, &before), named(new, &after));
    write(&diff, args.format, &args.out)?;
    Ok(match diff.regressed() {
        true => Exit::Violation,
        false => Exit::Conforms,
    })
}

/// Keeps the cases that `filter` takes in one of the two records.
fn keep(filter: &Filter, before: &mut Record, after: &mut Record) -> Result<(), Error> {
    let all = before.cases.iter().chain(&after.cases);
    let taken: HashSet<String> = all
        .filter(|case| filter.takes(*case))
        .map(|case| case.id.clone())
        .collect();
    for record in [before, after] {
        record.cases.retain(|case| taken.contains(&case.id));
    }
    match taken.is_empty() {
        true => Err(Error::nothing("-E selects no case of the two records")),
        false => Ok(()),
    }
}

fn named<'a>(name: &'a str, record: &'a Record) -> Named<'a> {
    Named {
        name,
        header: &record.header,
        cases: &record.cases,
    }
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
