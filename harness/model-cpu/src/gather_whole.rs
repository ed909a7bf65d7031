//! MGATHER to UB, untraced, between tiles whose rows are pieces: whole rows at
//! once, and elements where nothing lies between rows either.
//!
//! Nothing is made ready here that only other calls need: of a small call that
//! would be a good part.

use ptodiff_isa::{Coalesce, CpuPaddedTable, Fault, GatherOob, Memory, Mgather, Role, Strays};

use crate::bounds::{Bounds, Remap};
use crate::gather::lanes;
use crate::index;
use crate::layout::{Steps, gather_pitch, span, table_rows, table_size, times};
use crate::operand::{Input, operands};
use crate::tile::{self, Elements};
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
            let mut dst = Elements::placed(Steps::in_tile(&call.dst, W), W, dst);
            let (Some(words), Some(dst), Ok(pitch)) = (
                index::of_rows(&call.idx, idx.body, rows),
                dst.rows_mut::<W>(rows, cols),
                u32::try_from(gather_pitch(&call.table, W, padded)),
            ) else {
                return Ok(false);
            };
            let bounds = Bounds::gather(call.oob, || table_rows(&call.table));
            TableRows {
                table,
                pitch,
                bounds,
                zero,
                strays,
            }
            .copy(words, dst);
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
                Bounds::Below(it) => long(dst, table, words, it, strays),
                Bounds::Clamped(it) => long(dst, table, words, it, strays),
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
    bounds: Bounds,
    /// Whether an index that selects nothing delivers zero.
    zero: bool,
    strays: &'a mut Strays,
}

impl TableRows<'_> {
    #[inline(never)]
    fn copy<'d, const W: usize>(
        &mut self,
        words: &[[u8; 4]],
        dst: impl Iterator<Item = &'d mut [[u8; W]]>,
    ) {
        let (own, pitch) = (self.bounds.own(), self.pitch);
        let table = self.table;
        for (word, dst) in words.iter().zip(dst) {
            let index = u32::from_le_bytes(*word);
            let bytes = dst.as_flattened_mut();
            let row = table.row(index, pitch, bytes.len());
            match row.filter(|_| u64::from(index) < own) {
                Some(row) => bytes.copy_from_slice(row),
                None => self.other(index, dst),
            }
        }
    }

    /// The row of an index that selects another, none, or what is not the
    /// table's own.
    #[cold]
    #[inline(never)]
    fn other<const W: usize>(&mut self, index: u32, dst: &mut [[u8; W]]) {
        match self.bounds.slot(index) {
            Some(row) => {
                let base = times(u64::from(row), self.pitch.into());
                let bytes = dst.as_flattened_mut();
                if let Some(row) = self.table.span(base, bytes.len()) {
                    bytes.copy_from_slice(row);
                    return;
                }
                for (c, dst) in (0..).zip(dst) {
                    let at = base.saturating_add(span(c, W));
                    let strays = &mut *self.strays;
                    *dst = self.table.load(at, &mut Quiet { strays });
                }
            }
            None if self.zero => dst.fill([0; W]),
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
    let (fours, rest) = dst.as_chunks_mut::<4>();
    let (words, others) = words.as_chunks::<4>();
    let slots = table.body.as_chunks().0;
    for (words, four) in words.iter().zip(fours) {
        let [a, b, c, d] = *words;
        if let Some(a) = own(slots, a, remap)
            && let Some(b) = own(slots, b, remap)
            && let Some(c) = own(slots, c, remap)
            && let Some(d) = own(slots, d, remap)
        {
            put(four, [a, b, c, d]);
        } else {
            few(four, table, words, remap, strays);
        }
    }
    lanes(rest, &table, others, remap, strays);
}

/// Sets four elements, two with one store where they are four bytes each.
#[inline]
fn put<const W: usize>(to: &mut [[u8; W]; 4], elements: [[u8; W]; 4]) {
    let (pairs, _) = to.as_flattened_mut().as_chunks_mut::<8>();
    let (numbers, _) = elements.as_flattened().as_chunks::<4>();
    match (pairs, numbers) {
        ([one, other], &[a, b, c, d]) => {
            let [a, b, c, d] = [a, b, c, d].map(|it| u64::from(u32::from_le_bytes(it)));
            *one = (a | b << 32).to_le_bytes();
            *other = (c | d << 32).to_le_bytes();
        }
        _ => *to = elements,
    }
}

/// What an index delivers if it needs nothing but the table's own bytes.
#[inline]
fn own<const W: usize>(slots: &[[u8; W]], word: [u8; 4], remap: impl Remap) -> Option<[u8; W]> {
    match remap.slot(u32::from_le_bytes(word)) {
        Some(slot) => slots.get(slot as usize).copied(),
        None => Some([0; W]),
    }
}

/// Elements of which some may be none of the table's own.
#[cold]
#[inline(never)]
fn few<const W: usize>(
    dst: &mut [[u8; W]],
    table: Input<'_>,
    words: &[[u8; 4]],
    remap: impl Remap,
    strays: &mut Strays,
) {
    lanes(dst, &table, words, remap, strays);
}
