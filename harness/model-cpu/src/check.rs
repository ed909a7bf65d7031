//! Which calls this target rejects.
//!
//! The CPU header asserts an integral index type and elements of equal size,
//! and it holds a Row gather to its index shape. All other rules of the CPU
//! sections are preconditions (MSCATTER-DTYPE-06, MGATHER-DTYPE-05), and
//! TSCATTER and TGATHERB have no rules for CPU at all (TSCATTER-GAP-08,
//! TGATHERB-GAP-08).

use ptodiff_isa::{
    Call, Clause, Coalesce, CpuRowCheck, DType, MaskAxis, Mgather, Readings, Rejection, Scope,
    TscatterMask,
};

/// All that is wrong with `call`, in the order of the document's rules.
pub(crate) fn rejections(call: &Call, readings: &Readings) -> Vec<Rejection> {
    let found = match call {
        Call::Mscatter(call) => vec![
            integral_index("MSCATTER-DTYPE-04", call.idx.dtype),
            equal_size("MSCATTER-DTYPE-05", call.src.dtype, call.table.dtype),
        ],
        Call::MscatterFirst(_) => vec![no_first_revision()],
        Call::Mgather(call) => vec![
            integral_index("MGATHER-DTYPE-04", call.idx.dtype),
            equal_size("MGATHER-DTYPE-04", call.dst.dtype, call.table.dtype),
            row_index_shape(call, readings),
        ],
        // The same header; the indices are no tile, so no rule on their shape.
        Call::MgatherL1(call) => vec![
            integral_index("MGATHER-DTYPE-04", call.idx.dtype),
            equal_size("MGATHER-DTYPE-04", call.dst.dtype, call.table.dtype),
        ],
        Call::TscatterMask(call) => mask_form(call, readings),
        Call::TscatterIndex(_) | Call::Tgatherb(_) => vec![],
    };
    found.into_iter().flatten().collect()
}

fn rejection(clause: &'static str, why: impl Into<String>) -> Option<Rejection> {
    Some(Rejection {
        clause: Clause(clause),
        why: why.into(),
    })
}

/// `std::is_integral_v<TileInd::DType>`.
fn integral_index(clause: &'static str, index: DType) -> Option<Rejection> {
    match index.is_integer() {
        true => None,
        false => rejection(clause, format!("index dtype {index}")),
    }
}

/// `sizeof(Tile::DType) == sizeof(GlobalData::DType)`.
fn equal_size(clause: &'static str, tile: DType, table: DType) -> Option<Rejection> {
    let (of_tile, of_table) = (tile.size(), table.size());
    if of_tile == of_table {
        return None;
    }
    let why = format!("tile of {tile} ({of_tile} bytes) with table of {table} ({of_table} bytes)");
    rejection(clause, why)
}

/// MGATHER-MODE-06: R indices in one row or in one column, where all of these
/// extents are static; unless nobody checks it (MGATHER-GAP-12).
fn row_index_shape(call: &Mgather, readings: &Readings) -> Option<Rejection> {
    match readings.cpu_row_check {
        CpuRowCheck::Rejected => {}
        CpuRowCheck::Precondition => return None,
    }
    let rows = call.dst.valid_row.known()?;
    let (r, c) = (call.idx.valid_row.known()?, call.idx.valid_col.known()?);
    let fits = (r == 1 && c == rows) || (r == rows && c == 1);
    if call.mode == Coalesce::Elem || fits {
        return None;
    }
    let why = format!("Row index of valid shape [{r}, {c}] for {rows} rows");
    rejection("MGATHER-MODE-06", why)
}

/// Only A5 has the form of document 003.
fn no_first_revision() -> Option<Rejection> {
    let why = "the first revision of MSCATTER on cpu";
    rejection("MSCATTER0-API-01", why)
}

/// TSCATTER-GAP-09: CPU has the mask form, on both axes, only as the suite
/// drives it.
fn mask_form(call: &TscatterMask, readings: &Readings) -> Vec<Option<Rejection>> {
    if readings.scope == Scope::AsTheSuite {
        return vec![];
    }
    let form = rejection("TSCATTER-MODE-02", "the mask form on cpu");
    match call.axis {
        MaskAxis::Row => vec![form],
        MaskAxis::Col => vec![form, rejection("TSCATTER-SHAPE-02", "the column axis")],
    }
}
