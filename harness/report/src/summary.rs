//! The closing lines of a run.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use ptodiff_record::{CaseRecord, Tally, TargetVerdict, Verdict, counted};

use crate::line::deviations;
use crate::style::{self, BOLD, CLAUSE, DIM};

/// Writes counts per verdict, target and pair, and what deserves a second look.
///
/// # Errors
/// What the writer gives.
pub fn write_summary(mut to: impl Write, cases: &[CaseRecord]) -> io::Result<()> {
    let tally = Tally::of(cases);
    write!(to, "\n{BOLD}{}{BOLD:#}:", counted(tally.cases, "case"))?;
    let mut lead = " ";
    for (verdict, count) in &tally.verdicts {
        let word = style::verdict(*verdict);
        write!(to, "{lead}{count} {word}{verdict}{word:#}")?;
        lead = ", ";
    }
    writeln!(to)?;
    // Only implementations lack anything.
    let lacking = tally.targets.values().any(|n| n.unsupported > 0);
    writeln!(
        to,
        "  {DIM}target       conforms  rejected  undefined  hangs  violates{}{DIM:#}",
        if lacking { "  unsupported" } else { "" }
    )?;
    for (target, n) in &tally.targets {
        write!(
            to,
            "  {:<11}  {:>8}  {:>8}  {:>9}  {:>5}  {:>8}",
            target.to_string(),
            n.conforms,
            n.rejected,
            n.undefined,
            n.hangs,
            n.violates
        )?;
        match lacking {
            true => writeln!(to, "  {:>11}", n.unsupported)?,
            false => writeln!(to)?,
        }
    }
    writeln!(
        to,
        "  {DIM}pair             agree  permitted  violation  not compared{DIM:#}"
    )?;
    for ((a, b), n) in &tally.pairs {
        writeln!(
            to,
            "  {:<14}  {:>6}  {:>9}  {:>9}  {:>12}",
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

/// How many reasons are shown before they are only counted.
const REASONS: usize = 12;

/// Which clauses keep targets out, and how often: the most frequent first.
fn write_reasons(to: &mut impl Write, cases: &[CaseRecord]) -> io::Result<()> {
    let mut counts = BTreeMap::new();
    for case in cases {
        for (target, record) in &case.targets {
            let word = match record.verdict {
                TargetVerdict::Conforms | TargetVerdict::Violates => continue,
                without_result => style::did(without_result),
            };
            if let Some(reason) = record.reasons.first() {
                *counts
                    .entry((target, word, reason.clause.as_str()))
                    .or_insert(0usize) += 1;
            }
        }
    }
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(to, "  {DIM}why a target has no result to compare{DIM:#}")?;
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let more = counts.len().saturating_sub(REASONS);
    for ((target, word, clause), count) in counts.into_iter().take(REASONS) {
        writeln!(
            to,
            "  {:<10} {:<10} {count:>4}  {CLAUSE}{clause}{CLAUSE:#}",
            target.to_string(),
            word
        )?;
    }
    if more > 0 {
        writeln!(to, "  {DIM}and {more} less frequent reasons{DIM:#}")?;
    }
    Ok(())
}

/// Cases that are named as flaky before they are only counted.
const FLAKY: usize = 8;

/// What implementations did wrong once, with what they did then.
fn write_flaky(to: &mut impl Write, cases: &[CaseRecord]) -> io::Result<()> {
    let parts = cases.iter().flat_map(|case| {
        let targets = case.targets.iter();
        targets.filter_map(move |(party, t)| Some((case, party, t, t.flaky.first()?)))
    });
    let all: Vec<_> = parts.collect();
    if all.is_empty() {
        return Ok(());
    }
    let cases = counted(all.len(), "case");
    writeln!(
        to,
        "  {BOLD}flaky{BOLD:#} in {cases}: wrong once, and not when asked again alone"
    )?;
    for (case, party, target, first) in all.iter().take(FLAKY) {
        writeln!(
            to,
            "    {}  {party}: first {}; then {}",
            case.id, first.what, target.verdict
        )?;
    }
    if all.len() > FLAKY {
        writeln!(to, "    {DIM}and {} more{DIM:#}", all.len() - FLAKY)?;
    }
    Ok(())
}

fn write_notes(to: &mut impl Write, cases: &[CaseRecord], tally: &Tally) -> io::Result<()> {
    write_flaky(to, cases)?;
    write_readings(to, cases, tally)?;
    let deviating = cases.iter().filter(|c| !deviations(c).is_empty()).count();
    if deviating > 0 {
        let clauses: BTreeSet<&str> = cases.iter().flat_map(deviations).collect();
        let clauses: Vec<&str> = clauses.into_iter().collect();
        writeln!(
            to,
            "  {} with a result only under readings that are not the default; they deviate from {CLAUSE}{}{CLAUSE:#}",
            counted(deviating, "case"),
            clauses.join(", ")
        )?;
    }
    let unseen = cases
        .iter()
        .filter(|c| c.targets.values().any(|t| !t.unseen.is_empty()))
        .count();
    if unseen > 0 {
        writeln!(
            to,
            "  permitted freedom never seen in {}: the data is too weak to show it",
            counted(unseen, "case")
        )?;
    }
    let wide: Vec<u64> = cases
        .iter()
        .filter_map(|c| {
            c.targets
                .values()
                .filter_map(|t| Some(t.wide?.values))
                .max()
        })
        .collect();
    if let Some(most) = wide.iter().max() {
        writeln!(
            to,
            "  wide bounds in place of sums in {}, up to {}: too many different writers of a slot",
            counted(wide.len(), "case"),
            counted(*most as usize, "value"),
        )?;
    }
    let differs = cases.iter().filter(|c| c.name_differs.is_some()).count();
    if differs > 0 {
        writeln!(
            to,
            "  {} whose name does not say what is in it; the file gives the reason",
            counted(differs, "case")
        )?;
    }
    let holes: usize = cases.iter().map(|c| c.holes.len()).sum();
    if holes > 0 {
        let showing = cases.iter().filter(|c| !c.holes.is_empty()).count();
        writeln!(
            to,
            "  {holes} known holes shown by {}",
            counted(showing, "case")
        )?;
    }
    if tally.count(Verdict::Violation) == 0 {
        writeln!(to, "  {BOLD}no violation{BOLD:#}")?;
    }
    Ok(())
}

/// Which readings mattered, and, after a run over all of them, what came of it.
fn write_readings(to: &mut impl Write, cases: &[CaseRecord], tally: &Tally) -> io::Result<()> {
    if tally.readings_mattered == 0 {
        return Ok(());
    }
    let uses = || {
        cases
            .iter()
            .flat_map(|case| case.readings.iter().map(move |r| (case, r)))
    };
    let gaps: BTreeSet<&str> = uses().map(|(_, r)| r.gap.as_str()).collect();
    let gaps: Vec<&str> = gaps.into_iter().collect();
    writeln!(
        to,
        "  a reading mattered in {}: {}",
        counted(tally.readings_mattered, "case"),
        gaps.join(", ")
    )?;
    let mut changes: BTreeMap<_, usize> = BTreeMap::new();
    for (case, reading) in uses() {
        for (other, verdict) in &reading.verdict_under {
            let change = (&reading.gap, &reading.choice, other, case.verdict, *verdict);
            *changes.entry(change).or_default() += 1;
        }
    }
    for ((gap, choice, other, was, is), count) in changes {
        let (was, is) = match was == is {
            true => (
                String::new(),
                format!("still {is}, with another result or promise"),
            ),
            false => (format!("{was} becomes "), is.to_string()),
        };
        writeln!(
            to,
            "    {gap}: {choice} -> {other}, {}: {was}{is}",
            counted(count, "case")
        )?;
    }
    Ok(())
}
