//! `MScatterCheck` and `MGatherCheck` (000 and 001, Tile Constraints (A5)).
//!
//! What the documents leave to the caller is not asserted: the table's layout
//! and strides, inner layouts, tile alignment, UB size.

use ptodiff_isa::{
    BLayout, Clause, Coalesce, DType, GlobalTensor, Mgather, Mscatter, Readings, Refusal,
    RowIndexPitch, ScatterAtomicOp, Tile, TileType, WidthCheck,
};

/// The clauses that state the shared assertions for one instruction.
struct Clauses {
    dtype: Clause,
    index_dtype: Clause,
    table_dtype: Clause,
    location: Clause,
    index_location: Clause,
    extents: Clause,
    row_shape: Clause,
    elem_shape: Clause,
    width: Clause,
    /// Of a reading that has the width hold in Elem mode too.
    elem_width: Clause,
    /// Of a reading that has the indices of Row mode follow each other.
    index_pitch: Clause,
}

const MSCATTER: Clauses = Clauses {
    dtype: Clause("MSCATTER-DTYPE-09"),
    index_dtype: Clause("MSCATTER-DTYPE-03"),
    table_dtype: Clause("MSCATTER-DTYPE-11"),
    location: Clause("MSCATTER-TILE-01"),
    index_location: Clause("MSCATTER-TILE-02"),
    extents: Clause("MSCATTER-SHAPE-03"),
    row_shape: Clause("MSCATTER-SHAPE-04"),
    elem_shape: Clause("MSCATTER-SHAPE-02"),
    width: Clause("MSCATTER-TABLE-07"),
    elem_width: Clause("MSCATTER-GAP-12"),
    index_pitch: Clause("MSCATTER-GAP-36"),
};

const MGATHER: Clauses = Clauses {
    dtype: Clause("MGATHER-DTYPE-09"),
    index_dtype: Clause("MGATHER-DTYPE-08"),
    table_dtype: Clause("MGATHER-DTYPE-11"),
    location: Clause("MGATHER-TILE-01"),
    index_location: Clause("MGATHER-TILE-02"),
    extents: Clause("MGATHER-SHAPE-03"),
    row_shape: Clause("MGATHER-MODE-04"),
    elem_shape: Clause("MGATHER-MODE-05"),
    width: Clause("MGATHER-TABLE-07"),
    elem_width: Clause("MGATHER-GAP-42"),
    index_pitch: Clause("MGATHER-GAP-15"),
};

/// What the shared assertions look at.
struct Operands<'c> {
    mode: Coalesce,
    data: &'c Tile,
    idx: &'c Tile,
    table: &'c GlobalTensor,
}

/// What `MScatterCheck` refuses.
pub(crate) fn mscatter(call: &Mscatter, readings: &Readings, found: &mut Vec<Refusal>) {
    let operands = Operands {
        mode: call.mode,
        data: &call.src,
        idx: &call.idx,
        table: &call.table,
    };
    shared(&MSCATTER, &operands, readings, found);
    atomic_dtype(call.atomic, call.src.dtype, found);
}

/// What `MGatherCheck` refuses.
pub(crate) fn mgather(call: &Mgather, readings: &Readings, found: &mut Vec<Refusal>) {
    let operands = Operands {
        mode: call.mode,
        data: &call.dst,
        idx: &call.idx,
        table: &call.table,
    };
    shared(&MGATHER, &operands, readings, found);
}

fn shared(
    clauses: &Clauses,
    operands: &Operands<'_>,
    readings: &Readings,
    found: &mut Vec<Refusal>,
) {
    let Operands {
        mode,
        data,
        idx,
        table,
    } = *operands;
    let mut refuse = |clause, why| found.push(Refusal { clause, why });
    if matches!(data.dtype, DType::Int64 | DType::Uint64) {
        refuse(clauses.dtype, format!("a tile of {}", data.dtype));
    }
    if !matches!(idx.dtype, DType::Int32 | DType::Uint32) {
        refuse(clauses.index_dtype, format!("indices of {}", idx.dtype));
    }
    if table.dtype != data.dtype {
        let why = format!("a table of {} for a tile of {}", table.dtype, data.dtype);
        refuse(clauses.table_dtype, why);
    }
    if data.location != TileType::Vec {
        refuse(clauses.location, format!("a {} tile", data.location));
    }
    if idx.location != TileType::Vec {
        let why = format!("a {} index tile", idx.location);
        refuse(clauses.index_location, why);
    }
    for (name, extent) in [("ValidRow", data.valid_row), ("ValidCol", data.valid_col)] {
        if extent.known() == Some(0) {
            refuse(clauses.extents, format!("{name} is 0"));
        }
    }
    match mode {
        Coalesce::Row => {
            if let Some(why) = row_shape(data, idx) {
                refuse(clauses.row_shape, why);
            }
            if readings.row_index_pitch == RowIndexPitch::Refused
                && let Some(why) = index_pitch(idx)
            {
                refuse(clauses.index_pitch, why);
            }
            if let Some(why) = width(data, table) {
                refuse(clauses.width, why);
            }
        }
        Coalesce::Elem => {
            for (name, index, extent) in [
                ("ValidRow", idx.valid_row, data.valid_row),
                ("ValidCol", idx.valid_col, data.valid_col),
            ] {
                if let (Some(index), Some(extent)) = (index.known(), extent.known())
                    && index != extent
                {
                    let why = format!("index {name} is {index}, not {extent}");
                    refuse(clauses.elem_shape, why);
                }
            }
            if readings.width_check == WidthCheck::Both
                && let Some(why) = width(data, table)
            {
                refuse(clauses.elem_width, why);
            }
        }
    }
}

/// Why `Shape[4]` is not `ValidCol`, if both are known.
fn width(data: &Tile, table: &GlobalTensor) -> Option<String> {
    let [.., width] = table.shape;
    let (width, cols) = (width.known()?, data.valid_col.known()?);
    (width != cols).then(|| format!("a table width of {width} with ValidCol {cols}"))
}

/// Why the indices of a Row index tile do not follow each other, if its shape is known.
fn index_pitch(idx: &Tile) -> Option<String> {
    let shape = (idx.valid_row.known()?, idx.valid_col.known()?);
    let (count, pitch) = match (idx.blayout, shape) {
        (BLayout::RowMajor, (rows, 1)) => (rows, idx.cols),
        (BLayout::ColMajor, (1, cols)) => (cols, idx.rows),
        _ => return None,
    };
    (count > 1 && pitch > 1).then(|| format!("{count} row indices {pitch} elements apart"))
}

/// Why the index tile is neither `[1, R]` nor `[R, 1]`, if all that decides it is known.
fn row_shape(data: &Tile, idx: &Tile) -> Option<String> {
    let rows = data.valid_row.known()?;
    let (row, col) = (idx.valid_row.known()?, idx.valid_col.known()?);
    let fits = (row == 1 && col == rows) || (row == rows && col == 1);
    (!fits).then(|| format!("an index valid shape of {row} by {col} for {rows} rows"))
}

/// `IsValidScatterAtomic<T, Atomic>` (MSCATTER-ATOM-15).
fn atomic_dtype(atomic: ScatterAtomicOp, dtype: DType, found: &mut Vec<Refusal>) {
    let ordered = matches!(dtype, DType::Int32 | DType::Uint32 | DType::Float);
    let clause = match atomic {
        ScatterAtomicOp::None => return,
        ScatterAtomicOp::Add if ordered => return,
        ScatterAtomicOp::Add => match dtype {
            DType::Half | DType::Bfloat16 => return,
            // The list of -12 names the types of A5 only.
            DType::Int64 | DType::Uint64 => "MSCATTER-ATOM-11",
            _ => "MSCATTER-ATOM-12",
        },
        ScatterAtomicOp::Max | ScatterAtomicOp::Min if ordered => return,
        ScatterAtomicOp::Max => "MSCATTER-ATOM-13",
        ScatterAtomicOp::Min => "MSCATTER-ATOM-14",
    };
    found.push(Refusal {
        clause: Clause(clause),
        why: format!("{atomic} with {dtype}"),
    });
}
