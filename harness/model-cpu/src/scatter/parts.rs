//! MSCATTER, untraced, into a large table that notes what is written of it.
//!
//! Each lane is noted for itself, so that to copy and to compare the table
//! afterwards costs what the touched slots cost.

use std::mem;
use std::ops::Range;

use ptodiff_isa::{Coalesce, Parts};

use super::Scatter;
use super::atomic::Scattering;
use crate::bounds::Remap;
use crate::combine::Combine;
use crate::layout::span;
use crate::watch::{Quiet, Watch};

impl Scattering for Scatter<'_, Parts<'_>, Quiet<'_>> {
    /// Whether it was run; if not, nothing was written or noted. It is not
    /// where a lane leaves the table or a source row is not in one piece.
    type Done = bool;

    fn run<const W: usize, C: Combine<W>>(&mut self) -> bool {
        // First it is seen that no lane leaves the table: none may be combined twice.
        let before = mem::take(self.watch.strays());
        let inside = self.lanes::<W>(|table, at, _| table.body().get(at).map(|_| ()));
        *self.watch.strays() = before;
        let combine = |table: &mut Parts<'_>, at, new: &_| {
            C::combine_row(table.get_mut(at)?, new);
            Some(())
        };
        inside.and_then(|()| self.lanes::<W>(combine)).is_some()
    }
}

impl Scatter<'_, Parts<'_>, Quiet<'_>> {
    /// Hands every lane that is not skipped to `each`, with the table and the
    /// place that it goes to; none as soon as one cannot be placed.
    fn lanes<const W: usize>(
        &mut self,
        mut each: impl FnMut(&mut Parts<'_>, Range<usize>, &[u8]) -> Option<()>,
    ) -> Option<()> {
        let mut src = self.src.rows::<W>(self.rows, self.cols)?;
        for r in 0..self.rows {
            // Without columns there are none.
            let new = src.next().unwrap_or_default();
            match self.mode {
                Coalesce::Row => {
                    let index = self.indices.of_row(r, &mut self.watch);
                    let row = self.bounds.slot(index).filter(|_| !new.is_empty());
                    if let Some(row) = row {
                        let at = self.place(row, 0, W);
                        let new = new.as_flattened();
                        each(&mut self.table, range(at, new.len())?, new)?;
                    }
                }
                Coalesce::Elem => {
                    for (c, new) in (0..).zip(new) {
                        let index = self.indices.of_element(r, c, &mut self.watch);
                        if let Some(slot) = self.bounds.slot(index) {
                            let at = span(u64::from(slot), W);
                            each(&mut self.table, range(at, W)?, new)?;
                        }
                    }
                }
            }
        }
        Some(())
    }
}

/// The `len` bytes at `at`, if that is a place at all.
#[inline]
fn range(at: i64, len: usize) -> Option<Range<usize>> {
    let at = usize::try_from(at).ok()?;
    Some(at..at.checked_add(len)?)
}
