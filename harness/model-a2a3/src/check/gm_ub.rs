//! MScatterCheck and MGatherCheck (000 and 001, Constraints / Tile Constraints
//! (A2/A3), Mode Resolution). Both ask for the same of their operands; only the
//! numbers of the clauses differ, and the atomics of MSCATTER.

use ptodiff_isa::{
    Coalesce, DType, Dim, GlobalTensor, Layout, Mgather, Mscatter, NzDynamic, Readings,
    ScatterAtomicOp, Tile, TileType,
};

use super::{Rejections, is_element, is_index, is_nd, is_nz, layout};
use crate::nz::{FRACTAL_ROWS, c0};

/// The clauses of one instruction.
struct Clauses {
    elements: &'static str,
    float8: &'static str,
    index: &'static str,
    table: &'static str,
    data_in_ub: &'static str,
    index_in_ub: &'static str,
    index_layout: &'static str,
    nd_pair: &'static str,
    nz_pair: &'static str,
    /// A clause of its own for an ND tile with an NZ table or the reverse.
    crossed: Option<&'static str>,
    other_layout: &'static str,
    alignment: &'static str,
    row_shape: &'static str,
    elem_shape: &'static str,
    one_element: &'static str,
    nz_rows: &'static str,
    nz_c0: &'static str,
    nz_dynamic: &'static str,
    nz_tile_cols: &'static str,
    nz_tile_rows: &'static str,
}

const MSCATTER: Clauses = Clauses {
    elements: "MSCATTER-DTYPE-07",
    float8: "MSCATTER-DTYPE-08",
    index: "MSCATTER-DTYPE-03",
    table: "MSCATTER-DTYPE-11",
    data_in_ub: "MSCATTER-TILE-01",
    index_in_ub: "MSCATTER-TILE-02",
    index_layout: "MSCATTER-TILE-06",
    nd_pair: "MSCATTER-TILE-07",
    nz_pair: "MSCATTER-TILE-08",
    crossed: Some("MSCATTER-TILE-09"),
    other_layout: "MSCATTER-GAP-20",
    alignment: "MSCATTER-ALIGN-01",
    row_shape: "MSCATTER-SHAPE-01",
    elem_shape: "MSCATTER-SHAPE-02",
    one_element: "MSCATTER-SHAPE-03",
    nz_rows: "MSCATTER-NZ-04",
    nz_c0: "MSCATTER-NZ-05",
    nz_dynamic: "MSCATTER-GAP-27",
    nz_tile_cols: "MSCATTER-NZ-06",
    nz_tile_rows: "MSCATTER-NZ-07",
};

const MGATHER: Clauses = Clauses {
    elements: "MGATHER-DTYPE-06",
    float8: "MGATHER-DTYPE-07",
    index: "MGATHER-DTYPE-08",
    table: "MGATHER-DTYPE-11",
    data_in_ub: "MGATHER-TILE-01",
    index_in_ub: "MGATHER-TILE-02",
    index_layout: "MGATHER-TILE-04",
    nd_pair: "MGATHER-TILE-05",
    nz_pair: "MGATHER-TILE-06",
    crossed: None,
    other_layout: "MGATHER-GAP-39",
    alignment: "MGATHER-ALIGN-01",
    row_shape: "MGATHER-MODE-02",
    elem_shape: "MGATHER-MODE-05",
    one_element: "MGATHER-SHAPE-03",
    nz_rows: "MGATHER-NZ-07",
    nz_c0: "MGATHER-NZ-08",
    nz_dynamic: "MGATHER-GAP-23",
    nz_tile_cols: "MGATHER-NZ-09",
    nz_tile_rows: "MGATHER-NZ-10",
};

/// What both instructions are checked for.
struct Operands<'a> {
    clauses: &'static Clauses,
    mode: Coalesce,
    table: &'a GlobalTensor,
    /// The source of a scatter, the destination of a gather.
    data: &'a Tile,
    index: &'a Tile,
}

/// MScatterCheck.
pub(super) fn mscatter(call: &Mscatter, readings: &Readings, found: &mut Rejections) {
    let operands = Operands {
        clauses: &MSCATTER,
        mode: call.mode,
        table: &call.table,
        data: &call.src,
        index: &call.idx,
    };
    operands.dtypes(found);
    atomic(call.atomic, call.src.dtype, found);
    operands.tiles(found);
    operands.shapes(found);
    operands.nz(readings, found);
}

/// MGatherCheck.
pub(super) fn mgather(call: &Mgather, readings: &Readings, found: &mut Rejections) {
    let operands = Operands {
        clauses: &MGATHER,
        mode: call.mode,
        table: &call.table,
        data: &call.dst,
        index: &call.idx,
    };
    operands.dtypes(found);
    operands.tiles(found);
    operands.shapes(found);
    operands.nz(readings, found);
}

/// 000, Atomic Type Support.
fn atomic(atomic: ScatterAtomicOp, dtype: DType, found: &mut Rejections) {
    use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint8, Uint16, Uint32};
    let clause = match (atomic, dtype) {
        (ScatterAtomicOp::None, _) => return,
        (ScatterAtomicOp::Max | ScatterAtomicOp::Min, _) => "MSCATTER-ATOM-10",
        (ScatterAtomicOp::Add, Int8 | Int16 | Int32 | Half | Bfloat16 | Float) => return,
        (ScatterAtomicOp::Add, Uint8 | Uint16 | Uint32) => "MSCATTER-ATOM-09",
        (ScatterAtomicOp::Add, _) => "MSCATTER-ATOM-08",
    };
    found.add(clause, || format!("{atomic} with {dtype}"));
}

impl Operands<'_> {
    /// Supported data types.
    fn dtypes(&self, found: &mut Rejections) {
        let (clauses, element, index) = (self.clauses, self.data.dtype, self.index.dtype);
        let float8 = [DType::Float8E4M3, DType::Float8E5M2, DType::Hifloat8];
        let clause = match float8.contains(&element) {
            true => clauses.float8,
            false => clauses.elements,
        };
        found.require(is_element(element), clause, || {
            format!("elements of {element}")
        });
        found.require(is_index(index), clauses.index, || {
            format!("indices of {index}")
        });
        let table = self.table.dtype;
        found.require(table == element, clauses.table, || {
            format!("table of {table} with a tile of {element}")
        });
    }

    /// Tile and memory types.
    fn tiles(&self, found: &mut Rejections) {
        let (clauses, data, index) = (self.clauses, self.data, self.index);
        found.require(data.location == TileType::Vec, clauses.data_in_ub, || {
            format!("data tile in {}", data.location)
        });
        found.require(index.location == TileType::Vec, clauses.index_in_ub, || {
            format!("index tile in {}", index.location)
        });
        found.require(is_nd(index), clauses.index_layout, || {
            format!("index tile {}", layout(index))
        });
        let table = self.table.layout;
        let (pairs, crosses, clause) = match table {
            Layout::ND => (is_nd(data), is_nz(data), clauses.nd_pair),
            Layout::NZ => (is_nz(data), is_nd(data), clauses.nz_pair),
            // No tile pairs with any other layout.
            Layout::DN => (false, false, clauses.other_layout),
        };
        let why = || format!("{table} table with data tile {}", layout(data));
        found.require(pairs, clause, why);
        if let Some(crossed) = clauses.crossed {
            found.require(!crosses, crossed, why);
        }
    }

    /// Shape constraints, NZ apart.
    fn shapes(&self, found: &mut Rejections) {
        let (clauses, data, index) = (self.clauses, self.data, self.index);
        let row = i128::from(data.cols) * data.dtype.size() as i128;
        found.require(row % 32 == 0, clauses.alignment, || {
            format!("padded width of {} {}", data.cols, data.dtype)
        });
        for (name, extent) in [("ValidRow", data.valid_row), ("ValidCol", data.valid_col)] {
            let empty = extent.known() == Some(0);
            found.require(!empty, clauses.one_element, || {
                format!("{name} of the data tile is 0")
            });
        }
        let (clause, rows, cols) = match self.mode {
            Coalesce::Row => (clauses.row_shape, Dim::Static(1), data.valid_row),
            Coalesce::Elem => (clauses.elem_shape, data.valid_row, data.valid_col),
        };
        for (name, has, needs) in [
            ("ValidRow", index.valid_row, rows),
            ("ValidCol", index.valid_col, cols),
        ] {
            let fits = match (has.known(), needs.known()) {
                (Some(has), Some(needs)) => has == needs,
                _ => true,
            };
            found.require(fits, clause, || {
                let (has, needs, mode) = (has.get(), needs.get(), self.mode);
                format!("{name} of the index tile is {has}, {mode} wants {needs}")
            });
        }
    }

    /// What NZ tables require in addition.
    fn nz(&self, readings: &Readings, found: &mut Rejections) {
        if self.table.layout != Layout::NZ {
            return;
        }
        let (clauses, data) = (self.clauses, self.data);
        let c0 = c0(data.dtype.size());
        let [.., rows, cols] = self.table.shape;
        let is_rows = rows.known().is_none_or(|rows| rows == FRACTAL_ROWS);
        found.require(is_rows, clauses.nz_rows, || {
            format!(
                "Shape[3] of the NZ table is {}, not {FRACTAL_ROWS}",
                rows.get()
            )
        });
        let is_c0 = cols.known().is_none_or(|cols| cols == c0);
        found.require(is_c0, clauses.nz_c0, || {
            format!("Shape[4] of the NZ table is {}, not {c0}", cols.get())
        });
        found.require(data.cols.is_multiple_of(c0), clauses.nz_tile_cols, || {
            format!("Cols of the NZ tile is {}, no multiple of {c0}", data.cols)
        });
        let whole_blocks = data.rows.is_multiple_of(FRACTAL_ROWS);
        found.require(whole_blocks, clauses.nz_tile_rows, || {
            let rows = data.rows;
            format!("Rows of the NZ tile is {rows}, no multiple of {FRACTAL_ROWS}")
        });
        let known = rows.known().is_some() && cols.known().is_some();
        let may_be_dynamic = readings.nz_dynamic == NzDynamic::Precondition;
        found.require(known || may_be_dynamic, clauses.nz_dynamic, || {
            "Shape[3] or Shape[4] of the NZ table is dynamic".to_owned()
        });
    }
}
