//! `MGatherCheckGm2L1` (001, GM to L1 Gather, Constraints).

use ptodiff_isa::{BLayout, Coalesce, GatherExec, Layout, MgatherL1, SLayout, Tile, TileType};

use super::{Checks, is_common_or_small_float, is_index};

/// `TileConfig::fractalABSize`.
const FRACTAL_AB_SIZE: u64 = 512;
/// `FRACTAL_NZ_ROW`.
const FRACTAL_NZ_ROW: u64 = 16;
/// `C0_SIZE_BYTE`.
const C0_SIZE_BYTE: u64 = 32;

/// Adds what is rejected. The executor changes nothing (MGATHERL1-EXEC-04).
pub(super) fn check(call: &MgatherL1, checks: &mut Checks) {
    let MgatherL1 {
        dst, table, idx, ..
    } = call;
    let size = dst.dtype.size() as u64;
    let listed = is_common_or_small_float(dst.dtype);
    checks.element_type(listed, "MGATHERL1-DTYPE-02", "a tile", dst.dtype);
    if call.mode == Coalesce::Row {
        checks.element_type(size <= 4, "MGATHERL1-DTYPE-03", "rows", dst.dtype);
    }
    let index_listed = is_index(idx.dtype);
    checks.element_type(index_listed, "MGATHERL1-DTYPE-05", "indices", idx.dtype);
    checks.same("MGATHERL1-DTYPE-06", "table", table.dtype, dst.dtype);
    checks.require(table.layout == Layout::ND, "MGATHERL1-TABLE-01", || {
        format!("a table in {}", table.layout)
    });
    nz_form(dst, checks);
    let c0 = C0_SIZE_BYTE / size;
    checks.require(dst.cols.is_multiple_of(c0), "MGATHERL1-TILE-02", || {
        format!("{} columns, no multiple of {c0}", dst.cols)
    });
    let whole_fractals = dst.rows.is_multiple_of(FRACTAL_NZ_ROW);
    checks.require(whole_fractals, "MGATHERL1-TILE-03", || {
        format!("{} rows, no multiple of {FRACTAL_NZ_ROW}", dst.rows)
    });
    if let (Coalesce::Elem, Some(scratch)) = (call.mode, &call.scratch) {
        let clause = "MGATHERL1-SCRATCH-01";
        checks.same(clause, "scratch", scratch.dtype, dst.dtype);
    }
    let has_form = call.scratch.is_some() == (call.mode == Coalesce::Elem);
    checks.require(has_form, "MGATHERL1-GAP-05", || {
        let with = call.scratch.map_or("without", |_| "with");
        format!("{} {with} a scratch", call.mode)
    });
    let has_executor = call.exec == GatherExec::Scalar || call.mode == Coalesce::Elem;
    checks.require(has_executor, "MGATHERL1-GAP-06", || {
        format!("{} with {}", call.mode, call.exec)
    });
}

/// An NZ tile in L1, in every respect.
fn nz_form(dst: &Tile, checks: &mut Checks) {
    let clause = "MGATHERL1-TILE-01";
    checks.require(dst.location == TileType::Mat, clause, || {
        format!("a {} tile", dst.location)
    });
    checks.require(dst.blayout == BLayout::ColMajor, clause, || {
        format!("a BLayout of {}", dst.blayout)
    });
    checks.require(dst.slayout == SLayout::RowMajor, clause, || {
        format!("an inner layout of {}", dst.slayout)
    });
    checks.require(dst.fractal == FRACTAL_AB_SIZE, clause, || {
        format!("boxes of {} bytes", dst.fractal)
    });
}
