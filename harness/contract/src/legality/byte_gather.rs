//! All constraints of TGATHERB (004, Target-Profile Restrictions).

use ptodiff_isa::{BLayout, OffsetGranularity, Readings, Target, Tgatherb, TileType};

use super::{elements, findings::Findings, tiles, valid};
use crate::byte_gather::unit;

pub(super) fn rules(call: &Tgatherb, target: Target, readings: &Readings, found: &mut Findings) {
    match target {
        Target::A2a3 => {
            let rows = call.dst.blayout == BLayout::RowMajor;
            found.check(rows, "TGATHERB-TILE-01", || tiles::layout(&call.dst));
            dtypes(call, "TGATHERB-DTYPE-01", "TGATHERB-DTYPE-03", found);
        }
        Target::A5 => dtypes(call, "TGATHERB-DTYPE-02", "TGATHERB-DTYPE-04", found),
        Target::Cpu => {
            let clause = "TGATHERB-GAP-08";
            found.by_caller(true, |found| dtypes(call, clause, clause, found));
        }
    }
    operand_preconditions(call, found);
    offset_preconditions(call, readings, found);
}

fn dtypes(call: &Tgatherb, size: &'static str, list: &'static str, found: &mut Findings) {
    let (dst, src) = (call.dst.dtype, call.src.dtype);
    found.check(matches!(dst.size(), 1 | 2 | 4), size, || {
        format!("elements of {dst}")
    });
    let listed = elements::common(dst) && elements::common(src);
    found.check(listed, list, || format!("{src} to {dst}"));
}

fn operand_preconditions(call: &Tgatherb, found: &mut Findings) {
    let (dst, src) = (call.dst.dtype, call.src.dtype);
    found.precondition(dst == src, "TGATHERB-GAP-04", || format!("{src} to {dst}"));
    let offset = call.offset.dtype;
    let words = elements::index(offset);
    found.precondition(words, "TGATHERB-GAP-05", || format!("offsets of {offset}"));
    for tile in [&call.dst, &call.src, &call.offset] {
        let vec = tile.location == TileType::Vec;
        found.precondition(vec, "TGATHERB-GAP-09", || tiles::place(tile));
        let plain = tiles::plain(tile);
        found.precondition(plain, "TGATHERB-GAP-10", || tiles::boxed(tile));
        let inside = valid::inside(tile);
        found.precondition(inside, "TGATHERB-GAP-13", || valid::beyond(tile));
    }
}

/// An offset for everything that takes one (TGATHERB-SEM-03, TGATHERB-GAP-06, -14).
fn offset_preconditions(call: &Tgatherb, readings: &Readings, found: &mut Findings) {
    let (dst, offset) = (&call.dst, &call.offset);
    let row = dst.valid_col.get().saturating_mul(dst.dtype.size() as u64);
    let needed = row.div_ceil(unit(call, readings) as u64);
    let held = dst.valid_row.get() <= offset.valid_row.get() && needed <= offset.valid_col.get();
    found.precondition(held, "TGATHERB-SEM-03", || {
        let (dst, offset) = (valid::extents(dst), valid::extents(offset));
        format!("there are too few offsets: destination {dst}, offsets {offset}")
    });
    if readings.tgatherb_granularity == OffsetGranularity::Block {
        for tile in [dst, &call.src, offset] {
            let rows = tile.blayout == BLayout::RowMajor;
            found.precondition(rows, "TGATHERB-GAP-10", || tiles::layout(tile));
        }
    }
}
