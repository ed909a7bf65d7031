//! The faces of a record: each made from the record alone.

use std::{
    env,
    io::{self, Write},
};

use anstream::adapter::strip_bytes;
use ptodiff_report::{Coverage, Page, plain};

use crate::{files::Record, sources::TESTS};

/// The page.
///
/// # Errors
/// What the writer gives.
pub(crate) fn html(to: impl Write, record: &Record) -> io::Result<()> {
    let page = Page {
        header: &record.header,
        cases: &record.cases,
        tests: TESTS,
    };
    ptodiff_report::write_html(to, &page)
}

/// The results as JUnit XML.
///
/// # Errors
/// What the writer gives.
pub(crate) fn junit(to: impl Write, record: &Record) -> io::Result<()> {
    ptodiff_report::write_junit(to, &record.header, &record.cases)
}

/// The summary for a CI job.
///
/// # Errors
/// What the writer gives.
pub(crate) fn markdown(to: impl Write, record: &Record) -> io::Result<()> {
    ptodiff_report::write_markdown(to, &record.header, &record.cases)
}

/// Annotations for a GitHub check.
///
/// # Errors
/// What the writer gives.
pub(crate) fn annotations(to: impl Write, record: &Record) -> io::Result<()> {
    ptodiff_report::write_annotations(to, &record.header, &record.cases)
}

/// What a run prints at its end: divergences by failure group, counts, coverage.
///
/// # Errors
/// None in practice: memory takes everything.
pub(crate) fn text(record: &Record) -> io::Result<Vec<u8>> {
    let mut to = Vec::new();
    let header = plain::header(&record.header);
    let shown = plain::cases(&record.cases);
    ptodiff_report::write_groups(&mut to, &header, &ptodiff_report::groups(&shown))?;
    ptodiff_report::write_summary(&mut to, &shown)?;
    if shown.iter().any(|case| case.covers.has_something()) {
        let coverage = Coverage::of(&shown, TESTS);
        ptodiff_report::coverage::write_line(&mut to, &coverage)?;
    }
    Ok(to)
}

/// `text` as a file has it.
pub(crate) fn without_colours(text: &[u8]) -> Vec<u8> {
    strip_bytes(text).into_vec()
}

/// Whether this runs as a step of a job on GitHub, which reads annotations.
pub(crate) fn on_github() -> bool {
    env::var_os("GITHUB_ACTIONS").is_some_and(|v| v == "true")
}
