//! Coverage for people.

use std::io::{self, Write};

use ptodiff_record::joined;

use super::{Coverage, EntryCoverage, Status};
use crate::style::{BAD, BOLD, CLAUSE, DIM};

/// Writes the counts in one line.
///
/// # Errors
/// What the writer gives.
pub fn write_line(mut to: impl Write, coverage: &Coverage) -> io::Result<()> {
    let told = coverage.count(Status::Run) + coverage.count(Status::Stated);
    let [clauses, gaps] = coverage.asked();
    write!(
        to,
        "  {} of {clauses} clauses covered, {} only under a reading, {} not coverable; {told} of {gaps} gaps distinguished",
        coverage.count(Status::Covered),
        coverage.count(Status::UnderReading),
        coverage.count(Status::NotCoverable),
    )?;
    match coverage.count(Status::OtherTargets) {
        0 => writeln!(to),
        left => writeln!(to, "; {left} {}", Status::OtherTargets),
    }
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
    if all {
        for (title, all) in [("clause", &coverage.clauses), ("gap", &coverage.gaps)] {
            writeln!(to, "\n{BOLD}every {title}{BOLD:#}")?;
            all.iter().try_for_each(|one| write_entry(&mut to, one))?;
        }
        return Ok(());
    }
    for status in [Status::UnderReading, Status::NotCoverable] {
        if coverage.count(status) > 0 {
            writeln!(to, "\n{BOLD}{status}{BOLD:#}")?;
        }
        let mut those = coverage.all().filter(|one| one.status == status);
        those.try_for_each(|one| write_entry(&mut to, one))?;
    }
    if coverage.fails() {
        writeln!(to, "\n{BAD}not as it should be{BAD:#}")?;
    }
    let mut wrong = coverage.all().filter(|one| one.is_wrong());
    wrong.try_for_each(|one| write_entry(&mut to, one))
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
            area.asked()[0],
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
            area.asked()[1],
            area.count(Status::Run),
            area.count(Status::Stated),
            area.count(Status::ShowsInNoCase),
            area.count(Status::NotDistinguished),
        )?;
    }
    Ok(())
}

fn write_entry(to: &mut impl Write, of: &EntryCoverage) -> io::Result<()> {
    write!(to, "  {CLAUSE}{}{CLAUSE:#} {}", of.id, of.status)?;
    let missing = of.missing.as_deref().unwrap_or_default();
    if !missing.is_empty() && missing.len() < of.targets.len() {
        write!(to, " on {}", joined(missing, ", "))?;
    }
    let tests = of.tests.iter().flatten().map(|t| t.name);
    let covers = joined(of.cases.iter().map(String::as_str).chain(tests), " ");
    if !covers.is_empty() {
        write!(to, "  {DIM}{covers}{DIM:#}")?;
    }
    if !of.failing.is_empty() {
        write!(to, "  {BAD}violation{BAD:#} {}", of.failing.join(" "))?;
    }
    if of.needless_reason {
        write!(
            to,
            "  {BAD}has a case that covers it, and a reason why there is none{BAD:#}"
        )?;
    }
    if let Some(reason) = of.reason {
        write!(to, "\n      {reason}")?;
    }
    writeln!(to)
}
