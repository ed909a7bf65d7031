//! The cpu model against the documents' own examples and hand-worked ones.

mod any_call;
mod common;
mod gather;
mod gather_l1;
mod indices;
mod large_operands;
mod large_tables;
mod many_lanes;
mod max_min;
mod padded_table;
mod plain;
mod refusals;
mod scatter_atomics;
mod scatter_documented;
mod scatter_templated;
mod strategies;
mod strays;
mod tgatherb;
mod traces;
mod traces_of_tiles;
mod tscatter_index;
mod tscatter_mask;
mod whole_rows;
