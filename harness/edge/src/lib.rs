//! Where others begin: names and texts of theirs, and their file system.
//!
//! [`text`] shows what others wrote without obeying it, and [`whole`] writes
//! files whole or not at all. Both know nothing of cases, so that every crate
//! that shows or writes something may use them.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod text;
pub mod whole;
