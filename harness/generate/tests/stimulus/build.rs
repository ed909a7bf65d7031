//! Cases built by hand, and their operands found again.

use ptodiff_case::{Case, DataPlan, Fill, IndexPattern, Place};
use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherExec, GatherOob, GlobalTensor, Launch, Layout,
    MaskAxis, MaskPattern, Memory, Mgather, MgatherL1, Mscatter, MscatterFirst, Readings, Region,
    Role, SLayout, ScatterAtomicOp, ScatterConflict, ScatterOob, Tgatherb, Tile, TileType,
    TscatterIndex, TscatterMask,
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

pub(crate) fn scatter_first(table: GlobalTensor, src: Tile, idx: Tile) -> Call {
    Call::MscatterFirst(MscatterFirst {
        table,
        src,
        idx,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    })
}

/// The tile in the only form that has elements for a gather to L1: whole boxes of 512 bytes.
pub(crate) fn l1_tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Mat,
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile(dtype, padded, valid)
    }
}

pub(crate) fn gather_l1(
    mode: Coalesce,
    dst: Tile,
    table: GlobalTensor,
    idx: GlobalTensor,
    scratch: Option<GlobalTensor>,
) -> Call {
    Call::MgatherL1(MgatherL1 {
        dst,
        table,
        idx,
        scratch,
        mode,
        oob: GatherOob::Undefined,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    })
}

pub(crate) fn scatter_tile(dst: Tile, src: Tile, idx: Tile) -> Call {
    Call::TscatterIndex(TscatterIndex { dst, src, idx })
}

pub(crate) fn scatter_mask(dst: Tile, src: Tile) -> Call {
    Call::TscatterMask(TscatterMask {
        dst,
        src,
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    })
}

pub(crate) fn gather_bytes(dst: Tile, src: Tile, offset: Tile) -> Call {
    Call::Tgatherb(Tgatherb { dst, src, offset })
}

/// Ramp in the table, poison in all other operands, random indices.
pub(crate) fn case(id: &str, call: Call) -> Case {
    Case {
        id: id.to_owned(),
        name: id.to_owned(),
        suite: None,
        place: Place {
            file: "built.yaml".into(),
            line: 1,
            column: 1,
            expected: Default::default(),
        },
        call,
        spelled: true,
        chunks: 1,
        data: DataPlan {
            table: Fill::Ramp,
            source: Fill::Poison,
            destination: Fill::Poison,
            scratch: Fill::Poison,
            index: IndexPattern::Random,
            seed: 0,
        },
        targets: Vec::new(),
        readings: Readings::default().into(),
        rejected: Vec::new(),
        undefined: Vec::new(),
        hangs: Vec::new(),
        covers: Vec::new(),
        gap: None,
        holes: Vec::new(),
        expect: Vec::new(),
        name_differs: None,
        about: None,
    }
}

/// The operand that plays `role`.
pub(crate) fn operand(memory: &Memory, role: Role) -> &Region {
    memory.get(role).expect("the step has this operand")
}

/// The body of a region as 16-bit words.
pub(crate) fn halves(region: &Region) -> Vec<u16> {
    let chunks = region.body().as_chunks().0.iter();
    chunks.map(|b| u16::from_le_bytes(*b)).collect()
}

/// The body of a region as 32-bit words.
pub(crate) fn words(region: &Region) -> Vec<u32> {
    let chunks = region.body().as_chunks().0.iter();
    chunks.map(|b| u32::from_le_bytes(*b)).collect()
}

pub(crate) fn is_poison(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| (0xFC..=0xFE).contains(b))
}
