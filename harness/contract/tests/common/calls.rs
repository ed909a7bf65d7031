//! What stands after calls that move data within a chip.

pub(crate) use ptodiff_enumerate::world::build::{first, l1, l1_tile, suite};

use ptodiff_contract::{Permits, permits};
use ptodiff_isa::*;

use super::{Slot, memory};

/// Permits of one step.
pub(crate) fn answer(
    call: &Call,
    operands: &[(Role, &[u8])],
    target: Target,
    readings: &Readings,
) -> Permits {
    permits(call, &[&memory(operands)], target, readings).expect("operands fit")
}

/// A 16-bit element that stands there for certain.
pub(crate) fn short(v: u16) -> Slot {
    Slot::One(v.to_le_bytes().to_vec())
}
