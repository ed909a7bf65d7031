//! Wrong models, each with one mistake that an implementer could make. A
//! tester that lets one of them pass is not worth its name.
//!
//! A mutant stands before the right model of its target: it changes the call,
//! the answer to a gap or the result. What none of these shows, a plain walk does
//! that is the same for all forms, with one wrong step. No model is copied, and
//! none knows of its mutants.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod catch;
mod cells;
mod list;
mod mistakes;
mod number;
mod operands;
mod walk;
mod wrong;

use std::sync::OnceLock;

pub use catch::{Caught, HUNT, InCases, caught};
pub use mistakes::is_row;
pub use wrong::Mutant;

/// All mutants, by instruction.
#[must_use]
pub fn mutants() -> &'static [Mutant] {
    static ALL: OnceLock<Vec<Mutant>> = OnceLock::new();
    ALL.get_or_init(list::all)
}
