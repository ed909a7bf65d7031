//! The conformance gate: a record held against what is known.
//!
//! Two files say what is known. `reports/waivers.yaml` is written by people:
//! violations with a cause, an owner and a last day. `reports/baseline.json`
//! is written by [`bless()`]: which cases ran on which parties, which clauses
//! they cover, which holes they show. [`judge()`] fails on
//!
//! - a violation that no waiver hides, and what is flaky where that is asked for,
//! - a case that is gone, or that has no result on a party where it had one, or of an
//!   implementation no right rejection or hang, or compares two parties no longer,
//! - a clause that is covered on fewer targets, or only under a reading that
//!   is not the default; a gap that is distinguished no longer,
//! - a hole that no case shows any more,
//! - a waiver that hides nothing, is past its day, or is wider than what it hides.
//!
//! A waiver hides one failure group. It is wider than what it hides where
//!
//! - it lists a case that does not show the failure group, though another does,
//! - it lists no case, and a single case shows it,
//! - its pair is `*`, and all that it hides is recorded under one.
//!
//! A waiver that is past its day hides nothing. What a record has beyond the
//! baseline is no failure: [`Judged::unlisted`] counts it until it is blessed.
//!
//! The day is an argument: nothing here looks at a clock.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod baseline;
mod bless;
mod failure;
mod judge;
mod prune;
mod shown;
mod strict;
mod violation;
mod waive;

pub use baseline::{Baseline, BaselineError};
pub use bless::{Blessing, CannotBless, Change, bless};
pub use failure::{Failure, Kind};
pub use judge::{Judged, Run, judge};
pub use ptodiff_case::waiver::{self, Date, Waiver, Waivers};
pub use shown::{Covered, Distinguished};
pub use waive::Waived;
