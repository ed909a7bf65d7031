//! The reader of cases: what a file means, and what it rejects where.

mod bad_input;
mod blocks;
mod corpus;
mod documents;
mod floats;
mod hole;
mod lowering;
mod npy;
mod old_words;
mod page;
mod pages;
mod roundtrip;
mod st_names;
mod text;
mod waivers;
