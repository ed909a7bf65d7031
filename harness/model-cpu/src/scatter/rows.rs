//! MSCATTER by row, from rows in one piece each.

use ptodiff_isa::Strays;

use super::lanes::put;
use crate::bounds::{Bounds, Remap};
use crate::combine::Combine;
use crate::layout::{span, times};
use crate::operand::Output;
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
    pub(super) fn scatter<const W: usize, C: Combine<W>>(
        &mut self,
        words: &[[u8; 4]],
        mut src: &[u8],
    ) {
        let (own, pitch, len) = (self.bounds.own(), self.pitch, self.len);
        for &word in words {
            let Some(new) = src.get(..len) else {
                return;
            };
            let index = u32::from_le_bytes(word);
            let old = self.table.row_mut(index, pitch, len);
            match old.filter(|_| u64::from(index) < own) {
                Some(old) => C::combine_row(old, new),
                None => self.other::<W, C>(index, new),
            }
            src = src.get(self.step..).unwrap_or_default();
        }
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
