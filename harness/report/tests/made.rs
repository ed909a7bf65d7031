//! Records made by hand, and what is written of them.

#[path = "../../record/tests/made.rs"]
mod record;

pub(crate) use record::{Record, case, header_with, record};

use ptodiff_record::{CaseRecord, Header};
use serde_json::json;

pub(crate) fn header() -> Header {
    header_with(json!({}))
}

/// The case that `is`, with this failure group.
pub(crate) fn made(is: &str, id: &str, group: &str) -> CaseRecord {
    case(json!({"is": is, "id": id, "group": group}))
}

pub(crate) fn agreeing(id: &str) -> CaseRecord {
    case(json!({"id": id}))
}

pub(crate) fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("text")
}

/// As [`text`], without colours.
pub(crate) fn plain(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    anstream::adapter::strip_str(&text(write)).to_string()
}
