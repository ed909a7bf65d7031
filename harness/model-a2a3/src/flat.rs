//! Plain tiles (002 and 004): no boxes, rows or columns contiguous.

use ptodiff_isa::{BLayout, Tile};

use crate::port::narrow;

/// How a tile's logical positions lie in its storage, in bytes.
pub(crate) struct Flat {
    /// From one row to the next.
    row: i64,
    /// From one column to the next.
    col: i64,
}

impl Flat {
    /// `tile` with elements of `width` bytes, through its own layout.
    pub(crate) fn new(tile: &Tile, width: usize) -> Self {
        let pitch = |elements: u64| narrow(i128::from(elements) * width as i128);
        let (row, col) = match tile.blayout {
            BLayout::RowMajor => (tile.cols, 1),
            BLayout::ColMajor => (1, tile.rows),
        };
        Self {
            row: pitch(row),
            col: pitch(col),
        }
    }

    /// Byte offset of an element from the start of the storage.
    #[inline(always)]
    pub(crate) fn at(&self, row: u64, col: u64) -> i64 {
        let row = (row as i64).saturating_mul(self.row);
        row.saturating_add((col as i64).saturating_mul(self.col))
    }
}
