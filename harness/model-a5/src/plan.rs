//! What a call resolves to at run time: extents, tile offsets, capacity.

use ptodiff_isa::{BLayout, Coalesce, Fault, GlobalTensor, How, Schedule, Tile};

use crate::bounds::Bounds;

/// Most elements that a valid region may have; UB holds 2^18 bytes.
const MAX_COUNT: u64 = 1 << 28;
/// Farthest element number in a tile, so that sums of two stay inside `i64`.
const MAX_OFFSET: i128 = 1 << 60;

/// The run-time valid extents of the data tile, which drive every loop (MSCATTER-GAP-37).
#[derive(Clone, Copy)]
pub(crate) struct Valid {
    pub(crate) rows: u32,
    pub(crate) cols: u32,
}

impl Valid {
    /// Elements in the region.
    pub(crate) fn count(self) -> u32 {
        self.rows * self.cols
    }
}

/// `tile_offset_2d` of one tile: elements from row to row and from column to column.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    row: i64,
    pub(crate) col: i64,
    /// From the last column of a row to the first of the next.
    turn: i64,
}

impl Steps {
    fn new(tile: &Tile, valid: Valid) -> Result<Self, Fault> {
        let (row, col) = match tile.blayout {
            BLayout::RowMajor => (tile.cols, 1),
            BLayout::ColMajor => (1, tile.rows),
        };
        // A step that is never taken must not count against the limit.
        let row = if valid.rows > 1 { i128::from(row) } else { 0 };
        let col = if valid.cols > 1 { i128::from(col) } else { 1 };
        let (last_row, last_col) = (i128::from(valid.rows) - 1, i128::from(valid.cols) - 1);
        let fits = |value: i128| {
            i64::try_from(value).map_err(|_| Fault("a tile that fits no memory".into()))
        };
        if last_row * row + last_col * col > MAX_OFFSET {
            return Err(Fault("a tile that fits no memory".into()));
        }
        Ok(Self {
            row: fits(row)?,
            col: fits(col)?,
            turn: fits(row - last_col * col)?,
        })
    }

    /// Element number of a valid position.
    pub(crate) fn at(self, row: u32, col: u32) -> i64 {
        i64::from(row) * self.row + i64::from(col) * self.col
    }
}

/// A call's run-time values.
pub(crate) struct Plan {
    pub(crate) mode: Coalesce,
    pub(crate) valid: Valid,
    /// Of the data tile.
    pub(crate) data: Steps,
    /// Of the index tile; Row reads its indices linearly instead.
    pub(crate) index: Steps,
    pub(crate) bounds: Bounds,
    pub(crate) schedule: Schedule,
}

impl Plan {
    /// Resolves a call; none where a valid extent is 0 and nothing is to be done
    /// (MSCATTER-GAP-38, MGATHER-GAP-26).
    ///
    /// # Errors
    /// If the index dtype is refused, or a tile could stand in no memory.
    pub(crate) fn new(
        data: &Tile,
        idx: &Tile,
        table: &GlobalTensor,
        mode: Coalesce,
        how: &How,
    ) -> Result<Option<Self>, Fault> {
        let (rows, cols) = (data.valid_row.get(), data.valid_col.get());
        if rows == 0 || cols == 0 {
            return Ok(None);
        }
        if rows.checked_mul(cols).is_none_or(|n| n > MAX_COUNT) {
            return Err(Fault("a valid region that fits no memory".into()));
        }
        let too_large = |_| Fault("a valid region that fits no memory".into());
        let valid = Valid {
            rows: rows.try_into().map_err(too_large)?,
            cols: cols.try_into().map_err(too_large)?,
        };
        let data = Steps::new(data, valid)?;
        let index = match mode {
            // No lane walks the index tile in two dimensions.
            Coalesce::Row => data,
            Coalesce::Elem => Steps::new(idx, valid)?,
        };
        let capacity = capacity(table, mode);
        let bounds = Bounds::new(idx.dtype, capacity, how.readings.negative_index)?;
        Ok(Some(Self {
            mode,
            valid,
            data,
            index,
            bounds,
            schedule: how.schedule,
        }))
    }

    /// Whether the call takes the scalar path (MSCATTER-GAP-35, -67).
    pub(crate) fn is_scalar(&self) -> bool {
        self.mode == Coalesce::Elem && self.valid.count() == 1
    }

    /// Whether a flat position is its element's number in both tiles.
    pub(crate) fn is_dense(&self) -> bool {
        [self.data, self.index]
            .iter()
            .all(|steps| steps.col == 1 && (steps.turn == 1 || self.valid.rows == 1))
    }

    /// First element number of a table row: the pitch is `validCols`
    /// (MSCATTER-TABLE-06, MGATHER-TABLE-06).
    pub(crate) fn table_row(&self, row: i64) -> i64 {
        let first = i128::from(row) * i128::from(self.valid.cols);
        // Room for a row's columns; memory ends long before.
        first.clamp(-MAX_OFFSET, MAX_OFFSET) as i64
    }

    /// A cursor at a flat position.
    pub(crate) fn cursor(&self, position: u32) -> Cursor<'_> {
        let (row, col) = (position / self.valid.cols, position % self.valid.cols);
        Cursor {
            plan: self,
            col,
            data: self.data.at(row, col),
            index: self.index.at(row, col),
        }
    }
}

/// Slots in Elem mode, rows in Row mode (MSCATTER-CAP-02, -04, MGATHER-CAP-03, -04).
fn capacity(table: &GlobalTensor, mode: Coalesce) -> i64 {
    let [.., rows, _] = table.shape;
    let capacity = match mode {
        Coalesce::Row => rows.get(),
        // A later 0 must empty the table even where the product is capped.
        Coalesce::Elem if table.shape.iter().any(|dim| dim.get() == 0) => 0,
        Coalesce::Elem => table
            .shape
            .iter()
            .fold(1, |product: u64, dim| product.saturating_mul(dim.get())),
    };
    i64::try_from(capacity).unwrap_or(i64::MAX)
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
