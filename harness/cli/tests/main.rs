//! The command as its users run it.

mod absent;
mod architecture;
mod bad_input;
mod clauses;
mod commands;
mod common;
mod cpp_harness;
mod export;
mod first_steps;
mod fix;
mod forms;
mod gate;
mod gate_again;
mod guide;
mod hunt;
mod lattice;
mod merge;
mod options;
mod planted;
mod reader_left;
mod report;
mod sample;
mod selftest;
mod st;
mod st_again;
