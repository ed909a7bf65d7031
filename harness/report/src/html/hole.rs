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

/// The holes of cases that come one after the other, by their text.
#[derive(Default)]
pub(super) struct Shown {
    /// The first cases that show each, and how many do.
    by_text: BTreeMap<String, (Vec<Reference>, usize)>,
    count: usize,
}

impl Shown {
    /// Adds the holes that the next case shows.
    pub(super) fn add(&mut self, case: &CaseRecord) {
        self.count += case.holes.len();
        for hole in &case.holes {
            let (cases, count) = self.by_text.entry(hole.clone()).or_default();
            *count += 1;
            if cases.len() < CASES {
                cases.push(Reference::to(case));
            }
        }
    }
}

impl Holes {
    /// The holes that are shown.
    pub(super) fn of(shown: Shown) -> Self {
        let Shown { by_text, count } = shown;
        let mut by_kind: BTreeMap<String, Vec<Hole>> = BTreeMap::new();
        for (text, (cases, all)) in by_text {
            let more = all - cases.len();
            let (kind, hole) = hole(&text, cases, more);
            by_kind.entry(kind.to_owned()).or_default().push(hole);
        }
        let kind = |(name, holes): (String, Vec<Hole>)| Kind {
            means: means(&name),
            name,
            holes,
        };
        Self {
            count,
            kinds: by_kind.into_iter().map(kind).collect(),
        }
    }
}

/// A hole and its kind.
fn hole(text: &str, cases: Vec<Reference>, more: usize) -> (&str, Hole) {
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
        cases,
        more,
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
