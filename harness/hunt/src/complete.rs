//! What is kept, made complete: no hole shows in it, or in cases of files,
//! that it does not know.

use ptodiff_case::Case;
use ptodiff_generate::stimulus;
use ptodiff_isa::Schedule;
use ptodiff_record::Verdict;
use ptodiff_runner::trial;
use rayon::prelude::*;

use crate::{Found, Known, Plan, distil::smallest_of, distinct};

/// The seed that cases of files are run with where none is given.
const SEED: u64 = 0;

/// `kept`, and a smallest case of each further hole that shows in a case of
/// `given` that `plan` could draw, or beside the hole that a case was kept
/// for. Of these, the cases without which nothing would be unknown are left
/// out. `known` is what is known without them.
///
/// A case is looked at under the seed that a run takes by itself and in the
/// order of a plain run; where its result is defined, under every reading.
#[must_use]
pub fn complete(plan: &Plan, given: &[Case], kept: Vec<Case>, known: &Known) -> Vec<Case> {
    let given = given.iter().filter(|case| plan.takes(case));
    let mut cases: Vec<Case> = given.chain(&kept).cloned().collect();
    let mut kept = kept;
    // Each round keeps a hole that was not known before: it ends.
    while !cases.is_empty() {
        let all = distinct(&look_at(&cases));
        let known = known.with(&kept);
        let more = smallest_of(SEED, &|number| cases[number as usize].clone(), &all, &known);
        kept.extend_from_slice(&more);
        cases = more;
    }
    without_spare(kept, known)
}

/// What `cases` show, each under its place among them.
fn look_at(cases: &[Case]) -> Found {
    let one = |(number, case): (usize, &Case)| {
        let mut found = Found::default();
        let steps = stimulus(case, SEED).steps;
        let trial = trial(case, &steps, &Schedule::InOrder);
        if trial.unexplained().is_empty() {
            let mut holes = trial.holes();
            if let Verdict::Agree | Verdict::Permitted | Verdict::Single = trial.verdict() {
                holes.extend(trial.open_readings(&[]));
            }
            found.note_holes(number as u64, case, holes);
        }
        found
    };
    let together = |mut all: Found, one: Found| {
        all.merge(one);
        all
    };
    let cases = cases.par_iter().enumerate();
    cases.map(one).reduce(Found::default, together)
}

/// `kept` without the cases whose holes `known` and the other cases have.
fn without_spare(mut kept: Vec<Case>, known: &Known) -> Vec<Case> {
    let mut at = 0;
    while at < kept.len() {
        let case = kept.remove(at);
        if !known.with(&kept).has_all(&case) {
            kept.insert(at, case);
            at += 1;
        }
    }
    kept
}
