//! A record as annotations of a GitHub check: commands on standard output that
//! put a violation beside the line of its case.

use std::io::{self, Write};

use ptodiff_edge::consumer::{message, property};
use ptodiff_record::{CaseRecord, Header, Tally, counted, reproduce::reproduce};

use crate::group::{Kind, groups};
use crate::slot::line;

/// How many errors are written: GitHub shows no more of a step.
pub const MOST: usize = 10;

/// Writes an error for each of the first [`MOST`] failure groups of violations, at
/// the first case that shows it, and a notice with the counts of the run.
///
/// # Errors
/// What the writer gives.
pub fn write_annotations(
    mut to: impl Write,
    header: &Header,
    cases: &[CaseRecord],
) -> io::Result<()> {
    let all = groups(cases);
    let violations: Vec<_> = all.iter().filter(|g| g.kind == Kind::Violation).collect();
    for group in violations.iter().take(MOST) {
        let Some(case) = group.cases.first() else {
            continue;
        };
        let slot = group.slots.first();
        let text = format!(
            "{}, first {}: {}\n{}{}",
            counted(group.cases.len(), "case"),
            case.id,
            group.said(),
            slot.map_or_else(String::new, |slot| format!("{}\n", line(slot))),
            reproduce(header, case)
        );
        writeln!(
            to,
            "::error file={},line={},title={}::{}",
            property(&case.file),
            case.line,
            property(group.failure_group),
            message(&text)
        )?;
    }
    let tally = Tally::of(cases);
    let counts: Vec<String> = tally
        .verdicts
        .iter()
        .map(|(verdict, count)| format!("{count} {verdict}"))
        .collect();
    let mut text = format!("{}: {}", counted(tally.cases, "case"), counts.join(", "));
    if violations.len() > MOST {
        let more = violations.len() - MOST;
        text.push_str(&format!(
            "; {more} more failure groups of violations are not annotated"
        ));
    }
    writeln!(to, "::notice title=ptodiff::{}", message(&text))
}
