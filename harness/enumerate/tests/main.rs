//! The brute force, against orders worked out by hand.

mod any_input;
mod common;
mod first;
mod gather;
mod gather_l1;
mod scatter;
mod scatter_places;
mod tiles;
