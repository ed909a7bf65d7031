//! MSCATTER to a table that may be written anywhere.

use ptodiff_isa::{Coalesce, Fault, Memory, Role, Strays};

use super::atomic::Scattering;
use super::lanes::{elements, put};
use super::{Job, Scatter};
use crate::bounds::{Bounds, Remap};
use crate::combine::Combine;
use crate::index;
use crate::layout::{Steps, span, table_pitch, times};
use crate::operand::{Output, operands};
use crate::tile::{self, Elements};
use crate::watch::{Quiet, Watch};

/// A scatter to a table that may be written anywhere.
pub(super) struct Anywhere<'a, T> {
    pub(super) job: Job<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) watch: T,
}

impl<T: Watch> Scattering for Anywhere<'_, T> {
    type Done = Result<(), Fault>;

    /// # Errors
    /// If the memory lacks the table, the source or the index tile.
    fn run<const W: usize, C: Combine<W>>(&mut self) -> Result<(), Fault> {
        let Self { job, memory, watch } = self;
        if !T::RECORDS && at_once::<W, C>(*job, memory, watch.strays())? {
            return Ok(());
        }
        walk::<W, C, T>(*job, memory, watch)
    }
}

/// Scatters from tiles without gaps; whether they are such.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
#[inline]
fn at_once<const W: usize, C: Combine<W>>(
    job: Job<'_>,
    memory: &mut Memory,
    strays: &mut Strays,
) -> Result<bool, Fault> {
    let (mut table, inputs) = operands(memory, &Role::Table)?;
    let [src, idx] = [inputs.get(&Role::Source)?, inputs.get(&Role::Index)?];
    let call = job.call;
    let [rows, cols] = [call.src.valid_row, call.src.valid_col].map(|n| n.get());
    match job.mode {
        Coalesce::Elem => {
            let Some(words) = index::of_elements(&call.idx, idx, rows, cols) else {
                return Ok(false);
            };
            let Some(new) = tile::sequence::<W>(&call.src, src, rows, cols) else {
                return Ok(false);
            };
            elements::<W, C>(&mut table, new, words, job.bounds(), strays);
        }
        Coalesce::Row => {
            let Some(words) = index::of_rows(&call.idx, idx, rows) else {
                return Ok(false);
            };
            let src = Elements::placed(Steps::in_tile(&call.src, W), W, src);
            let Some(src) = src.rows::<W>(rows, cols) else {
                return Ok(false);
            };
            let Ok(pitch) = u32::try_from(table_pitch(&call.table, W)) else {
                return Ok(false);
            };
            Rows {
                table: &mut table,
                pitch,
                bounds: job.bounds(),
                strays,
            }
            .scatter::<W, C>(words, src);
        }
    }
    Ok(true)
}

/// Scatters element by element.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
#[inline(never)]
fn walk<const W: usize, C: Combine<W>, T: Watch>(
    job: Job<'_>,
    memory: &mut Memory,
    watch: &mut T,
) -> Result<(), Fault> {
    let (table, inputs) = operands(memory, &Role::Table)?;
    let [src, idx] = [inputs.get(&Role::Source)?, inputs.get(&Role::Index)?];
    let mut scatter = job.scatter(table, src, idx, watch);
    match job.mode {
        Coalesce::Row => scatter.by_row::<W, C>(),
        Coalesce::Elem => scatter.by_element::<W, C>(),
    }
    Ok(())
}

/// A scatter by row from rows in one piece each.
struct Rows<'a, 't> {
    table: &'a mut Output<'t>,
    /// Bytes from one table row to the next.
    pitch: u32,
    bounds: Bounds,
    strays: &'a mut Strays,
}

impl Rows<'_, '_> {
    #[inline(never)]
    fn scatter<'s, const W: usize, C: Combine<W>>(
        &mut self,
        words: &[[u8; 4]],
        src: impl Iterator<Item = &'s [[u8; W]]>,
    ) {
        let (own, pitch) = (self.bounds.own(), self.pitch);
        for (&word, new) in words.iter().zip(src) {
            let index = u32::from_le_bytes(word);
            let bytes = new.as_flattened();
            let old = self.table.row_mut(index, pitch, bytes.len());
            match old.filter(|_| u64::from(index) < own) {
                Some(old) => C::combine_row(old, bytes),
                None => self.other::<W, C>(index, new),
            }
        }
    }

    /// A row of an index that selects another, none, or what is not the table's own.
    #[cold]
    #[inline(never)]
    fn other<const W: usize, C: Combine<W>>(&mut self, index: u32, new: &[[u8; W]]) {
        let Some(row) = self.bounds.slot(index) else {
            return;
        };
        let (base, bytes) = (times(u64::from(row), self.pitch.into()), new.as_flattened());
        if let Some(old) = self.table.span_mut(base, bytes.len()) {
            C::combine_row(old, bytes);
            return;
        }
        for (c, &new) in (0..).zip(new) {
            let at = base.saturating_add(span(c, W));
            let strays = &mut *self.strays;
            put::<W, C>(self.table, at, new, &mut Quiet { strays });
        }
    }
}

impl<T: Watch> Scatter<'_, Output<'_>, &mut T> {
    fn by_row<const W: usize, C: Combine<W>>(&mut self) {
        for r in 0..self.rows {
            let index = self.indices.of_row(r, self.watch);
            let Some(row) = self.bounds.slot(index) else {
                continue;
            };
            for c in 0..self.cols {
                let new = self.src.load(r, c, self.watch);
                let at = self.place(row, c, W);
                put::<W, C>(&mut self.table, at, new, self.watch);
            }
        }
    }

    fn by_element<const W: usize, C: Combine<W>>(&mut self) {
        let (rows, cols) = (self.rows, self.cols);
        if !T::RECORDS
            && let Some(words) = self.indices.words(rows, cols)
            && let Some(src) = self.src.rows(rows, cols)
        {
            for (words, new) in words.zip(src) {
                let strays = self.watch.strays();
                elements::<W, C>(&mut self.table, new, words, self.bounds, strays);
            }
            return;
        }
        for r in 0..rows {
            for c in 0..cols {
                let index = self.indices.of_element(r, c, self.watch);
                if let Some(slot) = self.bounds.slot(index) {
                    let new = self.src.load(r, c, self.watch);
                    let at = span(u64::from(slot), W);
                    put::<W, C>(&mut self.table, at, new, self.watch);
                }
            }
        }
    }
}
