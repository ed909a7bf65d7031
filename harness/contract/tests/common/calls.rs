//! What stands after calls that move data within a chip.

pub(crate) use ptodiff_enumerate::world::build::{first, l1, l1_tile, suite};

use ptodiff_contract::{Permits, permits};
use ptodiff_isa::*;

use super::{Slot, memory, slots};

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
