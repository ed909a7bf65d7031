//! Where a coordinate of a tile, or a row of a table, lies.
//!
//! Addresses are byte offsets from an operand's body. None is negative, so
//! saturating sums and products are exact up to the point where an address is
//! far outside anything anyway.

use ptodiff_isa::{BLayout, CpuPaddedTable, GlobalTensor, Tile};

/// Bytes of one block, the unit of NZ tiles and of vector transfers.
pub(crate) const BLOCK: usize = 32;

/// Where the element of a coordinate begins.
pub(crate) trait Place: Copy {
    /// The byte offset of element `(r, c)`.
    fn at(self, r: u64, c: u64) -> i64;

    /// How the first `rows` rows lie, of `cols` elements of `width` bytes
    /// each, if neighbours touch all along a row: a piece a row.
    fn rows(self, _width: usize, _rows: u64, _cols: u64) -> Option<Pieces> {
        None
    }

    /// How the first `len` bytes of a row of `width`-byte elements lie, if
    /// neighbours touch in pieces.
    fn pieces(self, width: usize, len: usize) -> Option<Pieces>;
}

/// Equal pieces, of which the last may be shorter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pieces {
    /// Bytes of one piece, at least 1.
    pub(crate) len: usize,
    /// Bytes from one piece to the next, at least `len`.
    pub(crate) step: usize,
    /// Bytes from the first piece to the end of the last.
    pub(crate) reach: usize,
}

/// Bytes from one row, and from one column, to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Steps {
    row: i64,
    col: i64,
}

impl Steps {
    /// A tile's own layout and padded pitch (MSCATTER-GAP-45). Boxes are no
    /// form of this target, so a boxed tile is read by its BLayout alone.
    pub(crate) fn of(tile: &Tile) -> Self {
        Self::in_tile(tile, tile.dtype.size())
    }

    /// The same where the caller knows the width of the tile's elements.
    pub(crate) fn in_tile(tile: &Tile, width: usize) -> Self {
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

    /// Elements of `width` bytes, `row` of them from one row and `col` of
    /// them from one column to the next.
    pub(crate) fn apart(row: u64, col: u64, width: usize) -> Self {
        Self {
            row: span(row, width),
            col: span(col, width),
        }
    }
}

impl Steps {
    /// Whether one row of `cols` columns ends where the next begins, all
    /// columns in one step.
    pub(crate) fn packed(self, cols: u64) -> bool {
        self.row == times(cols, self.col)
    }
}

impl Place for Steps {
    #[inline]
    fn at(self, r: u64, c: u64) -> i64 {
        times(r, self.row).saturating_add(times(c, self.col))
    }

    #[inline]
    fn rows(self, width: usize, rows: u64, cols: u64) -> Option<Pieces> {
        if self.col != span(1, width) {
            return None;
        }
        let (rows, cols) = (usize::try_from(rows).ok()?, usize::try_from(cols).ok()?);
        let len = cols.checked_mul(width)?;
        let step = usize::try_from(self.row).ok()?;
        let reach = match rows.checked_sub(1) {
            Some(others) if len > 0 => others.checked_mul(step)?.checked_add(len)?,
            // Nothing at all.
            Some(_) | None => 0,
        };
        let piece = len.max(1);
        // Rows that overlap are no pieces.
        (step >= len || rows <= 1).then_some(Pieces {
            len: piece,
            step: step.max(piece),
            reach,
        })
    }

    #[inline]
    fn pieces(self, width: usize, len: usize) -> Option<Pieces> {
        let piece = len.max(1);
        (self.col == span(1, width)).then_some(Pieces {
            len: piece,
            step: piece,
            reach: len,
        })
    }
}

/// How many elements the first `rows` rows of `cols` elements of `tile` are, if
/// nothing lies between any of them.
#[inline]
pub(crate) fn gapless(tile: &Tile, rows: u64, cols: u64) -> Option<usize> {
    let touching = match tile.blayout {
        BLayout::RowMajor => tile.cols == cols,
        BLayout::ColMajor => cols == 1,
    };
    let len = rows.checked_mul(cols).filter(|_| touching)?;
    usize::try_from(len).ok()
}

/// The NZ form of an L1 tile: columns of blocks, a block a row, every column
/// of blocks as high as the padded tile (MGATHERL1-NZ-01, -02).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Nz {
    /// Bytes of one column of blocks.
    column: i64,
    /// Elements of a block, as a power of two.
    lanes: u32,
    width: usize,
}

impl Nz {
    /// The NZ form of a tile, whatever layout it names itself: this target
    /// has no check that looks at that.
    pub(crate) fn of(tile: &Tile) -> Self {
        let width = tile.dtype.size();
        Self {
            column: span(tile.rows, BLOCK),
            lanes: (BLOCK / width).ilog2(),
            width,
        }
    }
}

impl Place for Nz {
    #[inline]
    fn at(self, r: u64, c: u64) -> i64 {
        let lane = c & !(u64::MAX << self.lanes);
        times(c >> self.lanes, self.column)
            .saturating_add(span(r, BLOCK))
            .saturating_add(span(lane, self.width))
    }

    #[inline]
    fn pieces(self, _width: usize, len: usize) -> Option<Pieces> {
        // A tile without rows has no columns of blocks to step along.
        let step = usize::try_from(self.column).ok().filter(|&c| c >= BLOCK)?;
        let last = len.saturating_sub(1);
        Some(Pieces {
            len: BLOCK,
            step,
            reach: (last / BLOCK)
                .checked_mul(step)?
                .checked_add(len - last / BLOCK * BLOCK)?,
        })
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

/// The same for a gather to UB, which may read the stride of dimension 3
/// instead (MGATHER-GAP-08).
pub(crate) fn gather_pitch(table: &GlobalTensor, width: usize, reading: CpuPaddedTable) -> i64 {
    match reading {
        CpuPaddedTable::Duty => table_pitch(table, width),
        CpuPaddedTable::Strided => span(table.stride[3].get(), width),
    }
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
        assert_eq!(col_major.pieces(2, 32), None);
    }

    // Of 4 x 16, 15 columns leave a gap and 17 overlap. A single column of a
    // column-major tile has its rows one after another, two have not.
    #[test]
    fn rows_touch_where_they_are_as_long_as_their_pitch() {
        let row_major = tile(4, 16, BLayout::RowMajor);
        assert_eq!(gapless(&row_major, 3, 16), Some(48));
        assert_eq!(gapless(&row_major, 3, 15), None);
        assert_eq!(gapless(&row_major, 3, 17), None);
        assert_eq!(gapless(&row_major, u64::MAX, 16), None);
        let col_major = tile(4, 16, BLayout::ColMajor);
        assert_eq!(gapless(&col_major, 3, 1), Some(3));
        assert_eq!(gapless(&col_major, 3, 2), None);
        assert_eq!(gapless(&col_major, 3, 16), None);
    }

    // MGATHERL1-NZ-01, -02: half (3, 20) of 16 rows is element 308, float
    // (0, 8) element 128; one byte (2, 40) is 1 * 512 + 2 * 32 + 8.
    #[test]
    fn blocks_stand_on_each_other() {
        let mut of = tile(16, 64, BLayout::ColMajor);
        assert_eq!(Nz::of(&of).at(3, 20), 2 * 308);
        assert_eq!(Nz::of(&of).at(0, 15), 30);
        of.dtype = DType::Float;
        assert_eq!(Nz::of(&of).at(0, 8), 4 * 128);
        of.dtype = DType::Int8;
        assert_eq!(Nz::of(&of).at(2, 40), 584);
    }

    #[test]
    fn a_row_lies_in_one_piece_or_in_blocks() {
        let pieces = |len, step, reach| Some(Pieces { len, step, reach });
        let of = tile(16, 64, BLayout::RowMajor);
        assert_eq!(Steps::of(&of).pieces(2, 40), pieces(40, 40, 40));
        assert_eq!(Steps::of(&of).pieces(2, 0), pieces(1, 1, 0));
        assert_eq!(Nz::of(&of).pieces(2, 0), pieces(32, 512, 0));
        assert_eq!(Nz::of(&of).pieces(2, 32), pieces(32, 512, 32));
        assert_eq!(Nz::of(&of).pieces(2, 70), pieces(32, 512, 2 * 512 + 6));
        let empty = Nz::of(&tile(0, 64, BLayout::RowMajor));
        assert_eq!(empty.pieces(2, 32), None);
    }

    // Rows of 4 x 16 halves are 32 bytes apart; of 10 columns, 20 count.
    #[test]
    fn rows_are_pieces_if_none_overlaps_the_next() {
        let pieces = |len, step, reach| Some(Pieces { len, step, reach });
        let of = Steps::of(&tile(4, 16, BLayout::RowMajor));
        assert_eq!(of.rows(2, 3, 16), pieces(32, 32, 96));
        assert_eq!(of.rows(2, 3, 10), pieces(20, 32, 84));
        assert_eq!(of.rows(2, 0, 10), pieces(20, 32, 0));
        assert_eq!(of.rows(2, 3, 0), pieces(1, 32, 0));
        // Two rows of 17 columns share a column, one has it to itself.
        assert_eq!(of.rows(2, 2, 17), None);
        assert_eq!(of.rows(2, 1, 17), pieces(34, 34, 34));
        assert_eq!(of.rows(2, u64::MAX, 16), None);
        let col_major = Steps::of(&tile(4, 16, BLayout::ColMajor));
        assert_eq!(col_major.rows(2, 3, 16), None);
        let nz = Nz::of(&tile(16, 16, BLayout::ColMajor));
        assert_eq!(nz.rows(2, 3, 16), None);
    }

    #[test]
    fn monstrous_extents_saturate() {
        let steps = Steps::of(&tile(u64::MAX, u64::MAX, BLayout::RowMajor));
        assert_eq!(steps.at(0, 7), 14);
        assert_eq!(steps.at(u64::from(u32::MAX), 0), i64::MAX);
        let nz = Nz::of(&tile(u64::MAX, u64::MAX, BLayout::ColMajor));
        assert_eq!(nz.at(0, 7), 14);
        assert_eq!(nz.at(1, 16), i64::MAX);
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
