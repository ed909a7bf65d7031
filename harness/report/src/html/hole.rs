//! The holes that cases show, by kind, each with where it shows.

use std::collections::BTreeMap;

use ptodiff_record::CaseRecord;
use serde_json::{Value, json};

use super::divergence::reference;

/// Cases that are named a hole; the rest are counted.
const CASES: usize = 12;

/// The holes of cases that come one after the other, by their text: the first cases
/// that show each, and how many do.
#[derive(Default)]
pub(super) struct Holes(BTreeMap<String, (Vec<Value>, usize)>);

impl Holes {
    /// Adds the holes that the next case shows.
    pub(super) fn add(&mut self, case: &CaseRecord) {
        for hole in &case.holes {
            let (cases, count) = self.0.entry(hole.clone()).or_default();
            *count += 1;
            if cases.len() < CASES {
                cases.push(reference(case, case.line));
            }
        }
    }

    /// The holes by kind, for the template.
    pub(super) fn by_kind(self) -> Vec<Value> {
        let mut by_kind: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (text, (cases, all)) in self.0 {
            // Four words; a text of another shape is shown as it stands.
            let words: Vec<&str> = text.split_whitespace().collect();
            let (kind, targets, clauses, place) = match words[..] {
                [kind, targets, clauses, place] => (kind, targets, clauses, place),
                _ => (&*text, "", "", ""),
            };
            let clauses = clauses.split('+').filter(|c| !c.is_empty());
            let hole = json!({
                "targets": targets,
                "clauses": clauses.collect::<Vec<_>>(),
                "place": place.replace('-', " "),
                "more": all - cases.len(),
                "cases": cases,
            });
            by_kind.entry(kind.to_owned()).or_default().push(hole);
        }
        let kind = |(name, holes): (String, Vec<Value>)| json!({"means": means(&name), "name": name, "holes": holes});
        by_kind.into_iter().map(kind).collect()
    }
}

/// What holes of a kind are, where it is known.
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
