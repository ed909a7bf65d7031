//! Where a coordinate of a tile, or a row of a table, lies.
//!
//! Addresses are byte offsets from an operand's body. None is negative, so
//! saturating sums and products are exact up to the point where an address is
//! far outside anything anyway.

use ptodiff_isa::{BLayout, GlobalTensor, Tile};

/// Bytes from one row, and from one column, of a tile to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Steps {
    row: i64,
    col: i64,
}

impl Steps {
    /// A tile's own layout and padded pitch (MSCATTER-GAP-45). Boxes are no
    /// form of this target, so a boxed tile is read by its BLayout alone.
    pub(crate) fn of(tile: &Tile) -> Self {
        let width = tile.dtype.size();
        match tile.blayout {
            BLayout::RowMajor => Self {
                row: span(tile.cols, width),
                col: span(1, width),
            },
            BLayout::ColMajor => Self {
                row: span(1, width),
                col: span(tile.rows, width),
            },
        }
    }

    /// Where element `(r, c)` begins.
    #[inline]
    pub(crate) fn at(self, r: u64, c: u64) -> i64 {
        times(r, self.row).saturating_add(times(c, self.col))
    }

    /// Whether neighbours in a row of `width`-byte elements touch.
    pub(crate) fn contiguous(self, width: usize) -> bool {
        self.col == span(1, width)
    }

    /// Whether one row of `cols` columns ends where the next begins.
    pub(crate) fn packed(self, cols: u64) -> bool {
        self.row == times(cols, self.col)
    }
}

/// Bytes of `count` elements of `width` bytes.
#[inline]
pub(crate) fn span(count: u64, width: usize) -> i64 {
    times(count, i64::try_from(width).unwrap_or(i64::MAX))
}

/// `count` steps, at most `i64::MAX`.
#[inline]
pub(crate) fn times(count: u64, step: i64) -> i64 {
    i64::try_from(count)
        .unwrap_or(i64::MAX)
        .saturating_mul(step)
}

/// Rows that a Row index may select: Shape[3] (MGATHER-CAP-01).
pub(crate) fn table_rows(table: &GlobalTensor) -> u64 {
    table.shape[3].get()
}

/// Slots that an Elem index may select: all five extents (MGATHER-CAP-04).
pub(crate) fn table_size(table: &GlobalTensor) -> u64 {
    table
        .shape
        .iter()
        .fold(1, |size, dim| u64::saturating_mul(size, dim.get()))
}

/// Bytes from one table row to the next: Shape[4] elements, strides unread (MGATHER-TABLE-04).
pub(crate) fn table_pitch(table: &GlobalTensor, width: usize) -> i64 {
    span(table.shape[4].get(), width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptodiff_isa::{DType, Dim, SLayout, TileType};

    fn tile(rows: u64, cols: u64, blayout: BLayout) -> Tile {
        Tile {
            location: TileType::Vec,
            dtype: DType::Half,
            rows,
            cols,
            valid_row: Dim::Static(rows),
            valid_col: Dim::Static(cols),
            blayout,
            slayout: SLayout::NoneBox,
            fractal: 512,
        }
    }

    #[test]
    fn each_layout_steps_its_own_way() {
        let row_major = Steps::of(&tile(4, 16, BLayout::RowMajor));
        assert_eq!(row_major.at(2, 3), 70);
        assert!(row_major.packed(16) && !row_major.packed(15));
        let col_major = Steps::of(&tile(4, 16, BLayout::ColMajor));
        assert_eq!(col_major.at(2, 3), 28);
        assert!(!col_major.contiguous(2));
    }

    #[test]
    fn monstrous_extents_saturate() {
        let steps = Steps::of(&tile(u64::MAX, u64::MAX, BLayout::RowMajor));
        assert_eq!(steps.at(0, 7), 14);
        assert_eq!(steps.at(u64::from(u32::MAX), 0), i64::MAX);
    }

    #[test]
    fn an_empty_extent_empties_even_a_monstrous_table() {
        let big = Dim::Static(u64::MAX);
        let mut table = GlobalTensor {
            dtype: DType::Half,
            shape: [big; 5],
            stride: [Dim::Static(1); 5],
            layout: ptodiff_isa::Layout::ND,
        };
        assert_eq!(table_size(&table), u64::MAX);
        table.shape[4] = Dim::Dynamic(0);
        assert_eq!(table_size(&table), 0);
    }
}
