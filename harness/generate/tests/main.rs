//! Cases and data as they are drawn, built and mirrored.

mod literal;
mod mirrored;
mod own;
mod reach;
mod shrink;
mod stimulus;
