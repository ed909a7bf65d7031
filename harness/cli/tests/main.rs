//! The command as its users run it.

mod anywhere;
mod architecture;
#[path = "../../case/tests/blocks.rs"]
mod blocks;
mod clauses;
mod cmd;
mod common;
mod console;
mod guide;
mod lattice;
mod merge_hunts;
mod place;
mod planted;
#[path = "../../record/tests/shown.rs"]
#[allow(dead_code, reason = "a page of commands is followed in another way")]
mod shown;
