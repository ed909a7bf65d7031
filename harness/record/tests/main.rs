//! The record of a run: parts, older versions, the schema.

mod broken;
mod merge;
mod older;
mod schema;
