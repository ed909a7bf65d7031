//! What the documents promise: legality and permits per slot.
//!
//! Written over logical coordinates, from the documents alone: for every slot
//! the set of its writers, then a closed form. No kernel is followed here.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod duty;
pub mod lanes;
pub mod legality;
pub mod permit;
pub mod promise;

mod accumulate;
mod combine;
mod coord;
mod float;
mod gather;
mod meaning;
mod replace;
mod runs;
mod scatter;
mod selection;
mod sum;
mod writers;

pub use duty::data_duties;
pub use lanes::{Feeder, feeders};
pub use legality::{Broken, Enforced, legality};
pub use permit::{OperandPermits, Permit, Permits, Run};
pub use promise::{Unusable, permits};
