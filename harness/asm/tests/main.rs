//! Assembly and C++ forms, written and read.

mod calls;
mod common;
mod cpp;
mod errors;
mod round_trip;
#[path = "../../record/tests/shown.rs"]
mod shown;
mod words;
