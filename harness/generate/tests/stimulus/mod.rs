//! Stimuli of cases built by hand and of random ones.

mod build;
mod golden;
mod large;
mod on_chip;
mod properties;
mod regions;
mod rows;
