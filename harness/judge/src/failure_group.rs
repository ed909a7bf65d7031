//! Failure groups: short strings by which findings of many cases are grouped and waived.
//!
//! `INSTRUCTION PARTY PLACE CLAUSE` for what a party did wrong, and
//! `INSTRUCTION PARTY/PARTY KIND PLACE CLAUSES` for two that differ, `-`
//! where there is no clause. What an implementation did against no clause, or in the place of
//! an answer, ends with the cause in words: a signal, its last line, the text of its check. No
//! shape, no value and no offset is in them: two cases that fail for the same reason have the
//! same failure groups.

use ptodiff_isa::{Clause, Instruction, Party};

use crate::{Cause, Detail, Finding, NotCompared, PairVerdict, Place, TargetVerdict, Unjudged};

/// The failure groups of what a party did wrong; empty if it did nothing wrong.
#[must_use]
pub fn target_failure_groups(
    instruction: Instruction,
    party: &Party,
    verdict: &TargetVerdict,
) -> Vec<String> {
    match verdict {
        TargetVerdict::Violates { findings, .. } => findings
            .iter()
            .map(|f| finding_group(instruction, party, f))
            .collect(),
        TargetVerdict::Unjudged(why) => {
            let why = match why {
                Unjudged::NoAnswer => "no-answer",
                Unjudged::NoPermits => "no-permits",
                Unjudged::NothingCompared => "nothing-compared",
            };
            vec![format!("{instruction} {party} unjudged {why}")]
        }
        TargetVerdict::Conforms { .. }
        | TargetVerdict::RejectedAsDocumented { .. }
        | TargetVerdict::Hangs(_)
        | TargetVerdict::Undefined(_)
        | TargetVerdict::Unsupported(_) => Vec::new(),
    }
}

/// The failure group of one thing that a party did wrong.
#[must_use]
pub fn finding_group(instruction: Instruction, party: &Party, finding: &Finding) -> String {
    let clause = name(finding.clause);
    let group = format!("{instruction} {party} {} {clause}", finding.place);
    // What came in the place of an answer is no matter of the clause that was due.
    let has_words = finding.clause.is_none() || finding.place >= Place::Crash;
    match &finding.detail {
        // Only implementations have words of their own.
        Detail::Text(text) if has_words && party.form.is_some() => match cause(text) {
            none if none.is_empty() => group,
            cause => format!("{group} {cause}"),
        },
        _ => group,
    }
}

/// Characters of a cause that are kept.
const CAUSE: usize = 100;

/// What is the same in `text` whenever the cause is: numbers become `#`, template
/// arguments and the folders of files are left out. Of a long one the first characters, and a
/// digest of all.
fn cause(text: &str) -> String {
    let mut out = String::new();
    // Of a name or of a number, which goes on as long as letters and digits come.
    let (mut of_name, mut of_number) = (false, false);
    for word in without_arguments(text).split_whitespace() {
        // Of a file only the name says something.
        let word = match word.rsplit_once('/') {
            Some((before, name)) if !before.is_empty() && !name.is_empty() => name,
            _ => word,
        };
        if !out.is_empty() {
            out.push(' ');
        }
        for c in word.chars() {
            let goes_on = is_of_name(c);
            match c {
                _ if goes_on && of_number => {}
                c if c.is_ascii_digit() && !of_name => {
                    of_number = true;
                    out.push('#');
                }
                c => {
                    of_name = goes_on;
                    out.push(c);
                }
            }
            if !goes_on {
                (of_name, of_number) = (false, false);
            }
        }
        (of_name, of_number) = (false, false);
    }
    match out.char_indices().nth(CAUSE) {
        // FNV-1a, which is the same everywhere: groups stand in files.
        Some((at, _)) => {
            let step = |sum: u32, byte: u8| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            let digest = out.bytes().fold(0x811C_9DC5, step);
            format!("{}...{digest:08x}", &out[..at])
        }
        None => out,
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// `text` with `<>` in the place of what stands in brackets behind a name. A `<` that has no
/// partner is an operator.
fn without_arguments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mut depth = 0_usize;
        let ends = after.char_indices().find(|(_, c)| {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let ends = ends.filter(|_| before.ends_with(is_of_name));
        out.push_str(if ends.is_some() { "<>" } else { "<" });
        rest = &after[ends.map_or(0, |(end, _)| end) + 1..];
    }
    out + rest
}

/// The failure groups of how two parties differ, in order, each once; empty if
/// they agree, if nothing was to be compared, and where a party's own
/// failure groups say it already.
#[must_use]
pub fn pair_failure_groups(
    instruction: Instruction,
    parties: &[Party; 2],
    verdict: &PairVerdict,
) -> Vec<String> {
    let [a, b] = parties;
    let (kind, differences) = match verdict {
        PairVerdict::Permitted { differences, .. } => ("permitted", differences),
        PairVerdict::Violation {
            cause: Cause::Contradiction,
            differences,
        } => ("contradiction", differences),
        PairVerdict::NotCompared(NotCompared::NothingCompared) => {
            return vec![format!("{instruction} {a}/{b} nothing-compared")];
        }
        PairVerdict::Agree { .. } | PairVerdict::Violation { .. } | PairVerdict::NotCompared(_) => {
            return Vec::new();
        }
    };
    let described = differences.described.iter();
    let mut failure_groups: Vec<_> = described
        .map(|slot| {
            let clauses = if slot.clauses.is_empty() {
                slot.ruled.map(name).join("/")
            } else {
                let names: Vec<_> = slot.clauses.iter().map(|clause| clause.0).collect();
                names.join("+")
            };
            format!("{instruction} {a}/{b} {kind} {} {clauses}", slot.place)
        })
        .collect();
    failure_groups.sort_unstable();
    failure_groups.dedup();
    failure_groups
}

fn name(clause: Option<Clause>) -> &'static str {
    clause.map_or("-", |clause| clause.0)
}
