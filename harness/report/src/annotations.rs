//! A record as annotations of a GitHub check: commands on standard output that
//! put a violation beside the line of its case.

use std::io::{self, Write};

use ptodiff_edge::text::is_hidden;
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
        let message = format!(
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
            data(&message)
        )?;
    }
    let tally = Tally::of(cases);
    let counts: Vec<String> = tally
        .verdicts
        .iter()
        .map(|(verdict, count)| format!("{count} {verdict}"))
        .collect();
    let mut message = format!("{}: {}", counted(tally.cases, "case"), counts.join(", "));
    if violations.len() > MOST {
        let more = violations.len() - MOST;
        message.push_str(&format!(
            "; {more} more failure groups of violations are not annotated"
        ));
    }
    writeln!(to, "::notice title=ptodiff::{}", data(&message))
}

/// A message: a line break would end the command.
fn data(text: &str) -> String {
    escaped(text, false)
}

/// A property: `:` and `,` would end it too.
fn property(text: &str) -> String {
    escaped(text, true)
}

fn escaped(text: &str, property: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            ':' if property => out.push_str("%3A"),
            ',' if property => out.push_str("%2C"),
            c if is_hidden(c) => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
