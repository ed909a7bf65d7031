//! The holes that cases show, by kind, each with where it shows.

use std::collections::BTreeMap;

use ptodiff_record::CaseRecord;
use serde::Serialize;

use super::divergence::Reference;

/// Cases that are named a hole; the rest are counted.
const CASES: usize = 12;

/// The holes that cases show, for the template.
#[derive(Serialize)]
pub(super) struct Holes {
    /// How many there are, as the summary of a run counts them: one that
    /// shows in two forms of an instruction is two.
    count: usize,
    kinds: Vec<Kind>,
}

/// The holes of one kind.
#[derive(Serialize)]
struct Kind {
    name: String,
    /// What that kind is, where it is known.
    means: Option<&'static str>,
    holes: Vec<Hole>,
}

#[derive(Serialize)]
struct Hole {
    targets: String,
    clauses: Vec<String>,
    place: String,
    cases: Vec<Reference>,
    more: usize,
}

impl Holes {
    /// The holes that `cases` show, by their text.
    pub(super) fn of(cases: &[CaseRecord]) -> Self {
        let mut by_text: BTreeMap<&str, Vec<&CaseRecord>> = BTreeMap::new();
        for case in cases {
            for hole in &case.holes {
                by_text.entry(hole).or_default().push(case);
            }
        }
        let count = cases.iter().map(|c| c.holes.len()).sum();
        let mut by_kind: BTreeMap<&str, Vec<Hole>> = BTreeMap::new();
        for (text, cases) in by_text {
            let (kind, hole) = hole(text, &cases);
            by_kind.entry(kind).or_default().push(hole);
        }
        let kind = |(name, holes): (&str, Vec<Hole>)| Kind {
            name: name.to_owned(),
            means: means(name),
            holes,
        };
        Self {
            count,
            kinds: by_kind.into_iter().map(kind).collect(),
        }
    }
}

/// A hole and its kind.
fn hole<'a>(text: &'a str, cases: &[&CaseRecord]) -> (&'a str, Hole) {
    // Four words; a text of another shape is shown as it stands.
    let words: Vec<&str> = text.split_whitespace().collect();
    let (kind, targets, clauses, place) = match words[..] {
        [kind, targets, clauses, place] => (kind, targets, clauses, place),
        _ => (text, "", "", ""),
    };
    let clauses = clauses.split('+').filter(|c| !c.is_empty());
    let hole = Hole {
        targets: targets.to_owned(),
        clauses: clauses.map(str::to_owned).collect(),
        place: place.replace('-', " "),
        cases: cases.iter().take(CASES).map(|c| Reference::to(c)).collect(),
        more: cases.len().saturating_sub(CASES),
    };
    (kind, hole)
}

fn means(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "unchecked-precondition" => {
            "the target's checks accept, and a precondition of the caller is broken"
        }
        "legal-out-of-bounds" => "no rule forbids the call, and an access leaves its operand",
        "one-sided-rejection" => {
            "the first target accepts, the second rejects, and no clause says that only it must"
        }
        "static-only-check" => {
            "rejected with static dimensions, accepted with the same numbers given at run time"
        }
        "open-reading" => "the documents are silent, and the result depends on how they are read",
        _ => return None,
    })
}
