//! What no judge sees of the cpu model: what it tells, and what it leaves where the documents
//! let it leave anything. That it leaves and rejects what the contract says, on any call,
//! is tested in `runner`.

mod common;
mod left;
mod told;
