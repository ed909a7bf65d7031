//! A hole that shows is one that a case of `cases/` shows already.

use std::sync::LazyLock;

use ptodiff_case::{Case, Form, Hole};
use ptodiff_runner::trial;

use super::Finding;
use super::differential::with_steps;
use crate::corpus;
use crate::input::Input;

/// Most clauses of a hole: of a case that breaks more at once it cannot be
/// said which of them matters.
const MOST_CLAUSES: usize = 3;

/// The holes of the harness's own cases.
static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let all = corpus::all().map_or(&[][..], |corpus| &corpus.cases);
    Known::of(all)
});

/// Holes of which there is a case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known(Vec<(Form, Hole)>);

impl Known {
    /// Those that `cases` say they show.
    #[must_use]
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        let of_case = |case: &'a Case| {
            let form = Form::of(&case.call);
            case.holes.iter().map(move |hole| (form, hole.clone()))
        };
        Self(cases.into_iter().flat_map(of_case).collect())
    }

    /// Those of `cases/`.
    #[must_use]
    pub fn here() -> &'static Self {
        &KNOWN
    }

    /// Whether `hole` of a call of `form` is known: in that place or a worse
    /// one, or by some of its clauses alone.
    #[must_use]
    pub fn has(&self, form: Form, hole: &Hole) -> bool {
        self.0.iter().any(|(of, known)| {
            let alike = *of == form && known.kind == hole.kind && known.targets == hole.targets;
            let part = known
                .clauses
                .iter()
                .all(|clause| hole.clauses.contains(clause));
            let whole = known.clauses.len() == hole.clauses.len();
            alike && part && (!whole || known.place <= hole.place)
        })
    }
}

/// Whether every hole that the case shows on the models of the harness is known.
///
/// # Errors
/// The holes that are not, and what no clause explains.
pub fn known(input: &Input, known: &Known) -> Finding {
    let Input { case, schedule } = input;
    let form = Form::of(&case.call);
    let (mut wrong, holes) = with_steps(case, |steps| {
        let trial = trial(case, steps, schedule);
        (trial.unexplained(), trial.holes())
    });
    let new = holes
        .iter()
        .filter(|hole| hole.clauses.len() <= MOST_CLAUSES && !known.has(form, hole));
    wrong.extend(new.map(|hole| format!("a new hole of {form:?}: {hole}")));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(wrong.join("\n"))
}
