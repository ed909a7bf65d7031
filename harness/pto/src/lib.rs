//! The text of the public assembler of the PTO ISA: `.pto` files, MLIR in syntax.
//!
//! [`Files`] reads them: every MGATHER, MSCATTER, TSCATTER and TGATHERB becomes a
//! case, all other operations are passed over. Constants are followed to the
//! shapes and strides of views and the valid extents of tiles. [`module`] writes
//! a case as such a file.
//!
//! # What is assumed
//!
//! - A view whose definition is out of sight is packed, and ND; a part of it lies in it. A
//!   remark tells of it.
//! - A valid extent `?` that nothing says is that of the whole tile; a remark
//!   tells of it.
//! - Tiles that want a dynUBufSize of A5 are launched with what they take; a remark tells of it.
//! - A view of fewer than five extents has extents of 1 before them.
//! - An attribute that is missing has its default in the documents.
//! - Where the start of a partition lies in its view makes no difference to a call.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod attributes;
mod definition;
mod files;
mod operation;
mod reader;
mod remarks;
mod resolve;
mod scope;
mod text;
mod tokens;
mod types;
mod views;
mod word;
mod write;

pub use files::{Files, Known, is_pto};
pub use write::{NoSpelling, module};
