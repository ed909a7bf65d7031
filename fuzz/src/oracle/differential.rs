//! Every model keeps the contract, and no two differ without a clause.

use ptodiff_generate::stimulus;
use ptodiff_isa::Model;
use ptodiff_runner::trial_on;

use super::{Finding, none};
use crate::input::Input;

/// Holds `models` to account on one case.
///
/// # Errors
/// The failure groups of what no clause explains.
pub fn explained(input: &Input, models: &[&dyn Model]) -> Finding {
    let Input { case, schedule } = input;
    let steps = stimulus(case, 0).steps;
    none(&trial_on(models, case, &steps, schedule).unexplained())
}
