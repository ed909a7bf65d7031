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
    Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, Layout, MaskAxis, MaskPattern,
    Mgather, MgatherL1, Mscatter, MscatterFirst, ScatterAtomicOp, ScatterConflict, ScatterOob,
    Tgatherb, Tile, TileType, TscatterIndex, TscatterMask,
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
            let data = tile(*dtype, *layout);
            match form {
                Form::Mscatter => mscatter(data, &mut take),
                Form::MscatterFirst => mscatter_first(data, &mut take),
                Form::Mgather => mgather(data, &mut take),
                Form::MgatherL1 => mgather_l1(data, &mut take),
                Form::TscatterIndex => tscatter_index(data, &mut take),
                Form::TscatterMask => tscatter_mask(data, &mut take),
                Form::Tgatherb => tgatherb(data, &mut take),
            }
        }
    }
}

fn mscatter(src: Tile, take: &mut impl FnMut(Call)) {
    for (table, mode, idx) in in_gm(&src) {
        for (atomic, oob) in pairs(ScatterAtomicOp::VARIANTS, ScatterOob::VARIANTS) {
            for conflict in ScatterConflict::VARIANTS {
                take(Call::Mscatter(Mscatter {
                    atomic,
                    oob,
                    conflict: *conflict,
                    ..scatter(table, src, idx, mode)
                }));
            }
        }
    }
}

fn mscatter_first(src: Tile, take: &mut impl FnMut(Call)) {
    for (table, _, idx) in in_gm(&src) {
        for (atomic, oob) in pairs(ScatterAtomicOp::VARIANTS, ScatterOob::VARIANTS) {
            take(Call::MscatterFirst(MscatterFirst {
                atomic,
                oob,
                ..first(table, src, idx)
            }));
        }
    }
}

fn mgather(dst: Tile, take: &mut impl FnMut(Call)) {
    for (table, mode, idx) in in_gm(&dst) {
        for oob in GatherOob::VARIANTS {
            take(Call::Mgather(Mgather {
                oob: *oob,
                ..gather(dst, table, idx, mode)
            }));
        }
    }
}

fn mgather_l1(dst: Tile, take: &mut impl FnMut(Call)) {
    let dst = Tile {
        location: TileType::Mat,
        ..dst
    };
    let index = |rows, cols| matrix(DType::Int32, rows, cols);
    for table in tables(&dst) {
        for (oob, exec) in pairs(GatherOob::VARIANTS, GatherExec::VARIANTS) {
            for (mode, idx) in [
                (Coalesce::Row, index(1, dst.rows)),
                (Coalesce::Elem, index(dst.rows, dst.cols)),
            ] {
                take(Call::MgatherL1(MgatherL1 {
                    oob,
                    exec,
                    ..l1(dst, table, idx, mode)
                }));
            }
        }
    }
}

fn tscatter_index(src: Tile, take: &mut impl FnMut(Call)) {
    for index in [DType::Int16, DType::Int32] {
        take(Call::TscatterIndex(TscatterIndex {
            dst: src,
            src,
            idx: plain(index, src.rows, src.cols),
        }));
    }
}

fn tscatter_mask(src: Tile, take: &mut impl FnMut(Call)) {
    for (pattern, axis) in pairs(MaskPattern::VARIANTS, MaskAxis::VARIANTS) {
        for spread in SPREADS {
            let (rows, cols) = match axis {
                MaskAxis::Row => (src.rows, src.cols * spread),
                MaskAxis::Col => (src.rows * spread, src.cols),
            };
            take(Call::TscatterMask(TscatterMask {
                dst: Tile {
                    rows,
                    cols,
                    valid_row: Dim::Static(rows),
                    valid_col: Dim::Static(cols),
                    ..src
                },
                src,
                pattern,
                axis,
            }));
        }
    }
}

fn tgatherb(dst: Tile, take: &mut impl FnMut(Call)) {
    let blocks = (dst.cols * dst.dtype.size() as u64).div_ceil(UNIT);
    for cols in [dst.cols, blocks] {
        take(Call::Tgatherb(Tgatherb {
            dst,
            src: dst,
            offset: plain(DType::Uint32, dst.rows, cols),
        }));
    }
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

fn pairs<A: Copy, B: Copy>(a: &[A], b: &[B]) -> impl Iterator<Item = (A, B)> {
    let each = a.iter().copied();
    each.flat_map(move |a| b.iter().map(move |b| (a, *b)))
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
