//! All constraints of TSCATTER by index (002, Target-Profile Restrictions).

use ptodiff_isa::{DType, Readings, ScatterIndex, Scope, Target, Tile, TscatterIndex};

use super::{elements, findings::Findings, tiles, valid};
use crate::tile_scatter::{ROWS, region};

pub(super) fn rules(
    call: &TscatterIndex,
    target: Target,
    readings: &Readings,
    found: &mut Findings,
) {
    if target == Target::Cpu {
        cpu_dtypes(call, found);
    } else {
        for tile in [&call.dst, &call.src, &call.idx] {
            tiles::in_vec(tile, "TSCATTER-TILE-01", found);
        }
        dtypes(call, target, readings, found);
        widths(call.dst.dtype, call.idx.dtype, found);
    }
    for tile in [&call.dst, &call.src, &call.idx] {
        // No CPU build looks at them.
        found.by_caller(target == Target::Cpu, |found| extents(tile, found));
    }
    for tile in [&call.src, &call.idx] {
        let plain = tiles::plain(tile);
        found.precondition(plain, "TSCATTER-GAP-07", || tiles::boxed(tile));
    }
    // A destination in boxes is a line of slots.
    let flat = readings.tscatter_index == ScatterIndex::Flat;
    found.precondition(flat || tiles::plain(&call.dst), ROWS.0, || {
        format!("rows of a {}", tiles::layout(&call.dst))
    });
    let region = region(call, readings);
    let held = valid::contains(&call.src, region) && valid::contains(&call.idx, region);
    found.precondition(held, "TSCATTER-SEM-02", || {
        let (src, idx) = (valid::extents(&call.src), valid::extents(&call.idx));
        format!("source or index is smaller than what is scattered: source {src}, index {idx}")
    });
}

/// Whether either form takes elements of this type on an NPU.
pub(super) fn listed(dtype: DType, target: Target, readings: &Readings) -> bool {
    let wide = target == Target::A5 && readings.scope == Scope::AsTheSuite && dtype.size() == 8;
    elements::common(dtype) || wide
}

fn dtypes(call: &TscatterIndex, target: Target, readings: &Readings, found: &mut Findings) {
    let (dst, src, idx) = (call.dst.dtype, call.src.dtype, call.idx.dtype);
    let clause = match target {
        Target::A5 => "TSCATTER-DTYPE-02",
        Target::A2a3 | Target::Cpu => "TSCATTER-DTYPE-01",
    };
    // The suite has elements of 8 bytes with indices of 4 (TSCATTER-GAP-09).
    let driven = |d: DType| d.size() != 8 || idx.size() == 4;
    let known = [dst, src]
        .iter()
        .all(|&d| listed(d, target, readings) && driven(d));
    found.check(known, clause, || format!("{src} to {dst}"));
    found.check(dst == src, "TSCATTER-DTYPE-03", || {
        format!("{src} to {dst}")
    });
    let index = idx.is_integer() && matches!(idx.size(), 2 | 4);
    found.check(index, "TSCATTER-DTYPE-04", || format!("index type {idx}"));
}

/// Each element width has its index width.
fn widths(data: DType, idx: DType, found: &mut Findings) {
    let (needed, clause) = match data.size() {
        1 => (2, "TSCATTER-DTYPE-07"),
        2 => (2, "TSCATTER-DTYPE-06"),
        4 => (4, "TSCATTER-DTYPE-05"),
        // The document gives no width to indices of others.
        _ => return,
    };
    found.check(idx.size() == needed, clause, || {
        format!("{data} with indices of {idx}")
    });
}

/// Valid extents stay below the padded ones.
fn extents(tile: &Tile, found: &mut Findings) {
    let clause = "TSCATTER-SHAPE-01";
    for (valid, padded) in [(tile.valid_row, tile.rows), (tile.valid_col, tile.cols)] {
        found.gated(valid.get() <= padded, &[valid], clause, || {
            valid::beyond(tile)
        });
    }
}

/// The CPU takes indices of any width, and elements of any type: what becomes of a value
/// of one type in a tile of another is not said (TSCATTER-GAP-08).
fn cpu_dtypes(call: &TscatterIndex, found: &mut Findings) {
    let (dst, src, idx) = (call.dst.dtype, call.src.dtype, call.idx.dtype);
    let clause = "TSCATTER-GAP-08";
    found.precondition(dst == src, clause, || format!("{src} to {dst}"));
    found.precondition(idx.is_integer(), clause, || format!("index type {idx}"));
}
