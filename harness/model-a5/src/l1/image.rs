//! The NZ image of a tile in L1 (MGATHERL1-NZ-01, -02).

use ptodiff_isa::{Fault, Tile};

use crate::extent::Valid;

/// Bytes of one row of a block.
pub(crate) const C0_BYTES: usize = 32;

/// Elements of one row of a block, of `W` bytes each: `kC0`.
pub(crate) const fn c0<const W: usize>() -> u32 {
    (C0_BYTES / W) as u32
}

/// A padded tile as blocks of `kC0` columns, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Image(Valid);

impl Image {
    /// The image of a padded tile.
    ///
    /// # Errors
    /// If the tile could stand in no memory.
    pub(crate) fn new(tile: &Tile) -> Result<Self, Fault> {
        Valid::padded(tile).map(Self)
    }

    /// Padded rows, which are also the 32-byte units from block to block.
    pub(crate) fn rows(self) -> u32 {
        self.0.rows
    }

    /// Elements of the image.
    pub(crate) fn count(self) -> u32 {
        self.0.count()
    }

    /// Whether it has a place of its own for each element of a region: a valid
    /// extent that is given at run time may be too large.
    pub(crate) fn holds(self, valid: Valid) -> bool {
        valid.rows <= self.0.rows && valid.cols <= self.0.cols
    }

    /// Elements of one block of `kC0` columns.
    pub(crate) fn block<const W: usize>(self) -> i64 {
        i64::from(self.0.rows) * i64::from(c0::<W>())
    }

    /// Element number of a logical position.
    pub(crate) fn at<const W: usize>(self, row: u32, col: u32) -> i64 {
        let [row, col, c0] = [row, col, c0::<W>()].map(i64::from);
        col / c0 * self.block::<W>() + row * c0 + col % c0
    }

    /// Logical position of an element of the image (MGATHERL1-EXEC-08).
    pub(crate) fn position<const W: usize>(self, offset: u32) -> (u32, u32) {
        let row_of_blocks = offset / c0::<W>();
        let (block, row) = (row_of_blocks / self.0.rows, row_of_blocks % self.0.rows);
        (row, block * c0::<W>() + offset % c0::<W>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_are_each_others_inverse() {
        // Thirty-two rows of 48 columns: three blocks of 16 halves.
        let image = Image(Valid { rows: 32, cols: 48 });
        assert_eq!(image.at::<2>(0, 15), 15);
        assert_eq!(image.at::<2>(1, 0), 16);
        assert_eq!(image.at::<2>(0, 16), 512);
        assert_eq!(image.at::<2>(31, 47), 1535);
        for offset in 0..image.count() {
            let (row, col) = image.position::<2>(offset);
            assert_eq!(image.at::<2>(row, col), i64::from(offset));
        }
    }
}
