//! Assembly and C++ forms, written and read.

mod common;
mod cpp;
mod documents;
mod errors;
mod reading;
mod round_trip;
