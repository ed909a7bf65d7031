//! `ptodiff diff`

use std::path::Path;

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
    out::stdout,
};

/// Says how the records of two runs differ. A change to the worse is a violation.
///
/// # Errors
/// If a record cannot be read, or the difference cannot be written.
pub(crate) fn diff(args: &args::Diff) -> Result<Exit, Error> {
    let (before, after) = (read_record(&args.before)?, read_record(&args.after)?);
    let names = [&args.before, &args.after].map(|path| path.to_string_lossy());
    let [old, new] = &names;
    let diff = compare(named(old, &before), named(new, &after));
    write(&diff, args.format, &args.out)?;
    Ok(match diff.regressed() {
        true => Exit::Violation,
        false => Exit::Conforms,
    })
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
