//! A record as annotations of a GitHub check: commands on standard output that
//! put a violation beside the line of its case.

use std::io::{self, Write};

use ptodiff_edge::consumer::{message, property};
use ptodiff_record::{CaseRecord, Header, Tally, counted};

use crate::failure_text::{head, lines_of, text};
use crate::flaky::Flaky;
use crate::group::{Divergence, groups};

/// How many errors are written: GitHub shows no more of a step.
pub const MOST: usize = 10;

/// What cases that come one after the other come to.
#[derive(Debug, Default)]
pub struct Annotations {
    tally: Tally,
    flaky: Flaky,
}

impl Annotations {
    /// Adds the next case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.tally.add(case);
        self.flaky.add(case);
    }

    /// Writes an error for each of the first [`MOST`] failures among `groups`, at
    /// the first case that shows it, a notice for each of the first cases that were flaky,
    /// and one with the counts of the run.
    ///
    /// # Errors
    /// What the writer gives.
    pub fn write(self, to: impl Write, header: &Header, groups: &[Divergence]) -> io::Result<()> {
        write(to, header, groups, &self.tally, &self.flaky)
    }
}

/// Writes the annotations of `cases`, as [`Annotations::write`].
///
/// # Errors
/// What the writer gives.
pub fn write_annotations(to: impl Write, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    let mut all = Annotations::default();
    cases.iter().for_each(|case| all.add(case));
    all.write(to, header, &groups(cases))
}

fn write(
    mut to: impl Write,
    header: &Header,
    all: &[Divergence],
    tally: &Tally,
    flaky: &Flaky,
) -> io::Result<()> {
    let failures: Vec<_> = all.iter().filter(|g| g.kind.fails()).collect();
    for group in failures.iter().take(MOST) {
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
    let counts: Vec<String> = tally
        .verdicts
        .iter()
        .map(|(verdict, count)| format!("{count} {verdict}"))
        .collect();
    let mut text = format!("{}: {}", counted(tally.cases, "case"), counts.join(", "));
    if failures.len() > MOST {
        let more = failures.len() - MOST;
        text.push_str(&format!("; {more} more failure groups are not annotated"));
    }
    if flaky.cases > 0 {
        text.push_str(&format!("; flaky in {}", counted(flaky.cases, "case")));
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
    writeln!(to, "::notice title=ptodiff::{}", message(&text))
}
