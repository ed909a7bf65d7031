//! The words of the PTO gather and scatter instructions.
//!
//! This crate names things and holds bytes. It is all that the three models
//! and the contract have in common, so it must decide nothing: no function
//! here computes an offset, clamps an index or adds two elements. The lint
//! below is the wall. When a reading matters ([`reading::Gap::may_matter`]) is asked
//! by others only.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
#![deny(clippy::arithmetic_side_effects)]

pub mod argument;
pub mod call;
pub mod clause;
pub mod dtype;
pub mod form;
pub mod launch;
pub mod memory;
pub mod model;
pub mod operand;
pub mod party;
pub mod policy;
pub mod reading;
pub mod target;
pub mod tensor;
pub mod tile;
pub mod trace;
mod word;

pub use argument::Argument;
pub use call::{
    Call, Instruction, Mgather, MgatherL1, Mscatter, MscatterFirst, Operands, Tgatherb,
    TscatterIndex, TscatterMask,
};
pub use clause::Clause;
pub use dtype::DType;
pub use form::Form;
pub use launch::{CacheFlush, Dispatch, Launch};
pub use memory::{Memory, Region, Role};
pub use model::{End, Fault, How, Log, Model, OobAccess, OobAccesses, Rejection, Schedule};
pub use operand::Operand;
pub use party::Party;
pub use policy::{
    Coalesce, GatherExec, GatherOob, MaskAxis, MaskPattern, ScatterAtomicOp, ScatterConflict,
    ScatterOob,
};
pub use reading::choices::*;
pub use reading::{Readings, TargetReadings};
pub use target::Target;
pub use tensor::{GlobalTensor, Layout};
pub use tile::{BLayout, Dim, SLayout, Tile, TileType};
pub use trace::{Core, Event, Pipe, Serves, Space};
