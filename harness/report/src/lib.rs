//! One record rendered. Everything shown comes from the record
//! and the register alone.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod annotations;
mod cause;
pub mod coverage;
pub mod diff;
mod failure_text;
mod flaky;
mod group;
pub mod html;
pub mod junit;
mod kind;
pub mod line;
pub mod markdown;
mod pairs;
pub mod plain;
mod property;
mod share;
mod slot;
pub mod style;
pub mod summary;
mod totals;
mod unpromised;

pub use annotations::write_annotations;
pub use cause::Cause;
pub use coverage::Coverage;
pub use diff::{Comparison, compare, write_diff, write_diff_html, write_diff_markdown};
pub use failure_text::{LINES, likely_lines, write_groups};
pub use group::{Divergence, Fails, Groups, Kind, biggest, groups};
pub use html::{PageWriter, write_html};
pub use junit::{Junit, write_junit};
pub use line::write_line;
pub use markdown::write_markdown;
pub use summary::{Summary, write_summary};
pub use totals::RunTotals;
