//! A record as annotations of a GitHub check: commands on standard output that
//! put a violation beside the line of its case.

use std::io::{self, Write};

use ptodiff_edge::consumer::{message, property};
use ptodiff_record::{CaseRecord, Header};

use crate::failure_text::{head, lines_of, text};
use crate::group::{Divergence, biggest, groups};
use crate::summary::Summary;

/// How many errors are written: GitHub shows no more of a step.
pub const MOST: usize = 10;

/// Writes the annotations of `cases`, as [`write()`].
///
/// # Errors
/// What the writer gives.
pub fn write_annotations(to: impl Write, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    write(to, header, &Summary::of(header, cases), &groups(cases))
}

/// Writes an error for each of the [`MOST`] largest failures among `all`, at the first case
/// that shows it, a notice for each of the first cases that were flaky, and one with the
/// closing line and the counts of the run.
///
/// # Errors
/// What the writer gives.
pub fn write(
    mut to: impl Write,
    header: &Header,
    summary: &Summary,
    all: &[Divergence],
) -> io::Result<()> {
    let Summary { totals, flaky, .. } = summary;
    let failures: Vec<_> = all.iter().filter(|g| g.kind.fails()).collect();
    for group in biggest(failures.iter().copied(), MOST) {
        let case = &*group.first;
        let mut lines = vec![head(group)];
        lines.extend(text(&lines_of(header, group)));
        writeln!(
            to,
            "::error file={},line={},title={}::{}",
            property(&case.file),
            group.line,
            property(&group.failure_group),
            message(&lines.join("\n"))
        )?;
    }
    let (word, said) = (totals.word(), totals.said(all));
    let mut text = format!("{word} {said}: {}", summary.by_verdict());
    if failures.len() > MOST {
        let more = failures.len() - MOST;
        text.push_str(&format!("; {more} more failure groups are not annotated"));
    }
    let lacks = totals.lacks();
    if !lacks.is_empty() {
        text.push_str(&format!("; not judged: {lacks}"));
    }
    for one in &flaky.first {
        let told = format!("{}: {}", one.id, one.answers);
        writeln!(
            to,
            "::notice file={},line={},title={}::{}",
            property(&one.file),
            one.line,
            property(&format!("flaky {}", one.party)),
            message(&told)
        )?;
    }
    // What fails it alone has no line above.
    let level = match totals.fails_by_flag() {
        Some(_) => "error",
        None => "notice",
    };
    writeln!(to, "::{level} title=ptodiff::{}", message(&text))
}
