//! The implementation checks of TSCATTER on A5 (002, Target-Profile Restrictions).

use ptodiff_isa::{DType, MaskAxis, Readings, Scope, Tile, TscatterIndex, TscatterMask};

use super::{Checks, both_hold, holds, is_common};
use crate::tscatter::expansion;

/// The checks of the index form. No extents of different tiles are compared
/// (TSCATTER-GAP-03, -04).
pub(super) fn by_index(call: &TscatterIndex, readings: &Readings, checks: &mut Checks) {
    use DType::{Int16, Int32, Uint16, Uint32};
    let TscatterIndex { dst, src, idx } = call;
    let tiles = [("destination", dst), ("source", src), ("index", idx)];
    for (name, tile) in tiles {
        checks.in_ub("TSCATTER-TILE-01", &format!("{name} tile"), tile);
    }
    for (name, tile) in [("a destination", dst), ("a source", src)] {
        // GAP-09: the suites have 64-bit data with 32-bit indices.
        let in_scope = idx.dtype.size() == 4 && is_wide_in_scope(tile.dtype, readings);
        let listed = is_common(tile.dtype) || in_scope;
        checks.element_type(listed, "TSCATTER-DTYPE-02", name, tile.dtype);
    }
    same_type("TSCATTER-DTYPE-03", dst, src, checks);
    let is_index = matches!(idx.dtype, Int16 | Int32 | Uint16 | Uint32);
    checks.element_type(is_index, "TSCATTER-DTYPE-04", "indices", idx.dtype);
    // No rule speaks of other sizes.
    let index_size = match dst.dtype.size() {
        4 => Some(("TSCATTER-DTYPE-05", 4)),
        2 => Some(("TSCATTER-DTYPE-06", 2)),
        1 => Some(("TSCATTER-DTYPE-07", 2)),
        _ => None,
    };
    if let Some((clause, size)) = index_size {
        checks.require(idx.dtype.size() == size, clause, || {
            format!("{} indices for {}", idx.dtype, dst.dtype)
        });
    }
    for (name, tile) in tiles {
        for (extent, valid, padded) in [
            ("ValidRow", tile.valid_row, tile.rows),
            ("ValidCol", tile.valid_col, tile.cols),
        ] {
            let fits = holds(valid, |valid| valid <= padded);
            checks.require(fits, "TSCATTER-SHAPE-01", || {
                format!("{name} {extent} is {} of {padded}", valid.get())
            });
        }
    }
}

/// The checks of the mask form; GAP-15: where both sides are static.
pub(super) fn by_mask(call: &TscatterMask, readings: &Readings, checks: &mut Checks) {
    // The document has groups along the rows only: no other has rules.
    if call.axis == MaskAxis::Col {
        let why = || "groups along the columns".to_owned();
        return checks.require(false, "TSCATTER-SHAPE-02", why);
    }
    let TscatterMask { dst, src, .. } = call;
    for (name, tile) in [("destination", dst), ("source", src)] {
        checks.in_ub("TSCATTER-TILE-02", &format!("{name} tile"), tile);
        let listed = is_common(tile.dtype) || is_wide_in_scope(tile.dtype, readings);
        let operand = format!("a {name}");
        checks.element_type(listed, "TSCATTER-DTYPE-08", &operand, tile.dtype);
    }
    same_type("TSCATTER-DTYPE-08", dst, src, checks);
    let (rows, cols) = (dst.valid_row, dst.valid_col);
    let same_rows = both_hold(rows, src.valid_row, |dst, src| dst == src);
    checks.require(same_rows, "TSCATTER-SHAPE-02", || {
        let wanted = src.valid_row.get();
        format!("destination ValidRow is {}, not {wanted}", rows.get())
    });
    let (factor, _) = expansion(call.pattern);
    let expanded = both_hold(cols, src.valid_col, |dst, src| {
        src.checked_mul(factor) == Some(dst)
    });
    checks.require(expanded, "TSCATTER-SHAPE-03", || {
        let grouped = src.valid_col.get();
        format!(
            "destination ValidCol is {}, not {factor} times {grouped}",
            cols.get()
        )
    });
}

fn same_type(clause: &'static str, dst: &Tile, src: &Tile, checks: &mut Checks) {
    checks.require(dst.dtype == src.dtype, clause, || {
        format!("a destination of {} for {}", dst.dtype, src.dtype)
    });
}

/// 64-bit data in the suites' scope (GAP-09).
fn is_wide_in_scope(dtype: DType, readings: &Readings) -> bool {
    readings.scope == Scope::AsTheSuite && matches!(dtype, DType::Int64 | DType::Uint64)
}
