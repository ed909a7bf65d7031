//! Tiles: padded two-dimensional operands in on-chip memory.

use crate::{DType, words};

/// An extent or a stride, and when it becomes known.
///
/// A template argument of -1 makes an extent dynamic: it is given at run time
/// and no static check sees it (000 and 001, Dynamic Runtime Shapes).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    /// Known at compile time.
    Static(u64),
    /// Known at run time only.
    Dynamic(u64),
}

impl Default for Dim {
    /// One, static.
    fn default() -> Self {
        Self::Static(1)
    }
}

impl Dim {
    /// The value that the operation runs with.
    #[must_use]
    pub const fn get(self) -> u64 {
        match self {
            Self::Static(v) | Self::Dynamic(v) => v,
        }
    }

    /// The value that a static check sees, if it sees one.
    #[must_use]
    pub const fn known(self) -> Option<u64> {
        match self {
            Self::Static(v) => Some(v),
            Self::Dynamic(_) => None,
        }
    }
}

words! {
    /// Order of a tile's elements, or of its boxes where it has boxes.
    #[derive(Default)]
    pub enum BLayout {
        /// Rows are contiguous.
        #[default]
        RowMajor,
        /// Columns are contiguous.
        ColMajor,
    }
}

words! {
    /// Order of the elements inside a box.
    #[derive(Default)]
    pub enum SLayout {
        /// The tile has no boxes.
        #[default]
        NoneBox,
        /// Rows of a box are contiguous.
        RowMajor,
        /// Columns of a box are contiguous.
        ColMajor,
    }
}

words! {
    /// The memory a tile stands in.
    #[derive(Default)]
    pub enum TileType {
        /// The unified buffer of a vector core (UB).
        #[default]
        Vec,
        /// The L1 buffer of a cube core.
        Mat,
    }
}

/// A tile: `Tile<Loc, DType, Rows, Cols, BLayout, ValidRow, ValidCol, SLayout, SFractalSize>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// The memory it stands in.
    pub location: TileType,
    /// Its element type.
    pub dtype: DType,
    /// Padded rows, always known at compile time; at least 1.
    pub rows: u64,
    /// Padded columns, always known at compile time; at least 1.
    pub cols: u64,
    /// Rows that count: at most `rows`.
    pub valid_row: Dim,
    /// Columns that count: at most `cols`.
    pub valid_col: Dim,
    /// Order of elements or boxes.
    pub blayout: BLayout,
    /// Order inside a box.
    pub slayout: SLayout,
    /// Bytes of one box (`SFractalSize`); 512 by default.
    pub fractal: u64,
}

impl Default for Tile {
    /// One element, in UB.
    fn default() -> Self {
        Self {
            location: TileType::default(),
            dtype: DType::default(),
            rows: 1,
            cols: 1,
            valid_row: Dim::default(),
            valid_col: Dim::default(),
            blayout: BLayout::default(),
            slayout: SLayout::default(),
            fractal: 512,
        }
    }
}
