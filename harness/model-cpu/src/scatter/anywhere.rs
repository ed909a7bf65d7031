//! MSCATTER to a table that may be written anywhere.

use ptodiff_isa::{Coalesce, End, Fault, Memory, Role};

use super::atomic::Scattering;
use super::lanes::{elements, put};
use super::{Job, Scatter};
use crate::bounds::Remap;
use crate::combine::Combine;
use crate::layout::span;
use crate::operand::{Output, operands};
use crate::watch::Watch;

/// A scatter to a table that may be written anywhere.
pub(super) struct Anywhere<'a, T> {
    pub(super) job: Job<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) watch: T,
}

impl<T: Watch> Scattering for Anywhere<'_, T> {
    type Done = Result<End, Fault>;

    /// # Errors
    /// If the memory lacks the table, the source or the index tile.
    fn run<const W: usize, C: Combine<W>>(&mut self) -> Result<End, Fault> {
        let Self { job, memory, watch } = self;
        let (table, inputs) = operands(memory, &Role::Table)?;
        let [src, idx] = [inputs.get(&Role::Source)?, inputs.get(&Role::Index)?];
        let mut scatter = job.scatter(table, src, idx, watch);
        match job.mode {
            Coalesce::Row => scatter.by_row::<W, C>(),
            Coalesce::Elem => scatter.by_element::<W, C>(),
        }
        Ok(End::Finished)
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
            && let Some(src) = self.src.rows::<W>(rows, cols)
        {
            for (words, new) in words.zip(src) {
                let strays = self.watch.strays();
                let new = new.as_flattened();
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
