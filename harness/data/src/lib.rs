//! Operand data in files: NPY, and the folders of the ST suites.
//!
//! Formats only. A file holds the *values* of an operand: its valid region
//! (a tile) or its shape (a tensor), without padding and guard zones.
//! [`place`] says where these values stand in an operand's body, [`npy`] reads
//! and writes arrays, [`st`] knows which files a case of a suite has, and
//! [`file`](mod@file) reads what may be hostile.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod file;
pub mod npy;
pub mod place;
pub mod st;
