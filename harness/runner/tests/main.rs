//! Trials of cases, and what is told of them.

mod citations;
mod described;
mod detail;
mod expected;
mod flip;
mod holes;
mod random;
mod witness;
mod worlds;
