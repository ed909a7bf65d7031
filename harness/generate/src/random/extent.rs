//! Extents, and whether they are known at compile time.

use ptodiff_isa::{BLayout, DType, Dim, GlobalTensor, Layout, SLayout, Tile, TileType};

use super::choices::{Choices, Coins};

/// Rows of an NZ block (FRACTAL_NZ_ROW).
pub(super) const BLOCK_ROWS: u64 = 16;

/// An extent from 1 to `most`, often near `unit`.
pub(super) fn extent(choices: &mut impl Choices, unit: u64, most: u64) -> u64 {
    let most = most.max(1);
    let drawn = match choices.below(9) {
        0 => 1,
        1 => 2,
        2 => 3,
        3 => unit.saturating_sub(1),
        4 => unit,
        5 => unit + 1,
        6 => 2 * unit,
        _ => 1 + choices.below(most),
    };
    drawn.clamp(1, most)
}

/// Rows and columns of at most `lanes` elements, each often near its unit.
pub(super) fn area(choices: &mut impl Choices, units: [u64; 2], lanes: u64) -> [u64; 2] {
    let kind = choices.below(12);
    if kind == 0 {
        [1, 1]
    } else if kind < 7 {
        let cols = extent(choices, units[1], lanes);
        [extent(choices, units[0], lanes / cols), cols]
    } else {
        let rows = extent(choices, units[0], lanes);
        [rows, extent(choices, units[1], lanes / rows)]
    }
}

/// `extent` rounded up to a multiple of `unit`, now and then with more room.
pub(super) fn padded(choices: &mut impl Choices, extent: u64, unit: u64) -> u64 {
    let least = extent.max(1).next_multiple_of(unit);
    least + unit * choices.weighted(&[(12, 0), (2, 1), (1, 2)])
}

/// `value`, known at compile time unless the coin shows heads.
pub(super) fn dim(coins: &mut Coins, value: u64) -> Dim {
    if coins.flip() {
        Dim::Dynamic(value)
    } else {
        Dim::Static(value)
    }
}

/// Either layout of a tile without boxes, or the one that it has to have.
pub(super) fn layout(choices: &mut impl Choices, row_major: bool) -> BLayout {
    if row_major {
        BLayout::RowMajor
    } else {
        choices.pick(&[BLayout::RowMajor, BLayout::ColMajor])
    }
}

/// A tile without boxes in UB.
pub(super) fn plain(dtype: DType, padded: [u64; 2], valid: [Dim; 2], blayout: BLayout) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows: padded[0],
        cols: padded[1],
        valid_row: valid[0],
        valid_col: valid[1],
        blayout,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

/// A tile in NZ form.
pub(super) fn fractal(location: TileType, dtype: DType, padded: [u64; 2], valid: [Dim; 2]) -> Tile {
    Tile {
        location,
        slayout: SLayout::RowMajor,
        ..plain(dtype, padded, valid, BLayout::ColMajor)
    }
}

/// How an ND tensor's rows and outer dimensions lie.
#[derive(Clone, Copy, Default)]
pub(super) struct Gaps {
    /// Elements between two of a row.
    pub(super) columns: u64,
    /// Elements between two rows.
    pub(super) rows: u64,
    /// Elements between the parts of dimensions 0 to 2 that exceed what those need.
    pub(super) outer: u64,
}

/// An ND tensor; strides of dimensions with one entry are now and then 1, as
/// the examples of the documents have them.
pub(super) fn nd(
    choices: &mut impl Choices,
    dtype: DType,
    shape: [u64; 5],
    gaps: Gaps,
) -> GlobalTensor {
    let mut stride = [1; 5];
    stride[4] = 1 + gaps.columns;
    stride[3] = shape[4] * stride[4] + gaps.rows;
    for at in (0..3).rev() {
        stride[at] = stride[at + 1] * shape[at + 1] + gaps.outer;
    }
    if choices.one_in(3) {
        for at in 0..3 {
            if shape[at] == 1 {
                stride[at] = 1;
            }
        }
    }
    tensor(choices, dtype, shape, stride, Layout::ND)
}

/// A tensor with some of its dimensions known at run time only.
pub(super) fn tensor(
    choices: &mut impl Choices,
    dtype: DType,
    shape: [u64; 5],
    stride: [u64; 5],
    layout: Layout,
) -> GlobalTensor {
    let mut coins = Coins::draw(choices, 10);
    GlobalTensor {
        dtype,
        shape: shape.map(|extent| dim(&mut coins, extent)),
        stride: stride.map(|step| dim(&mut coins, step)),
        layout,
    }
}

/// Rows of a table, up to `most`: powers of two and their neighbours, and others.
pub(super) fn table_rows(choices: &mut impl Choices, most: u64) -> u64 {
    const ROWS: [u64; 20] = [
        1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 30, 31, 32, 33, 48, 63, 65, 100,
    ];
    choices.pick(&ROWS).min(most.max(1))
}

/// Extents of the outer dimensions: mostly 1.
pub(super) fn outer(choices: &mut impl Choices) -> [u64; 3] {
    if choices.below(3) < 2 {
        return [1; 3];
    }
    [(); 3].map(|()| choices.weighted(&[(2, 1), (1, 2), (1, 3)]))
}
