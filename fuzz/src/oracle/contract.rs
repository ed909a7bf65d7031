//! What the contract permits is what every order of the stores can leave.

#[path = "../../../harness/contract/tests/common/same.rs"]
mod same;

use ptodiff_case::Case;
use ptodiff_generate::stimulus;
use ptodiff_isa::{Call, Memory, Target};

use super::Finding;
use same::{Promise, compare};

/// Holds `promise` to account on each target on which the case is legal.
/// Where the enumeration declines, nothing is said.
///
/// # Errors
/// The first slot of which more or less is promised than can be.
pub fn any_case(case: &Case, promise: Promise<'_>) -> Finding {
    let steps = stimulus(case, 0).steps;
    let steps: Vec<&Memory> = steps.iter().collect();
    // What becomes of a scratch that CPU has no use for, no document says (MGATHERL1-GAP-14).
    let unused = matches!(&case.call, Call::MgatherL1(c) if c.scratch.is_some());
    let all = case.targets.iter();
    let mut asked = all.filter(|target| **target != Target::Cpu || !unused);
    asked.try_for_each(|target| {
        let readings = &case.readings[*target];
        match compare(&case.call, &steps, *target, readings, promise) {
            Ok(_) => Ok(()),
            Err(why) => Err(format!("{target}: {why}")),
        }
    })
}
