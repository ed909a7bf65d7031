//! The record of a run: its lines, parts, older versions, the schema.

mod broken;
mod detail;
mod jsonl;
mod lay;
mod made;
mod merge;
mod older;
mod partition;
mod schema;
mod words;
