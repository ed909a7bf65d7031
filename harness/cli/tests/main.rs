//! The command as its users run it.

mod anywhere;
mod architecture;
mod clauses;
mod cmd;
mod common;
mod guide;
mod lattice;
mod merge_hunts;
mod place;
mod planted;
