//! The gate: what is lost, what is waived, what is blessed.

mod baseline;
#[path = "../../case/tests/blocks.rs"]
mod blocks;
#[path = "../../record/tests/lay.rs"]
mod lay;
#[path = "../../record/tests/made.rs"]
mod made;
mod pages;
#[path = "../../record/tests/shown.rs"]
mod shown;
