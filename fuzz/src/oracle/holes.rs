//! A hole that shows is one that a case of `cases/` shows already.

use std::sync::LazyLock;

use ptodiff_case::{Case, Form};
use ptodiff_generate::stimulus;
use ptodiff_hunt::Known;
use ptodiff_isa::Schedule;
use ptodiff_runner::trial;

use super::{Finding, none};
use crate::corpus;

/// The holes of the harness's own cases.
static HERE: LazyLock<Known> = LazyLock::new(|| {
    let all = corpus::all().map_or(&[][..], |corpus| &corpus.cases);
    Known::of(all)
});

/// The holes that the cases of `cases/` name.
#[must_use]
pub fn here() -> &'static Known {
    &HERE
}

/// Whether every hole that the case shows on the models of the harness, in the
/// order of a plain run, is known: only such a hole can be kept.
///
/// # Errors
/// The holes that are not, and what no clause explains.
pub fn all_known(case: &Case, known: &Known) -> Finding {
    let form = Form::of(&case.call);
    let steps = stimulus(case, 0).steps;
    let trial = trial(case, &steps, &Schedule::InOrder);
    let (mut wrong, holes) = (trial.unexplained(), trial.holes());
    let new = holes.iter().filter(|hole| known.lacks(form, hole));
    wrong.extend(new.map(|hole| format!("a new hole of {form}: {hole}")));
    none(&wrong)
}
