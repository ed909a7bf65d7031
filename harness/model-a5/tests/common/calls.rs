//! Calls with plain policies.

use super::*;

/// None, Undefined, Last.
pub(crate) fn mscatter(mode: Coalesce, table: GlobalTensor, src: Tile, idx: Tile) -> Mscatter {
    Mscatter {
        table,
        src,
        idx,
        mode,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        conflict: ScatterConflict::Last,
        launch: Launch::default(),
    }
}

/// Undefined.
pub(crate) fn mgather(mode: Coalesce, table: GlobalTensor, dst: Tile, idx: Tile) -> Mgather {
    Mgather {
        dst,
        table,
        idx,
        mode,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    }
}

/// None, Undefined.
pub(crate) fn mscatter_first(table: GlobalTensor, src: Tile, idx: Tile) -> MscatterFirst {
    MscatterFirst {
        table,
        src,
        idx,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    }
}

/// Undefined, Scalar.
pub(crate) fn mgather_l1(
    mode: Coalesce,
    table: GlobalTensor,
    dst: Tile,
    idx: GlobalTensor,
    scratch: Option<GlobalTensor>,
) -> MgatherL1 {
    MgatherL1 {
        dst,
        table,
        idx,
        scratch,
        mode,
        oob: GatherOob::Undefined,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    }
}

/// A tile in L1 in NZ form.
pub(crate) fn nz(dtype: DType, rows: u64, cols: u64, valid_row: u64, valid_col: u64) -> Tile {
    Tile {
        location: TileType::Mat,
        valid_row: Dim::Static(valid_row),
        valid_col: Dim::Static(valid_col),
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile(dtype, rows, cols)
    }
}
