//! Coverage for people.

use std::io::{self, Write};

use ptodiff_record::joined;

use super::{ClauseCoverage, Coverage, GapCoverage, GapStatus, Status};
use crate::style::{BAD, BOLD, CLAUSE, DIM};

/// Writes the counts in one line.
///
/// # Errors
/// What the writer gives.
pub fn write_line(mut to: impl Write, coverage: &Coverage) -> io::Result<()> {
    let told = coverage.count_gaps(GapStatus::Run) + coverage.count_gaps(GapStatus::Stated);
    writeln!(
        to,
        "  {} of {} clauses covered, {} only under a reading, {} not coverable; {told} of {} gaps distinguished",
        coverage.count(Status::Covered),
        coverage.clauses.len(),
        coverage.count(Status::UnderReading),
        coverage.count(Status::NotCoverable),
        coverage.gaps.len(),
    )
}

/// Writes counts by area and kind, then what needs a look: clauses that are
/// not covered, or only under a reading, or that cannot be; with `all` every
/// clause and gap with its cases.
///
/// # Errors
/// What the writer gives.
pub fn write_coverage(mut to: impl Write, coverage: &Coverage, all: bool) -> io::Result<()> {
    write_areas(&mut to, coverage)?;
    write_line(&mut to, coverage)?;
    let clauses = &coverage.clauses;
    if all {
        writeln!(to, "\n{BOLD}every clause{BOLD:#}")?;
        clauses.iter().try_for_each(|c| write_clause(&mut to, c))?;
        writeln!(to, "\n{BOLD}every gap{BOLD:#}")?;
        return coverage.gaps.iter().try_for_each(|g| write_gap(&mut to, g));
    }
    for status in [Status::UnderReading, Status::NotCoverable] {
        write_those(&mut to, clauses, status)?;
    }
    let wrong = |c: &&ClauseCoverage| c.status == Status::NotCovered || c.needless_reason;
    let gap = |g: &&GapCoverage| g.status == GapStatus::NotToldApart || g.needless_reason;
    let (clauses, gaps) = (
        clauses.iter().filter(wrong),
        coverage.gaps.iter().filter(gap),
    );
    if coverage.fails() {
        writeln!(to, "\n{BAD}not as it should be{BAD:#}")?;
    }
    for clause in clauses {
        write_clause(&mut to, clause)?;
    }
    for gap in gaps {
        write_gap(&mut to, gap)?;
    }
    Ok(())
}

fn write_those(to: &mut impl Write, clauses: &[ClauseCoverage], status: Status) -> io::Result<()> {
    let mut those = clauses.iter().filter(|c| c.status == status).peekable();
    if those.peek().is_some() {
        writeln!(to, "\n{BOLD}{status}{BOLD:#}")?;
    }
    those.try_for_each(|clause| write_clause(to, clause))
}

fn write_areas(to: &mut impl Write, coverage: &Coverage) -> io::Result<()> {
    let areas = coverage.areas();
    writeln!(
        to,
        "  {DIM}clauses       all  covered  under a reading  not coverable  not covered{DIM:#}"
    )?;
    for (name, area) in &areas {
        writeln!(
            to,
            "  {name:<10}  {:>5}  {:>9}  {:>15}  {:>15}  {:>13}",
            area.clauses.len(),
            area.count(Status::Covered),
            area.count(Status::UnderReading),
            area.count(Status::NotCoverable),
            area.count(Status::NotCovered),
        )?;
    }
    writeln!(
        to,
        "  {DIM}gaps          all  distinguished by running  as stated  in no case  not distinguished{DIM:#}"
    )?;
    for (name, area) in &areas {
        writeln!(
            to,
            "  {name:<10}  {:>5}  {:>21}  {:>9}  {:>10}  {:>14}",
            area.gaps.len(),
            area.count_gaps(GapStatus::Run),
            area.count_gaps(GapStatus::Stated),
            area.count_gaps(GapStatus::ShowsInNoCase),
            area.count_gaps(GapStatus::NotToldApart),
        )?;
    }
    Ok(())
}

fn write_clause(to: &mut impl Write, clause: &ClauseCoverage) -> io::Result<()> {
    let id = clause.id;
    write!(to, "  {CLAUSE}{id}{CLAUSE:#} {}", clause.status)?;
    if !clause.missing.is_empty() && clause.missing.len() < clause.targets.len() {
        write!(to, " on {}", joined(&clause.missing, ", "))?;
    }
    let tests = clause.tests.iter().map(|t| t.name);
    let covers = joined(clause.cases.iter().map(String::as_str).chain(tests), " ");
    if !covers.is_empty() {
        write!(to, "  {DIM}{covers}{DIM:#}")?;
    }
    write_rest(to, &clause.failing, clause.reason, clause.needless_reason)
}

fn write_gap(to: &mut impl Write, gap: &GapCoverage) -> io::Result<()> {
    write!(to, "  {CLAUSE}{}{CLAUSE:#} {}", gap.id, gap.status)?;
    if !gap.cases.is_empty() {
        write!(to, "  {DIM}{}{DIM:#}", gap.cases.join(" "))?;
    }
    write_rest(to, &gap.failing, gap.reason, gap.needless_reason)
}

fn write_rest(
    to: &mut impl Write,
    failing: &[String],
    reason: Option<&str>,
    needless: bool,
) -> io::Result<()> {
    if !failing.is_empty() {
        write!(to, "  {BAD}violation{BAD:#} {}", failing.join(" "))?;
    }
    if needless {
        write!(
            to,
            "  {BAD}has a case that covers it, and a reason why there is none{BAD:#}"
        )?;
    }
    if let Some(reason) = reason {
        write!(to, "\n      {reason}")?;
    }
    writeln!(to)
}
