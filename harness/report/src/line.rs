//! One line a case.

use std::io::{self, Write};

use ptodiff_isa::Target;
use ptodiff_record::{CaseRecord, PairVerdict, TargetVerdict};

use crate::style::{self, CLAUSE, DIM};

/// Writes the line of one case: its verdict, its name, and what the targets did.
///
/// Conforming targets are joined by `=` where they agree and `~` where they
/// differ with permission; the others follow with the first clause that says why.
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
    let mut lead = if write_conforming(&mut to, case)? {
        "; "
    } else {
        ""
    };
    for (target, record) in &case.targets {
        let word = match record.verdict {
            TargetVerdict::Conforms => continue,
            TargetVerdict::Refused => "refuses",
            TargetVerdict::Undefined => "promises nothing",
            TargetVerdict::Violates => "violates",
        };
        let clause = record
            .reasons
            .first()
            .map(|r| r.clause.as_str())
            .or_else(|| record.findings.first().and_then(|f| f.clause.as_deref()))
            .unwrap_or("");
        write!(
            to,
            "{lead}{DIM}{target} {word}{DIM:#} {CLAUSE}{clause}{CLAUSE:#}"
        )?;
        if record.strays > 0 {
            write!(to, " {DIM}({} outside operands){DIM:#}", record.strays)?;
        }
        lead = "; ";
    }
    for reading in &case.readings {
        write!(to, " {DIM}[{}={}]{DIM:#}", reading.gap, reading.choice)?;
    }
    writeln!(to)
}

/// Writes the conforming targets; says whether there are any.
fn write_conforming(to: &mut impl Write, case: &CaseRecord) -> io::Result<bool> {
    let conforming: Vec<Target> = case
        .targets
        .iter()
        .filter(|(_, r)| r.verdict == TargetVerdict::Conforms)
        .map(|(t, _)| *t)
        .collect();
    for (n, target) in conforming.iter().enumerate() {
        if n > 0 {
            let before = conforming[n - 1];
            let pair = case.pairs.iter().find(|p| p.targets == (before, *target));
            let sign = match pair.map(|p| p.verdict) {
                Some(PairVerdict::Agree) => "=",
                Some(PairVerdict::Permitted) => "~",
                Some(PairVerdict::Violation) => "!",
                Some(PairVerdict::NotCompared) | None => ",",
            };
            write!(to, "{sign}")?;
        }
        write!(to, "{target}")?;
    }
    Ok(!conforming.is_empty())
}
