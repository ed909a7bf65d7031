//! Rows of a call that nobody watches: what loops over them share.

use std::num::NonZero;

use ptodiff_isa::Tile;

use crate::extent::row_bytes;

/// `len` bytes at `at` of a body, if it has all of them, for a loop over rows.
#[inline(always)]
pub(crate) fn span(body: &[u8], at: i64, len: usize) -> Option<&[u8]> {
    body.get(reached(at)?..)?.get(..len)
}

/// [`span`], to be written.
#[inline(always)]
pub(crate) fn span_mut(body: &mut [u8], at: i64, len: usize) -> Option<&mut [u8]> {
    body.get_mut(reached(at)?..)?.get_mut(..len)
}

/// The place of byte `at` of a body; past every body's end if it is negative,
/// so that one comparison finds both.
#[inline(always)]
fn reached(at: i64) -> Option<usize> {
    usize::try_from(at as u64).ok()
}

/// What the bursts of all rows of a call have in common.
pub(crate) struct Bursts {
    /// Bytes moved.
    pub(crate) len: usize,
    /// From one row of the tile to the next.
    pub(crate) tile_pitch: NonZero<usize>,
    /// Rows that may be selected.
    pub(crate) capacity: usize,
}

impl Bursts {
    /// Bursts of `len` bytes from or to the rows of `tile`.
    #[inline(always)]
    pub(crate) fn new<const W: usize>(len: u64, tile: &Tile, capacity: usize) -> Option<Self> {
        Some(Self {
            len: usize::try_from(len).ok()?,
            tile_pitch: row_bytes::<W>(tile)?,
            capacity,
        })
    }
}
