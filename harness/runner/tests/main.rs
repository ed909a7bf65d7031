//! Trials of cases, and what is told of them.

mod any_call;
mod axes;
#[path = "../../case/tests/blocks.rs"]
mod blocks;
mod citations;
mod described;
mod detail;
mod enumerated;
mod expectation;
mod flip;
mod random;
mod readings;
#[path = "../../record/tests/shown.rs"]
mod shown;
mod worlds;
