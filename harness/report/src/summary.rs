//! The closing lines of a run.

use std::io::{self, Write};

use ptodiff_record::{CaseRecord, Tally, TargetVerdict, Verdict};

use crate::style::{self, BOLD, CLAUSE, DIM};

/// Writes counts per verdict, target and pair, and what deserves a second look.
///
/// # Errors
/// What the writer gives.
pub fn write_summary(mut to: impl Write, cases: &[CaseRecord]) -> io::Result<()> {
    let tally = Tally::of(cases);
    write!(to, "\n{BOLD}{}{BOLD:#}:", counted(tally.cases))?;
    let mut lead = " ";
    for (verdict, count) in &tally.verdicts {
        let word = style::verdict(*verdict);
        write!(to, "{lead}{count} {word}{verdict}{word:#}")?;
        lead = ", ";
    }
    writeln!(to)?;
    writeln!(
        to,
        "  {DIM}target   conforms  refuses  undefined  violates{DIM:#}"
    )?;
    for (target, n) in &tally.targets {
        writeln!(
            to,
            "  {:<7}  {:>8}  {:>7}  {:>9}  {:>8}",
            target.to_string(),
            n.conforms,
            n.refused,
            n.undefined,
            n.violates
        )?;
    }
    writeln!(
        to,
        "  {DIM}pair        agree  permitted  violation  not compared{DIM:#}"
    )?;
    for ((a, b), n) in &tally.pairs {
        writeln!(
            to,
            "  {:<9}  {:>6}  {:>9}  {:>9}  {:>12}",
            format!("{a}/{b}"),
            n.agree,
            n.permitted,
            n.violation,
            n.not_compared
        )?;
    }
    write_reasons(&mut to, cases)?;
    write_notes(&mut to, cases, &tally)
}

/// Which clauses keep targets out, and how often.
fn write_reasons(to: &mut impl Write, cases: &[CaseRecord]) -> io::Result<()> {
    let mut counts = std::collections::BTreeMap::new();
    for case in cases {
        for (target, record) in &case.targets {
            let word = match record.verdict {
                TargetVerdict::Refused => "refuses",
                TargetVerdict::Undefined => "promises nothing",
                TargetVerdict::Conforms | TargetVerdict::Violates => continue,
            };
            if let Some(reason) = record.reasons.first() {
                *counts
                    .entry((*target, word, reason.clause.as_str()))
                    .or_insert(0usize) += 1;
            }
        }
    }
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(to, "  {DIM}why a target has no result to compare{DIM:#}")?;
    for ((target, word, clause), count) in counts {
        writeln!(
            to,
            "  {:<5} {:<17} {count:>4}  {CLAUSE}{clause}{CLAUSE:#}",
            target.to_string(),
            word
        )?;
    }
    Ok(())
}

fn write_notes(to: &mut impl Write, cases: &[CaseRecord], tally: &Tally) -> io::Result<()> {
    if tally.readings_mattered > 0 {
        let mut gaps: Vec<&str> = cases
            .iter()
            .flat_map(|c| &c.readings)
            .map(|r| r.gap.as_str())
            .collect();
        gaps.sort_unstable();
        gaps.dedup();
        writeln!(
            to,
            "  a reading mattered in {}: {}",
            counted(tally.readings_mattered),
            gaps.join(", ")
        )?;
    }
    let unseen = cases
        .iter()
        .filter(|c| c.targets.values().any(|t| !t.unseen.is_empty()))
        .count();
    if unseen > 0 {
        writeln!(
            to,
            "  freedom permitted but never seen in {}: their data is too weak to show it",
            counted(unseen)
        )?;
    }
    let differs = cases.iter().filter(|c| c.name_differs.is_some()).count();
    if differs > 0 {
        writeln!(
            to,
            "  {} named otherwise than the content says, with a reason in the file",
            counted(differs)
        )?;
    }
    if tally.count(Verdict::Violation) == 0 {
        writeln!(to, "  {BOLD}no violation{BOLD:#}")?;
    }
    Ok(())
}

/// `1 case`, `2 cases`.
pub(crate) fn counted(cases: usize) -> String {
    format!("{cases} case{}", if cases == 1 { "" } else { "s" })
}
