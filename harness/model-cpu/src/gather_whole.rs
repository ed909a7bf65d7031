//! MGATHER to UB by element, untraced, where nothing lies between elements.
//!
//! Nothing is made ready here that only other calls need: of a small call that
//! would be a good part.

use ptodiff_isa::{Coalesce, Fault, GatherOob, Memory, Mgather, Role, Strays};

use crate::bounds::{Bounds, Remap};
use crate::gather::element;
use crate::index;
use crate::layout::table_size;
use crate::operand::{Input, operands};
use crate::tile;

/// Runs the call if it is such a one; whether it is.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
pub(crate) fn whole<const W: usize>(
    call: &Mgather,
    memory: &mut Memory,
    strays: &mut Strays,
) -> Result<bool, Fault> {
    if call.mode == Coalesce::Row {
        return Ok(false);
    }
    let (dst, inputs) = operands(memory, &Role::Destination)?;
    let (table, idx) = (inputs.get(&Role::Table)?, inputs.get(&Role::Index)?);
    let (rows, cols) = (call.dst.valid_row.get(), call.dst.valid_col.get());
    let zero = call.oob == GatherOob::Zero;
    let (Some(words), Some(dst)) = (
        index::of_elements(&call.idx, idx.body, rows, cols),
        tile::sequence_mut::<W>(&call.dst, dst.body, rows, cols),
    ) else {
        return Ok(false);
    };
    match Bounds::gather(call.oob, || table_size(&call.table)) {
        Bounds::Unchecked(it) => long(dst, table, words, it, strays),
        // An empty table: nothing arrives.
        Bounds::Below(_) if !zero => {}
        Bounds::Below(it) => match it.among(table.body.as_chunks().0) {
            Some(slots) => zero_past(dst, slots, words),
            None => long(dst, table, words, it, strays),
        },
        Bounds::Clamped(it) => match it.among(table.body.as_chunks().0) {
            Some(slots) => clamped(dst, slots, words),
            None => long(dst, table, words, it, strays),
        },
        Bounds::Wrapped(it) => long(dst, table, words, it, strays),
    }
    Ok(true)
}

/// Elements whose destinations and indices are the operands' own bytes; an
/// index that selects nothing delivers zero.
/// A function of its own: inlined, it is slower.
#[inline(never)]
pub(crate) fn long<const W: usize>(
    dst: &mut [[u8; W]],
    table: Input<'_>,
    words: &[[u8; 4]],
    remap: impl Remap,
    strays: &mut Strays,
) {
    each(dst, words, |index| element(&table, index, remap, strays));
}

/// Elements of which those of an index past `slots` are the last of them.
#[inline(never)]
fn clamped<const W: usize>(dst: &mut [[u8; W]], slots: &[[u8; W]], words: &[[u8; 4]]) {
    if let Some(last) = slots.len().checked_sub(1) {
        each(dst, words, |index| slots[(index as usize).min(last)]);
    }
}

/// Elements of which those of an index past `slots` are zero.
#[inline(never)]
fn zero_past<const W: usize>(dst: &mut [[u8; W]], slots: &[[u8; W]], words: &[[u8; 4]]) {
    each(dst, words, |index| {
        slots.get(index as usize).copied().unwrap_or([0; W])
    });
}

/// Elements as `take` has them for an index.
#[inline]
fn each<const W: usize>(
    dst: &mut [[u8; W]],
    words: &[[u8; 4]],
    mut take: impl FnMut(u32) -> [u8; W],
) {
    let mut take = |word| take(u32::from_le_bytes(word));
    // Eight at a time: a step from each to the next would be a good part.
    let (eights, rest) = dst.as_chunks_mut::<8>();
    let (words, others) = words.as_chunks::<8>();
    for (eight, words) in eights.iter_mut().zip(words) {
        for k in 0..8 {
            eight[k] = take(words[k]);
        }
    }
    for (dst, &word) in rest.iter_mut().zip(others) {
        *dst = take(word);
    }
}
