//! Results spoiled after the right model left them.

use ptodiff_isa::{Memory, Role};

/// Writes the byte that follows an operand.
pub(crate) fn past_the_end(memory: &mut Memory, role: Role) {
    if let Some(region) = memory.get_mut(role) {
        let end = region.body_range().end;
        if let Some(byte) = region.bytes_mut().get_mut(end) {
            *byte ^= 1;
        }
    }
}

/// Writes the byte before an operand.
pub(crate) fn before_the_start(memory: &mut Memory, role: Role) {
    if let Some(region) = memory.get_mut(role) {
        let before = region.body_range().start.checked_sub(1);
        if let Some(byte) = before.and_then(|at| region.bytes_mut().get_mut(at)) {
            *byte ^= 1;
        }
    }
}

/// Writes the first byte of an operand that is only read.
pub(crate) fn first_byte(memory: &mut Memory, role: Role) {
    let body = memory.get_mut(role).map(ptodiff_isa::Region::body_mut);
    if let Some(byte) = body.and_then(<[u8]>::first_mut) {
        *byte ^= 1;
    }
}
