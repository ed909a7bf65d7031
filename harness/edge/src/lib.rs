//! Where others begin: names and texts of theirs, and their file system.
//!
//! [`text`] shows what others wrote without obeying it, [`consumer`] puts it into
//! what other programs read, [`whole`] writes files whole or not at all, [`place`]
//! names a path in one way, [`renamed`] has the words of the version before. None
//! knows of cases, so that every crate that shows, writes or reads something may use
//! them.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod consumer;
pub mod place;
pub mod renamed;
pub mod text;
pub mod whole;
