//! MGATHER, GM to UB: table to destination tile.

use ptodiff_isa::{Coalesce, Fault, GatherOob, Memory, Mgather, Role, Strays};

use crate::bounds::{Bounds, Remap};
use crate::index::Indices;
use crate::layout::{span, table_pitch, table_rows, table_size, times};
use crate::operand::{Input, operands};
use crate::tile::Elements;
use crate::watch::{Quiet, Watch};

/// Runs one call.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
pub(crate) fn execute<T: Watch>(
    call: &Mgather,
    memory: &mut Memory,
    watch: T,
) -> Result<(), Fault> {
    let (dst, [table, idx]) = operands(memory, Role::Destination, [Role::Table, Role::Index])?;
    let capacity = match call.mode {
        Coalesce::Row => table_rows(&call.table),
        Coalesce::Elem => table_size(&call.table),
    };
    let width = call.dst.dtype.size();
    let mut gather = Gather {
        dst: Elements::new(&call.dst, dst),
        table,
        indices: Indices::new(&call.idx, idx),
        rows: call.dst.valid_row.get(),
        cols: call.dst.valid_col.get(),
        mode: call.mode,
        bounds: Bounds::gather(call.oob, capacity),
        zero: call.oob == GatherOob::Zero,
        pitch: table_pitch(&call.table, width),
        watch,
    };
    match width {
        1 => gather.run::<1>(),
        2 => gather.run::<2>(),
        4 => gather.run::<4>(),
        _ => gather.run::<8>(),
    }
    Ok(())
}

struct Gather<'a, T> {
    dst: Elements<&'a mut [u8]>,
    table: Input<'a>,
    indices: Indices<'a>,
    rows: u64,
    cols: u64,
    mode: Coalesce,
    bounds: Bounds,
    /// Whether an index that selects nothing delivers zero; otherwise the
    /// destination keeps what it has.
    zero: bool,
    pitch: i64,
    watch: T,
}

impl<T: Watch> Gather<'_, T> {
    fn run<const W: usize>(&mut self) {
        match self.mode {
            Coalesce::Row => self.by_row::<W>(),
            Coalesce::Elem => self.by_element::<W>(),
        }
    }

    fn by_row<const W: usize>(&mut self) {
        for r in 0..self.rows {
            let index = self.indices.of_row(r, &mut self.watch);
            match self.bounds.slot(index) {
                Some(row) => self.copy_row::<W>(r, times(u64::from(row), self.pitch)),
                None if self.zero => self.zero_row::<W>(r),
                None => {}
            }
        }
    }

    fn copy_row<const W: usize>(&mut self, r: u64, base: i64) {
        if !T::RECORDS
            && let Some(dst) = self.dst.row_mut(r, self.cols)
            && let Some(row) = self.table.span(base, dst.len())
        {
            dst.copy_from_slice(row);
            return;
        }
        for c in 0..self.cols {
            let at = base.saturating_add(span(c, W));
            let element = self.table.load::<W>(at, &mut self.watch);
            self.dst.store(r, c, element, &mut self.watch);
        }
    }

    fn zero_row<const W: usize>(&mut self, r: u64) {
        if !T::RECORDS
            && let Some(dst) = self.dst.row_mut(r, self.cols)
        {
            dst.fill(0);
            return;
        }
        for c in 0..self.cols {
            self.dst.store(r, c, [0; W], &mut self.watch);
        }
    }

    fn by_element<const W: usize>(&mut self) {
        // Without padding the rows are one long row.
        let (rows, cols) = if self.dst.packed(self.cols) && self.indices.packed(self.cols) {
            (1, self.rows.saturating_mul(self.cols))
        } else {
            (self.rows, self.cols)
        };
        for r in 0..rows {
            if !T::RECORDS
                && let Some(words) = self.indices.words(r, cols)
                && let Some(dst) = self.dst.row_mut(r, cols)
            {
                let (table, zero, strays) = (&self.table, self.zero, self.watch.strays());
                let dst = dst.as_chunks_mut::<W>().0;
                match self.bounds {
                    Bounds::Unchecked(it) => lanes(dst, table, words, it, zero, strays),
                    Bounds::Below(it) => lanes(dst, table, words, it, zero, strays),
                    Bounds::Clamped(it) => lanes(dst, table, words, it, zero, strays),
                    Bounds::Wrapped(it) => lanes(dst, table, words, it, zero, strays),
                }
                continue;
            }
            for c in 0..cols {
                let index = self.indices.of_element(r, c, &mut self.watch);
                let element = match self.bounds.slot(index) {
                    Some(slot) => {
                        let at = span(u64::from(slot), W);
                        self.table.load::<W>(at, &mut self.watch)
                    }
                    None if self.zero => [0; W],
                    None => continue,
                };
                self.dst.store(r, c, element, &mut self.watch);
            }
        }
    }
}

/// One row of elements whose destinations and indices are the tiles' own bytes.
fn lanes<const W: usize>(
    dst: &mut [[u8; W]],
    table: &Input<'_>,
    words: &[[u8; 4]],
    remap: impl Remap,
    zero: bool,
    strays: &mut Strays,
) {
    let slots = table.body.as_chunks().0;
    for (word, dst) in words.iter().zip(dst) {
        match remap.slot(u32::from_le_bytes(*word)) {
            Some(slot) => {
                *dst = match slots.get(slot as usize) {
                    Some(element) => *element,
                    None => {
                        let at = span(u64::from(slot), W);
                        table.load(at, &mut Quiet { strays })
                    }
                };
            }
            None if zero => *dst = [0; W],
            None => {}
        }
    }
}
