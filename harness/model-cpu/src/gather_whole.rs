//! MGATHER to UB, untraced, between tiles whose rows are pieces: whole rows at
//! once, and elements where nothing lies between rows either.
//!
//! Nothing is made ready here that only other calls need: of a small call that
//! would be a good part.

use ptodiff_isa::{Coalesce, CpuPaddedTable, Fault, GatherOob, Memory, Mgather, Role, Strays};

use crate::bounds::{Bounds, Remap};
use crate::gather::element;
use crate::index;
use crate::layout::{Pieces, Place, Steps, gather_pitch, span, table_rows, table_size, times};
use crate::operand::{Input, operands};
use crate::table_rows::{own, row};
use crate::tile;
use crate::watch::Quiet;

/// Runs the call if it is such a one; whether it is.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
pub(crate) fn whole<const W: usize>(
    call: &Mgather,
    memory: &mut Memory,
    padded: CpuPaddedTable,
    strays: &mut Strays,
) -> Result<bool, Fault> {
    let (dst, inputs) = operands(memory, &Role::Destination)?;
    let (table, idx) = (inputs.get(&Role::Table)?, inputs.get(&Role::Index)?);
    let (rows, cols) = (call.dst.valid_row.get(), call.dst.valid_col.get());
    let zero = call.oob == GatherOob::Zero;
    match call.mode {
        Coalesce::Row => {
            let (Some(words), Some(Pieces { len, step, reach }), Ok(pitch)) = (
                index::of_rows(&call.idx, idx.body, rows),
                Steps::in_tile(&call.dst, W).rows(W, rows, cols),
                u32::try_from(gather_pitch(&call.table, W, padded)),
            ) else {
                return Ok(false);
            };
            let Some(dst) = dst.body.get_mut(..reach) else {
                return Ok(false);
            };
            let bounds = Bounds::gather(call.oob, || table_rows(&call.table));
            TableRows {
                table,
                pitch,
                len,
                step,
                bounds,
                zero,
                strays,
            }
            .copy::<W>(words, dst);
        }
        Coalesce::Elem => {
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
        }
    }
    Ok(true)
}

/// The table of a gather by row whose destination has its rows in one piece each.
struct TableRows<'a> {
    table: Input<'a>,
    /// Bytes from one table row to the next.
    pitch: u32,
    /// Bytes of a destination row, at least 1.
    len: usize,
    /// Bytes from one destination row to the next, at least `len`.
    step: usize,
    bounds: Bounds,
    /// Whether an index that selects nothing delivers zero.
    zero: bool,
    strays: &'a mut Strays,
}

impl TableRows<'_> {
    /// Gathers the rows that `dst` has room for.
    #[inline(never)]
    fn copy<const W: usize>(&mut self, words: &[[u8; 4]], mut dst: &mut [u8]) {
        let (step, pitch) = (self.step, self.pitch);
        let len = self.len.min(step);
        let table = own(self.table.body, self.bounds.own(), pitch, len);
        for &word in words {
            let index = u32::from_le_bytes(word);
            let Some(to) = dst.split_off_mut(..step) else {
                // What would follow the last row may be missing.
                if let Some(to) = dst.get_mut(..len) {
                    self.other::<W>(index, to);
                }
                return;
            };
            let to = &mut to[..len];
            match row(table, index, pitch, len) {
                Some(from) => to.copy_from_slice(from),
                None => self.other::<W>(index, to),
            }
        }
    }

    /// The row of an index that selects another, none, or what is not the
    /// table's own.
    #[cold]
    #[inline(never)]
    fn other<const W: usize>(&mut self, index: u32, dst: &mut [u8]) {
        match self.bounds.slot(index) {
            Some(row) => {
                let base = times(u64::from(row), self.pitch.into());
                if let Some(row) = self.table.span(base, dst.len()) {
                    dst.copy_from_slice(row);
                    return;
                }
                for (c, dst) in (0..).zip(dst.as_chunks_mut::<W>().0) {
                    let at = base.saturating_add(span(c, W));
                    let strays = &mut *self.strays;
                    *dst = self.table.load(at, &mut Quiet { strays });
                }
            }
            None if self.zero => dst.fill(0),
            None => {}
        }
    }
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
