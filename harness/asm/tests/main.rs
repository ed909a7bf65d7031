//! Assembly and C++ forms, written and read.

#[path = "../../case/tests/blocks.rs"]
mod blocks;
mod calls;
mod cpp;
mod errors;
mod round_trip;
#[path = "../../record/tests/shown.rs"]
mod shown;
mod words;
