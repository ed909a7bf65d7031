//! From logical coordinates to element offsets.

use ptodiff_isa::{BLayout, GlobalTensor, Layout, SLayout, Tile};

/// Bytes of one row of a fractal, so of one NZ column block (MSCATTER-NZ-01, MGATHER-NZ-02).
pub(crate) const BLOCK_BYTES: u64 = 32;
/// The same, of what is in memory.
pub(crate) const BLOCK: usize = BLOCK_BYTES as usize;
/// Rows of one fractal (MSCATTER-NZ-02, MGATHER-NZ-03).
pub(crate) const FRACTAL_ROWS: u64 = 16;

/// Where the logical elements of a tile stand.
///
/// All layouts are one formula: the column block chooses a slab, the row and
/// the column inside the block a place in it. A tile without boxes is one block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// Rows that count.
    pub(crate) rows: usize,
    /// Columns that count.
    pub(crate) cols: usize,
    /// Padded rows.
    pub(crate) padded_rows: usize,
    /// Elements of the padded image.
    pub(crate) elems: usize,
    block_shift: u32,
    block_mask: usize,
    block_step: usize,
    /// From one row to the next.
    pub(crate) row_step: usize,
    /// From one column of a block to the next.
    pub(crate) col_step: usize,
}

impl Plane {
    /// The plane of `tile`; `None` if its image is larger than memory can be.
    pub(crate) fn of(tile: &Tile) -> Option<Self> {
        let rows = usize::try_from(tile.rows).ok()?;
        let cols = usize::try_from(tile.cols).ok()?;
        let elems = rows.checked_mul(cols)?;
        let valid = [tile.valid_row, tile.valid_col].map(|dim| usize::try_from(dim.get()).ok());
        let plain = Self {
            padded_rows: rows,
            ..Self::strided([valid[0]?, valid[1]?], [cols, 1], elems)
        };
        Some(match (tile.slayout, tile.blayout) {
            (SLayout::NoneBox, BLayout::RowMajor) => plain,
            (SLayout::NoneBox, BLayout::ColMajor) => Self {
                row_step: 1,
                col_step: rows,
                ..plain
            },
            _ => {
                let block = block_cols(tile.dtype.size());
                Self {
                    block_shift: block.trailing_zeros(),
                    block_mask: block - 1,
                    block_step: rows.checked_mul(block)?,
                    row_step: block,
                    ..plain
                }
            }
        })
    }

    /// Rows and columns at these steps among `elems` elements, without padding.
    pub(crate) const fn strided(extents: [usize; 2], steps: [usize; 2], elems: usize) -> Self {
        Self {
            rows: extents[0],
            cols: extents[1],
            padded_rows: extents[0],
            elems,
            block_shift: usize::BITS - 1,
            block_mask: usize::MAX,
            block_step: 0,
            row_step: steps[0],
            col_step: steps[1],
        }
    }

    /// Whether storage position `at` of the image is a valid one.
    pub(crate) const fn holds(&self, at: usize) -> bool {
        let by_rows = self.col_step == 1 && self.padded_rows > 1;
        let (r, c) = match at.checked_div(self.block_step) {
            Some(block) => {
                let (width, rest) = (self.block_mask + 1, at % self.block_step);
                (rest / width, block * width + rest % width)
            }
            None if by_rows => (at / self.row_step, at % self.row_step),
            None => (at % self.col_step, at / self.col_step),
        };
        r < self.rows && c < self.cols
    }

    /// Element offset of logical (r, c).
    pub(crate) const fn at(&self, r: usize, c: usize) -> usize {
        if self.block_step == 0 {
            return r * self.row_step + c * self.col_step;
        }
        let (block, within) = (c >> self.block_shift, c & self.block_mask);
        block * self.block_step + r * self.row_step + within * self.col_step
    }

    /// Whether the columns of a row stand next to each other, all of them.
    pub(crate) const fn rows_contiguous(&self) -> bool {
        self.block_step == 0 && self.col_step == 1
    }

    /// Whether there is an element for each of these positions, and one for each row where
    /// rows have none.
    pub(crate) fn covers(&self, [rows, cols]: [usize; 2]) -> bool {
        let positions = rows.checked_mul(cols);
        positions.is_some_and(|n| n.max(rows) <= self.elems)
    }

    /// Padded columns.
    pub(crate) fn padded_cols(&self) -> usize {
        self.elems / self.padded_rows.max(1)
    }

    /// Visits every valid (r, c) with its element offset, in the order in which they
    /// stand: by rows or columns, in an NZ tile by column block, row and column of the
    /// block (MSCATTER-NZ-13).
    pub(crate) fn each_stored(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let by_columns = self.block_step == 0 && self.col_step != 1;
        let width = match (self.block_step, by_columns) {
            (0, true) => 1,
            (0, false) => self.cols.max(1),
            _ => self.block_mask + 1,
        };
        for first in (0..self.cols).step_by(width) {
            for r in 0..self.rows {
                let mut at = self.at(r, first);
                for c in first..(first + width).min(self.cols) {
                    visit(r, c, at);
                    at += self.col_step;
                }
            }
        }
    }

    /// Visits what stands between and after the valid elements: the first offset and the
    /// number of elements.
    pub(crate) fn each_gap(&self, mut visit: impl FnMut(usize, usize)) {
        let mut next = 0;
        self.each_stored(|_, _, at| {
            if next < at {
                visit(next, at - next);
            }
            next = at + 1;
        });
        visit(next, self.elems - next);
    }
}

/// Columns of one NZ block, for elements of `size` bytes.
pub(crate) const fn block_cols(size: usize) -> usize {
    BLOCK / size
}

/// The block-strided addressing of an NZ table (MSCATTER-GAP-25, MGATHER-GAP-22).
///
/// Divisions truncate, so that a negative index under the literal reading goes
/// where signed C++ arithmetic would send it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NzTable {
    stride: [i64; 4],
    blocks: i64,
    /// Columns of a block.
    pub(crate) block: i64,
    /// Logical columns.
    pub(crate) cols: i64,
}

impl NzTable {
    /// The addressing of `table`, if it is an NZ table.
    pub(crate) fn of(table: &GlobalTensor) -> Option<Self> {
        if table.layout != Layout::NZ {
            return None;
        }
        let block = block_cols(table.dtype.size()) as i64;
        let [batches, blocks, ..] = table.shape.map(|d| saturated(d.get()));
        let [s0, s1, s2, s3, _] = table.stride.map(|d| saturated(d.get()));
        Some(Self {
            stride: [s0, s1, s2, s3],
            blocks: blocks.max(1),
            block,
            cols: batches.saturating_mul(blocks).saturating_mul(block).max(1),
        })
    }

    /// Element offset where column block number `block` of a logical row begins.
    pub(crate) const fn block_at(&self, row: i64, block: i64) -> i64 {
        let [s0, s1, s2, s3] = self.stride;
        let fractal = FRACTAL_ROWS as i64;
        s0.saturating_mul(block / self.blocks)
            .saturating_add(s1.saturating_mul(block % self.blocks))
            .saturating_add(s2.saturating_mul(row / fractal))
            .saturating_add(s3.saturating_mul(row % fractal))
    }

    /// Element offset of linear index `k` (MSCATTER-INDEX-04, MGATHER-INDEX-04).
    pub(crate) const fn linear(&self, k: i64) -> i64 {
        let (row, col) = (k / self.cols, k % self.cols);
        self.block_at(row, col / self.block)
            .saturating_add(col % self.block)
    }
}

/// Every (r, c) below `extents`, in logical order.
pub(crate) fn all([rows, cols]: [usize; 2]) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |r| (0..cols).map(move |c| (r, c)))
}

/// `v` as a signed number, at most the largest one.
pub(crate) fn saturated(v: u64) -> i64 {
    i64::try_from(v).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{DType, Dim, TileType};

    use super::*;

    fn tile(rows: u64, cols: u64, blayout: BLayout, slayout: SLayout) -> Tile {
        Tile {
            location: TileType::Vec,
            dtype: DType::Half,
            rows,
            cols,
            valid_row: Dim::Static(rows.min(2)),
            valid_col: Dim::Static(cols.min(3)),
            blayout,
            slayout,
            fractal: 512,
        }
    }

    #[test]
    fn the_valid_places_are_those_of_the_valid_positions() {
        use BLayout::{ColMajor, RowMajor};
        use SLayout::NoneBox;
        for t in [
            tile(4, 5, RowMajor, NoneBox),
            tile(4, 1, RowMajor, NoneBox),
            tile(1, 5, RowMajor, NoneBox),
            tile(4, 5, ColMajor, NoneBox),
            tile(4, 1, ColMajor, NoneBox),
            tile(1, 5, ColMajor, NoneBox),
            tile(16, 32, ColMajor, SLayout::RowMajor),
        ] {
            let plane = Plane::of(&t).unwrap();
            let mut valid = vec![false; plane.elems];
            for r in 0..plane.rows {
                for c in 0..plane.cols {
                    valid[plane.at(r, c)] = true;
                }
            }
            let held: Vec<bool> = (0..plane.elems).map(|at| plane.holds(at)).collect();
            assert_eq!(held, valid, "{t:?}");
            let mut kept = vec![true; plane.elems];
            plane.each_gap(|at, len| kept[at..at + len].fill(false));
            assert_eq!(kept, valid, "{t:?}");
        }
    }
}
