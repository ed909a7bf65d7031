//! Cases built by hand, and their operands found again.

use ptodiff_case::{Case, DataPlan, Fill};
use ptodiff_enumerate::world::build as calls;
pub(crate) use ptodiff_enumerate::world::build::{l1_tile, tile};
use ptodiff_isa::{
    Call, Coalesce, DType, Dim, GlobalTensor, Layout, MaskAxis, MaskPattern, Memory, MgatherL1,
    Region, Role, Tgatherb, Tile, TscatterIndex, TscatterMask,
};

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
    Call::Mscatter(calls::scatter(table, src, idx, mode))
}

pub(crate) fn gather(mode: Coalesce, dst: Tile, table: GlobalTensor, idx: Tile) -> Call {
    Call::Mgather(calls::gather(dst, table, idx, mode))
}

pub(crate) fn scatter_first(table: GlobalTensor, src: Tile, idx: Tile) -> Call {
    Call::MscatterFirst(calls::first(table, src, idx))
}

pub(crate) fn gather_l1(
    mode: Coalesce,
    dst: Tile,
    table: GlobalTensor,
    idx: GlobalTensor,
    scratch: Option<GlobalTensor>,
) -> Call {
    Call::MgatherL1(MgatherL1 {
        scratch,
        ..calls::l1(dst, table, idx, mode)
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
    let mut case = Case::of_call(id, call);
    case.id = id.to_owned();
    case.data = DataPlan {
        table: Fill::Ramp,
        source: Fill::Poison,
        ..DataPlan::default()
    };
    case
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
