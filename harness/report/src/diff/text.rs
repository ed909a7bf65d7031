//! The difference of two records for a terminal.

use std::io::{self, Write};

use ptodiff_edge::text::line;
use ptodiff_record::counted;

use super::{Case, Change, RunDiff};
use crate::style::{self, BAD, BOLD, CLAUSE, DIM};

/// Writes what differs: what the runs were told, new cases, cases that are
/// gone, cases that came to something else, and the counts.
///
/// # Errors
/// What the writer gives.
pub fn write_diff(mut to: impl Write, diff: &RunDiff<'_>) -> io::Result<()> {
    let [before, after] = diff.names.map(line);
    writeln!(to, "{BOLD}{before} -> {after}{BOLD:#}")?;
    for part in &diff.told {
        let [before, after] = [&part.before, &part.after].map(|word| line(word));
        writeln!(to, "  {} {before} -> {after}", line(&part.name))?;
    }
    write_cases(&mut to, "new", &diff.new)?;
    write_cases(&mut to, "gone", &diff.gone)?;
    if !diff.changed.is_empty() || diff.by_parties.is_some() {
        writeln!(to, "\n{BOLD}changed{BOLD:#}")?;
    }
    for (change, more) in diff.alike() {
        write_change(&mut to, change)?;
        if more > 0 {
            let cases = counted(more as u64, "more case");
            writeln!(to, "          {DIM}and {cases} in the same way{DIM:#}")?;
        }
    }
    if let Some(cases) = &diff.by_parties {
        writeln!(to, "        {}", line(cases))?;
    }
    writeln!(to, "\n{}", diff.counts)
}

fn write_cases(to: &mut impl Write, title: &str, cases: &[Case]) -> io::Result<()> {
    if !cases.is_empty() {
        writeln!(to, "\n{BOLD}{title}{BOLD:#}")?;
    }
    for case in cases {
        let word = style::verdict(case.verdict);
        let verdict = case.verdict.to_string();
        let place = format!("{}:{}", line(&case.file), case.line);
        writeln!(
            to,
            "{word}{verdict:>10}{word:#}  {}  {DIM}{place}{DIM:#}",
            line(&case.id)
        )?;
    }
    Ok(())
}

fn write_change(to: &mut impl Write, change: &Change) -> io::Result<()> {
    let Change {
        before,
        case: after,
        ..
    } = change;
    let (old, new) = (style::verdict(*before), style::verdict(after.verdict));
    match change.worse {
        true => write!(to, " {BAD}worse{BAD:#}  ")?,
        false => write!(to, "        ")?,
    }
    write!(to, "{old}{}{old:#}", before)?;
    if *before != after.verdict {
        write!(to, " -> {new}{}{new:#}", after.verdict)?;
    }
    let place = format!("{}:{}", line(&after.file), after.line);
    writeln!(to, "  {}  {DIM}{place}{DIM:#}", line(&after.id))?;
    for part in &change.parts {
        let [name, was, is] = [&part.name, &part.before, &part.after].map(|text| line(text));
        writeln!(to, "          {name}: {was} -> {is}")?;
    }
    for (sign, failure_groups) in [("-", &change.vanished), ("+", &change.appeared)] {
        for failure_group in failure_groups {
            writeln!(
                to,
                "        {sign} {CLAUSE}{}{CLAUSE:#}",
                line(failure_group)
            )?;
        }
    }
    Ok(())
}
