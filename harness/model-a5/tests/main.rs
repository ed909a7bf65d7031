//! The a5 model against the documents: expected values are worked out by hand.

mod atomic;
mod capacity;
mod common;
mod conflict;
mod dynamic;
mod gather;
mod layout;
mod oob;
mod property;
mod readings;
mod refusals;
mod scatter;
mod schedule;
mod strays;
mod trace;
