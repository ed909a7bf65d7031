//! Operands and launches in the words of the protocol, and back.

use ptodiff_isa::{
    BLayout, CacheFlush, DType, Dim, Dispatch, GlobalTensor, Launch, Layout, SLayout, Tile,
    TileType,
};
use serde::{Deserialize, Serialize};

/// A tile as it stands in a frame; extents in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the protocol")]
pub struct TileWords {
    pub location: TileType,
    pub dtype: DType,
    pub rows: u64,
    pub cols: u64,
    pub valid: [u64; 2],
    pub valid_dynamic: [bool; 2],
    pub blayout: BLayout,
    pub slayout: SLayout,
    pub fractal: u64,
}

/// A tensor as it stands in a frame; extents and strides in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the protocol")]
pub struct TensorWords {
    pub dtype: DType,
    pub shape: [u64; 5],
    pub shape_dynamic: [bool; 5],
    pub stride: [u64; 5],
    pub stride_dynamic: [bool; 5],
    pub layout: Layout,
}

/// A launch as it stands in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys are those of the protocol")]
pub struct LaunchWords {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dyn_ub_bytes: Option<u64>,
    #[serde(with = "DispatchWord")]
    pub dispatch: Dispatch,
    #[serde(with = "FlushWord")]
    pub flush: CacheFlush,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Dispatch", rename_all = "lowercase")]
enum DispatchWord {
    Standard,
    Direct,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CacheFlush", rename_all = "lowercase")]
enum FlushWord {
    Appended,
    Missing,
}

const fn is_dynamic(dim: Dim) -> bool {
    matches!(dim, Dim::Dynamic(_))
}

const fn dim(value: u64, dynamic: bool) -> Dim {
    if dynamic {
        Dim::Dynamic(value)
    } else {
        Dim::Static(value)
    }
}

fn dims<const N: usize>(values: [u64; N], dynamic: [bool; N]) -> [Dim; N] {
    std::array::from_fn(|n| dim(values[n], dynamic[n]))
}

impl From<Tile> for TileWords {
    fn from(tile: Tile) -> Self {
        let valid = [tile.valid_row, tile.valid_col];
        Self {
            location: tile.location,
            dtype: tile.dtype,
            rows: tile.rows,
            cols: tile.cols,
            valid: valid.map(Dim::get),
            valid_dynamic: valid.map(is_dynamic),
            blayout: tile.blayout,
            slayout: tile.slayout,
            fractal: tile.fractal,
        }
    }
}

impl From<TileWords> for Tile {
    fn from(words: TileWords) -> Self {
        let [valid_row, valid_col] = dims(words.valid, words.valid_dynamic);
        Self {
            location: words.location,
            dtype: words.dtype,
            rows: words.rows,
            cols: words.cols,
            valid_row,
            valid_col,
            blayout: words.blayout,
            slayout: words.slayout,
            fractal: words.fractal,
        }
    }
}

impl From<GlobalTensor> for TensorWords {
    fn from(tensor: GlobalTensor) -> Self {
        Self {
            dtype: tensor.dtype,
            shape: tensor.shape.map(Dim::get),
            shape_dynamic: tensor.shape.map(is_dynamic),
            stride: tensor.stride.map(Dim::get),
            stride_dynamic: tensor.stride.map(is_dynamic),
            layout: tensor.layout,
        }
    }
}

impl From<TensorWords> for GlobalTensor {
    fn from(words: TensorWords) -> Self {
        Self {
            dtype: words.dtype,
            shape: dims(words.shape, words.shape_dynamic),
            stride: dims(words.stride, words.stride_dynamic),
            layout: words.layout,
        }
    }
}

impl From<Launch> for LaunchWords {
    fn from(launch: Launch) -> Self {
        Self {
            dyn_ub_bytes: launch.dyn_ub_bytes,
            dispatch: launch.dispatch,
            flush: launch.flush,
        }
    }
}

impl From<LaunchWords> for Launch {
    fn from(words: LaunchWords) -> Self {
        Self {
            dyn_ub_bytes: words.dyn_ub_bytes,
            dispatch: words.dispatch,
            flush: words.flush,
        }
    }
}
