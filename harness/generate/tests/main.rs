//! Cases and data as they are drawn, built and mirrored.

mod literal;
mod mirrored;
mod reach;
mod stimulus;
