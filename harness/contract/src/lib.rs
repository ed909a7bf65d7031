//! What the documents promise: legality and permits per slot.
//!
//! Written over logical coordinates, from the documents alone: for every slot
//! the set of its writers, then a closed form. No kernel is followed here.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod caller;
pub mod lanes;
pub mod launch;
pub mod legality;
pub mod permit;
pub mod precondition;
pub mod promise;
pub mod question;

mod accumulate;
mod address;
mod arithmetic;
mod byte_gather;
mod combine;
mod coord;
mod first;
mod float;
mod gather;
mod l1;
mod mask;
mod meaning;
mod operands;
mod piece;
mod replace;
mod runs;
mod scatter;
mod scatter_operands;
mod selection;
mod strides;
mod sum;
mod tile_scatter;
mod writers;
mod written;

pub use caller::{Duty, duties};
pub use lanes::{Feeder, each_feeder, feeders};
pub use launch::hangs;
pub use legality::{Broken, Enforced, Verbosity, legality};
pub use permit::{OperandPermits, Permit, Permits, Run};
pub use precondition::data_preconditions;
pub use promise::permits;
pub use question::{Promise, Question};
