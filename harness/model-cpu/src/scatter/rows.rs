//! MSCATTER by row, from rows in one piece each.

use ptodiff_isa::Strays;

use super::lanes::put;
use crate::bounds::{Bounds, Remap};
use crate::combine::Combine;
use crate::layout::{span, times};
use crate::operand::Output;
use crate::table_rows::{own_mut, row_mut};
use crate::watch::Quiet;

/// A scatter by row from rows in one piece each.
pub(super) struct Rows<'a> {
    pub(super) table: Output<'a>,
    /// Bytes from one table row to the next.
    pub(super) pitch: u32,
    /// Bytes of a source row, at least 1.
    pub(super) len: usize,
    /// Bytes from one source row to the next, at least `len`.
    pub(super) step: usize,
    pub(super) bounds: Bounds,
    pub(super) strays: &'a mut Strays,
}

impl Rows<'_> {
    /// Scatters the rows that `src` holds.
    pub(super) fn scatter<const W: usize, C: Combine<W>>(&mut self, words: &[[u8; 4]], src: &[u8]) {
        let mut left = (words, src);
        while let Some((index, new)) = self.own::<W, C>(&mut left) {
            self.other::<W, C>(index, new);
        }
    }

    /// Rows whose index is their slot, up to the first other or the last, which
    /// are taken from what is `left` as well: that one and its index.
    #[inline(never)]
    fn own<'s, const W: usize, C: Combine<W>>(
        &mut self,
        left: &mut (&[[u8; 4]], &'s [u8]),
    ) -> Option<(u32, &'s [u8])> {
        let &mut Self { pitch, step, .. } = self;
        let len = self.len.min(step);
        let table = own_mut(self.table.body, self.bounds.own(), pitch, len);
        let (mut words, mut src) = *left;
        while let Some(word) = words.split_off_first() {
            let index = u32::from_le_bytes(*word);
            let Some(new) = src.split_off(..step) else {
                // What would follow the last row may be missing.
                *left = (&[], &[]);
                return Some((index, src.get(..len)?));
            };
            let new = &new[..len];
            match row_mut(table, index, pitch, len) {
                Some(old) => C::combine_row(old, new),
                None => {
                    *left = (words, src);
                    return Some((index, new));
                }
            }
        }
        None
    }

    /// A row of an index that selects another, none, or what is not the table's own.
    #[cold]
    #[inline(never)]
    fn other<const W: usize, C: Combine<W>>(&mut self, index: u32, new: &[u8]) {
        let Some(row) = self.bounds.slot(index) else {
            return;
        };
        let base = times(u64::from(row), self.pitch.into());
        if let Some(old) = self.table.span_mut(base, new.len()) {
            C::combine_row(old, new);
            return;
        }
        for (c, &new) in (0..).zip(new.as_chunks().0) {
            let at = base.saturating_add(span(c, W));
            let strays = &mut *self.strays;
            put::<W, C>(&mut self.table, at, new, &mut Quiet { strays });
        }
    }
}
