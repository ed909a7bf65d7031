//! The cpu model against the documents' own examples and hand-worked ones.

mod any_call;
mod common;
mod gather;
mod gather_l1;
mod index_unit;
mod max_min;
mod rejections;
mod scatter;
mod scatter_atomics;
mod tgatherb;
mod tscatter;
