//! Wrong pieces that several targets share.

use ptodiff_isa::{DType, GatherOob};

use super::{Found, Gather, Job};
use crate::bytes::rectangle;

const RIGHT: Gather = Gather::RIGHT;

/// Bounds compared as signed numbers: an index with the top bit set is below any capacity.
pub(super) fn signed(job: &Job, index: u32, capacity: u64) -> Found {
    let index = i64::from(index.cast_signed());
    let capacity = capacity.cast_signed();
    match job.oob {
        GatherOob::Undefined => Found::At(index),
        GatherOob::Clamp => Found::At(index.min(capacity - 1)),
        GatherOob::Wrap => Found::At(index % capacity),
        GatherOob::Zero if index >= capacity => Found::Zero,
        GatherOob::Zero => Found::At(index),
    }
}

/// A negative index widened to 64 bits before the remainder is taken.
pub(super) fn wide_remainder(job: &Job, index: u32, capacity: u64) -> Found {
    let signed = job.idx.is_none_or(|idx| idx.dtype == DType::Int32);
    if job.oob == GatherOob::Wrap && signed {
        let wide = i64::from(index.cast_signed()).cast_unsigned();
        return Found::At((wide % capacity).cast_signed());
    }
    (RIGHT.remap)(job, index, capacity)
}

/// Clamped to the capacity itself.
pub(super) fn clamp_past_the_end(job: &Job, index: u32, capacity: u64) -> Found {
    match job.oob {
        GatherOob::Clamp => Found::At(u64::from(index).min(capacity).cast_signed()),
        _ => (RIGHT.remap)(job, index, capacity),
    }
}

/// An index equal to the capacity still counts as inside.
pub(super) fn capacity_is_inside(job: &Job, index: u32, capacity: u64) -> Found {
    match job.oob {
        GatherOob::Zero if u64::from(index) == capacity => Found::At(capacity.cast_signed()),
        _ => (RIGHT.remap)(job, index, capacity),
    }
}

/// The destination keeps what it held where a zero belongs.
pub(super) fn zero_forgotten(job: &Job, index: u32, capacity: u64) -> Found {
    match (RIGHT.remap)(job, index, capacity) {
        Found::Zero => Found::Left,
        found => found,
    }
}

/// Slot 0 is delivered where a zero belongs.
pub(super) fn zero_is_slot_0(job: &Job, index: u32, capacity: u64) -> Found {
    match (RIGHT.remap)(job, index, capacity) {
        Found::Zero => Found::At(0),
        found => found,
    }
}

/// The remainder taken with a mask, as if every capacity were a power of two.
pub(super) fn masked(job: &Job, index: u32, capacity: u64) -> Found {
    match job.oob {
        GatherOob::Wrap => {
            let mask = capacity.next_power_of_two() - 1;
            Found::At((u64::from(index) & mask).min(capacity - 1).cast_signed())
        }
        _ => (RIGHT.remap)(job, index, capacity),
    }
}

/// An index loses its upper half.
pub(super) fn short_index(job: &Job, index: u32, capacity: u64) -> Found {
    (RIGHT.remap)(job, index & 0xFFFF, capacity)
}

/// All columns of the tile's image that have an index are served.
pub(super) fn padding_too(job: &Job) -> Vec<(u64, u64)> {
    let most = match job.idx {
        Some(idx) if !job.row => idx.cols,
        _ => job.dst.cols,
    };
    rectangle(job.dst.valid_row.get(), job.dst.cols.min(most))
}

/// The threads of the last warp that is not full do nothing.
pub(super) fn full_warps(job: &Job) -> Vec<(u64, u64)> {
    let mut all = (RIGHT.lanes)(job);
    if !job.row {
        all.truncate(all.len() / 32 * 32);
    }
    all
}
