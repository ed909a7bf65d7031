//! `MScatterCheck` and `MGatherCheck` for tiles in UB (000 and 001, Tile
//! Constraints (A5)): the same rules under the numbers of either document.

use ptodiff_isa::{
    Coalesce, DType, GlobalTensor, Mgather, Mscatter, Readings, RowIndexPitch, ScatterAtomicOp,
    Tile, WidthCheck,
};

use super::{Checks, both_hold, holds, is_common_or_small_float, is_index};
use crate::plan;

/// The numbers of the rules.
struct Clauses {
    dtype: &'static str,
    index_dtype: &'static str,
    table_dtype: &'static str,
    tile: &'static str,
    index_tile: &'static str,
    extents: &'static str,
    row_index: &'static str,
    elem_index: &'static str,
    row_index_pitch: &'static str,
    row_width: &'static str,
    elem_width: &'static str,
}

const MSCATTER: Clauses = Clauses {
    dtype: "MSCATTER-DTYPE-09",
    index_dtype: "MSCATTER-DTYPE-03",
    table_dtype: "MSCATTER-DTYPE-11",
    tile: "MSCATTER-TILE-01",
    index_tile: "MSCATTER-TILE-02",
    extents: "MSCATTER-SHAPE-03",
    row_index: "MSCATTER-SHAPE-04",
    elem_index: "MSCATTER-SHAPE-02",
    row_index_pitch: "MSCATTER-GAP-36",
    row_width: "MSCATTER-TABLE-07",
    elem_width: "MSCATTER-GAP-12",
};

const MGATHER: Clauses = Clauses {
    dtype: "MGATHER-DTYPE-09",
    index_dtype: "MGATHER-DTYPE-08",
    table_dtype: "MGATHER-DTYPE-11",
    tile: "MGATHER-TILE-01",
    index_tile: "MGATHER-TILE-02",
    extents: "MGATHER-SHAPE-03",
    row_index: "MGATHER-MODE-04",
    elem_index: "MGATHER-MODE-05",
    row_index_pitch: "MGATHER-GAP-15",
    row_width: "MGATHER-TABLE-07",
    elem_width: "MGATHER-GAP-42",
};

/// `MScatterCheck`.
pub(super) fn mscatter(call: &Mscatter, readings: &Readings, checks: &mut Checks) {
    let operands = Operands {
        data: &call.src,
        idx: &call.idx,
        table: &call.table,
        mode: call.mode,
    };
    operands.check(&MSCATTER, readings, checks);
    let (atomic, dtype) = (call.atomic, call.src.dtype);
    let why = || format!("{atomic} with {dtype}");
    checks.require(has_atomic(atomic, dtype), atomic_clause(atomic, dtype), why);
}

/// `MGatherCheck`.
pub(super) fn mgather(call: &Mgather, readings: &Readings, checks: &mut Checks) {
    let operands = Operands {
        data: &call.dst,
        idx: &call.idx,
        table: &call.table,
        mode: call.mode,
    };
    operands.check(&MGATHER, readings, checks);
}

struct Operands<'c> {
    data: &'c Tile,
    idx: &'c Tile,
    table: &'c GlobalTensor,
    mode: Coalesce,
}

impl Operands<'_> {
    fn check(&self, clauses: &Clauses, readings: &Readings, checks: &mut Checks) {
        let Self {
            data, idx, table, ..
        } = self;
        let listed = is_common_or_small_float(data.dtype);
        checks.element_type(listed, clauses.dtype, "a tile", data.dtype);
        let index_listed = is_index(idx.dtype);
        checks.element_type(index_listed, clauses.index_dtype, "indices", idx.dtype);
        checks.same(clauses.table_dtype, "table", table.dtype, data.dtype);
        checks.in_ub(clauses.tile, "tile", data);
        checks.in_ub(clauses.index_tile, "index tile", idx);
        for (name, extent) in [("ValidRow", data.valid_row), ("ValidCol", data.valid_col)] {
            // A static 0 is seen (MSCATTER-GAP-71, MGATHER-GAP-58).
            checks.require(holds(extent, |extent| extent >= 1), clauses.extents, || {
                format!("{name} is {}", extent.get())
            });
        }
        match self.mode {
            Coalesce::Row => self.row(clauses, readings, checks),
            Coalesce::Elem => self.elem(clauses, readings, checks),
        }
    }

    fn row(&self, clauses: &Clauses, readings: &Readings, checks: &mut Checks) {
        let (rows, cols) = (self.idx.valid_row, self.idx.valid_col);
        checks.require(self.has_row_index(), clauses.row_index, || {
            let (rows, cols, count) = (rows.get(), cols.get(), self.data.valid_row.get());
            format!("an index valid shape of {rows} by {cols} for {count} rows")
        });
        if let (RowIndexPitch::Rejected, Some(rows), Some(cols)) =
            (readings.row_index_pitch, rows.known(), cols.known())
        {
            let (count, pitch) = (rows.max(cols), plan::row_index_pitch(self.idx));
            checks.require(count <= 1 || pitch == 1, clauses.row_index_pitch, || {
                format!("{count} row indices {pitch} elements apart")
            });
        }
        self.width(clauses.row_width, checks);
    }

    fn elem(&self, clauses: &Clauses, readings: &Readings, checks: &mut Checks) {
        let (data, idx) = (self.data, self.idx);
        for (name, of_data, of_idx) in [
            ("ValidRow", data.valid_row, idx.valid_row),
            ("ValidCol", data.valid_col, idx.valid_col),
        ] {
            let equal = both_hold(of_data, of_idx, |data, idx| data == idx);
            checks.require(equal, clauses.elem_index, || {
                format!("index {name} is {}, not {}", of_idx.get(), of_data.get())
            });
        }
        if readings.width_check == WidthCheck::Both {
            self.width(clauses.elem_width, checks);
        }
    }

    /// `[1, R]` or `[R, 1]` with R the valid rows of the data tile; looked at where
    /// all three extents are known.
    fn has_row_index(&self) -> bool {
        let known = (
            self.data.valid_row.known(),
            self.idx.valid_row.known(),
            self.idx.valid_col.known(),
        );
        let (Some(count), Some(rows), Some(cols)) = known else {
            return true;
        };
        (rows == 1 && cols == count) || (rows == count && cols == 1)
    }

    /// `staticShape[4] == ValidCol`.
    fn width(&self, clause: &'static str, checks: &mut Checks) {
        let (width, cols) = (self.table.shape[4], self.data.valid_col);
        let equal = both_hold(width, cols, |width, cols| width == cols);
        checks.require(equal, clause, || {
            format!(
                "a table width of {} with ValidCol {}",
                width.get(),
                cols.get()
            )
        });
    }
}

/// `IsValidScatterAtomic<T, Atomic>::value` (MSCATTER-ATOM-15).
fn has_atomic(atomic: ScatterAtomicOp, dtype: DType) -> bool {
    use DType::{Bfloat16, Float, Half, Int32, Uint32};
    match atomic {
        ScatterAtomicOp::None => true,
        ScatterAtomicOp::Add => matches!(dtype, Int32 | Uint32 | Float | Half | Bfloat16),
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => matches!(dtype, Int32 | Uint32 | Float),
    }
}

/// Where a type is rejected: types that Add is listed to reject have a clause of
/// their own.
fn atomic_clause(atomic: ScatterAtomicOp, dtype: DType) -> &'static str {
    match atomic {
        ScatterAtomicOp::Max => "MSCATTER-ATOM-13",
        ScatterAtomicOp::Min => "MSCATTER-ATOM-14",
        _ if is_common_or_small_float(dtype) => "MSCATTER-ATOM-12",
        _ => "MSCATTER-ATOM-11",
    }
}
