//! One record rendered. Everything shown comes from the record alone.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod group;
pub mod line;
pub mod style;
pub mod summary;

pub use group::{Divergence, Kind, groups, write_groups};
pub use line::write_line;
pub use summary::write_summary;
