//! The cpu model against the documents' own examples and hand-worked ones.

mod any_call;
mod common;
mod gather;
mod indices;
mod refusals;
mod scatter_documented;
mod scatter_templated;
mod strays;
mod traces;
