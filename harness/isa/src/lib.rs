//! The words of the PTO gather and scatter instructions.
//!
//! This crate names things and holds bytes. It is all that the three models
//! and the contract have in common, so it must decide nothing: no function
//! here computes an offset, clamps an index or adds two elements. The lint
//! below is the wall.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
#![deny(clippy::arithmetic_side_effects)]

pub mod call;
pub mod clause;
pub mod dtype;
pub mod memory;
pub mod model;
pub mod policy;
pub mod reading;
pub mod target;
pub mod tensor;
pub mod tile;
pub mod trace;
mod word;

pub use call::{Call, Instruction, Launch, Mgather, Mscatter};
pub use clause::Clause;
pub use dtype::DType;
pub use memory::{Memory, Region, Role};
pub use model::{Fault, How, Log, Model, Refusal, Schedule, Stray, Strays};
pub use policy::{Coalesce, GatherOob, ScatterAtomicOp, ScatterConflict, ScatterOob};
pub use reading::{CpuForm, NegativeIndex, NzElemOrder, Readings};
pub use target::Target;
pub use tensor::{GlobalTensor, Layout};
pub use tile::{BLayout, Dim, SLayout, Tile, TileType};
pub use trace::{Event, Pipe, Space};
