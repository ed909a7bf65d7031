//! What must hold of every input: a library of oracles, one for each target.
//!
//! Each answers with what is wrong, in words; a target panics with it. What an
//! oracle holds to account is an argument where a test hands it a wrong one.

pub mod answer;
pub mod asm;
pub mod case_reader;
pub mod contract;
pub mod differential;
pub mod holes;
pub mod judge;
pub mod npy;
pub mod record;
pub mod st_folder;
pub mod st_name;

use std::fmt::Display;

use ptodiff_edge::text::is_hidden;

/// Nothing is wrong, or what is.
pub type Finding = Result<(), String>;

/// Nothing is wrong where none of these is.
fn none(wrong: &[String]) -> Finding {
    match wrong {
        [] => Ok(()),
        _ => Err(wrong.join("\n")),
    }
}

/// A message says something, and hides nothing.
fn plain(why: &impl Display) -> Finding {
    let said = why.to_string();
    match said.is_empty() || said.chars().any(is_hidden) {
        true => Err(format!("it says {said:?}")),
        false => Ok(()),
    }
}
