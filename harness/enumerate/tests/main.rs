//! The brute force, against orders worked out by hand.

mod any_input;
mod common;
mod displaced;
mod first;
mod gather;
mod gather_l1;
mod rows_of_tiles;
mod scatter;
mod scatter_places;
mod tiles;
mod worlds;
