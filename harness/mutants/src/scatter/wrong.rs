//! Wrong pieces that several targets share.

use std::collections::{BTreeMap, BTreeSet};

use ptodiff_isa::{DType, ScatterAtomicOp, ScatterOob};

use super::{Scatter, ScatterOperands, Sink, Store, each};
use crate::{
    bytes::{Element, rectangle},
    number::{integer, nearest, real, sum, truncated_sum},
};

type Stores = Vec<Store>;

/// Bounds compared as signed numbers: an index with the top bit set is below any capacity.
pub(super) fn signed(ops: &ScatterOperands, index: u32, capacity: u64) -> Option<i64> {
    let index = i64::from(index.cast_signed());
    let capacity = i64::try_from(capacity).unwrap_or(i64::MAX);
    match ops.oob {
        ScatterOob::Undefined => Some(index),
        ScatterOob::Skip => (index < capacity).then_some(index),
        ScatterOob::Clamp => Some(index.min(capacity - 1)),
        ScatterOob::Wrap => Some(index % capacity),
    }
}

/// A negative index widened to 64 bits before the remainder is taken.
pub(super) fn wide_remainder(ops: &ScatterOperands, index: u32, capacity: u64) -> Option<i64> {
    if ops.oob == ScatterOob::Wrap && ops.idx.dtype == DType::Int32 {
        let wide = i64::from(index.cast_signed()).cast_unsigned();
        return i64::try_from(wide % capacity).ok();
    }
    (Scatter::RIGHT.remap)(ops, index, capacity)
}

/// Clamped to the capacity itself.
pub(super) fn clamp_past_the_end(ops: &ScatterOperands, index: u32, capacity: u64) -> Option<i64> {
    match ops.oob {
        ScatterOob::Clamp => i64::try_from(u64::from(index).min(capacity)).ok(),
        _ => (Scatter::RIGHT.remap)(ops, index, capacity),
    }
}

/// An index equal to the capacity still counts as inside.
pub(super) fn capacity_is_inside(ops: &ScatterOperands, index: u32, capacity: u64) -> Option<i64> {
    match ops.oob {
        ScatterOob::Skip if u64::from(index) == capacity => i64::try_from(capacity).ok(),
        _ => (Scatter::RIGHT.remap)(ops, index, capacity),
    }
}

/// What is to be dropped goes to slot 0.
pub(super) fn skip_to_zero(ops: &ScatterOperands, index: u32, capacity: u64) -> Option<i64> {
    (Scatter::RIGHT.remap)(ops, index, capacity).or(Some(0))
}

/// An index loses its upper half.
pub(super) fn short_index(ops: &ScatterOperands, index: u32, capacity: u64) -> Option<i64> {
    (Scatter::RIGHT.remap)(ops, index & 0xFFFF, capacity)
}

/// The first writer stays.
pub(super) fn first_wins(ops: &ScatterOperands, stores: &mut Stores) {
    if ops.atomic == ScatterAtomicOp::None {
        stores.reverse();
    }
}

/// The left half of a row is the last writer's, the right half the first one's.
pub(super) fn torn_rows(ops: &ScatterOperands, stores: &mut Stores) {
    if ops.row && ops.atomic == ScatterAtomicOp::None {
        let half = ops.src.valid_col.get().div_ceil(2);
        let (left, mut right): (Stores, Stores) = stores.iter().copied().partition(|s| s.c < half);
        right.reverse();
        *stores = [left, right].concat();
    }
}

/// Of several contributions to one slot the last alone is added.
pub(super) fn lost_update(ops: &ScatterOperands, stores: &mut Stores) {
    if ops.atomic != ScatterAtomicOp::None {
        let last: BTreeMap<i64, (u64, u64)> = stores.iter().map(|s| (s.to, (s.r, s.c))).collect();
        stores.retain(|s| last.get(&s.to) == Some(&(s.r, s.c)));
    }
}

/// One contribution is taken twice.
pub(super) fn twice(ops: &ScatterOperands, stores: &mut Stores) {
    if ops.atomic == ScatterAtomicOp::Add {
        let again = stores.last().copied();
        stores.extend(again);
    }
}

/// All columns and rows of the tile's image that have an index are served.
pub(super) fn padding_too(ops: &ScatterOperands) -> Vec<(u64, u64)> {
    let cols = if ops.row {
        ops.src.cols
    } else {
        ops.src.cols.min(ops.idx.cols)
    };
    rectangle(ops.src.valid_row.get(), cols)
}

/// The threads of the last warp that is not full do nothing.
pub(super) fn full_warps(ops: &ScatterOperands) -> Vec<(u64, u64)> {
    let mut all = (Scatter::RIGHT.lanes)(ops);
    if !ops.row {
        all.truncate(all.len() / 32 * 32);
    }
    all
}

/// Sums are rounded toward zero.
pub(super) fn truncating(ops: &ScatterOperands, all: &[(Store, Element)], sink: &mut Sink<'_>) {
    match ops.atomic {
        ScatterAtomicOp::Add => {
            each(all, sink, |old, new| truncated_sum(ops.dtype(), old, new));
        }
        _ => (Scatter::RIGHT.apply)(ops, all, sink),
    }
}

/// Sums of a type with a fraction are kept wide and rounded once, at the end.
pub(super) fn wide_sums(ops: &ScatterOperands, all: &[(Store, Element)], sink: &mut Sink<'_>) {
    let dtype = ops.dtype();
    if ops.atomic != ScatterAtomicOp::Add || dtype.is_integer() {
        return (Scatter::RIGHT.apply)(ops, all, sink);
    }
    let slots: BTreeSet<i64> = all.iter().map(|(s, _)| s.to).collect();
    for slot in slots {
        let of_slot = all.iter().filter(|(s, _)| s.to == slot);
        let added: f64 = of_slot.map(|(_, e)| real(dtype, *e)).sum();
        let old = real(dtype, sink.get(slot));
        sink.put(slot, nearest(dtype, old + added));
    }
}

/// Sums of integers stay at the end of their range.
pub(super) fn saturating(ops: &ScatterOperands, all: &[(Store, Element)], sink: &mut Sink<'_>) {
    let dtype = ops.dtype();
    if ops.atomic != ScatterAtomicOp::Add || !dtype.is_signed_integer() {
        return (Scatter::RIGHT.apply)(ops, all, sink);
    }
    let most = i64::MAX >> (64 - 8 * dtype.size());
    each(all, sink, |old, new| {
        let sum = integer(dtype, old).saturating_add(integer(dtype, new));
        sum.clamp(-most - 1, most).to_le_bytes()
    });
}

/// A sum starts from zero and not from what the slot holds.
pub(super) fn from_zero(ops: &ScatterOperands, all: &[(Store, Element)], sink: &mut Sink<'_>) {
    if ops.atomic == ScatterAtomicOp::Add {
        for (store, _) in all {
            sink.put(store.to, Element::default());
        }
    }
    (Scatter::RIGHT.apply)(ops, all, sink);
}

/// Added where the plain store should replace.
pub(super) fn adding(ops: &ScatterOperands, all: &[(Store, Element)], sink: &mut Sink<'_>) {
    each(all, sink, |old, new| sum(ops.dtype(), old, new));
}

/// Maxima and minima take the operands for numbers of another dtype.
pub(super) fn extremes_as(
    dtype: impl Fn(DType) -> DType,
    ops: &ScatterOperands,
    all: &[(Store, Element)],
    sink: &mut Sink<'_>,
) {
    match ops.atomic {
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => {
            let dtype = dtype(ops.dtype());
            each(all, sink, |old, new| {
                crate::number::combined(ops.atomic, dtype, old, new)
            });
        }
        _ => (Scatter::RIGHT.apply)(ops, all, sink),
    }
}
