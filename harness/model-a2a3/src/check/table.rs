//! `MScatterCheck` and `MGatherCheck`, UB to GM and GM to UB.
//!
//! Both have the same rules under different numbers; only MSCATTER has
//! atomics. A rule on an extent given at run time does not fire
//! (MSCATTER-DYN-04, MGATHER-DYN-03).

use ptodiff_isa::{
    Coalesce, DType, Dim, GlobalTensor, Layout, Mgather, Mscatter, NzDynamic, ScatterAtomicOp,
    Tile, TileType,
};

use super::{Findings, differ, is_nd, is_nz, layout_of};
use crate::nz::{C0_BYTES, FRACTAL_ROWS};

/// The numbers under which one instruction states the common rules.
struct Clauses {
    element_dtype: &'static str,
    no_float8: &'static str,
    index_dtype: &'static str,
    table_dtype: &'static str,
    data_location: &'static str,
    index_location: &'static str,
    index_layout: &'static str,
    nd_pairing: &'static str,
    nz_pairing: &'static str,
    /// Crossed pairs, where they have a number of their own.
    crossed: Option<&'static str>,
    other_layout: &'static str,
    padded_width: &'static str,
    row_shape: &'static str,
    elem_shape: &'static str,
    not_empty: &'static str,
    nz_block_rows: &'static str,
    nz_block_cols: &'static str,
    nz_tile_cols: &'static str,
    nz_tile_rows: &'static str,
    nz_dynamic: &'static str,
}

const MSCATTER: Clauses = Clauses {
    element_dtype: "MSCATTER-DTYPE-07",
    no_float8: "MSCATTER-DTYPE-08",
    index_dtype: "MSCATTER-DTYPE-03",
    table_dtype: "MSCATTER-DTYPE-11",
    data_location: "MSCATTER-TILE-01",
    index_location: "MSCATTER-TILE-02",
    index_layout: "MSCATTER-TILE-06",
    nd_pairing: "MSCATTER-TILE-07",
    nz_pairing: "MSCATTER-TILE-08",
    crossed: Some("MSCATTER-TILE-09"),
    other_layout: "MSCATTER-GAP-20",
    padded_width: "MSCATTER-ALIGN-01",
    row_shape: "MSCATTER-SHAPE-01",
    elem_shape: "MSCATTER-SHAPE-02",
    not_empty: "MSCATTER-SHAPE-03",
    nz_block_rows: "MSCATTER-NZ-04",
    nz_block_cols: "MSCATTER-NZ-05",
    nz_tile_cols: "MSCATTER-NZ-06",
    nz_tile_rows: "MSCATTER-NZ-07",
    nz_dynamic: "MSCATTER-GAP-27",
};

const MGATHER: Clauses = Clauses {
    element_dtype: "MGATHER-DTYPE-06",
    no_float8: "MGATHER-DTYPE-07",
    index_dtype: "MGATHER-DTYPE-08",
    table_dtype: "MGATHER-DTYPE-11",
    data_location: "MGATHER-TILE-01",
    index_location: "MGATHER-TILE-02",
    index_layout: "MGATHER-TILE-04",
    nd_pairing: "MGATHER-TILE-05",
    nz_pairing: "MGATHER-TILE-06",
    crossed: None,
    other_layout: "MGATHER-GAP-39",
    padded_width: "MGATHER-ALIGN-01",
    row_shape: "MGATHER-MODE-02",
    elem_shape: "MGATHER-MODE-05",
    not_empty: "MGATHER-SHAPE-03",
    nz_block_rows: "MGATHER-NZ-07",
    nz_block_cols: "MGATHER-NZ-08",
    nz_tile_cols: "MGATHER-NZ-09",
    nz_tile_rows: "MGATHER-NZ-10",
    nz_dynamic: "MGATHER-GAP-23",
};

impl Findings {
    /// The checks of MSCATTER.
    pub(super) fn mscatter(&mut self, call: &Mscatter, nz_dynamic: NzDynamic) {
        self.dtypes(&MSCATTER, &call.table, &call.src, &call.idx);
        self.atomic(call);
        self.geometry(&MSCATTER, call.mode, &call.table, &call.src, &call.idx);
        self.nz_dynamic(&MSCATTER, &call.table, nz_dynamic);
    }

    /// The checks of MGATHER into UB.
    pub(super) fn mgather(&mut self, call: &Mgather, nz_dynamic: NzDynamic) {
        self.dtypes(&MGATHER, &call.table, &call.dst, &call.idx);
        self.geometry(&MGATHER, call.mode, &call.table, &call.dst, &call.idx);
        self.nz_dynamic(&MGATHER, &call.table, nz_dynamic);
    }

    fn geometry(
        &mut self,
        clauses: &Clauses,
        mode: Coalesce,
        table: &GlobalTensor,
        data: &Tile,
        index: &Tile,
    ) {
        self.layouts(clauses, table, data, index);
        self.shapes(clauses, mode, data, index);
        if table.layout == Layout::NZ {
            self.nz(clauses, table, data);
        }
    }

    fn dtypes(&mut self, clauses: &Clauses, table: &GlobalTensor, data: &Tile, index: &Tile) {
        use DType::{
            Bfloat16, Float, Float8E4M3, Float8E5M2, Half, Hifloat8, Int8, Int16, Int32, Int64,
            Uint8, Uint16, Uint32, Uint64,
        };
        let dtype = data.dtype;
        let clause = match dtype {
            Int8 | Uint8 | Int16 | Uint16 | Int32 | Uint32 | Half | Bfloat16 | Float => None,
            Float8E4M3 | Float8E5M2 | Hifloat8 => Some(clauses.no_float8),
            Int64 | Uint64 => Some(clauses.element_dtype),
        };
        if let Some(clause) = clause {
            self.refuse_if(true, clause, || format!("elements of {dtype}"));
        }
        self.refuse_if(
            !matches!(index.dtype, Int32 | Uint32),
            clauses.index_dtype,
            || format!("indices of {}", index.dtype),
        );
        self.refuse_if(table.dtype != dtype, clauses.table_dtype, || {
            format!("table of {} with a tile of {dtype}", table.dtype)
        });
    }

    /// MSCATTER-ATOM-08 to -10.
    fn atomic(&mut self, call: &Mscatter) {
        use DType::{Bfloat16, Float, Half, Int8, Int16, Int32, Uint8, Uint16, Uint32};
        let clause = match (call.atomic, call.src.dtype) {
            (ScatterAtomicOp::None, _)
            | (ScatterAtomicOp::Add, Int8 | Int16 | Int32 | Half | Bfloat16 | Float) => return,
            (ScatterAtomicOp::Add, Uint8 | Uint16 | Uint32) => "MSCATTER-ATOM-09",
            (ScatterAtomicOp::Add, _) => "MSCATTER-ATOM-08",
            (ScatterAtomicOp::Max | ScatterAtomicOp::Min, _) => "MSCATTER-ATOM-10",
        };
        self.refuse_if(true, clause, || {
            format!("{} with {}", call.atomic, call.src.dtype)
        });
    }

    fn layouts(&mut self, clauses: &Clauses, table: &GlobalTensor, data: &Tile, index: &Tile) {
        self.refuse_if(
            data.location != TileType::Vec,
            clauses.data_location,
            || format!("data tile in {}", data.location),
        );
        self.refuse_if(
            index.location != TileType::Vec,
            clauses.index_location,
            || format!("index tile in {}", index.location),
        );
        self.refuse_if(!is_nd(index), clauses.index_layout, || {
            format!("index tile {}", layout_of(index))
        });

        let (clause, paired, crossed) = match table.layout {
            Layout::ND => (clauses.nd_pairing, is_nd(data), is_nz(data)),
            Layout::NZ => (clauses.nz_pairing, is_nz(data), is_nd(data)),
            Layout::DN => (clauses.other_layout, false, false),
        };
        let why = || format!("{} table with data tile {}", table.layout, layout_of(data));
        self.refuse_if(!paired, clause, why);
        if let Some(clause) = clauses.crossed {
            self.refuse_if(crossed, clause, why);
        }
    }

    fn shapes(&mut self, clauses: &Clauses, mode: Coalesce, data: &Tile, index: &Tile) {
        self.refuse_if(
            !row_bytes_are_whole_bursts(data),
            clauses.padded_width,
            || format!("padded width of {} {}", data.cols, data.dtype),
        );
        for (name, extent) in [("ValidRow", data.valid_row), ("ValidCol", data.valid_col)] {
            self.refuse_if(extent.known() == Some(0), clauses.not_empty, || {
                format!("{name} of the data tile is 0")
            });
        }
        let (clause, rows, cols) = match mode {
            Coalesce::Row => (clauses.row_shape, Dim::Static(1), data.valid_row),
            Coalesce::Elem => (clauses.elem_shape, data.valid_row, data.valid_col),
        };
        for (name, found, wanted) in [
            ("ValidRow", index.valid_row, rows),
            ("ValidCol", index.valid_col, cols),
        ] {
            self.refuse_if(differ(found, wanted), clause, || {
                format!(
                    "{name} of the index tile is {}, {mode} wants {}",
                    found.get(),
                    wanted.get()
                )
            });
        }
    }

    fn nz(&mut self, clauses: &Clauses, table: &GlobalTensor, data: &Tile) {
        let c0 = C0_BYTES / data.dtype.size() as u64;
        for (dim, clause, wanted) in [
            (3, clauses.nz_block_rows, FRACTAL_ROWS),
            (4, clauses.nz_block_cols, c0),
        ] {
            let extent = table.shape[dim];
            self.refuse_if(differ(extent, Dim::Static(wanted)), clause, || {
                format!(
                    "Shape[{dim}] of the NZ table is {}, not {wanted}",
                    extent.get()
                )
            });
        }
        for (name, clause, extent, block) in [
            ("Cols", clauses.nz_tile_cols, data.cols, c0),
            ("Rows", clauses.nz_tile_rows, data.rows, FRACTAL_ROWS),
        ] {
            self.refuse_if(extent % block != 0, clause, || {
                format!("{name} of the NZ tile is {extent}, no multiple of {block}")
            });
        }
    }

    /// The checks on `staticShape[3]` and `[4]` see no run-time extent; whether
    /// there may be one is a reading.
    fn nz_dynamic(&mut self, clauses: &Clauses, table: &GlobalTensor, reading: NzDynamic) {
        let inner = table.shape[3].known().and(table.shape[4].known());
        let refused = reading == NzDynamic::Refused && table.layout == Layout::NZ;
        self.refuse_if(refused && inner.is_none(), clauses.nz_dynamic, || {
            "Shape[3] or Shape[4] of the NZ table is dynamic".to_owned()
        });
    }
}

/// Whether the padded width is a multiple of 32 bytes; element sizes divide 32.
fn row_bytes_are_whole_bursts(tile: &Tile) -> bool {
    tile.cols
        .is_multiple_of(C0_BYTES / tile.dtype.size() as u64)
}
