//! Wrong pieces that several targets share.

use ptodiff_isa::{DType, GatherOob};

use super::{Found, Gather, GatherOperands};
use crate::bytes::rectangle;

const RIGHT: Gather = Gather::RIGHT;

/// Bounds compared as signed numbers: an index with the top bit set is below any capacity.
pub(super) fn signed(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    let index = i64::from(index.cast_signed());
    let capacity = capacity.cast_signed();
    match ops.oob {
        GatherOob::Undefined => Found::At(index),
        GatherOob::Clamp => Found::At(index.min(capacity - 1)),
        GatherOob::Wrap => Found::At(index % capacity),
        GatherOob::Zero if index >= capacity => Found::Zero,
        GatherOob::Zero => Found::At(index),
    }
}

/// A negative index widened to 64 bits before the remainder is taken.
pub(super) fn wide_remainder(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    let signed = ops.idx.is_none_or(|idx| idx.dtype == DType::Int32);
    if ops.oob == GatherOob::Wrap && signed {
        let wide = i64::from(index.cast_signed()).cast_unsigned();
        return Found::At((wide % capacity).cast_signed());
    }
    (RIGHT.remap)(ops, index, capacity)
}

/// Clamped to the capacity itself.
pub(super) fn clamp_past_the_end(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    match ops.oob {
        GatherOob::Clamp => Found::At(u64::from(index).min(capacity).cast_signed()),
        _ => (RIGHT.remap)(ops, index, capacity),
    }
}

/// An index equal to the capacity still counts as inside.
pub(super) fn capacity_is_inside(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    match ops.oob {
        GatherOob::Zero if u64::from(index) == capacity => Found::At(capacity.cast_signed()),
        _ => (RIGHT.remap)(ops, index, capacity),
    }
}

/// The destination keeps what it held where a zero belongs.
pub(super) fn zero_forgotten(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    match (RIGHT.remap)(ops, index, capacity) {
        Found::Zero => Found::Left,
        found => found,
    }
}

/// Slot 0 is delivered where a zero belongs.
pub(super) fn zero_is_slot_0(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    match (RIGHT.remap)(ops, index, capacity) {
        Found::Zero => Found::At(0),
        found => found,
    }
}

/// The remainder taken with a mask, as if every capacity were a power of two.
pub(super) fn masked(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    match ops.oob {
        GatherOob::Wrap => {
            let mask = capacity.next_power_of_two() - 1;
            Found::At((u64::from(index) & mask).min(capacity - 1).cast_signed())
        }
        _ => (RIGHT.remap)(ops, index, capacity),
    }
}

/// An index loses its upper half.
pub(super) fn short_index(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    (RIGHT.remap)(ops, index & 0xFFFF, capacity)
}

/// All columns of the tile's image that have an index are served.
pub(super) fn padding_too(ops: &GatherOperands) -> Vec<(u64, u64)> {
    let most = match ops.idx {
        Some(idx) if !ops.row => idx.cols,
        _ => ops.dst.cols,
    };
    rectangle(ops.dst.valid_row.get(), ops.dst.cols.min(most))
}

/// The threads of the last warp that is not full do nothing.
pub(super) fn full_warps(ops: &GatherOperands) -> Vec<(u64, u64)> {
    let mut all = (RIGHT.lanes)(ops);
    if !ops.row {
        all.truncate(all.len() / 32 * 32);
    }
    all
}
