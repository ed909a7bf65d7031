//! The contract against the documents, by hand and by brute force.

mod byte_gather;
mod cited;
mod common;
mod data_preconditions;
mod differences;
mod enumeration;
mod first;
mod gather;
mod index_unit;
mod l1;
mod lanes;
mod launch;
mod legality_choices;
mod legality_rules;
mod mask;
mod oob_accesses;
mod operands;
mod scatter;
mod small_worlds;
mod sums;
mod tile_scatter;
