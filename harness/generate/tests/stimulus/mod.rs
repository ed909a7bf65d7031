//! Stimuli of cases built by hand and of random ones.

pub(crate) mod build;
mod golden;
mod properties;
mod rows;
