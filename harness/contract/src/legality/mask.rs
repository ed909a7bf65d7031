//! All constraints of TSCATTER by mask (002, Mask scatter checks).

use ptodiff_isa::{Dim, MaskAxis, Readings, Scope, Target, TscatterMask};

use super::{findings::Findings, tile_scatter::listed, tiles, valid};
use crate::mask::{SUITE, group};

pub(super) fn rules(
    call: &TscatterMask,
    target: Target,
    readings: &Readings,
    found: &mut Findings,
) {
    let suite = readings.scope == Scope::AsTheSuite;
    let down = call.axis == MaskAxis::Col;
    let axis = !down || (suite && target == Target::Cpu);
    found.check(axis, "TSCATTER-SHAPE-02", || {
        format!("axis {} on {target}", call.axis)
    });
    let exists = suite || target == Target::A5;
    found.check(exists, "TSCATTER-MODE-02", || {
        format!("the mask form on {target}")
    });
    if !axis || !exists {
        return;
    }
    let (dst, src) = (call.dst.dtype, call.src.dtype);
    if target == Target::Cpu {
        found.precondition(dst == src, "TSCATTER-GAP-08", || format!("{src} to {dst}"));
        // Of other elements and layouts the suite says nothing.
        let driven = [src, dst].iter().all(|d| matches!(d.size(), 2 | 4));
        found.precondition(driven, SUITE.0, || format!("{src} to {dst}"));
        for tile in [&call.dst, &call.src] {
            let driven = tiles::row_major(tile) || !tiles::plain(tile);
            found.precondition(driven, SUITE.0, || tiles::layout(tile));
        }
    } else {
        for tile in [&call.dst, &call.src] {
            tiles::in_vec(tile, "TSCATTER-TILE-02", found);
        }
        let taken = dst == src && listed(dst, target, readings);
        found.check(taken, "TSCATTER-DTYPE-08", || format!("{src} to {dst}"));
    }
    found.by_caller(target == Target::Cpu, |found| shapes(call, found));
    for tile in [&call.dst, &call.src] {
        let clause = "TSCATTER-GAP-15";
        found.precondition(tiles::plain(tile), clause, || tiles::boxed(tile));
        found.precondition(valid::inside(tile), clause, || valid::beyond(tile));
    }
}

/// The destination is as many times as large as groups have lanes, along the
/// groups; checks where both sides are known.
fn shapes(call: &TscatterMask, found: &mut Findings) {
    let (src, dst) = (&call.src, &call.dst);
    let rows = [src.valid_row, dst.valid_row];
    let cols = [src.valid_col, dst.valid_col];
    let (across, along) = match call.axis {
        MaskAxis::Row => (rows, cols),
        MaskAxis::Col => (cols, rows),
    };
    let why = || {
        let (from, to) = (valid::extents(src), valid::extents(dst));
        format!("{}: {from} to {to}", call.pattern)
    };
    let [from, to] = across.map(Dim::get);
    found.gated(from == to, &across, "TSCATTER-SHAPE-02", why);
    let [from, to] = along.map(Dim::get);
    let (factor, _) = group(call.pattern);
    let held = from.checked_mul(factor as u64) == Some(to);
    found.gated(held, &along, "TSCATTER-SHAPE-03", why);
}
