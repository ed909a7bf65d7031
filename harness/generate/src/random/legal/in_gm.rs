//! Legal calls of MSCATTER, current revision, and of MGATHER, GM to UB.

use ptodiff_isa::{
    BLayout, BurstTail, Call, Coalesce, CpuPaddedTable, DType, Dim, GatherOob, GlobalTensor,
    Launch, Layout, Mgather, Mscatter, NarrowRow, NzDynamic, NzRowColumns, PaddedElem, RowCapacity,
    RowPitch, SLayout, ScatterConflict, ScatterOob, Tile, TileType, WidthCheck,
};
use strum::VariantArray as _;

use crate::random::choices::{Choices, Coins};
use crate::random::context::{DrawContext, unit};
use crate::random::data::{A2A3_UB, DEFAULT_UB, DYN_UB, bytes};
use crate::random::extent::{
    BLOCK_ROWS, Gaps, area, dim, extent, fractal, layout, nd, outer, padded, plain, table_rows,
    tensor,
};

use super::{atomic, counterpart, data_type, index_type, of_atomic};

pub(super) fn scatter(choices: &mut impl Choices, context: &DrawContext) -> Call {
    let atomic = atomic(choices, context);
    let mut dtype = data_type(choices, context);
    if !context.has_atomic(atomic, dtype) {
        // One that has it: of all that are rejected few are near another.
        dtype = of_atomic(choices, context, atomic);
    }
    // Under A5's rules types are equal on CPU too (MSCATTER-DTYPE-11).
    let table_type = if context.documented() {
        counterpart(choices, context, dtype)
    } else {
        dtype
    };
    let operands = operands(choices, context, [dtype, table_type]);
    Call::Mscatter(Mscatter {
        table: operands.table,
        src: operands.tile,
        idx: operands.idx,
        mode: operands.mode,
        atomic,
        oob: choices.pick(ScatterOob::VARIANTS),
        conflict: choices.pick(ScatterConflict::VARIANTS),
        launch: Launch::default(),
    })
}

pub(super) fn gather(choices: &mut impl Choices, context: &DrawContext) -> Call {
    let dtype = data_type(choices, context);
    let table_type = counterpart(choices, context, dtype);
    let operands = operands(choices, context, [dtype, table_type]);
    Call::Mgather(Mgather {
        dst: operands.tile,
        table: operands.table,
        idx: operands.idx,
        mode: operands.mode,
        oob: choices.pick(GatherOob::VARIANTS),
        launch: Launch::default(),
    })
}

/// Operands that are legal together.
struct Operands {
    mode: Coalesce,
    tile: Tile,
    idx: Tile,
    table: GlobalTensor,
}

/// Operands for elements of `dtype`, and of `table_type` in the table.
fn operands(
    choices: &mut impl Choices,
    context: &DrawContext,
    [dtype, table_type]: [DType; 2],
) -> Operands {
    // NZ exists on A2/A3 only (MSCATTER-NZ-18, MGATHER-NZ-01).
    let nz = context.a2a3 && !context.cpu && !context.a5 && choices.one_in(3);
    let mut mode = choices.pick(&[Coalesce::Elem, Coalesce::Row]);
    let whole = context.whole_bursts() && !nz
        || context.readings.nz_row_columns == NzRowColumns::Precondition && nz;
    if mode == Coalesce::Row && whole && (context.lanes < unit(dtype) || context.documented()) {
        mode = Coalesce::Elem;
    }
    if context.documented() && context.index_unit(Coalesce::Elem, dtype) > 1 {
        // CPU would count bytes where the others count rows (MSCATTER-GAP-41).
        mode = Coalesce::Elem;
    }
    let mut tile = if nz {
        boxed_tile(choices, context, mode, dtype)
    } else {
        nd_tile(choices, context, mode, dtype)
    };
    let mut idx = match mode {
        Coalesce::Row => row_index(choices, context, &tile),
        Coalesce::Elem => elem_index(choices, context, &tile),
    };
    let table = match (nz, mode) {
        (true, _) => nz_table(choices, context, mode, &tile),
        (false, Coalesce::Row) => row_table(choices, context, &tile, table_type),
        (false, Coalesce::Elem) => elem_table(choices, context, &tile, table_type),
    };
    let often = if context.a2a3 || context.a5 { 2 } else { 8 };
    if context.empty_extents(mode) && choices.one_in(often) {
        empty(context, mode, &mut tile, &mut idx);
    }
    fill_ub(choices, context, &mut tile, &idx);
    Operands {
        mode,
        tile,
        idx,
        table,
    }
}

/// Now and then pads the data tile with rows up to a limit of UB: the only
/// way to it that costs few lanes.
fn fill_ub(choices: &mut impl Choices, context: &DrawContext, tile: &mut Tile, idx: &Tile) {
    // CPU has no UB, and its index tile has as many rows as the data tile.
    if context.cpu || !choices.one_in(128) {
        return;
    }
    let most = if context.a2a3 { A2A3_UB } else { DYN_UB };
    let limit = choices.pick(&[DEFAULT_UB, most]);
    let row = tile.cols * tile.dtype.size() as u64;
    let step = match (tile.slayout, tile.blayout) {
        (SLayout::NoneBox, BLayout::RowMajor) => 1,
        (SLayout::NoneBox, BLayout::ColMajor) => unit(tile.dtype),
        _ => BLOCK_ROWS,
    };
    let rows = limit.saturating_sub(bytes(idx)) / row / step * step;
    tile.rows = tile.rows.max(rows);
}

/// No rows at run time: neither data nor indices.
fn empty(context: &DrawContext, mode: Coalesce, tile: &mut Tile, idx: &mut Tile) {
    tile.valid_row = Dim::Dynamic(0);
    match mode {
        Coalesce::Row if idx.valid_row.get() == 1 && !context.documented() => {
            idx.valid_col = Dim::Dynamic(0);
        }
        Coalesce::Row | Coalesce::Elem => idx.valid_row = Dim::Dynamic(0),
    }
}

fn nd_tile(
    choices: &mut impl Choices,
    context: &DrawContext,
    mode: Coalesce,
    dtype: DType,
) -> Tile {
    let unit = unit(dtype);
    let blayout = layout(choices, context.row_major());
    let [mut rows, mut cols] = area(choices, [unit, unit], context.lanes);
    if mode == Coalesce::Row && context.documented() {
        // An index tile of one column is element-shaped only then (MSCATTER-TILE-05).
        cols = 1;
        rows = if context.a2a3 { 1 } else { rows };
    } else if mode == Coalesce::Row && context.whole_bursts() {
        cols = (cols / unit * unit).max(unit);
        rows = rows.min(context.lanes / cols);
    }
    let mut coins = Coins::draw(choices, 2);
    let valid = [dim(&mut coins, rows), dim(&mut coins, cols)];
    // The contiguous extent is a multiple of 32 bytes (MSCATTER-ALIGN-01, -02, -04).
    let padded = match blayout {
        BLayout::RowMajor => [padded(choices, rows, 1), padded(choices, cols, unit)],
        BLayout::ColMajor => [padded(choices, rows, unit), padded(choices, cols, 1)],
    };
    plain(dtype, padded, valid, blayout)
}

fn boxed_tile(
    choices: &mut impl Choices,
    context: &DrawContext,
    mode: Coalesce,
    dtype: DType,
) -> Tile {
    let unit = unit(dtype);
    let [mut rows, mut cols] = area(choices, [BLOCK_ROWS, unit], context.lanes);
    let whole =
        mode == Coalesce::Row && context.readings.nz_row_columns == NzRowColumns::Precondition;
    if whole {
        cols = (cols / unit * unit).max(unit);
        rows = rows.min(context.lanes / cols).max(1);
    }
    let mut coins = Coins::draw(choices, 2);
    let valid = [dim(&mut coins, rows), dim(&mut coins, cols)];
    let width = if whole {
        cols
    } else {
        padded(choices, cols, unit)
    };
    let padded = [padded(choices, rows, BLOCK_ROWS), width];
    fractal(TileType::Vec, dtype, padded, valid)
}

/// `[1, R]` or `[R, 1]` (MSCATTER-SHAPE-01, -04, MGATHER-MODE-02, -04).
fn row_index(choices: &mut impl Choices, context: &DrawContext, tile: &Tile) -> Tile {
    let dtype = index_type(choices);
    let count = tile.valid_row.get();
    let column = context.documented() || ((!context.a2a3 || count == 1) && choices.one_in(3));
    let blayout = layout(choices, context.row_major());
    let apart = count == 1 || context.scattered_indices();
    let mut coins = Coins::draw(choices, 2);
    let one = dim(&mut coins, 1);
    let all = dim(&mut coins, count);
    let long = padded(choices, count, 1).next_multiple_of(choices.pick(&[1, 8]));
    let across = padded(choices, 1, 1);
    let pitch = if apart { across } else { 1 };
    let along = if column {
        blayout == BLayout::ColMajor
    } else {
        blayout == BLayout::RowMajor
    };
    let mut padded = [long, if along { across } else { pitch }];
    // CPU asks for the rows of the data tile (MSCATTER-SHAPE-05, MGATHER-SHAPE-01).
    if context.documented() {
        padded = [tile.rows, 1];
    } else if context.gathers() && column {
        padded[0] = tile.rows;
    }
    if column {
        plain(dtype, padded, [all, one], blayout)
    } else {
        plain(dtype, [padded[1], padded[0]], [one, all], blayout)
    }
}

/// As the data tile (MSCATTER-SHAPE-02, MGATHER-MODE-05).
fn elem_index(choices: &mut impl Choices, context: &DrawContext, tile: &Tile) -> Tile {
    let dtype = index_type(choices);
    let blayout = layout(choices, context.row_major());
    let [rows, cols] = [tile.valid_row.get(), tile.valid_col.get()];
    let mut coins = Coins::draw(choices, 2);
    let valid = [dim(&mut coins, rows), dim(&mut coins, cols)];
    let equal_rows = context.documented() || context.gathers();
    let padded = [
        if equal_rows {
            tile.rows
        } else {
            padded(choices, rows, 1)
        },
        padded(choices, cols, 1).next_multiple_of(choices.pick(&[1, 8])),
    ];
    plain(dtype, padded, valid, blayout)
}

pub(in crate::random) fn row_table(
    choices: &mut impl Choices,
    context: &DrawContext,
    tile: &Tile,
    dtype: DType,
) -> GlobalTensor {
    let readings = &context.readings;
    let valid = tile.valid_col.get();
    let tied = context.simt();
    let narrow = context.a2a3 || context.gathers();
    let mut width = valid;
    if context.a2a3 && readings.burst_tail == BurstTail::Rounded {
        width = width.next_multiple_of(unit(dtype));
    }
    let more = extent(choices, unit(dtype), 2 * unit(dtype));
    let loose = context.a5 && !context.packed() && readings.row_pitch == RowPitch::ValidCols;
    if (!tied || loose) && !(narrow && readings.narrow_row == NarrowRow::Precondition) {
        width += choices.weighted(&[(1, 0), (1, more)]);
    }
    let most = (8 * context.lanes / width).clamp(16, 100);
    let several = !(context.flat_tables()
        || context.a5 && readings.row_capacity == RowCapacity::Precondition);
    let [s0, s1, s2] = if several { outer(choices) } else { [1; 3] };
    let rows = table_rows(choices, most);
    let rows = if s0 * s1 * s2 > 1 { rows.min(5) } else { rows };

    let dense = context.packed()
        || (context.gathers() && readings.cpu_padded_table != CpuPaddedTable::Strided);
    let mut gaps = Gaps::default();
    if !dense {
        gaps.rows = choices.weighted(&[(2, 0), (1, more)]);
    }
    if context.free_outer_strides() {
        gaps.outer = choices.weighted(&[(1, 0), (1, more)]);
    }
    let mut table = nd(choices, dtype, [s0, s1, s2, rows, width], gaps);
    if tied && width != valid {
        // Seen by no check (MSCATTER-TABLE-07, MGATHER-TABLE-07).
        table.shape[4] = Dim::Dynamic(width);
    }
    table
}

pub(in crate::random) fn elem_table(
    choices: &mut impl Choices,
    context: &DrawContext,
    tile: &Tile,
    dtype: DType,
) -> GlobalTensor {
    let readings = &context.readings;
    let slots = table_rows(choices, (4 * context.lanes).max(16));
    let tied = context.a5 && readings.width_check == WidthCheck::Both;
    let mut shape = [1, 1, 1, 1, slots];
    if tied {
        shape[3] = slots.min(8);
        shape[4] = tile.valid_col.get();
    } else if choices.below(2) == 1 {
        shape[3] = choices.pick(&[2, 3, 5]);
        shape[4] = slots.div_ceil(shape[3]);
    }
    if !context.flat_tables() {
        let [s0, s1, s2] = outer(choices);
        (shape[0], shape[1], shape[2]) = (s0, s1, s2);
    }
    let npus = context.a2a3 || context.a5;
    let mut gaps = Gaps::default();
    if !(npus && readings.padded_elem == PaddedElem::Precondition) {
        gaps.rows = choices.weighted(&[(3, 0), (1, 1), (1, 6)]);
        gaps.outer = choices.weighted(&[(5, 0), (1, 3)]);
        gaps.columns = choices.weighted(&[(9, 0), (1, 1)]);
    }
    nd(choices, dtype, shape, gaps)
}

/// `Shape<B, BCols, BRows, 16, C0>`; strides of 0 to 2 may be padded, in Elem
/// that of 3 too (MSCATTER-GAP-26, MGATHER-GAP-22).
fn nz_table(
    choices: &mut impl Choices,
    context: &DrawContext,
    mode: Coalesce,
    tile: &Tile,
) -> GlobalTensor {
    let c0 = unit(tile.dtype);
    let blocks = match mode {
        // As wide as the tile (MSCATTER-GAP-23, MGATHER-GAP-20).
        Coalesce::Row => tile.cols / c0,
        Coalesce::Elem => choices.pick(&[1, 2, 3, 4]),
    };
    let even = blocks % 2 == 0;
    let batches = if even && choices.one_in(2) { 2 } else { 1 };
    let shape = [
        batches,
        blocks / batches,
        choices.pick(&[1, 2, 3]),
        BLOCK_ROWS,
        c0,
    ];
    let mut stride = [1; 5];
    stride[3] = c0;
    if mode == Coalesce::Elem {
        stride[3] += choices.weighted(&[(3, 0), (1, c0)]);
    }
    for at in (0..3).rev() {
        let gap = choices.weighted(&[(5, 0), (1, c0)]);
        stride[at] = stride[at + 1] * shape[at + 1] + gap;
    }
    let mut table = tensor(choices, tile.dtype, shape, stride, Layout::NZ);
    if context.readings.nz_dynamic == NzDynamic::Rejected {
        table.shape[3] = Dim::Static(BLOCK_ROWS);
        table.shape[4] = Dim::Static(c0);
    }
    table
}
