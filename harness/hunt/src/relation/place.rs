//! Where the elements of an operand stand.

use ptodiff_isa::{BLayout, SLayout, Tile};

/// Rows of a fractal block (FRACTAL_NZ_ROW).
pub(super) const BLOCK_ROWS: u64 = 16;

/// Bytes of one row of a fractal block (C0_SIZE_BYTE).
pub(super) const BLOCK_BYTES: u64 = 32;

/// Element numbers of (row, column) in an operand's body, in closed form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Places {
    row: usize,
    col: usize,
    /// Columns that lie `col` apart before the next block of them begins.
    block: usize,
    /// From one block of columns to the next.
    between: usize,
}

impl Places {
    /// Rows lie `row` apart, columns `col`.
    pub(super) const fn plain(row: u64, col: u64) -> Self {
        Self {
            row: row as usize,
            col: col as usize,
            block: usize::MAX,
            between: 0,
        }
    }

    /// Those of a tile without boxes, or of one in NZ form (000, NZ Layout);
    /// other boxes are beyond every relation.
    pub(super) const fn of_tile(tile: &Tile) -> Self {
        let across = BLOCK_BYTES as usize / tile.dtype.size();
        match (tile.slayout, tile.blayout) {
            (SLayout::NoneBox, BLayout::RowMajor) => Self::plain(tile.cols, 1),
            (SLayout::NoneBox, BLayout::ColMajor) => Self::plain(1, tile.rows),
            _ => Self {
                row: across,
                col: 1,
                block: across,
                between: (tile.rows as usize).saturating_mul(across),
            },
        }
    }

    /// The element number of (`r`, `c`); one that no body has where it does not fit.
    pub(super) const fn at(&self, r: usize, c: usize) -> usize {
        let down = r.saturating_mul(self.row);
        let blocks = (c / self.block).saturating_mul(self.between);
        let inside = (c % self.block).saturating_mul(self.col);
        down.saturating_add(blocks).saturating_add(inside)
    }
}

/// Element `at` of `size` bytes, as an unsigned number.
pub(super) fn read(body: &[u8], at: usize, size: usize) -> u64 {
    let mut word = [0; 8];
    word[..size].copy_from_slice(&body[at * size..][..size]);
    u64::from_le_bytes(word)
}

/// Makes element `at` of `size` bytes the low bytes of `value`.
pub(super) fn write(body: &mut [u8], at: usize, size: usize, value: u64) {
    body[at * size..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
}
