//! Outcomes against permits and against each other: verdicts.
//!
//! [`judge_target`] holds what one party did against the contract,
//! [`judge_pair`] holds two parties against each other, [`outlier`] names
//! the one that stands alone, and [`judge_case`] does all three. [`unused_freedom`] says
//! what nobody made use of. Nothing here
//! knows how a target works: the judge sees bytes, permits and clauses.
//!
//! How values compare:
//! - Integers and moved data compare bit for bit; +0.0 and -0.0 differ.
//! - Between two targets, in a table slot that a floating `ScatterAtomicOp::Add`
//!   wrote, all NaNs are one value: no document fixes the payload that an addition
//!   makes. A slot that must be kept compares bit for bit there too.
//! - `Between` compares numerically, bounds inclusive, -0.0 below +0.0; it holds
//!   a NaN only if both bounds are NaN, or one of its single values is.
//! - A slot under `Anything` is never wrong. Between two targets it is no
//!   difference where it is padding, and a permitted one elsewhere.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod answer;
mod case;
mod clauses;
mod compare;
mod coordinate;
mod execution;
mod failure_group;
mod finding;
mod input;
mod map;
mod outcome;
mod outlier;
mod output_comparison;
mod pair;
mod read_apart;
mod rejection;
mod slots;
mod tally;
mod target;
mod unused_freedom;
mod value;
mod verdict;

pub use answer::{Answer, InputChanged, Ran};
pub use case::judge_case;
pub use coordinate::{Coordinate, Spot, locate};
pub use failure_group::{finding_group, pair_failure_groups, target_failure_groups};
pub use finding::{Detail, Finding, Permitted, Place, SlotFinding, finding};
pub use input::{CaseContext, Expect, Outcome, PartyInput};
pub use map::{each_difference, each_wrong_slot};
pub use outlier::outlier;
pub use pair::judge_pair;
pub use target::judge_target;
pub use unused_freedom::{UnusedFreedom, unused_freedom};
pub use value::Value;
pub use verdict::{
    CaseVerdict, Cause, Differences, NotCompared, PairSlot, PairVerdict, TargetVerdict, Unjudged,
};

/// How many wrong or differing slots a verdict describes in full, and beside them at
/// least one of every kind of place and clause.
pub const DESCRIBED: usize = 8;
