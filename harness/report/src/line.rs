//! One line a case.

use std::{
    collections::BTreeSet,
    io::{self, Write},
};

use ptodiff_isa::Party;
use ptodiff_record::{
    CaseRecord, PairRecord, PairVerdict, TargetRecord, TargetVerdict, counted, joined,
};

use crate::{
    kind::{Kind, is_own_word},
    style::{self, CLAUSE, DIM},
};

/// Writes the line of one case: its verdict, its name, and what the targets did.
///
/// Conforming parties are joined by `=` where they agree and `~` where they
/// differ with permission; the others follow with the first clause that says
/// why, or what was found where none does, then the readings that matter and
/// the clauses that they deviate from.
///
/// # Errors
/// What the writer gives.
pub fn write_line(mut to: impl Write, case: &CaseRecord) -> io::Result<()> {
    let word = style::verdict(case.verdict);
    write!(
        to,
        "{word}{:>10}{word:#}  {}  ",
        case.verdict.to_string(),
        case.id
    )?;
    let mut lead = "";
    if let Some(conforming) = conforming(case) {
        write!(to, "{conforming}")?;
        lead = "; ";
    }
    for (target, record) in &case.targets {
        if record.verdict == TargetVerdict::Conforms {
            continue;
        }
        let violates = record.verdict == TargetVerdict::Violates;
        let found = &record.findings;
        let is_unmet = |finding| Kind::of(finding) == Kind::Expectation;
        let unmet = violates && !found.is_empty() && found.iter().all(is_unmet);
        let word = match unmet {
            true => "not as expected",
            false => style::did(record.verdict),
        };
        let reason = record.reasons.first().map(|r| r.clause.as_str());
        let found_by = found.first().filter(|f| !is_own_word(f));
        let found_by = found_by.and_then(|f| f.clause.as_deref());
        // What was expected and what came is a sentence.
        // What is due to be rejected may fail in another way.
        let clause = match violates && !found.is_empty() {
            true => found_by.filter(|_| !unmet),
            false => reason,
        };
        let said = match record.verdict {
            TargetVerdict::Unsupported => record.why.as_deref(),
            // Of what no clause is about, the finding says it.
            _ if clause.is_none() => found.first().map(|f| f.what.as_str()),
            _ => None,
        };
        write!(to, "{lead}{DIM}{target} {word}{DIM:#}")?;
        if let Some(clause) = clause {
            let by = if violates { "" } else { " by" };
            write!(to, "{DIM}{by}{DIM:#} {CLAUSE}{clause}{CLAUSE:#}")?;
        }
        if let Some(why) = said {
            write!(to, " {DIM}({why}){DIM:#}")?;
        }
        if record.out_of_bounds > 0 {
            let accesses = counted(record.out_of_bounds, "out-of-bounds access");
            write!(to, " {DIM}({accesses}){DIM:#}")?;
        }
        lead = "; ";
    }
    let conforming = case.targets.iter();
    let conforming = conforming.filter(|(_, record)| record.verdict == TargetVerdict::Conforms);
    let excused: Vec<(&Party, (u64, &str))> = conforming
        .map(|(party, record)| (party, (record.out_of_bounds, by(record))))
        .filter(|(_, (accesses, _))| *accesses > 0)
        .collect();
    for alike in excused.chunk_by(|a, b| a.1 == b.1) {
        let parties = joined(alike.iter().map(|(party, _)| party), ", ");
        let (accesses, by) = alike[0].1;
        let accesses = counted(accesses, "out-of-bounds access");
        write!(
            to,
            " {DIM}({parties}: {accesses}, which {by} excuses){DIM:#}"
        )?;
    }
    for reading in &case.readings {
        write!(to, " {DIM}[{}={}", reading.gap, reading.choice)?;
        for (other, verdict) in &reading.verdict_under {
            write!(to, "; {other}: {verdict}")?;
        }
        write!(to, "]{DIM:#}")?;
    }
    let clauses = deviations(case);
    if !clauses.is_empty() {
        let all = joined(clauses, " ");
        write!(to, " {DIM}deviates from{DIM:#} {CLAUSE}{all}{CLAUSE:#}")?;
    }
    writeln!(to)
}

/// What excuses its accesses out of bounds; older records do not name it.
fn by(record: &TargetRecord) -> &str {
    record.excused_by.as_deref().unwrap_or("a clause")
}

/// The conforming targets, joined by how they compare, if there are any.
pub(crate) fn conforming(case: &CaseRecord) -> Option<String> {
    let all = case.targets.iter();
    let mut all = all.filter(|(_, r)| r.verdict == TargetVerdict::Conforms);
    let (mut before, _) = all.next()?;
    let mut out = before.to_string();
    for (target, _) in all {
        let two = |p: &&PairRecord| p.targets.0 == *before && p.targets.1 == *target;
        let pair = case.pairs.iter().find(two);
        out.push(match pair.map(|p| p.verdict) {
            Some(PairVerdict::Agree) => '=',
            Some(PairVerdict::Permitted) => '~',
            Some(PairVerdict::Violation) => '!',
            Some(PairVerdict::NotCompared) | None => ',',
        });
        out.push_str(&target.to_string());
        before = target;
    }
    Some(out)
}

/// The clauses that the case's readings deviate from, on any target.
pub(crate) fn deviations(case: &CaseRecord) -> BTreeSet<&str> {
    let reasons = case.targets.values().flat_map(|t| &t.deviates_from);
    reasons.map(|reason| reason.clause.as_str()).collect()
}
