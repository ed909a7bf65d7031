//! Valid regions and where a tile's elements stand in its storage.

use ptodiff_isa::{BLayout, Fault, Tile};

/// Most elements that a region or an allocation may have; UB holds 2^18 bytes.
const MAX_COUNT: u64 = 1 << 28;
/// Farthest element number in a tile, so that sums of two stay inside `i64`.
pub(crate) const MAX_OFFSET: i64 = 1 << 60;

/// Rows and columns that drive a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Valid {
    pub(crate) rows: u32,
    pub(crate) cols: u32,
}

impl Valid {
    /// A region of that size; 0 by 0 where either extent is 0.
    ///
    /// # Errors
    /// If no memory holds so many elements.
    #[inline]
    pub(crate) fn new(rows: u64, cols: u64) -> Result<Self, Fault> {
        if rows == 0 || cols == 0 {
            return Ok(Self { rows: 0, cols: 0 });
        }
        match (u32::try_from(rows), u32::try_from(cols)) {
            (Ok(rows), Ok(cols)) if u64::from(rows) * u64::from(cols) <= MAX_COUNT => {
                Ok(Self { rows, cols })
            }
            _ => Err(too_large()),
        }
    }

    /// The run-time valid region of a tile.
    ///
    /// # Errors
    /// If no memory holds so many elements.
    #[inline]
    pub(crate) fn of(tile: &Tile) -> Result<Self, Fault> {
        Self::new(tile.valid_row.get(), tile.valid_col.get())
    }

    /// The whole allocation of a tile.
    ///
    /// # Errors
    /// If no memory holds so many elements.
    pub(crate) fn padded(tile: &Tile) -> Result<Self, Fault> {
        Self::new(tile.rows, tile.cols)
    }

    /// Elements in the region.
    pub(crate) fn count(self) -> u32 {
        self.rows * self.cols
    }

    /// The same positions in the same order as one row.
    pub(crate) fn flat(self) -> Self {
        Self {
            rows: 1,
            cols: self.count(),
        }
    }

    /// Row and column of the last position of a region that is not empty.
    pub(crate) fn last(self) -> (u32, u32) {
        (self.rows - 1, self.cols - 1)
    }

    /// Row and column of a flat position inside the region.
    #[inline(always)]
    pub(crate) fn position(self, flat: u32) -> (u32, u32) {
        (flat / self.cols, flat % self.cols)
    }
}

/// `tile_offset_2d` of one tile: elements from row to row and from column to column.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    row: i64,
    pub(crate) col: i64,
    /// From the last column of a row to the first of the next.
    pub(crate) turn: i64,
}

impl Steps {
    /// Steps of `tile`, walked over `valid`.
    ///
    /// # Errors
    /// If the walk reaches farther than any memory.
    #[inline(always)]
    pub(crate) fn new(tile: &Tile, valid: Valid) -> Result<Self, Fault> {
        let (row, col) = match tile.blayout {
            BLayout::RowMajor => (tile.cols, 1),
            BLayout::ColMajor => (1, tile.rows),
        };
        // A step that is never taken must not count against the limit.
        let row = if valid.rows > 1 { row } else { 0 };
        let col = if valid.cols > 1 { col } else { 1 };
        let reach = |count: u32, step| u64::from(count).saturating_sub(1).saturating_mul(step);
        let farthest = reach(valid.rows, row).saturating_add(reach(valid.cols, col));
        if farthest > MAX_OFFSET.cast_unsigned() {
            return Err(too_large());
        }
        // Either step is taken, and no longer than the walk, or is 0 or 1.
        Ok(Self::walked(row.cast_signed(), col.cast_signed(), valid))
    }

    /// Steps from neighbour to neighbour, `step` elements apart.
    pub(crate) fn column(step: i64) -> Self {
        Self {
            row: step,
            col: 1,
            turn: step,
        }
    }

    /// The same steps with rows and columns exchanged, walked over `valid`,
    /// whose extents are exchanged already.
    pub(crate) fn exchanged(self, valid: Valid) -> Self {
        let col = if valid.cols > 1 { self.row } else { 1 };
        Self::walked(self.col, col, valid)
    }

    #[inline(always)]
    fn walked(row: i64, col: i64, valid: Valid) -> Self {
        Self {
            row,
            col,
            turn: row - (i64::from(valid.cols) - 1) * col,
        }
    }

    /// Whether a flat position of `valid`, which is walked, is its element's number.
    pub(crate) fn is_dense(self, valid: Valid) -> bool {
        self.col == 1 && (self.turn == 1 || valid.rows == 1)
    }

    /// Whether each row of `valid`, which is walked, is neighbours and none
    /// overlaps the next: a valid extent that is given at run time may be too large.
    pub(crate) fn has_whole_rows(self, valid: Valid) -> bool {
        self.col == 1 && (self.turn >= 1 || valid.rows == 1)
    }

    /// Whether no two positions of `valid`, which is walked, are one element: rows
    /// follow each other, or columns do.
    pub(crate) fn is_apart(self, valid: Valid) -> bool {
        self.turn >= 1 || self.col > (i64::from(valid.rows) - 1) * self.row
    }

    /// Element number of a valid position.
    pub(crate) fn at(self, row: u32, col: u32) -> i64 {
        i64::from(row) * self.row + i64::from(col) * self.col
    }
}

/// The fault of a call whose operands could stand in no memory.
#[cold]
#[inline(never)]
fn too_large() -> Fault {
    Fault("a region that fits no memory".into())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use ptodiff_isa::{DType, Dim, SLayout, TileType};

    /// A tile of which all is valid.
    pub(crate) fn tile(blayout: BLayout, rows: u64, cols: u64) -> Tile {
        Tile {
            location: TileType::Vec,
            dtype: DType::Int32,
            rows,
            cols,
            valid_row: Dim::Static(rows),
            valid_col: Dim::Static(cols),
            blayout,
            slayout: SLayout::NoneBox,
            fractal: 512,
        }
    }

    /// Whether a region of a tile is dense, and whether it has whole rows.
    fn shape(tile: Tile, rows: u32, cols: u32) -> (bool, bool) {
        let valid = Valid { rows, cols };
        let steps = Steps::new(&tile, valid).unwrap();
        (steps.is_dense(valid), steps.has_whole_rows(valid))
    }

    #[test]
    fn a_region_is_dense_where_its_positions_are_neighbours() {
        let (by_row, by_col) = (BLayout::RowMajor, BLayout::ColMajor);
        assert_eq!(shape(tile(by_row, 4, 8), 4, 8), (true, true));
        // Padding below or beside one row is never met.
        assert_eq!(shape(tile(by_row, 4, 8), 3, 8), (true, true));
        assert_eq!(shape(tile(by_row, 4, 8), 1, 5), (true, true));
        assert_eq!(shape(tile(by_row, 4, 8), 2, 5), (false, true));
        // A region wider than its tile: rows overlap.
        assert_eq!(shape(tile(by_row, 4, 8), 2, 9), (false, false));
        assert_eq!(shape(tile(by_row, 4, 8), 1, 9), (true, true));
        assert_eq!(shape(tile(by_col, 4, 8), 4, 8), (false, false));
        assert_eq!(shape(tile(by_col, 4, 8), 1, 8), (false, false));
        // One column has no neighbours across, whatever it is padded with.
        assert_eq!(shape(tile(by_col, 4, 8), 4, 1), (true, true));
        assert_eq!(shape(tile(by_row, 4, 8), 4, 1), (false, true));
    }

    #[test]
    fn positions_are_apart_where_rows_or_columns_follow_each_other() {
        let (by_row, by_col) = (BLayout::RowMajor, BLayout::ColMajor);
        let is_apart = |tile: Tile, rows, cols| {
            let valid = Valid { rows, cols };
            Steps::new(&tile, valid).unwrap().is_apart(valid)
        };
        for (blayout, rows, cols, expected) in [
            (by_row, 4, 8, true),
            (by_row, 2, 9, false),
            // Rows or columns beyond the tile are apart as long as no other meets them.
            (by_row, 9, 8, true),
            (by_row, 1, 9, true),
            (by_col, 4, 8, true),
            (by_col, 5, 2, false),
            (by_col, 4, 9, true),
            (by_col, 5, 1, true),
        ] {
            assert_eq!(is_apart(tile(blayout, 4, 8), rows, cols), expected);
        }
        // All columns of a tile without rows begin at one element.
        assert!(!is_apart(tile(by_col, 0, 8), 1, 2));
    }

    #[test]
    fn exchanged_steps_walk_column_by_column() {
        let exchanged = |tile: Tile, rows, cols| {
            let steps = Steps::new(&tile, Valid { rows, cols }).unwrap();
            let valid = Valid {
                rows: cols,
                cols: rows,
            };
            (steps.exchanged(valid), valid)
        };
        let (steps, valid) = exchanged(tile(BLayout::ColMajor, 4, 8), 4, 8);
        assert!(steps.is_dense(valid));
        assert_eq!(steps.at(7, 3), 31);
        let (steps, valid) = exchanged(tile(BLayout::RowMajor, 4, 8), 3, 5);
        assert!(!steps.is_dense(valid));
        assert_eq!(steps.at(4, 2), 2 * 8 + 4);
        // From the end of a column to the top of the next one.
        assert_eq!(steps.turn, 1 - 2 * 8);
        // One row becomes one column of neighbours.
        let (steps, valid) = exchanged(tile(BLayout::RowMajor, 4, 8), 1, 8);
        assert!(steps.is_dense(valid));
        assert_eq!(steps.at(7, 0), 7);
        // One column becomes one row.
        let (steps, _) = exchanged(tile(BLayout::RowMajor, 4, 8), 4, 1);
        assert_eq!(steps.at(0, 3), 24);
    }

    #[test]
    fn a_region_has_as_many_elements_as_a_memory_may_hold() {
        let side = 1 << 14;
        assert_eq!(Valid::new(side, side).unwrap().count(), 1 << 28);
        assert!(Valid::new(side, side + 1).is_err());
        // Their product has 64 bits, and more.
        assert!(Valid::new(1 << 31, 1 << 31).is_err());
        assert!(Valid::new(1 << 33, 1).is_err());
        assert!(Valid::new(1, 1 << 33).is_err());
    }

    #[test]
    fn a_walk_may_reach_the_farthest_element_and_none_beyond() {
        let reaches = |step, rows, cols| {
            let is_ok = |tile, rows, cols| Steps::new(&tile, Valid { rows, cols }).is_ok();
            let by_row = is_ok(tile(BLayout::RowMajor, 1, step), rows, cols);
            let by_col = is_ok(tile(BLayout::ColMajor, step, 1), cols, rows);
            assert_eq!(by_row, by_col);
            by_row
        };
        assert!(reaches(1 << 60, 2, 1));
        assert!(!reaches((1 << 60) + 1, 2, 1));
        assert!(!reaches(1 << 60, 2, 2));
        assert!(reaches((1 << 60) - 1, 2, 2));
        // Twice that is 2^64.
        assert!(!reaches(1 << 63, 3, 1));
        // A step that is never taken may be any.
        assert!(reaches(1 << 63, 1, 2));
        assert!(reaches(u64::MAX, 1, 1));
    }

    #[test]
    fn the_last_position_ends_a_region() {
        let valid = Valid { rows: 3, cols: 5 };
        assert_eq!(valid.last(), (2, 4));
        assert_eq!(valid.position(valid.count() - 1), valid.last());
    }
}
