//! What the fuzz targets share: cases from bytes, and the oracles.
//!
//! A target in `targets/` is glue: it hands the bytes of libFuzzer to one of
//! [`target::TARGETS`], which panics with what is wrong. All of this is
//! ordinary code, tested without a fuzzer.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod command;
pub mod corpus;
mod glue;
pub mod input;
mod neighbour;
pub mod oracle;
pub mod seeds;
pub mod show;
pub mod target;
