//! Shrinking: what is left of a case, and what is asked on the way.

mod bounds;
mod build;
mod fitting;
mod hands;
mod simplest;
mod watch;
mod within;
