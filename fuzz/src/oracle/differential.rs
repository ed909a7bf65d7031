//! Every model keeps the contract, and no two differ without a clause.

use ptodiff_case::Case;
use ptodiff_generate::stimulus;
use ptodiff_isa::{Memory, Schedule};
use ptodiff_runner::trial;

use super::{Finding, none};
use crate::input::Input;

/// Tries a case whose memory before each call is given, under a schedule;
/// failure groups of what no clause explains.
pub type Try<'a> = &'a dyn Fn(&Case, &[Memory], &Schedule) -> Vec<String>;

/// What the models of the harness do with a case.
#[must_use]
pub fn models(case: &Case, steps: &[Memory], schedule: &Schedule) -> Vec<String> {
    trial(case, steps, schedule).unexplained()
}

/// Checks a function that tries a case.
///
/// # Errors
/// The failure groups of what is wrong.
pub fn explained(input: &Input, tries: Try<'_>) -> Finding {
    let Input { case, schedule } = input;
    none(&tries(case, &stimulus(case, 0).steps, schedule))
}
