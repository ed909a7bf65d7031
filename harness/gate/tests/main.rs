//! The gate: what is lost, what is waived, what is blessed.

mod bless;
mod common;
mod implementations;
mod lost;
mod waivers;
