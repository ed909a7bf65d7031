//! Wrong steps of a walk that several targets or forms share.

use std::collections::BTreeMap;

use ptodiff_isa::{DType, ScatterAtomicOp, ScatterOob};

use crate::{
    number::{nearest, real, truncated_sum},
    operands::{Operands, rectangle},
    walk::{Move, MoveList, Sink, apply, by_slot, remap},
};

/// A negative index is widened to 64 bits before the remainder is taken.
pub(crate) fn wide_remainder(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    let signed = ops.idx.is_none_or(|idx| idx.dtype == DType::Int32);
    let index = match ops.oob == ScatterOob::Wrap && signed {
        true => i64::from(index as i32).cast_unsigned(),
        false => index,
    };
    remap(ops, index, capacity)
}

/// Clamped to the capacity itself.
pub(crate) fn clamp_past_the_end(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    match ops.oob {
        ScatterOob::Clamp => Some(index.min(capacity).cast_signed()),
        _ => remap(ops, index, capacity),
    }
}

/// What is above the capacity is clamped to slot 0.
pub(crate) fn clamp_to_zero(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    match ops.oob {
        ScatterOob::Clamp if index >= capacity => Some(0),
        _ => remap(ops, index, capacity),
    }
}

/// An index equal to the capacity still counts as inside.
pub(crate) fn capacity_is_inside(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    match ops.oob {
        ScatterOob::Skip if index == capacity => Some(capacity.cast_signed()),
        _ => remap(ops, index, capacity),
    }
}

/// What is to be dropped, or to be zero, is slot 0.
pub(crate) fn slot_0_for_none(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    remap(ops, index, capacity).or(Some(0))
}

/// An index loses its upper half.
pub(crate) fn short_index(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    remap(ops, index & 0xFFFF, capacity)
}

/// An index counts bytes.
pub(crate) fn in_bytes(ops: &Operands, index: u64, _: u64) -> Option<i64> {
    Some((index / ops.dtype().size() as u64).cast_signed())
}

/// No policy counts where there is a single element.
pub(crate) fn scalar_unchecked(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    let single = (ops.tile.valid_row.get(), ops.tile.valid_col.get()) == (1, 1);
    match single && !ops.row {
        true => Some(index.cast_signed()),
        false => remap(ops, index, capacity),
    }
}

/// The slots of an NZ table are counted down the columns.
pub(crate) fn nz_by_columns(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    let selected = remap(ops, index, capacity)?;
    if ops.row || !ops.nz() {
        return Some(selected);
    }
    let rows = (ops.shape(2) * 16).cast_signed();
    let cols = ops.nz_cols().cast_signed();
    Some(selected % rows * cols + selected / rows)
}

/// An index counts over the valid columns of the destination.
pub(crate) fn in_valid_columns(ops: &Operands, index: u64, _: u64) -> Option<i64> {
    let dst = ops.on_chip?;
    let cols = dst.valid_col.get().max(1);
    Some((index / cols * dst.cols + index % cols).cast_signed())
}

/// All columns and rows of the tile's image that have an index are served.
pub(crate) fn padding_too(ops: &Operands) -> Vec<(u64, u64)> {
    let most = match ops.idx {
        Some(idx) if !ops.row => idx.cols,
        _ => ops.tile.cols,
    };
    rectangle(ops.tile.valid_row.get(), ops.tile.cols.min(most)).collect()
}

/// The first writer stays.
pub(crate) fn first_wins(ops: &Operands, moves: &mut MoveList) {
    if ops.atomic == ScatterAtomicOp::None {
        moves.reverse();
    }
}

/// Columns are served one after the other.
pub(crate) fn by_columns(_: &Operands, moves: &mut MoveList) {
    moves.sort_by_key(|one| (one.c, one.r));
}

/// The last element is left out.
pub(crate) fn last_left_out(_: &Operands, moves: &mut MoveList) {
    moves.pop();
}

/// The left half of a row is the last writer's, the right half the first one's.
pub(crate) fn torn_rows(ops: &Operands, moves: &mut MoveList) {
    if ops.row && ops.atomic == ScatterAtomicOp::None {
        let half = ops.tile.valid_col.get().div_ceil(2);
        moves.reverse();
        // Of the left halves it is the last writer that comes last.
        moves.sort_by_key(|one| (one.c < half).then_some(one.r));
    }
}

/// The lowest byte of a slot is the first writer's, the others the last one's.
pub(crate) fn mixed_writers(ops: &Operands, moves: &mut MoveList) {
    if ops.atomic == ScatterAtomicOp::None {
        let puts: Vec<_> = moves
            .iter()
            .filter_map(|one| Some((one.slot?, one.value)))
            .collect();
        let first = by_slot(&puts);
        for one in moves {
            if let Some(first) = one.slot.and_then(|slot| first.get(&slot)) {
                one.value = one.value & !0xFF | first[0] & 0xFF;
            }
        }
    }
}

/// Of several contributions to one slot the last alone is made.
pub(crate) fn lost_update(ops: &Operands, moves: &mut MoveList) {
    if ops.atomic != ScatterAtomicOp::None {
        let place = |one: &Move| (one.r, one.c);
        let last: BTreeMap<_, _> = moves.iter().map(|one| (one.slot, place(one))).collect();
        moves.retain(|one| last.get(&one.slot) == Some(&place(one)));
    }
}

/// Sums are rounded toward zero.
pub(crate) fn truncating(ops: &Operands, puts: &[(i64, u64)], sink: &mut Sink<'_, '_>) {
    match ops.atomic {
        ScatterAtomicOp::Add => sink.each(puts, |old, new| truncated_sum(ops.dtype(), old, new)),
        _ => apply(ops, puts, sink),
    }
}

/// Sums of a type with a fraction are kept wide and rounded once, at the end.
pub(crate) fn wide_sums(ops: &Operands, puts: &[(i64, u64)], sink: &mut Sink<'_, '_>) {
    let dtype = ops.dtype();
    if ops.atomic != ScatterAtomicOp::Add || dtype.is_integer() {
        return apply(ops, puts, sink);
    }
    for (slot, values) in by_slot(puts) {
        let added: f64 = values.into_iter().map(|value| real(dtype, value)).sum();
        let old = real(dtype, sink.get(slot));
        sink.put(slot, nearest(dtype, old + added));
    }
}
