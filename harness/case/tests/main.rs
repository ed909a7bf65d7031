//! The reader of cases: what a file means, and what it rejects where.

mod bad_input;
mod blocks;
mod corpus;
mod floats;
mod hole;
mod lowering;
mod page;
mod pages;
