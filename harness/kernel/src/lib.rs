//! Sources of an implementation around a real PTO library.
//!
//! A [`Harness`] collects calls, of cases or of a [`Lattice`], and gives the
//! files of a C++17 program that instantiates each of them once and speaks the
//! implementation protocol (`harness/impl/PROTOCOL.md`). [`write()`] puts them into
//! a folder.
//!
//! A call is found by its [`key`]: all that is static of it, as one text. What
//! is known at run time only (dynamic extents, the launch, every byte) comes
//! with the request, so that one instantiation serves many calls.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod dialect;
mod emit;
mod key;
mod lattice;
mod program;
mod readme;
mod write;

pub use dialect::Dialect;
pub use key::key;
pub use lattice::{Extents, Lattice, Outer};
pub use program::{File, Harness, HarnessError, MOST_INSTANCES, Places};
pub use write::{WriteError, write};
