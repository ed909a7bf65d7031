//! `MGatherCheckGm2L1` (001, GM to L1 Gather).
//!
//! That the index is a tensor (MGATHERL1-INDEX-01) is in the call's type. The
//! shapes of index and scratch are the caller's affair.

use ptodiff_isa::{
    BLayout, Coalesce, DType, GatherExec, Layout, MgatherL1, Refusal, SLayout, Tile, TileType,
};

use super::refuse;

/// `C0_SIZE_BYTE`.
const C0_BYTES: u64 = 32;
/// `FRACTAL_NZ_ROW`.
const BLOCK_ROWS: u64 = 16;
/// `TileConfig::fractalABSize`.
const FRACTAL_BYTES: u64 = 512;

/// What `MGatherCheckGm2L1` refuses.
pub(crate) fn refusals(call: &MgatherL1, found: &mut Vec<Refusal>) {
    let MgatherL1 {
        dst, table, idx, ..
    } = call;
    if matches!(dst.dtype, DType::Int64 | DType::Uint64) {
        let why = format!("a tile of {}", dst.dtype);
        refuse(found, "MGATHERL1-DTYPE-02", why);
    }
    if call.mode == Coalesce::Row && dst.dtype.size() > 4 {
        let why = format!("rows of {}", dst.dtype);
        refuse(found, "MGATHERL1-DTYPE-03", why);
    }
    if !matches!(idx.dtype, DType::Int32 | DType::Uint32) {
        let why = format!("indices of {}", idx.dtype);
        refuse(found, "MGATHERL1-DTYPE-05", why);
    }
    if table.dtype != dst.dtype {
        let why = format!("a table of {} for a tile of {}", table.dtype, dst.dtype);
        refuse(found, "MGATHERL1-DTYPE-06", why);
    }
    if table.layout != Layout::ND {
        let why = format!("a table in {}", table.layout);
        refuse(found, "MGATHERL1-TABLE-01", why);
    }
    destination(dst, found);
    forms(call, found);
}

/// The NZ form (MGATHERL1-TILE-01, -02, -03).
fn destination(dst: &Tile, found: &mut Vec<Refusal>) {
    let mut not_nz = |why| refuse(found, "MGATHERL1-TILE-01", why);
    if dst.location != TileType::Mat {
        not_nz(format!("a {} tile", dst.location));
    }
    if dst.blayout == BLayout::RowMajor {
        not_nz(format!("boxes in {}", dst.blayout));
    }
    if dst.slayout != SLayout::RowMajor {
        not_nz(format!("an inner layout of {}", dst.slayout));
    }
    if dst.fractal != FRACTAL_BYTES {
        not_nz(format!("boxes of {} bytes", dst.fractal));
    }
    let width = C0_BYTES / dst.dtype.size() as u64;
    if !dst.cols.is_multiple_of(width) {
        let why = format!("{} columns, no multiple of {width}", dst.cols);
        refuse(found, "MGATHERL1-TILE-02", why);
    }
    if !dst.rows.is_multiple_of(BLOCK_ROWS) {
        let why = format!("{} rows, no multiple of {BLOCK_ROWS}", dst.rows);
        refuse(found, "MGATHERL1-TILE-03", why);
    }
}

/// Which operands and executors go with which mode (MGATHERL1-GAP-05, -06).
fn forms(call: &MgatherL1, found: &mut Vec<Refusal>) {
    match (call.mode, &call.scratch) {
        (Coalesce::Row, Some(_)) => {
            refuse(found, "MGATHERL1-GAP-05", "Row with a scratch".into());
        }
        (Coalesce::Elem, None) => {
            refuse(found, "MGATHERL1-GAP-05", "Elem without a scratch".into());
        }
        (Coalesce::Elem, Some(scratch)) if scratch.dtype != call.dst.dtype => {
            let (scratch, tile) = (scratch.dtype, call.dst.dtype);
            let why = format!("a scratch of {scratch} for a tile of {tile}");
            refuse(found, "MGATHERL1-SCRATCH-01", why);
        }
        _ => {}
    }
    if call.mode == Coalesce::Row && call.exec == GatherExec::Simt {
        refuse(found, "MGATHERL1-GAP-06", "Row with Simt".into());
    }
}
