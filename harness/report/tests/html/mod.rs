//! The page of a run, without a browser: what it holds, what it must not hold,
//! and how large it is. `scripts/browser` tests it in one.

#[path = "../../examples/pages/records/mod.rs"]
mod records;

mod data;
mod place;
pub(crate) mod read;
mod safety;
mod size;
mod summary;
