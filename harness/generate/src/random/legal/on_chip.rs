//! Legal calls from tile to tile: TSCATTER, by index and by mask, and TGATHERB.

use ptodiff_isa::{
    BLayout, Call, DType, MaskAxis, MaskPattern, OffsetGranularity, ScatterExtent, ScatterIndex,
    Tgatherb, Tile, TscatterIndex, TscatterMask,
};
use strum::VariantArray as _;

use crate::random::choices::{Choices, Coins};
use crate::random::context::{COMMON, DrawContext, unit};
use crate::random::extent::{area, dim, layout, padded, plain};
use crate::slots::BLOCK;

/// A tile of any padded width: TSCATTER has no rule on it, nor on the BLayout
/// (TSCATTER-GAP-07, -20).
fn tile(choices: &mut impl Choices, dtype: DType, [rows, cols]: [u64; 2], row_major: bool) -> Tile {
    let mut coins = Coins::draw(choices, 3);
    let valid = [dim(&mut coins, rows), dim(&mut coins, cols)];
    let across = if coins.flip() { unit(dtype) } else { 1 };
    let extents = [padded(choices, rows, 1), padded(choices, cols, across)];
    plain(dtype, extents, valid, layout(choices, row_major))
}

/// Extents of a data tile; now and then there is nothing to move (TSCATTER-GAP-20,
/// TGATHERB-GAP-13).
fn extents(choices: &mut impl Choices, dtype: DType, lanes: u64) -> [u64; 2] {
    let [rows, cols] = area(choices, [unit(dtype), unit(dtype)], lanes);
    if choices.one_in(32) {
        return choices.pick(&[[0, cols], [rows, 0]]);
    }
    [rows, cols]
}

pub(super) fn by_index(choices: &mut impl Choices, context: &DrawContext) -> Call {
    let [data, index_type] = types(choices, context);
    let [rows, cols] = extents(choices, data, context.lanes);
    let src = tile(choices, data, [rows, cols], false);
    // The other of the two extents has to contain the one that rules (TSCATTER-GAP-03).
    let index_extents = match context.readings.tscatter_extent {
        ScatterExtent::Source => {
            [rows, cols].map(|extent| extent + choices.weighted(&[(6, 0), (1, 1)]))
        }
        ScatterExtent::Index => [rows, cols].map(|extent| extent - choices.below(extent.min(3))),
    };
    let idx = tile(choices, index_type, index_extents, false);
    let mut slots = area(choices, [unit(data), unit(data)], 4 * context.lanes);
    if context.readings.tscatter_index == ScatterIndex::Row {
        // A row for each element of a column, and a column for each of a row.
        slots = [slots[0].max(rows), slots[1].max(cols)];
    }
    let dst = tile(choices, data, slots, false);
    Call::TscatterIndex(TscatterIndex { dst, src, idx })
}

/// Types of data and indices: of one width, but two bytes for one (TSCATTER-DTYPE-05
/// to -07); CPU has no rule but an integer index (TSCATTER-GAP-08).
fn types(choices: &mut impl Choices, context: &DrawContext) -> [DType; 2] {
    use DType::{Int16, Int32, Int64, Uint16, Uint32, Uint64};
    let only_cpu = context.cpu && !context.a2a3 && !context.a5;
    if only_cpu && choices.one_in(2) {
        let mut index = choices.pick(DType::VARIANTS);
        if !index.is_integer() {
            index = Int32;
        }
        return [choices.pick(DType::VARIANTS), index];
    }
    if context.suites() && !context.a2a3 && choices.one_in(4) {
        return [
            choices.pick(&[Int64, Uint64]),
            choices.pick(&[Int32, Uint32]),
        ];
    }
    let data = choices.pick(&COMMON);
    let index = match data.size() {
        4 => choices.pick(&[Int32, Uint32]),
        _ => choices.pick(&[Int16, Uint16]),
    };
    [data, index]
}

pub(super) fn by_mask(choices: &mut impl Choices, context: &DrawContext) -> Call {
    // CPU's suite has RowMajor masks of 16 and 32 bits (TSCATTER-GAP-09).
    let types = if context.cpu {
        &COMMON[..7]
    } else {
        &COMMON[..]
    };
    let dtype = choices.pick(types);
    let pattern = choices.pick(&[
        MaskPattern::P1111,
        MaskPattern::P0101,
        MaskPattern::P1010,
        MaskPattern::P0001,
        MaskPattern::P0010,
        MaskPattern::P0100,
        MaskPattern::P1000,
    ]);
    // The column axis is CPU's, as its suite has it (TSCATTER-GAP-09).
    let column = context.suites() && !context.a2a3 && !context.a5 && choices.one_in(2);
    let [rows, cols] = extents(choices, dtype, context.lanes);
    let lanes = ptodiff_case::lanes(pattern);
    let mut src = tile(choices, dtype, [rows, cols], false);
    let mut dst = if column {
        tile(choices, dtype, [rows * lanes, cols], false)
    } else {
        tile(choices, dtype, [rows, cols * lanes], false)
    };
    if context.cpu {
        (src.blayout, dst.blayout) = (BLayout::RowMajor, BLayout::RowMajor);
    }
    Call::TscatterMask(TscatterMask {
        dst,
        src,
        pattern,
        axis: if column { MaskAxis::Col } else { MaskAxis::Row },
    })
}

pub(super) fn by_offset(choices: &mut impl Choices, context: &DrawContext) -> Call {
    let dtype = choices.pick(&COMMON);
    let size = dtype.size() as u64;
    let block = context.readings.tgatherb_granularity == OffsetGranularity::Block;
    let extents = extents(choices, dtype, context.lanes);
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
