//! Rules of the forms between UB and GM, target by target: 000 and 001,
//! Constraints, with the preconditions that no check sees.

use ptodiff_isa::{
    BLayout, BurstTail, CacheFlush, Coalesce, CpuForm, CpuPaddedTable, Dispatch, GlobalTensor,
    Launch, Layout, NarrowRow, NzRowColumns, PaddedElem, Readings, RowCapacity, RowIndexPitch,
    Target, Tile, TileType, WidthCheck,
};

use super::facts::{
    Shape, across, bytes, common, demand, extents, fractal, index_type, plain, plain_rows, small,
    whole_units,
};
use crate::relation::place::{BLOCK_ROWS, Places};

/// UB of A2/A3 (MSCATTER-UB-01, MGATHER-UB-02), bytes.
const A2A3_UB: u64 = 192 << 10;

/// UB of A5 without a `dynUBufSize` (MSCATTER-UB-07, MGATHER-UB-07), bytes.
const DEFAULT_UB: u64 = 128 << 10;

/// The largest `dynUBufSize` (MSCATTER-UB-06, MGATHER-UB-06), bytes.
const DYN_UB: u64 = 216 << 10;

/// Operands of MSCATTER or of MGATHER to UB.
pub(super) struct InUb<'a> {
    pub(super) scatter: bool,
    pub(super) table: &'a GlobalTensor,
    pub(super) data: &'a Tile,
    pub(super) idx: &'a Tile,
    pub(super) mode: Coalesce,
    pub(super) launch: &'a Launch,
}

/// What the rules of a target make of them.
pub(super) struct Ruled {
    pub(super) by_row: bool,
    /// Slots by the rule on bounds.
    pub(super) capacity: u64,
    /// Elements that the table's body has to have.
    pub(super) elements: u64,
    /// Where the indices stand: one a row, or one an element.
    pub(super) index: Places,
}

impl InUb<'_> {
    /// Nothing where a rule of `target` is broken.
    pub(super) fn ruled(&self, target: Target, readings: &Readings) -> Option<Ruled> {
        demand(index_type(self.idx.dtype))?;
        match (target, self.scatter, readings.cpu_form) {
            (Target::A2a3, ..) => self.a2a3(readings),
            (Target::A5, ..) => {
                self.on_a5(readings)?;
                self.simt(readings, true)
            }
            (Target::Cpu, true, CpuForm::Templated) => self.simt(readings, false),
            (Target::Cpu, true, CpuForm::Documented) => self.cpu(Coalesce::Elem, readings),
            (Target::Cpu, false, _) => self.cpu(self.mode, readings),
        }
    }

    fn by_row(&self) -> bool {
        self.mode == Coalesce::Row
    }

    /// Elem in an ND table: the slot is the index (MSCATTER-GAP-18, -19,
    /// MGATHER-GAP-07, reading a).
    fn elements(&self, table: &Shape, by_element: Places) -> Ruled {
        Ruled {
            by_row: false,
            capacity: table.product(5),
            elements: table.product(5),
            index: by_element,
        }
    }

    fn a2a3(&self, readings: &Readings) -> Option<Ruled> {
        let Self { data, idx, .. } = *self;
        let [rows, cols] = extents(data)?;
        let indices = extents(idx)?;
        demand(common(data.dtype) && self.table.dtype == data.dtype && plain_rows(idx))?;
        demand(data.cols.is_multiple_of(across(data.dtype)))?;
        demand(bytes(data).saturating_add(bytes(idx)) <= A2A3_UB)?;
        let table = Shape::of(self.table);
        let index = if self.by_row() {
            demand(indices == [1, rows])?;
            Places::plain(1, 0)
        } else {
            demand(indices == [rows, cols])?;
            Places::of_tile(idx)
        };
        match self.table.layout {
            Layout::NZ => self.a2a3_nz(&table, cols, index, readings),
            Layout::ND if !plain_rows(data) => None,
            Layout::ND if self.by_row() => {
                // MSCATTER-GAP-17 and -28, MGATHER-GAP-10; -GAP-82 and -71 in `rows`.
                demand(cols == table.of[4] || readings.narrow_row == NarrowRow::Partial)?;
                let whole = cols.is_multiple_of(across(data.dtype));
                demand(!self.scatter || whole || readings.burst_tail == BurstTail::Exact)?;
                Some(Ruled {
                    by_row: true,
                    capacity: table.product(4),
                    elements: table.rows(cols)?,
                    index,
                })
            }
            Layout::ND => match readings.padded_elem {
                PaddedElem::Flat => Some(self.elements(&table, index)),
                PaddedElem::Strided => Some(Ruled {
                    elements: table.span()?,
                    ..self.elements(&table, index)
                }),
                PaddedElem::Precondition => table.packed().then(|| self.elements(&table, index)),
            },
            Layout::DN => None,
        }
    }

    /// MSCATTER-GAP-21 to -26, MGATHER-GAP-20 to -22, -57, -73.
    fn a2a3_nz(
        &self,
        table: &Shape,
        cols: u64,
        index: Places,
        readings: &Readings,
    ) -> Option<Ruled> {
        let data = self.data;
        let [batches, blocks, down, each, wide] = table.of;
        demand(fractal(data, TileType::Vec))?;
        demand(each == BLOCK_ROWS && wide == across(data.dtype) && table.step[4] == 1)?;
        if self.by_row() {
            demand(table.step[3] == wide && data.cols == table.product(2).saturating_mul(wide))?;
            demand(cols == data.cols || readings.nz_row_columns != NzRowColumns::Precondition)?;
        }
        let rows = down.saturating_mul(BLOCK_ROWS);
        demand(batches > 0 && blocks > 0)?;
        Some(Ruled {
            by_row: self.by_row(),
            capacity: if self.by_row() {
                rows
            } else {
                table.product(5)
            },
            elements: table.span()?,
            index,
        })
    }

    /// What A5 asks of UB and of the launch. A call that hangs, or whose table
    /// may be read old or new, is promised nothing.
    fn on_a5(&self, readings: &Readings) -> Option<()> {
        let both = bytes(self.data).saturating_add(bytes(self.idx));
        budget(both, self.launch)?;
        let scalar = !self.by_row() && extents(self.data)? == [1, 1];
        demand(scalar || self.launch.dispatch == Dispatch::Standard)?;
        demand(!self.scatter || self.launch.flush == CacheFlush::Appended)?;
        let table = Shape::of(self.table);
        if self.by_row() {
            demand(table.flat() || readings.row_capacity == RowCapacity::ByTarget)
        } else {
            let width = self.data.valid_col.get();
            demand(table.of[4] == width || readings.width_check == WidthCheck::Row)?;
            demand(table.packed() || readings.padded_elem != PaddedElem::Precondition)
        }
    }

    /// A5's rules on types and shapes, which CPU has too under
    /// `cpu-form=templated` (MSCATTER-GAP-41).
    fn simt(&self, readings: &Readings, a5: bool) -> Option<Ruled> {
        let Self { data, idx, .. } = *self;
        let [rows, cols] = extents(data)?;
        let indices = extents(idx)?;
        demand(common(data.dtype) || a5 && small(data.dtype))?;
        demand(self.table.dtype == data.dtype && self.table.layout == Layout::ND)?;
        demand(plain(data) && plain(idx) && whole_units(data))?;
        let table = Shape::of(self.table);
        if !self.by_row() {
            demand(indices == [rows, cols])?;
            return Some(self.elements(&table, Places::of_tile(idx)));
        }
        // MSCATTER-GAP-36, MGATHER-GAP-15.
        let step = row_step(idx, indices, rows)?;
        let logical = a5 && readings.row_index_pitch == RowIndexPitch::Logical;
        demand(step == 1 || rows == 1 || logical)?;
        // MSCATTER-GAP-13, -14, MGATHER-GAP-09.
        demand(table.of[4] == cols && table.step[3..] == [cols, 1])?;
        Some(Ruled {
            by_row: true,
            capacity: table.of[3],
            elements: table.of[3].saturating_mul(cols),
            index: Places::plain(step, 0),
        })
    }

    /// CPU's MGATHER, and its MSCATTER as document 000 gives it: by element,
    /// whatever the call's mode. Equal sizes are enough for the data.
    fn cpu(&self, mode: Coalesce, readings: &Readings) -> Option<Ruled> {
        let Self { data, idx, .. } = *self;
        let [rows, cols] = extents(data)?;
        let indices = extents(idx)?;
        demand(common(data.dtype) && common(self.table.dtype))?;
        demand(self.table.dtype.size() == data.dtype.size())?;
        demand(plain_rows(data) && plain_rows(idx) && whole_units(data))?;
        let table = Shape::of(self.table);
        demand(self.table.layout == Layout::ND && table.flat())?;
        if mode == Coalesce::Elem {
            demand(indices == [rows, cols] && idx.rows == data.rows)?;
            return Some(self.elements(&table, Places::of_tile(idx)));
        }
        // Padded rows are owed for [R, 1] only (MGATHER-GAP-11); read through
        // the tile's own layout (MGATHER-GAP-56).
        demand(indices == [1, rows] || idx.rows == data.rows)?;
        let step = row_step(idx, indices, rows)?;
        let width = table.of[4];
        demand(cols == width || readings.narrow_row == NarrowRow::Partial)?;
        // MGATHER-GAP-08.
        let strided = readings.cpu_padded_table == CpuPaddedTable::Strided;
        demand(table.step[3] == width || strided)?;
        Some(Ruled {
            by_row: true,
            capacity: table.of[3],
            elements: table.rows(cols)?,
            index: Places::plain(step, 0),
        })
    }
}

/// From one of `rows` row indices to the next, in a tile `[1, R]` or `[R, 1]`.
fn row_step(idx: &Tile, indices: [u64; 2], rows: u64) -> Option<u64> {
    let along_a_row = indices == [1, rows];
    demand(along_a_row || indices == [rows, 1])?;
    Some(match (along_a_row, idx.blayout) {
        (true, BLayout::RowMajor) | (false, BLayout::ColMajor) => 1,
        (true, BLayout::ColMajor) => idx.rows,
        (false, BLayout::RowMajor) => idx.cols,
    })
}

/// Whether tiles of `bytes` fit UB of A5 as the kernel is launched
/// (MSCATTER-GAP-64, -83, MGATHER-GAP-33, -53, -62).
pub(super) fn budget(bytes: u64, launch: &Launch) -> Option<()> {
    let asked = launch.dyn_ub_bytes.unwrap_or(0);
    demand(asked <= DYN_UB && bytes <= asked.max(DEFAULT_UB))
}
