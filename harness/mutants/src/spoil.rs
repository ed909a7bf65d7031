//! Results spoiled after the right model left them.

use ptodiff_isa::{Memory, Region, Role};

/// Writes the byte that follows an operand.
pub(crate) fn past_the_end(memory: &mut Memory, role: Role) {
    if let Some(region) = memory.get_mut(role) {
        let end = region.body_range().end;
        flip(region, end);
    }
}

/// Writes the byte before an operand.
pub(crate) fn before_the_start(memory: &mut Memory, role: Role) {
    if let Some(region) = memory.get_mut(role)
        && let Some(before) = region.body_range().start.checked_sub(1)
    {
        flip(region, before);
    }
}

/// Writes the first byte of an operand that is only read.
pub(crate) fn first_byte(memory: &mut Memory, role: Role) {
    if let Some(region) = memory
        .get_mut(role)
        .filter(|region| !region.body().is_empty())
    {
        let first = region.body_range().start;
        flip(region, first);
    }
}

/// Writes the byte at `at` of a region, if it has one.
fn flip(region: &mut Region, at: usize) {
    if let Some([byte]) = region.part_mut(at..at + 1) {
        *byte ^= 1;
    }
}
