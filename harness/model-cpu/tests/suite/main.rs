//! The cpu model against the documents' own examples and hand-worked ones.

mod any_call;
mod common;
mod gather;
mod gather_l1;
mod index_unit;
mod indices;
mod max_min;
mod oob_accesses;
mod padded_table;
mod plain;
mod rejections;
mod row_check;
mod scatter_atomics;
mod scatter_documented;
mod scatter_templated;
mod strategies;
mod tgatherb;
mod traces;
mod traces_of_tiles;
mod tscatter_index;
mod tscatter_mask;
mod tscatter_rows;
mod walks;
