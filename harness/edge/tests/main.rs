//! Texts and files of others.

mod consumer;
mod place;
mod renamed;
mod text;
mod whole;
