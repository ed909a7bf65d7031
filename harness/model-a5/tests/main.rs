//! The a5 model against the documents: expected values are worked out by hand.

mod atomic;
mod atomic_readings;
mod caller;
mod common;
mod conflict;
mod first;
mod index_unit;
mod l1;
mod l1_trace;
mod launch;
mod property;
mod readings_preconditions;
mod readings_walk;
mod rejections;
mod rejections_tiles;
mod scatter;
mod tgatherb;
mod trace;
mod tscatter;
