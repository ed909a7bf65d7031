//! Which clauses a reading decides how to take.

use std::collections::BTreeSet;

use ptodiff_case::Case;
use ptodiff_isa::{Clause, Target, reading::Gap};
use ptodiff_judge::Answer;

use crate::{Element, Options, context::Prepared, elements, model_of, result_file::held};

/// The clauses by which something else may stand in an element of the output of `case`, or
/// something else keeps it from a result, where `gap` is read in another way.
#[must_use]
pub fn decided(case: &Case, gap: &Gap) -> BTreeSet<Clause> {
    let mut clauses = BTreeSet::new();
    for target in case.targets.iter().filter(|t| gap.targets.contains(t)) {
        let under = |choice: &&str| {
            let options = Options {
                targets: vec![*target],
                readings: vec![(gap.name.to_owned(), (*choice).to_owned())],
                ..Options::default()
            };
            promise(case, *target, &options)
        };
        // Why another target may differ is none of what this one does.
        let of_it = |clause: &Clause| {
            let entry = ptodiff_register::find(clause.0);
            entry.is_none_or(|entry| entry.targets.contains(target))
        };
        let all: Vec<_> = gap.choices.iter().map(under).collect();
        for (n, one) in all.iter().enumerate() {
            for other in &all[n + 1..] {
                clauses.extend(difference(one, other).into_iter().filter(of_it));
            }
        }
    }
    clauses
}

/// What may stand in each element, or the clauses that keep the call from a result.
type Promise = Result<Vec<Element>, BTreeSet<Clause>>;

fn promise(case: &Case, target: Target, options: &Options) -> Promise {
    let prepared = Prepared::new(case, options);
    let context = prepared.context();
    let run = context.under(model_of(target), prepared.readings[target]);
    let returns = matches!(run.answer(), Some(Answer::Ran(_)));
    let permits = run.promise.permits().filter(|_| returns);
    // Of a sparse table there are too many.
    let permits = permits.filter(|_| held(&prepared.steps, [case.call.output()]).is_ok());
    let all = permits.and_then(|permits| elements(case, target, options, permits));
    all.ok_or_else(|| run.reasons().map(|(clause, _)| clause).collect())
}

/// The clauses of what is different.
fn difference(one: &Promise, other: &Promise) -> BTreeSet<Clause> {
    match (one, other) {
        (Ok(one), Ok(other)) => {
            let both = one.iter().zip(other);
            let differ = both.filter(|(a, b)| (a.holds, &a.values) != (b.holds, &b.values));
            let clauses = differ.flat_map(|(a, b)| {
                let freedom = a.freedom.into_iter().chain(b.freedom);
                [a.clause, b.clause].into_iter().chain(freedom)
            });
            clauses.collect()
        }
        (Err(one), Err(other)) => one.symmetric_difference(other).copied().collect(),
        (Ok(_), Err(broken)) | (Err(broken), Ok(_)) => broken.clone(),
    }
}
