//! Data for the script of the page: JSON, deflated, in base64.
//!
//! Base64 has no character that means something to HTML, so that data needs no
//! escape of its own.

use std::io::{self, Write};

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use serde::Serialize;

/// `data` for a script tag.
///
/// # Errors
/// None in practice: memory takes everything, and our data has string keys.
pub(super) fn pack(data: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_vec(data)?;
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
    deflate.write_all(&json)?;
    Ok(BASE64_STANDARD.encode(deflate.finish()?))
}

/// Chosen by measuring a hundred thousand cases.
const LEVEL: u32 = 6;
