//! Cases built by hand, and their operands found again.

use ptodiff_case::{Case, DataPlan, Fill, IndexPattern, Place};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherOob, GlobalTensor, Launch, Layout, Memory, Mgather,
    Mscatter, Readings, Region, Role, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob, Tile,
    TileType,
};

pub(crate) fn tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Vec,
        dtype,
        rows: padded[0],
        cols: padded[1],
        valid_row: Dim::Static(valid[0]),
        valid_col: Dim::Static(valid[1]),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
    }
}

pub(crate) fn tensor(
    dtype: DType,
    layout: Layout,
    shape: [u64; 5],
    stride: [u64; 5],
) -> GlobalTensor {
    GlobalTensor {
        dtype,
        shape: shape.map(Dim::Static),
        stride: stride.map(Dim::Static),
        layout,
    }
}

pub(crate) fn scatter(mode: Coalesce, table: GlobalTensor, src: Tile, idx: Tile) -> Call {
    Call::Mscatter(Mscatter {
        table,
        src,
        idx,
        mode,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        conflict: ScatterConflict::Last,
        launch: Launch::default(),
    })
}

pub(crate) fn gather(mode: Coalesce, dst: Tile, table: GlobalTensor, idx: Tile) -> Call {
    Call::Mgather(Mgather {
        dst,
        table,
        idx,
        mode,
        oob: GatherOob::Undefined,
        launch: Launch::default(),
    })
}

/// Ramp in the table, poison in the tile, random indices.
pub(crate) fn case(id: &str, call: Call) -> Case {
    Case {
        id: id.to_owned(),
        name: id.to_owned(),
        suite: None,
        place: Place {
            file: "built.yaml".into(),
            line: 1,
            column: 1,
        },
        call,
        chunks: 1,
        data: DataPlan {
            table: Fill::Ramp,
            tile: Fill::Poison,
            index: IndexPattern::Random,
            seed: 0,
        },
        targets: Vec::new(),
        readings: Readings::default(),
        refused: Vec::new(),
        undefined: Vec::new(),
        name_differs: None,
        about: None,
    }
}

/// The operand that plays `role`.
pub(crate) fn operand(memory: &Memory, role: Role) -> &Region {
    memory.get(role).expect("the step has this operand")
}
