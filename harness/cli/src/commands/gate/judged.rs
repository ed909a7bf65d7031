//! What a gate comes to, in words.

use std::io::{self, Write};

use ptodiff_edge::consumer::message;
use ptodiff_gate::{Failure, Judged, Kind, Waivers};
use ptodiff_record::counted;
use ptodiff_report::{
    RunTotals,
    style::{BAD, BOLD, DIM},
};

use super::Gate;
use crate::{
    args::Show,
    exit::{Error, Exit},
    out::stdout,
    plain,
    reports::{Reports, on_github},
    text::joined,
};

/// Failures of a kind that are told, but for violations.
const MOST: usize = 10;

pub(super) fn write_judged(
    judged: &Judged,
    reports: &mut Reports,
    waivers: &Waivers,
    (failures, exit): (usize, Exit),
    args: &Gate,
) -> Result<(), Error> {
    let mut out = stdout();
    let violations = judged.failures.iter();
    let violations = violations
        .take_while(|f| f.kind <= Kind::WaiverExpired)
        .count();
    let (violations, others) = judged.failures.split_at(violations);
    let shown = &args.output_args;
    let all = shown.shows(Show::All);
    write_failing(&mut out, reports, violations, all)?;
    if !violations.is_empty() {
        write_follow(&mut out, judged, all)?;
    }
    if !shown.quiet {
        write_entries(&mut out, &judged.entries, waivers, all)?;
    }
    for of_kind in others.chunk_by(|one, next| one.kind == next.kind) {
        let most = if all { of_kind.len() } else { MOST };
        write_failures(&mut out, &of_kind[..most.min(of_kind.len())])?;
        if let Some(more) = of_kind.len().checked_sub(most).filter(|more| *more > 0) {
            let kind = of_kind[0].kind;
            writeln!(out, "    {DIM}and{DIM:#} {more} more {kind}: --show all")?;
        }
    }
    let waived = judged.waived.iter().filter(|_| !shown.quiet);
    for waived in waived {
        let Some(waiver) = waivers.list.get(waived.waiver) else {
            continue;
        };
        writeln!(
            out,
            "{DIM}waived{DIM:#} {}, {waived}, until {}, {DIM}{}:{}{DIM:#}",
            plain::text(&waiver.failure_group),
            waiver.expires,
            plain::path(&waivers.file.path),
            waiver.line
        )?;
    }
    if violations.is_empty() && !shown.quiet {
        write_follow(&mut out, judged, all)?;
    }
    for party in judged.new_parties.iter().filter(|_| !shown.quiet) {
        writeln!(
            out,
            "{DIM}not yet in the baseline{DIM:#} {party}: what it does not run fails nothing \
             before `{} --bless` takes it in",
            args.command()
        )?;
    }
    let unlisted = judged.unlisted.first().filter(|_| !shown.quiet);
    if all {
        for case in &judged.unlisted {
            writeln!(
                out,
                "{DIM}not yet in the baseline{DIM:#} {}",
                plain::text(case)
            )?;
        }
    }
    if let Some(first) = unlisted {
        let help = match violations.is_empty() {
            true => format!("`{} --bless` takes them in", args.command()),
            // Nothing is blessed that shows one.
            false => "to look only at those that are: `--cases PATH`, or `--from` the record of \
                      a run that selects them"
                .to_owned(),
        };
        writeln!(
            out,
            "{DIM}not yet in the baseline{DIM:#} {}, first {}; {help}",
            counted(judged.unlisted.len(), "case"),
            plain::text(first),
        )?;
    }
    // What fails is told above.
    let totals = &mut reports.summary.totals;
    totals.failing = 0;
    let said = totals.said(&[]);
    match failures {
        0 if exit == Exit::Nothing => write_nothing(&mut out, totals)?,
        0 => writeln!(out, "{BOLD}the gate passed{BOLD:#}: {said}")?,
        n => {
            let failed = if args.dry_run { "would fail" } else { "failed" };
            let failures = counted(n, "failure");
            writeln!(out, "{BAD}the gate {failed}{BAD:#}: {failures}, {said}")?;
        }
    }
    if on_github() {
        write_annotations(&mut out, &judged.failures)?;
    }
    Ok(())
}

/// Says why nothing was tested.
pub(super) fn write_nothing(out: &mut impl Write, totals: &RunTotals) -> io::Result<()> {
    let cases = counted(totals.cases, "case");
    let idle = joined(totals.idle(), ", ");
    let lacks = totals.lacks();
    let why = match idle.is_empty() {
        true if !lacks.is_empty() => format!("{cases} judged, {lacks}"),
        true => format!("no target promises a result in any of {cases}"),
        false => format!("{} ran none of {cases}", plain::text(&idle)),
    };
    let what = match totals.is_incomplete() {
        true => "not all was tested",
        false => "nothing was tested",
    };
    writeln!(out, "{BAD}{what}{BAD:#}: {why}")
}

/// Writes what comes of the violations above.
fn write_follow(out: &mut impl Write, judged: &Judged, all: bool) -> io::Result<()> {
    if all {
        for failure in &judged.follow {
            write!(out, "    {DIM}as cases fail{DIM:#} ")?;
            write_failures(out, std::slice::from_ref(failure))?;
        }
    } else if let Some(first) = judged.follow.first() {
        let lost = match judged.follow.len() {
            1 => "1 clause or gap is".to_owned(),
            n => format!("{n} clauses and gaps are"),
        };
        writeln!(
            out,
            "    {DIM}as cases fail{DIM:#} {lost} covered less, first {}: --show all",
            plain::text(&first.about)
        )?;
    }
    Ok(())
}

/// What `violations` are, as a run tells it, and what the gate says of them.
pub(super) fn write_failing(
    out: &mut impl Write,
    reports: &mut Reports,
    violations: &[Failure],
    all: bool,
) -> io::Result<()> {
    let told = violations.iter().any(|own| own.kind != Kind::OtherRun);
    if told && reports.write_failures(&mut *out, all)? {
        writeln!(out)?;
    }
    write_failures(out, violations)
}

/// The kind stands out; what follows has no control characters. What is to be done stands
/// below the last of those that want the same.
pub(super) fn write_failures(out: &mut impl Write, failures: &[Failure]) -> io::Result<()> {
    for (n, failure) in failures.iter().enumerate() {
        let mut text = failure.to_string();
        let next = failures.get(n + 1);
        if next.is_some_and(|next| next.remedy == failure.remedy) {
            text.truncate(text.rfind('\n').unwrap_or(text.len()));
        }
        let kind = failure.kind.to_string();
        let rest = text.strip_prefix(&kind).unwrap_or(&text);
        writeln!(out, "{BAD}{kind}{BAD:#}{rest}")?;
    }
    Ok(())
}

/// What a file of waivers needs to hide the first of the violations, or all of them.
pub(super) fn write_entries(
    out: &mut impl Write,
    entries: &[String],
    waivers: &Waivers,
    all: bool,
) -> io::Result<()> {
    let most = if all { entries.len() } else { 1 };
    let (told, others) = entries.split_at(most.min(entries.len()));
    if told.is_empty() {
        return Ok(());
    }
    let it = match entries.len() {
        1 => "it",
        _ if all => "them",
        _ => "the first",
    };
    let (put, head) = match waivers.list.is_empty() {
        true => ("write this to", "waivers:\n"),
        false => ("add this to", ""),
    };
    let path = plain::path(&waivers.file.path);
    let others = match others.len() {
        0 => String::new(),
        n => format!("; {n} more: --show all"),
    };
    writeln!(
        out,
        "{DIM}to waive {it} until a day, {put} {path}{others}{DIM:#}"
    )?;
    let text = format!("{head}{}", told.concat());
    for line in text.lines() {
        writeln!(out, "{}", plain::text(line))?;
    }
    Ok(())
}

/// The failures as annotations of a GitHub check, which shows no more of a step.
fn write_annotations(out: &mut impl Write, failures: &[Failure]) -> io::Result<()> {
    for failure in failures.iter().take(ptodiff_report::annotations::MOST) {
        let text = message(&failure.to_string());
        writeln!(out, "::error title=ptodiff gate::{text}")?;
    }
    Ok(())
}
