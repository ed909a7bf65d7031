//! Names the mistake behind a failure: what would have left these very bytes?
//!
//! An [`Explanation`] is a model with one known deviation, and a sentence: each
//! wrong model of `ptodiff-mutants`, each choice of each reading, what the
//! documents say of another target, another call or other operands in place of
//! those given, and a right result that was spoiled. Where none does, two are tried,
//! one after the other.
//!
//! An explanation is run and judged as the implementation was. It explains a case if
//! it leaves the same values in the slots that the record shows; it contradicts a
//! case that the implementation passed if it would have failed it.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod evidence;
mod explanation;
mod looked;
mod property;
mod rank;
mod search;
mod twist;

pub use evidence::Evidence;
pub use explanation::{Explanation, explanations};
pub use search::diagnose;
