//! Plain tiles (002 and 004): no boxes, rows or columns contiguous.

use ptodiff_isa::{BLayout, Tile};

use crate::port::{Port, View, narrow};

/// How a tile's logical positions lie in its storage, in bytes.
pub(crate) struct Flat {
    /// From one row to the next.
    row: i64,
    /// From one column to the next.
    col: i64,
    /// What one position holds.
    width: usize,
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
            width,
        }
    }

    /// The same rows, `factor` columns to a position.
    pub(crate) fn grouped(&self, factor: usize) -> Self {
        Self {
            row: self.row,
            col: self.col.saturating_mul(factor as i64),
            width: self.width * factor,
        }
    }

    /// The same rows, each cut into positions of `width` bytes.
    pub(crate) fn cut(&self, width: usize) -> Self {
        Self {
            row: self.row,
            col: width as i64,
            width,
        }
    }

    /// Byte offset of an element from the start of the storage.
    #[inline(always)]
    pub(crate) fn at(&self, row: u64, col: u64) -> i64 {
        let row = (row as i64).saturating_mul(self.row);
        row.saturating_add((col as i64).saturating_mul(self.col))
    }

    /// The first `cols` positions of a row, if they lie side by side and in the body.
    #[inline]
    pub(crate) fn line<'m>(&self, view: &View<'m>, row: u64, cols: u64) -> Option<&'m [u8]> {
        view.span(self.at(row, 0), self.line_bytes(cols)?)
    }

    /// [`Flat::line`], to be written.
    #[inline]
    pub(crate) fn line_mut<'p>(
        &self,
        port: &'p mut Port<'_>,
        row: u64,
        cols: u64,
    ) -> Option<&'p mut [u8]> {
        port.span_mut(self.at(row, 0), self.line_bytes(cols)?)
    }

    fn line_bytes(&self, cols: u64) -> Option<usize> {
        let cols = usize::try_from(cols).ok()?;
        let dense = self.col == self.width as i64;
        dense.then(|| cols.checked_mul(self.width)).flatten()
    }

    /// Whether rows of `cols` positions follow each other without a gap.
    fn is_packed(&self, cols: u64) -> bool {
        let width = self.width as i64;
        self.col == width && i128::from(self.row) == i128::from(cols) * i128::from(width)
    }
}

/// How many rows and columns to walk for `rows` by `cols` positions: all of
/// them as one row if no tile has anything between its rows.
pub(crate) fn extents<const N: usize>(rows: u64, cols: u64, tiles: [&Flat; N]) -> (u64, u64) {
    match rows.checked_mul(cols) {
        Some(all) if tiles.iter().all(|tile| tile.is_packed(cols)) => (1, all),
        _ => (rows, cols),
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{DType, Role};

    use super::*;
    use crate::testing::{bytes, memory, numbers, tile};

    fn column_major(rows: u64, cols: u64) -> Tile {
        Tile {
            blayout: BLayout::ColMajor,
            ..tile(DType::Int32, rows, cols)
        }
    }

    /// A tile of rows of eight words, in a body of two such rows.
    #[test]
    fn rows_that_lie_side_by_side_are_lines() {
        let mut memory = memory(Role::Source, [vec![], numbers(0, 16), vec![]]);
        let rows = Flat::new(&tile(DType::Int32, 3, 8), 4);
        let mut port = Port::new(&mut memory.regions[1]);
        let view = port.view();
        assert_eq!(rows.line(&view, 1, 8), Some(&bytes(8..16)[..]));
        assert_eq!(rows.line(&view, 1, 5), Some(&bytes(8..13)[..]));
        assert_eq!(rows.line(&view, 2, 8), None, "past the body");
        assert_eq!(rows.line_mut(&mut port, 1, 8), Some(&mut bytes(8..16)[..]));
        assert_eq!(rows.line_mut(&mut port, 2, 8), None);

        let columns = Flat::new(&column_major(8, 2), 4);
        assert_eq!(columns.line(&port.view(), 1, 2), None, "not side by side");
        assert_eq!(columns.line_mut(&mut port, 1, 2), None);
    }

    #[test]
    fn rows_without_a_gap_are_one() {
        let [eight, nine] = [8, 9].map(|cols| Flat::new(&tile(DType::Int32, 4, cols), 4));
        let columns = Flat::new(&column_major(8, 4), 4);
        assert_eq!(extents(4, 8, [&eight, &eight]), (1, 32));
        assert_eq!(extents(4, 8, [&eight, &nine]), (4, 8));
        assert_eq!(extents(4, 8, [&columns, &eight]), (4, 8));
        assert_eq!(extents(4, 2, [&eight.grouped(4)]), (1, 8));
        assert_eq!(extents(4, 4, [&eight.cut(8)]), (1, 16));
        assert_eq!(extents(4, 3, [&eight.cut(8)]), (4, 3));
    }
}
