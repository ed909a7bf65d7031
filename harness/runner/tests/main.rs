//! Trials of cases, and what is told of them.

mod any_call;
mod axes;
mod citations;
mod described;
mod detail;
mod enumerated;
mod expectation;
mod expected;
mod flip;
mod holes;
mod random;
mod readings;
mod worlds;
