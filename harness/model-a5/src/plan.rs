//! What a call with a table resolves to at run time: extents, tile offsets, capacity.

use std::ops::Range;

use ptodiff_isa::{
    Coalesce, DType, Dim, Dispatch, Fault, GlobalTensor, How, Launch, RowIndexPitch, Schedule, Tile,
};

use crate::bounds::{Bounds, Plain};
use crate::extent::{MAX_OFFSET, Steps, Valid};
use crate::grid::Sizing;
use crate::view::View;

/// A call's run-time values.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) mode: Coalesce,
    /// Extents of the data tile, which drive every loop (MSCATTER-GAP-37).
    pub(crate) valid: Valid,
    /// Of the data tile.
    pub(crate) data: Steps,
    /// Of the index tile, which is one column in Row mode.
    pub(crate) index: Steps,
    pub(crate) bounds: Bounds,
    pub(crate) schedule: Schedule,
    pub(crate) sizing: Sizing,
    pub(crate) dispatch: Dispatch,
}

/// What differs between the revisions and instructions that have a table.
pub(crate) struct Frame {
    pub(crate) mode: Coalesce,
    /// Extents that drive the loops.
    pub(crate) valid: Valid,
    /// Of the index tile, which is one column in Row mode.
    pub(crate) index: Steps,
    /// Slots or rows.
    pub(crate) capacity: i64,
    pub(crate) sizing: Sizing,
}

impl Plan {
    /// Resolves a call of the current revisions; none where a valid extent is 0
    /// and nothing is to be done (MSCATTER-GAP-38, MGATHER-GAP-26).
    ///
    /// # Errors
    /// If the index dtype is refused, or a tile could stand in no memory.
    #[inline(always)]
    pub(crate) fn new(
        data: &Tile,
        idx: &Tile,
        table: &GlobalTensor,
        mode: Coalesce,
        launch: &Launch,
        how: &How,
    ) -> Result<Option<Self>, Fault> {
        let valid = Valid::of(data)?;
        if valid.count() == 0 {
            return Ok(None);
        }
        let frame = Frame {
            mode,
            valid,
            index: match mode {
                Coalesce::Row => row_indices(idx, valid.rows, how.readings.row_index_pitch)?,
                Coalesce::Elem => Steps::new(idx, valid)?,
            },
            capacity: capacity(table, mode),
            sizing: Sizing::Fitted,
        };
        Self::framed(data, idx.dtype, frame, launch, how).map(Some)
    }

    /// Resolves a call with at least one element.
    ///
    /// # Errors
    /// If the index dtype is refused, or a tile could stand in no memory.
    #[inline(always)]
    pub(crate) fn framed(
        data: &Tile,
        index_dtype: DType,
        frame: Frame,
        launch: &Launch,
        how: &How,
    ) -> Result<Self, Fault> {
        let Frame {
            mode,
            valid,
            index,
            capacity,
            sizing,
        } = frame;
        Ok(Self {
            mode,
            valid,
            data: Steps::new(data, valid)?,
            index,
            bounds: Bounds::new(index_dtype, capacity, how.readings.negative_index)?,
            schedule: how.schedule,
            sizing,
            dispatch: launch.dispatch,
        })
    }

    /// Whether the call takes the scalar path (MSCATTER-GAP-35, -67), which
    /// the first revision has not.
    pub(crate) fn is_scalar(&self) -> bool {
        self.sizing == Sizing::Fitted && self.mode == Coalesce::Elem && self.valid.count() == 1
    }

    /// Whether a flat position is its element's number in both tiles.
    pub(crate) fn is_dense(&self) -> bool {
        self.data.is_dense(self.valid) && self.index.is_dense(self.valid)
    }

    /// The same positions of both tiles column by column, in Elem mode.
    pub(crate) fn by_column(self) -> Self {
        let valid = Valid {
            rows: self.valid.cols,
            cols: self.valid.rows,
        };
        Self {
            valid,
            data: self.data.exchanged(valid),
            index: self.index.exchanged(valid),
            ..self
        }
    }

    /// Element number of a row's index, in Row mode.
    #[inline(always)]
    pub(crate) fn row_index(&self, row: u32) -> i64 {
        self.index.at(row, 0)
    }

    /// The indices of all rows and how they select theirs, in Row mode, where they
    /// are neighbours inside `index` and none is negative.
    #[inline(always)]
    pub(crate) fn plain_rows<'v>(&self, index: &View<'v, 4>) -> Option<(&'v [[u8; 4]], Plain)> {
        if self.row_index(1) != 1 {
            return None;
        }
        let indices = index.strip(0, self.valid.rows as usize)?;
        Some((indices, self.bounds.plain(indices)?))
    }

    /// First element number of a table row: the pitch is `validCols`
    /// (MSCATTER-TABLE-06, MGATHER-TABLE-06).
    pub(crate) fn table_row(&self, row: i64) -> i64 {
        let first = row.saturating_mul(self.valid.cols.into());
        // Room for a row's columns; memory ends long before.
        first.clamp(-MAX_OFFSET, MAX_OFFSET)
    }

    /// Where `len` columns of a table row stand, if they may stand in a memory
    /// at all; it may still end before.
    #[inline(always)]
    pub(crate) fn table_strip(&self, row: i64, col: u32, len: u32) -> Option<Range<usize>> {
        // Products of 32 bits, and a little more, fit 64.
        let first = u64::from(u32::try_from(row).ok()?) * u64::from(self.valid.cols);
        let at = first + u64::from(col);
        let end = at + u64::from(len);
        Some(usize::try_from(at).ok()?..usize::try_from(end).ok()?)
    }

    /// A cursor at a flat position.
    pub(crate) fn cursor(&self, position: u32) -> Cursor<'_> {
        let (row, col) = self.valid.position(position);
        Cursor {
            plan: self,
            col,
            data: self.data.at(row, col),
            index: self.index.at(row, col),
        }
    }
}

/// Steps of an index tile in Row mode: one index after the other, as the kernel
/// has it, or through the layout of an `[R, 1]` or `[1, R]` tile
/// (MSCATTER-GAP-36, MGATHER-GAP-15).
///
/// # Errors
/// If the walk reaches farther than any memory.
#[inline(always)]
fn row_indices(idx: &Tile, rows: u32, reading: RowIndexPitch) -> Result<Steps, Fault> {
    let column = Valid { rows, cols: 1 };
    let line = Valid {
        rows: 1,
        cols: rows,
    };
    let logical = reading == RowIndexPitch::Logical;
    match (idx.valid_row.get(), idx.valid_col.get()) {
        (1, _) if logical => Ok(Steps::new(idx, line)?.exchanged(column)),
        (_, 1) if logical => Steps::new(idx, column),
        // An extent of neither shape breaks a duty (MSCATTER-GAP-37, MGATHER-GAP-25).
        _ => Ok(Steps::column(1)),
    }
}

/// Slots in Elem mode, rows in Row mode (MSCATTER-CAP-02, -04, MGATHER-CAP-03, -04).
fn capacity(table: &GlobalTensor, mode: Coalesce) -> i64 {
    match mode {
        Coalesce::Row => product(&table.shape[3..4]),
        Coalesce::Elem => product(&table.shape),
    }
}

/// The product of extents, capped where no index reaches.
pub(crate) fn product(dims: &[Dim]) -> i64 {
    // A later 0 empties the table even where the product is capped.
    let product = dims
        .iter()
        .fold(1, |product: u64, dim| product.saturating_mul(dim.get()));
    i64::try_from(product).unwrap_or(i64::MAX)
}

/// A flat position's element numbers in both tiles, moved without a division.
pub(crate) struct Cursor<'a> {
    plan: &'a Plan,
    col: u32,
    /// In the data tile.
    pub(crate) data: i64,
    /// In the index tile.
    pub(crate) index: i64,
}

impl Cursor<'_> {
    /// To the next position.
    #[inline(always)]
    pub(crate) fn forward(&mut self) {
        let plan = self.plan;
        self.col += 1;
        if self.col < plan.valid.cols {
            self.data += plan.data.col;
            self.index += plan.index.col;
        } else {
            self.col = 0;
            self.data += plan.data.turn;
            self.index += plan.index.turn;
        }
    }

    /// To the position before.
    #[inline(always)]
    pub(crate) fn back(&mut self) {
        let plan = self.plan;
        if self.col > 0 {
            self.col -= 1;
            self.data -= plan.data.col;
            self.index -= plan.index.col;
        } else {
            self.col = plan.valid.cols - 1;
            self.data -= plan.data.turn;
            self.index -= plan.index.turn;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::extent::tests::tile as whole;
    use ptodiff_isa::{BLayout, Layout};

    /// A RowMajor tile of which all rows and `valid` columns are valid.
    pub(crate) fn tile(rows: u64, cols: u64, valid: u64) -> Tile {
        Tile {
            valid_col: Dim::Static(valid),
            ..whole(BLayout::RowMajor, rows, cols)
        }
    }

    /// An Elem call on a table of 4 rows of 8.
    pub(crate) fn plan(data: Tile, idx: Tile) -> Plan {
        let table = GlobalTensor {
            dtype: DType::Int32,
            shape: [1, 1, 1, 4, 8].map(Dim::Static),
            stride: [32, 32, 32, 8, 1].map(Dim::Static),
            layout: Layout::ND,
        };
        let (launch, how) = (Launch::default(), How::default());
        let plan = Plan::new(&data, &idx, &table, Coalesce::Elem, &launch, &how);
        plan.unwrap().expect("it is not empty")
    }

    #[test]
    fn both_tiles_are_dense_or_the_call_is_not() {
        let (packed, padded) = (tile(2, 8, 8), tile(2, 16, 8));
        assert!(plan(packed, packed).is_dense());
        assert!(!plan(packed, padded).is_dense());
        assert!(!plan(padded, packed).is_dense());
    }

    #[test]
    fn a_product_of_extents_is_capped_and_empty_where_one_is() {
        let of = |dims: &[u64]| {
            let dims: Vec<Dim> = dims.iter().copied().map(Dim::Static).collect();
            product(&dims)
        };
        assert_eq!(of(&[3, 1, 5]), 15);
        // 2^64, which is 0 in 64 bits, and 2^63, which is negative there.
        assert_eq!(of(&[1 << 32, 1 << 32]), i64::MAX);
        assert_eq!(of(&[1 << 31, 1 << 32]), i64::MAX);
        assert_eq!(of(&[1 << 32, 1 << 32, 0]), 0);
        assert_eq!(of(&[0, 1 << 32, 1 << 32]), 0);
    }

    #[test]
    fn table_rows_are_as_wide_as_the_valid_region() {
        let plan = plan(tile(2, 8, 6), tile(2, 8, 6));
        assert_eq!(plan.table_row(3), 18);
        assert_eq!(plan.table_strip(3, 2, 4), Some(20..24));
        // No memory reaches so far.
        assert_eq!(plan.table_strip(-1, 0, 6), None);
        assert_eq!(plan.table_strip(1 << 32, 0, 6), None);
        assert_eq!(plan.table_row(i64::MAX), MAX_OFFSET);
        assert_eq!(plan.table_row(i64::MIN), -MAX_OFFSET);
    }
}
