//! Data for the script of the page: JSON, deflated, in base64.
//!
//! Base64 has no character that means something to HTML, so that data needs no
//! escape of its own.

use std::io::{self, BufWriter, IntoInnerError, Write};

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use serde::Serialize;

/// `data` for a script tag, packed at `level`.
///
/// # Errors
/// None in practice: memory takes everything, and our data has string keys.
pub(super) fn pack(data: &impl Serialize, level: Compression) -> io::Result<String> {
    let deflate = DeflateEncoder::new(Vec::new(), level);
    // The list of a million cases would be much text.
    let mut deflate = BufWriter::with_capacity(1 << 16, deflate);
    serde_json::to_writer(&mut deflate, data)?;
    let deflate = deflate.into_inner().map_err(IntoInnerError::into_error)?;
    Ok(BASE64_STANDARD.encode(deflate.finish()?))
}

/// As [`pack`], of JSON that comes in pieces.
pub(super) struct Packer(DeflateEncoder<Vec<u8>>);

impl Default for Packer {
    fn default() -> Self {
        Self(DeflateEncoder::new(Vec::new(), LEVEL))
    }
}

impl Packer {
    /// Adds a piece.
    ///
    /// # Errors
    /// None in practice: memory takes everything.
    pub(super) fn add(&mut self, json: &[u8]) -> io::Result<()> {
        self.0.write_all(json)
    }

    /// How long all of it is, but for what is still being looked at.
    pub(super) fn size(&self) -> usize {
        self.0.total_out() as usize / 3 * 4
    }

    /// All of it.
    ///
    /// # Errors
    /// As [`Packer::add`].
    pub(super) fn done(self) -> io::Result<String> {
        Ok(BASE64_STANDARD.encode(self.0.finish()?))
    }
}

/// Chosen by measuring a hundred thousand cases.
pub(super) const LEVEL: Compression = Compression::new(6);
