//! Legal calls of TGATHERB.

use ptodiff_isa::{BLayout, Call, DType, OffsetGranularity, Tgatherb, Tile};

use crate::random::choices::{Choices, Coins};
use crate::random::context::{COMMON, DrawContext, unit};
use crate::random::extent::{area, dim, padded, plain};
use crate::slots::BLOCK;

pub(super) fn draft(choices: &mut impl Choices, context: &DrawContext) -> Call {
    let dtype = choices.pick(&COMMON);
    let size = dtype.size() as u64;
    let block = context.readings.tgatherb_granularity == OffsetGranularity::Block;
    let mut extents = area(choices, [unit(dtype), unit(dtype)], context.lanes);
    if choices.one_in(32) {
        // Nothing to gather (TGATHERB-GAP-13).
        extents = choices.pick(&[[0, extents[1]], [extents[0], 0]]);
    }
    // A2/A3 asks it of the destination (TGATHERB-TILE-01), CPU takes over the
    // rules of the NPUs (TGATHERB-GAP-08), a block has it of all (TGATHERB-GAP-10).
    let dst = tile(
        choices,
        dtype,
        extents,
        block || context.a2a3 || context.cpu,
    );
    let source = area(choices, [unit(dtype), unit(dtype)], 4 * context.lanes);
    let mut src = tile(choices, dtype, source, block);
    if block {
        // At least one whole block.
        src.cols = src.cols.next_multiple_of(unit(dtype));
    }
    let [rows, cols] = extents;
    let across = if block {
        (cols * size).div_ceil(BLOCK)
    } else {
        cols
    };
    // The offsets' valid region contains the destination's (TGATHERB-GAP-06).
    let needed = [rows, across].map(|extent| extent + choices.weighted(&[(6, 0), (1, 1)]));
    let offset_type = choices.pick(&[DType::Uint32, DType::Int32]);
    let offset = tile(choices, offset_type, needed, block);
    Call::Tgatherb(Tgatherb { dst, src, offset })
}

fn tile(choices: &mut impl Choices, dtype: DType, [rows, cols]: [u64; 2], row_major: bool) -> Tile {
    let mut coins = Coins::draw(choices, 3);
    let valid = [dim(&mut coins, rows), dim(&mut coins, cols)];
    let across = if coins.flip() { unit(dtype) } else { 1 };
    let extents = [padded(choices, rows, 1), padded(choices, cols, across)];
    let blayout = if row_major {
        BLayout::RowMajor
    } else {
        choices.pick(&[BLayout::RowMajor, BLayout::ColMajor])
    };
    plain(dtype, extents, valid, blayout)
}
