//! The record of a run: its lines, parts, older versions, the schema.

mod broken;
mod detail;
mod diagnosis;
mod jsonl;
mod made;
mod merge;
mod older;
mod partition;
mod reproduce;
mod schema;
mod words;
