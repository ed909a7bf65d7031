//! The command as its users run it.

mod anywhere;
mod architecture;
mod check;
mod clauses;
mod cmd;
mod commands;
mod common;
mod cpp_harness;
mod export;
mod first_steps;
mod forms;
mod guide;
mod hunt;
mod lattice;
mod merge_hunts;
mod mistakes;
mod planted;
mod sample;
mod selftest;
mod st;
mod st_again;
