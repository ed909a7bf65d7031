//! Rows of a call that nobody watches: what loops over them share.

use std::num::NonZero;

use ptodiff_isa::Tile;
use pulp::Arch;

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

/// Bytes that a core's first cache mostly holds.
pub(crate) const FIRST_CACHE: usize = 32 << 10;

/// What the bursts of all rows of a call have in common.
#[derive(Clone, Copy)]
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

    /// What `copy` gives of these bursts. Where the machine has wide registers,
    /// it is compiled for them and for each length that rows mostly have.
    // Such a row is a few loads and stores then: less than a call that copies it.
    #[inline(always)]
    pub(crate) fn copied(self, copy: impl FnOnce(Self) -> usize) -> usize {
        match (Arch::new(), self.len) {
            (Arch::Scalar, _) => copy(self),
            (wide, 32) => self.copied_by::<32>(wide, copy),
            (wide, 64) => self.copied_by::<64>(wide, copy),
            (wide, 128) => self.copied_by::<128>(wide, copy),
            (wide, 256) => self.copied_by::<256>(wide, copy),
            _ => copy(self),
        }
    }

    /// [`Bursts::copied`] of bursts of `LEN` bytes, which these are.
    #[inline(always)]
    fn copied_by<const LEN: usize>(self, wide: Arch, copy: impl FnOnce(Self) -> usize) -> usize {
        wide.dispatch(
            #[inline(always)]
            || copy(Self { len: LEN, ..self }),
        )
    }
}
