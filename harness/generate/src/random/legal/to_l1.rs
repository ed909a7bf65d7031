//! Legal calls of MGATHER, GM to L1.

use ptodiff_isa::{
    Call, Coalesce, DType, GatherExec, GatherOob, GlobalTensor, L1IndexPitch, Launch, MgatherL1,
    Tile, TileType,
};
use strum::VariantArray as _;

use crate::random::choices::{Choices, Coins};
use crate::random::context::{DrawContext, unit};
use crate::random::extent::{
    BLOCK_ROWS, Gaps, area, dim, extent, fractal, nd, outer, padded, table_rows,
};

use super::{data_type, index_type};

pub(super) fn draft(choices: &mut impl Choices, context: &DrawContext) -> Call {
    let dtype = data_type(choices, context);
    let mode = choices.pick(&[Coalesce::Row, Coalesce::Elem]);
    // A5 alone has the executor (MGATHERL1-EXEC-03, MGATHERL1-GAP-06).
    let simt = mode == Coalesce::Elem && !context.a2a3 && choices.one_in(2);
    let oob = choices.pick(GatherOob::VARIANTS);
    let dst = destination(choices, context, dtype);
    let in_range = oob == GatherOob::Undefined;
    let idx = indices(choices, context, mode, &dst, in_range);
    let table = table(choices, context, mode, &dst);
    let scratch = (mode == Coalesce::Elem).then(|| {
        let needed = dst.rows * dst.cols;
        let more = choices.weighted(&[(3, 0), (1, unit(dtype)), (1, 1)]);
        let shape = match choices.below(3) {
            0 | 1 => [1, 1, 1, 1, needed + more],
            _ => [1, 1, 1, BLOCK_ROWS, needed / BLOCK_ROWS + more],
        };
        // Contiguous, and no smaller than the tile (MGATHERL1-GAP-08).
        nd(choices, dtype, shape, Gaps::default())
    });

    Call::MgatherL1(MgatherL1 {
        dst,
        table,
        idx,
        scratch,
        mode,
        oob,
        exec: if simt {
            GatherExec::Simt
        } else {
            GatherExec::Scalar
        },
        launch: Launch::default(),
    })
}

/// In NZ form; an extent of 0 has no lanes (MGATHERL1-DYN-01).
fn destination(choices: &mut impl Choices, context: &DrawContext, dtype: DType) -> Tile {
    let [mut rows, mut cols] = area(choices, [BLOCK_ROWS, unit(dtype)], context.lanes);
    let extents = [
        padded(choices, rows, BLOCK_ROWS),
        padded(choices, cols, unit(dtype)),
    ];
    if choices.one_in(16) {
        let none = choices.pick(&[[0, 1], [1, 0]]);
        (rows, cols) = (rows * none[0], cols * none[1]);
    }
    let mut coins = Coins::draw(choices, 2);
    let valid = [dim(&mut coins, rows), dim(&mut coins, cols)];
    fractal(TileType::Mat, dtype, extents, valid)
}

/// At least as many as are read: a row has one in Row mode, an element in Elem
/// mode (MGATHERL1-GAP-03). What lies between them is read as
/// well unless the strides count.
pub(in crate::random) fn indices(
    choices: &mut impl Choices,
    context: &DrawContext,
    mode: Coalesce,
    dst: &Tile,
    in_range: bool,
) -> GlobalTensor {
    let dtype = index_type(choices);
    let [rows, cols] = [dst.valid_row.get().max(1), dst.valid_col.get().max(1)];
    let more = choices.weighted(&[(6, 0), (1, 1), (1, 3)]);
    let strided = context.readings.l1_index_pitch == L1IndexPitch::Strided;
    let shape = match mode {
        Coalesce::Row => [1, 1, 1, 1, rows + more],
        Coalesce::Elem if strided || choices.below(2) == 0 => [1, 1, 1, rows, cols + more],
        Coalesce::Elem => [1, 1, 1, 1, rows * cols + more],
    };
    let mut gaps = Gaps::default();
    let negative = context.literal_signs() && dtype == DType::Int32;
    // Bytes that poison names lie between two elements.
    let in_bytes = context.index_unit(mode, dst.dtype) > 1;
    if strided || !(in_range || negative || in_bytes) {
        gaps.rows = choices.weighted(&[(2, 0), (1, 3)]);
        gaps.columns = choices.weighted(&[(3, 0), (1, 1)]);
    }
    nd(choices, dtype, shape, gaps)
}

pub(in crate::random) fn table(
    choices: &mut impl Choices,
    context: &DrawContext,
    mode: Coalesce,
    dst: &Tile,
) -> GlobalTensor {
    let dtype = dst.dtype;
    let [s0, s1, s2] = if context.flat_tables() {
        [1; 3]
    } else {
        outer(choices)
    };
    let several = s0 * s1 * s2 > 1;
    let more = extent(choices, unit(dtype), 2 * unit(dtype));
    let mut gaps = Gaps::default();
    let (rows, width) = match mode {
        Coalesce::Row => {
            // No narrower than the tile (MGATHERL1-GAP-17).
            let width = dst.valid_col.get().max(1) + choices.weighted(&[(2, 0), (1, more)]);
            if !context.cpu {
                gaps.rows = choices.weighted(&[(2, 0), (1, more)]);
            }
            let most = (8 * context.lanes / width).clamp(16, 100);
            (table_rows(choices, most), width)
        }
        Coalesce::Elem => {
            gaps.rows = choices.weighted(&[(3, 0), (1, 1), (1, 6)]);
            gaps.columns = choices.weighted(&[(9, 0), (1, 1)]);
            let slots = table_rows(choices, (4 * context.lanes).max(16));
            let rows = choices.pick(&[1, 1, 2, 3]);
            (rows, slots.div_ceil(rows))
        }
    };
    let rows = if several { rows.min(5) } else { rows };
    nd(choices, dtype, [s0, s1, s2, rows, width], gaps)
}
