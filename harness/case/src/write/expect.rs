//! Writing what a case says that must be found.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use ptodiff_isa::{DType, Form, Target};

use super::operand::literal;
use super::{in_lines, quoted};
use crate::case::Case;
use crate::expect::{Expectation, ExpectedOutcome, ExpectedSlot, ExpectedSlots, ExpectedTrace};

/// So many equal tokens in a row are written as a range.
const A_RANGE: u64 = 3;
/// A quoted key of more characters is written after a `?`: YAML looks no further for a `:`.
const A_KEY: usize = 1000;

/// Which clauses a case covers, which gap it asks about, which holes
/// it shows, and what must be found.
pub(super) fn all(out: &mut String, case: &Case) {
    if !case.covers.is_empty() {
        let clauses: Vec<_> = case.covers.iter().map(|clause| clause.0).collect();
        let _ = writeln!(out, "    covers: [{}]", clauses.join(", "));
    }
    if let Some(gap) = case.gap {
        let _ = writeln!(out, "    gap: {gap}");
    }
    if !case.holes.is_empty() {
        out.push_str("    holes:\n");
    }
    for hole in &case.holes {
        let _ = writeln!(out, "      - {hole}");
    }
    if case.expect.is_empty() {
        return;
    }
    out.push_str("    expect:\n");
    for entry in &case.expect {
        for (at, line) in one(case, entry).lines().enumerate() {
            let _ = writeln!(out, "      {} {line}", if at == 0 { "-" } else { " " });
        }
    }
}

/// The keys of an entry, in lines.
fn one(case: &Case, entry: &Expectation) -> String {
    let mut out = String::new();
    if entry.targets != case.spoken_of(entry.answer.is_some()) {
        let targets: Vec<_> = entry.targets.iter().map(Target::to_string).collect();
        let _ = writeln!(out, "targets: [{}]", targets.join(", "));
    }
    if let Some(answer) = entry.answer {
        let _ = writeln!(out, "answer: {answer}");
    }
    if entry.outcome != ExpectedOutcome::Result || !entry.says_more_than_a_result() {
        let _ = writeln!(out, "outcome: {}", entry.outcome);
    }
    for held in &entry.slots {
        if let Some(operand) = case.call.operand(held.role) {
            let key = Form::of(&case.call).key(held.role);
            let _ = writeln!(out, "{key}: {}", slots(held, operand.dtype()));
        }
    }
    trace(&mut out, &entry.trace);
    if !entry.spelled.is_empty() {
        out.push_str("spelled:\n");
    }
    for (spelling, pattern) in &entry.spelled {
        let _ = writeln!(out, "  {spelling}: {}", quoted(pattern));
    }
    out
}

fn trace(out: &mut String, trace: &ExpectedTrace) {
    if trace.is_empty() {
        return;
    }
    out.push_str("trace:\n");
    if !trace.count.is_empty() {
        out.push_str("  count:\n");
    }
    for (pattern, count) in &trace.count {
        let pattern = quoted(pattern);
        let _ = if pattern.len() > A_KEY {
            writeln!(out, "    ? {pattern}\n    : {count}")
        } else {
            writeln!(out, "    {pattern}: {count}")
        };
    }
    if !trace.order.is_empty() {
        out.push_str("  order:\n");
    }
    for pattern in &trace.order {
        let _ = writeln!(out, "    - {}", quoted(pattern));
    }
}

/// What an operand holds, in whichever of the two forms is shorter.
fn slots(slots: &ExpectedSlots, dtype: DType) -> String {
    let runs: Vec<(Range<u64>, String)> = slots
        .runs()
        .map(|(run, slot)| (run, token(slot, dtype)))
        .collect();
    let some = mapping(&runs);
    // A token and what stands behind it are two characters at least.
    if slots.elements() > some.len() as u64 {
        return some;
    }
    let each = runs
        .iter()
        .flat_map(|(run, token)| run.clone().map(|_| token.clone()));
    let each = list(&each.collect::<Vec<_>>());
    if some.len() < each.len() { some } else { each }
}

fn token(slot: &ExpectedSlot, dtype: DType) -> String {
    match slot {
        ExpectedSlot::Kept => "_".to_owned(),
        ExpectedSlot::Any => "any".to_owned(),
        ExpectedSlot::OneOf { bits, or_kept } => {
            let mut words: Vec<_> = bits.iter().map(|bits| literal(*bits, dtype)).collect();
            words.extend(or_kept.then(|| "_".to_owned()));
            words.join("|")
        }
    }
}

/// A token for every element.
fn list(tokens: &[String]) -> String {
    format!("[{}]", in_lines(tokens, 2))
}

/// The commonest token as `rest`, the others by where they are.
fn mapping(runs: &[(Range<u64>, String)]) -> String {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for (run, token) in runs {
        *counts.entry(token).or_default() += run.end - run.start;
    }
    // Of two that are as common the same one each time, best the one that goes without saying.
    let commonest = counts
        .iter()
        .max_by_key(|(token, n)| (**n, **token == "_", **token));
    let rest = commonest.map_or("_", |(token, _)| *token);
    let mut entries: Vec<String> = Vec::new();
    // Of short runs that follow each other: where they begin, and a token for each element.
    let mut short: (u64, Vec<String>) = Default::default();
    let close = |short: &mut (u64, Vec<String>), entries: &mut Vec<String>| {
        let (first, tokens) = std::mem::take(short);
        match &tokens[..] {
            [] => {}
            [one] => entries.push(format!("{first}: {one}")),
            more => entries.push(format!("{first}: {}", list(more))),
        }
    };
    for (run, token) in runs {
        let same = run.end - run.start;
        if token == rest {
            close(&mut short, &mut entries);
        } else if same >= A_RANGE {
            close(&mut short, &mut entries);
            entries.push(format!("{}-{}: {token}", run.start, run.end - 1));
        } else {
            if short.1.is_empty() {
                short.0 = run.start;
            }
            short.1.extend((0..same).map(|_| token.clone()));
        }
    }
    close(&mut short, &mut entries);
    if rest != "_" {
        entries.push(format!("rest: {rest}"));
    }
    format!("{{{}}}", in_lines(&entries, 2))
}
