//! Data for the script of the page: JSON, deflated, in base64.
//!
//! Base64 has no character that means something to HTML, so that data needs no
//! escape of its own.

use std::io::{self, Write};

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use serde::Serialize;

/// Chosen by measuring a hundred thousand cases.
pub(super) const LEVEL: Compression = Compression::new(6);

/// `data` for a script tag, packed at `level`.
///
/// # Errors
/// None in practice: memory takes everything, and our data has string keys.
pub(super) fn pack(data: &impl Serialize, level: Compression) -> io::Result<String> {
    let mut deflate = DeflateEncoder::new(Vec::new(), level);
    deflate.write_all(&serde_json::to_vec(data)?)?;
    Ok(BASE64_STANDARD.encode(deflate.finish()?))
}

/// As [`pack`], of a list that comes one after the other.
pub(super) struct Packer(DeflateEncoder<Vec<u8>>);

impl Default for Packer {
    fn default() -> Self {
        Self(DeflateEncoder::new(Vec::new(), LEVEL))
    }
}

impl Packer {
    /// Adds the next of the list.
    ///
    /// # Errors
    /// As [`pack`].
    pub(super) fn add(&mut self, next: &impl Serialize) -> io::Result<()> {
        let begins = if self.0.total_in() == 0 { b"[" } else { b"," };
        self.0.write_all(begins)?;
        self.0.write_all(&serde_json::to_vec(next)?)
    }

    /// How long all of it is, but for what is still being looked at.
    pub(super) fn size(&self) -> usize {
        self.0.total_out() as usize / 3 * 4
    }

    /// All of it.
    ///
    /// # Errors
    /// As [`pack`].
    pub(super) fn done(mut self) -> io::Result<String> {
        let ends: &[u8] = if self.0.total_in() == 0 { b"[]" } else { b"]" };
        self.0.write_all(ends)?;
        Ok(BASE64_STANDARD.encode(self.0.finish()?))
    }
}
