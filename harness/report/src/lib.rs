//! One record rendered. Everything shown comes from the record
//! and the register alone.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod coverage;
pub mod group;
pub mod line;
pub mod style;
pub mod summary;

pub use coverage::Coverage;
pub use group::{Divergence, Kind, groups, write_groups};
pub use line::write_line;
pub use summary::write_summary;
