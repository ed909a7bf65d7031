//! Builders of the calls that move data within a chip, of gathers to L1 and of
//! scatters of the first revision.

use ptodiff_contract::{Permits, permits};
use ptodiff_isa::*;

use super::{Slot, memory, nz_tile, slots};

/// A scatter of the first revision with the default policies.
pub(crate) fn first(table: GlobalTensor, src: Tile, idx: Tile) -> MscatterFirst {
    MscatterFirst {
        table,
        src,
        idx,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    }
}

/// An NZ tile in L1.
pub(crate) fn l1_tile(dtype: DType, padded: [u64; 2], valid: [u64; 2]) -> Tile {
    Tile {
        location: TileType::Mat,
        ..nz_tile(dtype, padded, valid)
    }
}

/// A gather to L1 with the default policies; Elem with a packed scratch.
pub(crate) fn l1(dst: Tile, table: GlobalTensor, idx: GlobalTensor, mode: Coalesce) -> MgatherL1 {
    let scratch = super::matrix(dst.dtype, 1, dst.rows * dst.cols);
    MgatherL1 {
        dst,
        table,
        idx,
        scratch: (mode == Coalesce::Elem).then_some(scratch),
        mode,
        oob: GatherOob::Undefined,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    }
}

/// The readings of the suites' scope.
pub(crate) fn suite() -> Readings {
    Readings {
        scope: Scope::AsTheSuite,
        ..Readings::default()
    }
}

/// Permits of one step.
pub(crate) fn answer(
    call: &Call,
    operands: &[(Role, &[u8])],
    target: Target,
    readings: &Readings,
) -> Permits {
    permits(call, &[&memory(operands)], target, readings).expect("operands fit")
}

/// The destination's slots after a call within a chip.
pub(crate) fn moved(
    call: &Call,
    [dst, src, idx]: [&[u8]; 3],
    target: Target,
    readings: &Readings,
) -> Vec<Slot> {
    let operands = [
        (Role::Destination, dst),
        (Role::Source, src),
        (Role::Index, idx),
    ];
    let p = answer(call, &operands, target, readings);
    slots(&p, Role::Destination, dst.len())
}

/// A 16-bit element that stands there for certain.
pub(crate) fn short(v: u16) -> Slot {
    Slot::One(v.to_le_bytes().to_vec())
}
