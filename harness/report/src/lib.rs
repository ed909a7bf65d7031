//! One record rendered. Everything shown comes from the record
//! and the register alone.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod annotations;
pub mod coverage;
pub mod diff;
mod group;
pub mod html;
pub mod junit;
pub mod line;
pub mod markdown;
pub mod plain;
mod share;
mod slot;
pub mod style;
pub mod summary;

pub use annotations::write_annotations;
pub use coverage::Coverage;
pub use diff::{compare, write_diff, write_diff_html, write_diff_markdown};
pub use group::{Divergence, Kind, groups, write_groups};
pub use html::{Page, write_html};
pub use junit::write_junit;
pub use line::write_line;
pub use markdown::write_markdown;
pub use summary::write_summary;
