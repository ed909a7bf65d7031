//! The record of a run: its lines, parts, older versions, the schema.

mod broken;
mod jsonl;
mod merge;
mod older;
mod reproduce;
mod schema;
