//! The gate: what is lost, what is waived, what is blessed.

mod bless;
mod common;
mod lost;
mod subjects;
mod waivers;
