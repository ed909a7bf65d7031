//! Extents and strides under which an instantiation is legal, where it can be.

use ptodiff_isa::{
    Call, Coalesce, Dim, GatherOob, GlobalTensor, MaskAxis, OffsetGranularity, ScatterExtent,
    ScatterIndex, Tgatherb, Tile, TscatterIndex,
};

use super::parts::{follow, set};
use crate::random::choices::Choices;
use crate::random::context::{DrawContext, unit};
use crate::random::extent::{Gaps, nd, table_rows};
use crate::random::legal::{elem_table, l1_indices, l1_table, row_table};
use crate::slots::BLOCK;

/// Draws the dynamic extents and strides of `call`.
pub(super) fn settle(choices: &mut impl Choices, context: &DrawContext, call: &mut Call) {
    match call {
        Call::Mscatter(c) => {
            in_ub(choices, context, c.mode, (&mut c.src, &mut c.idx));
            table(choices, context, c.mode, (&c.src, &mut c.table));
        }
        Call::Mgather(c) => {
            in_ub(choices, context, c.mode, (&mut c.dst, &mut c.idx));
            table(choices, context, c.mode, (&c.dst, &mut c.table));
        }
        Call::MscatterFirst(c) => {
            // Full tiles (MSCATTER0-GAP-06).
            for tile in [&mut c.src, &mut c.idx] {
                let full = [tile.rows, tile.cols];
                resize(tile, full);
            }
            let narrow = [1, 3, 8, 10, c.src.cols];
            let width = if c.idx.cols == 1 {
                c.src.cols
            } else {
                choices.pick(&narrow)
            };
            let most = (8 * c.src.rows * c.src.cols / width).clamp(16, 100);
            let rows = table_rows(choices, most);
            let shape = [1, 1, 1, rows, width];
            let drawn = nd(choices, c.table.dtype, shape, Gaps::default());
            follow(&mut c.table, &drawn);
        }
        Call::MgatherL1(c) => {
            valid(choices, &mut c.dst, context.lanes);
            if choices.one_in(16) {
                // No lanes (MGATHERL1-DYN-01).
                empty(choices, &mut c.dst);
            }
            let in_range = c.oob == GatherOob::Undefined;
            let drawn = l1_indices(choices, context, c.mode, &c.dst, in_range);
            follow(&mut c.idx, &drawn);
            let drawn = l1_table(choices, context, c.mode, &c.dst);
            follow(&mut c.table, &drawn);
            if let Some(scratch) = &mut c.scratch {
                // Contiguous, and no smaller than the tile (MGATHERL1-GAP-08).
                let needed = c.dst.rows * c.dst.cols + choices.weighted(&[(3, 0), (1, 1)]);
                let shape = [1, 1, 1, 1, needed];
                let drawn = nd(choices, scratch.dtype, shape, Gaps::default());
                follow(scratch, &drawn);
            }
        }
        Call::TscatterIndex(c) => tscatter(choices, context, c),
        Call::TscatterMask(c) => {
            some_or_none(choices, &mut c.src, context.lanes);
            let lanes = ptodiff_case::lanes(c.pattern);
            let [rows, cols] = [c.src.valid_row, c.src.valid_col].map(Dim::get);
            let expanded = match c.axis {
                MaskAxis::Row => [rows, cols * lanes],
                MaskAxis::Col => [rows * lanes, cols],
            };
            resize(&mut c.dst, expanded);
        }
        Call::Tgatherb(c) => tgatherb(choices, context, c),
    }
}

/// The tiles of the forms between UB and GM.
fn in_ub(
    choices: &mut impl Choices,
    context: &DrawContext,
    mode: Coalesce,
    (data, idx): (&mut Tile, &mut Tile),
) {
    valid(choices, data, context.lanes);
    if mode == Coalesce::Row && context.whole_bursts() {
        let unit = unit(data.dtype);
        let cols = data.valid_col.get() / unit * unit;
        set(&mut data.valid_col, cols.max(unit));
    }
    let often = if context.a2a3 || context.a5 { 4 } else { 8 };
    if context.empty_extents(mode) && choices.one_in(often) {
        set(&mut data.valid_row, 0);
    }
    let [rows, cols] = [data.valid_row.get(), data.valid_col.get()];
    match mode {
        Coalesce::Row if idx.rows == 1 => resize(idx, [1, rows]),
        Coalesce::Row => resize(idx, [rows, 1]),
        Coalesce::Elem => resize(idx, [rows, cols]),
    }
}

fn table(
    choices: &mut impl Choices,
    context: &DrawContext,
    mode: Coalesce,
    (data, table): (&Tile, &mut GlobalTensor),
) {
    let drawn = match mode {
        Coalesce::Row => row_table(choices, context, data, table.dtype),
        Coalesce::Elem => elem_table(choices, context, data, table.dtype),
    };
    follow(table, &drawn);
}

fn tscatter(choices: &mut impl Choices, context: &DrawContext, call: &mut TscatterIndex) {
    some_or_none(choices, &mut call.src, context.lanes);
    let by_row = context.readings.tscatter_index == ScatterIndex::Row;
    if by_row {
        // A row for each element of a column, and a column for each of a row.
        let [rows, cols] = [call.src.valid_row, call.src.valid_col].map(Dim::get);
        let most = [rows.min(call.dst.rows), cols.min(call.dst.cols)];
        resize(&mut call.src, most);
    }
    let (src, idx) = (&call.src, &mut call.idx);
    let rules = [src.valid_row, src.valid_col].map(Dim::get);
    // The other of the two extents has to contain the one that rules (TSCATTER-GAP-03).
    let extents = match context.readings.tscatter_extent {
        ScatterExtent::Source => rules.map(|n| n + choices.weighted(&[(6, 0), (1, 1)])),
        ScatterExtent::Index => rules.map(|n| n - choices.below(n.min(3))),
    };
    let extents = [extents[0].min(idx.rows), extents[1].min(idx.cols)];
    resize(idx, extents);
    valid(choices, &mut call.dst, context.lanes.saturating_mul(4));
    if by_row {
        let [rows, cols] = [call.dst.valid_row, call.dst.valid_col].map(Dim::get);
        resize(&mut call.dst, [rows.max(rules[0]), cols.max(rules[1])]);
    }
}

fn tgatherb(choices: &mut impl Choices, context: &DrawContext, call: &mut Tgatherb) {
    some_or_none(choices, &mut call.dst, context.lanes);
    valid(choices, &mut call.src, context.lanes.saturating_mul(4));
    let [rows, cols] = [call.dst.valid_row, call.dst.valid_col].map(Dim::get);
    let across = match context.readings.tgatherb_granularity {
        OffsetGranularity::Block => (cols * call.dst.dtype.size() as u64).div_ceil(BLOCK),
        OffsetGranularity::Element => cols,
    };
    // The offsets' valid region contains the destination's (TGATHERB-GAP-06).
    let mut more =
        |extent: u64, most: u64| (extent + choices.weighted(&[(6, 0), (1, 1)])).min(most);
    let extents = [more(rows, call.offset.rows), more(across, call.offset.cols)];
    resize(&mut call.offset, extents);
}

/// A valid region of at most `lanes` elements; now and then without any.
fn some_or_none(choices: &mut impl Choices, tile: &mut Tile, lanes: u64) {
    valid(choices, tile, lanes);
    if choices.one_in(32) {
        empty(choices, tile);
    }
}

fn empty(choices: &mut impl Choices, tile: &mut Tile) {
    let gone = match choices.below(2) {
        0 => &mut tile.valid_row,
        _ => &mut tile.valid_col,
    };
    set(gone, 0);
}

/// A valid region from one element to the whole tile, of at most `lanes` elements.
fn valid(choices: &mut impl Choices, tile: &mut Tile, lanes: u64) {
    let cols = within(choices, tile.cols.min(lanes));
    let rows = within(choices, tile.rows.min(lanes / cols));
    resize(tile, [rows, cols]);
}

fn within(choices: &mut impl Choices, most: u64) -> u64 {
    let most = most.max(1);
    match choices.below(8) {
        0 => 1,
        1 | 2 => most,
        3 => most.saturating_sub(1).max(1),
        4 => most.min(2),
        _ => 1 + choices.below(most),
    }
}

fn resize(tile: &mut Tile, [rows, cols]: [u64; 2]) {
    set(&mut tile.valid_row, rows);
    set(&mut tile.valid_col, cols);
}
