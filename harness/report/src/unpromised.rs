//! Where implementations differ from others and nothing is promised: shown apart, and no
//! failure. Code that rests on one of the values breaks on another target.

use std::collections::BTreeMap;

use ptodiff_record::{CaseRecord, Unpromised as Found, counted, joined};

use crate::slot::{self, alike};

/// Clauses that are shown unless all are.
pub(crate) const MOST: usize = 5;

/// Those differences, by clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unpromised {
    by_clause: BTreeMap<String, Group>,
}

#[derive(Clone, Debug)]
struct Group {
    cases: usize,
    /// The first of them, and what it shows.
    first: String,
    values: String,
}

impl Unpromised {
    pub(crate) fn add(&mut self, case: &CaseRecord) {
        for found in &case.unpromised {
            let group = || Group {
                cases: 0,
                first: case.id.clone(),
                values: format!("{} {}: {}", case.key(found.role), found.at, values(found)),
            };
            let clause = found.clause.clone();
            self.by_clause.entry(clause).or_insert_with(group).cases += 1;
        }
    }

    /// A line a clause, the most frequent first.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut all: Vec<(&String, &Group)> = self.by_clause.iter().collect();
        all.sort_by_key(|(_, group)| std::cmp::Reverse(group.cases));
        let line = |(clause, group): (&String, &Group)| {
            let Group {
                cases,
                first,
                values,
            } = group;
            format!(
                "{values} ({clause}), {}, first {first}",
                counted(*cases, "case")
            )
        };
        all.into_iter().map(line).collect()
    }
}

/// `cpu:real 256.0, a2a3 and a5 2.0`: parties of one value stand together, implementations
/// first. Values with one text have their bits beside it.
fn values(found: &Found) -> String {
    let (own, models): (Vec<_>, Vec<_>) = found.got.iter().partition(|(p, _)| p.form.is_some());
    let all = alike(own.into_iter().chain(models));
    let said = all.iter().map(|(value, parties)| {
        let same = all.iter().filter(|(other, _)| other.value == value.value);
        let text = match same.count() {
            1 => value.value.clone(),
            _ => slot::value(value),
        };
        format!("{} {text}", parties.join(" and "))
    });
    joined(said, ", ")
}
