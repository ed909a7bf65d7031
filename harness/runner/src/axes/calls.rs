//! A small call for every combination of parameters that the words can say.
//!
//! None is held back: which of them are legal, and on which target, is the
//! contract's to say. Where a combination could be written with operands of several
//! kinds there is a call with each.

use ptodiff_case::Form;
use ptodiff_enumerate::world::build::{
    self, col_major, first, gather, l1, matrix, nz_tile, packed, scatter,
};
use ptodiff_isa::{
    Argument, Call, Coalesce, DType, Dim, GlobalTensor, Layout, MaskAxis, Tgatherb, Tile, TileType,
    TscatterIndex, TscatterMask,
};
use strum::VariantArray as _;

use super::TileLayout;

/// Bytes of the contiguous extent of a tile, and of a row of a box.
const UNIT: u64 = 32;

/// Rows of a box.
const BOX_ROWS: u64 = 16;

/// How far a mask may spread the elements of its source.
const SPREADS: [u64; 3] = [1, 2, 4];

/// Hands each call of `form` to `take`.
pub(super) fn each(form: Form, mut take: impl FnMut(Call)) {
    for dtype in DType::VARIANTS {
        for layout in TileLayout::VARIANTS {
            for call in calls(form, tile(*dtype, *layout)) {
                let mut free = call.arguments();
                // These go with operands.
                free.retain(|argument| !matches!(argument.key, "mode" | "axis"));
                spread(call, &free, &mut take);
            }
        }
    }
}

/// Hands `call` with all that these arguments may be to `take`.
fn spread(mut call: Call, arguments: &[Argument], take: &mut impl FnMut(Call)) {
    let Some((first, others)) = arguments.split_first() else {
        return take(call);
    };
    for word in first.words {
        call.set_argument(first.key, word);
        spread(call, others, take);
    }
}

/// The calls on a data tile that differ in more than their arguments.
fn calls(form: Form, data: Tile) -> Vec<Call> {
    let indices = in_gm(&data).into_iter();
    match form {
        Form::Mscatter => indices
            .map(|(table, mode, idx)| Call::Mscatter(scatter(table, data, idx, mode)))
            .collect(),
        Form::MscatterFirst => indices
            .map(|(table, _, idx)| Call::MscatterFirst(first(table, data, idx)))
            .collect(),
        Form::Mgather => indices
            .map(|(table, mode, idx)| Call::Mgather(gather(data, table, idx, mode)))
            .collect(),
        Form::MgatherL1 => mgather_l1(data),
        Form::TscatterIndex => [DType::Int16, DType::Int32]
            .map(|index| {
                Call::TscatterIndex(TscatterIndex {
                    dst: data,
                    src: data,
                    idx: plain(index, data.rows, data.cols),
                })
            })
            .to_vec(),
        Form::TscatterMask => tscatter_mask(data),
        Form::Tgatherb => [
            data.cols,
            (data.cols * data.dtype.size() as u64).div_ceil(UNIT),
        ]
        .map(|cols| {
            Call::Tgatherb(Tgatherb {
                dst: data,
                src: data,
                offset: plain(DType::Uint32, data.rows, cols),
            })
        })
        .to_vec(),
    }
}

fn mgather_l1(data: Tile) -> Vec<Call> {
    let dst = Tile {
        location: TileType::Mat,
        ..data
    };
    let index = |rows, cols| matrix(DType::Int32, rows, cols);
    let modes = [
        (Coalesce::Row, index(1, dst.rows)),
        (Coalesce::Elem, index(dst.rows, dst.cols)),
    ];
    let tables = tables(&dst).into_iter();
    tables
        .flat_map(|table| modes.map(|(mode, idx)| Call::MgatherL1(l1(dst, table, idx, mode))))
        .collect()
}

fn tscatter_mask(src: Tile) -> Vec<Call> {
    let each = MaskAxis::VARIANTS.iter();
    let each = each.flat_map(|axis| SPREADS.map(|spread| (*axis, spread)));
    each.map(|(axis, spread)| {
        let (rows, cols) = match axis {
            MaskAxis::Row => (src.rows, src.cols * spread),
            MaskAxis::Col => (src.rows * spread, src.cols),
        };
        Call::TscatterMask(TscatterMask {
            dst: Tile {
                rows,
                cols,
                valid_row: Dim::Static(rows),
                valid_col: Dim::Static(cols),
                ..src
            },
            src,
            axis,
            ..Default::default()
        })
    })
    .collect()
}

/// Tables and indices that a data tile between UB and GM may have.
fn in_gm(data: &Tile) -> Vec<(GlobalTensor, Coalesce, Tile)> {
    let indices = [
        (Coalesce::Row, plain(DType::Int32, 1, data.rows)),
        (Coalesce::Row, plain(DType::Int32, data.rows, 1)),
        (Coalesce::Elem, plain(DType::Int32, data.rows, data.cols)),
    ];
    let each = tables(data).into_iter();
    each.flat_map(|table| indices.map(|(mode, idx)| (table, mode, idx)))
        .collect()
}

/// Tables of the same rows as a data tile, one of each layout.
fn tables(data: &Tile) -> [GlobalTensor; 3] {
    let [rows, cols, unit] = [data.rows, data.cols, unit(data.dtype)];
    let blocks = [
        1,
        cols.div_ceil(unit),
        rows.div_ceil(BOX_ROWS),
        BOX_ROWS,
        unit,
    ];
    let rows = [1, 1, 1, rows, cols];
    [(rows, Layout::ND), (rows, Layout::DN), (blocks, Layout::NZ)]
        .map(|(shape, layout)| tensor(data.dtype, shape, layout))
}

/// Elements of `dtype` in 32 bytes.
const fn unit(dtype: DType) -> u64 {
    UNIT / dtype.size() as u64
}

/// A data tile that is as small as its layout lets it be, without padding.
fn tile(dtype: DType, layout: TileLayout) -> Tile {
    let all = |of: fn(DType, [u64; 2], [u64; 2]) -> Tile, extents| of(dtype, extents, extents);
    match layout {
        TileLayout::RowMajor => all(build::tile, [2, unit(dtype)]),
        TileLayout::ColMajor => all(col_major, [unit(dtype), 2]),
        TileLayout::Nz => all(nz_tile, [BOX_ROWS, unit(dtype)]),
    }
}

/// A row-major tile in UB, all of it valid.
fn plain(dtype: DType, rows: u64, cols: u64) -> Tile {
    build::tile(dtype, [rows, cols], [rows, cols])
}

/// A dense tensor: by columns where its layout says so.
fn tensor(dtype: DType, shape: [u64; 5], layout: Layout) -> GlobalTensor {
    let mut dense = packed(dtype, shape, layout);
    if layout == Layout::DN {
        (dense.stride[3], dense.stride[4]) = (Dim::Static(1), dense.shape[3]);
    }
    dense
}
