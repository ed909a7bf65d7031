//! What random cases reach: every value, every pair of values, every rule.

mod axes;
mod drivers;
mod expected;
mod impossible;
mod named;
mod pairs;
mod pinned;
pub(crate) mod read_back;
mod rules;
