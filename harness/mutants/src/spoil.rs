//! Results spoiled after the right model left them.

use ptodiff_isa::{Memory, Role};

/// Writes the byte that follows an operand.
pub(crate) fn past_the_end(memory: &mut Memory, role: Role) {
    flip(memory, role, |_, end| Some(end));
}

/// Writes the byte before an operand.
pub(crate) fn before_the_start(memory: &mut Memory, role: Role) {
    flip(memory, role, |start, _| start.checked_sub(1));
}

/// Writes the first byte of an operand that is only read.
pub(crate) fn first_byte(memory: &mut Memory, role: Role) {
    flip(memory, role, |start, end| (start < end).then_some(start));
}

/// Writes one byte, given where the operand starts and ends, if there is one.
fn flip(memory: &mut Memory, role: Role, which: fn(usize, usize) -> Option<usize>) {
    let Some(region) = memory.get_mut(role) else {
        return;
    };
    let body = region.body_range();
    if let Some(at) = which(body.start, body.end)
        && let Some([byte]) = region.part_mut(at..at + 1)
    {
        *byte ^= 1;
    }
}
