//! The command as its users run it.

mod anywhere;
mod architecture;
mod check;
mod clauses;
mod cmd;
mod common;
mod export;
mod guide;
mod hunt;
mod lattice;
mod merge_hunts;
mod planted;
mod sample;
