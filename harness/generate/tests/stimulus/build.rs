//! Cases built by hand, and their operands found again.

use ptodiff_case::{Case, DataPlan, Fill};
use ptodiff_enumerate::world::build as calls;
pub(crate) use ptodiff_enumerate::world::build::tile;
use ptodiff_isa::{Call, Coalesce, DType, Dim, GlobalTensor, Layout, Memory, Region, Role, Tile};

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

pub(crate) fn is_poison(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| (0xFC..=0xFE).contains(b))
}
