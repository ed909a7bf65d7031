//! MGATHER: table to destination tile, in UB or in L1.

use ptodiff_isa::{
    Coalesce, CpuPaddedTable, Fault, GatherOob, GlobalTensor, L1IndexPitch, Memory, Mgather,
    MgatherL1, Role, Strays, Tile,
};

use crate::bounds::{Bounds, Remap};
use crate::index::Indices;
use crate::layout::{
    Nz, Place, Steps, gather_pitch, span, table_pitch, table_rows, table_size, times,
};
use crate::operand::{Input, Output, copy, operands};
use crate::tile::Elements;
use crate::watch::{Quiet, Watch};

/// Runs one call of the form GM to UB.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
pub(crate) fn to_ub<T: Watch>(
    call: &Mgather,
    memory: &mut Memory,
    padded: CpuPaddedTable,
    watch: T,
) -> Result<(), Fault> {
    let (dst, inputs) = operands(memory, Role::Destination)?;
    let (table, idx) = (inputs.get(Role::Table)?, inputs.get(Role::Index)?);
    let job = Job {
        tile: &call.dst,
        tensor: &call.table,
        pitch: gather_pitch(&call.table, call.dst.dtype.size(), padded),
        mode: call.mode,
        oob: call.oob,
    };
    let indices = Indices::new(&call.idx, idx);
    job.run(Steps::of(&call.dst), dst, table, indices, watch);
    Ok(())
}

/// Runs one call of the form GM to L1 as the other form, but into an NZ tile
/// and with indices out of a tensor (MGATHERL1-GAP-14). The scratch stays as
/// it is, and the executor makes no difference.
///
/// # Errors
/// If `memory` lacks an operand of the call.
pub(crate) fn to_l1<T: Watch>(
    call: &MgatherL1,
    memory: &mut Memory,
    pitch: L1IndexPitch,
    watch: T,
) -> Result<(), Fault> {
    let (dst, inputs) = operands(memory, Role::Destination)?;
    let (table, idx) = (inputs.get(Role::Table)?, inputs.get(Role::Index)?);
    if call.scratch.is_some() {
        inputs.get(Role::Scratch)?;
    }
    let job = Job {
        tile: &call.dst,
        tensor: &call.table,
        pitch: table_pitch(&call.table, call.dst.dtype.size()),
        mode: call.mode,
        oob: call.oob,
    };
    let indices = Indices::of_tensor(&call.idx, idx, call.dst.valid_col.get(), pitch);
    job.run(Nz::of(&call.dst), dst, table, indices, watch);
    Ok(())
}

/// What both forms say about themselves.
struct Job<'c> {
    tile: &'c Tile,
    tensor: &'c GlobalTensor,
    /// Bytes from one table row to the next.
    pitch: i64,
    mode: Coalesce,
    oob: GatherOob,
}

impl Job<'_> {
    fn run<P: Place, T: Watch>(
        &self,
        place: P,
        dst: Output<'_>,
        table: Input<'_>,
        indices: Indices<'_>,
        watch: T,
    ) {
        let capacity = match self.mode {
            Coalesce::Row => table_rows(self.tensor),
            Coalesce::Elem => table_size(self.tensor),
        };
        let width = self.tile.dtype.size();
        let mut gather = Gather {
            dst: Elements::placed(place, width, dst),
            table,
            indices,
            rows: self.tile.valid_row.get(),
            cols: self.tile.valid_col.get(),
            mode: self.mode,
            bounds: Bounds::gather(self.oob, capacity),
            zero: self.oob == GatherOob::Zero,
            pitch: self.pitch,
            watch,
        };
        match width {
            1 => gather.run::<1>(),
            2 => gather.run::<2>(),
            4 => gather.run::<4>(),
            _ => gather.run::<8>(),
        }
    }
}

struct Gather<'a, P, T> {
    dst: Elements<&'a mut [u8], P>,
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

impl<P: Place, T: Watch> Gather<'_, P, T> {
    fn run<const W: usize>(&mut self) {
        match self.mode {
            Coalesce::Row => self.by_row::<W>(),
            Coalesce::Elem => self.by_element::<W>(),
        }
    }

    fn by_row<const W: usize>(&mut self) {
        if !T::RECORDS
            && let Some(words) = self.indices.words_of_rows(self.rows)
        {
            for (r, word) in (0..).zip(words) {
                self.row::<W>(r, u32::from_le_bytes(*word));
            }
            return;
        }
        for r in 0..self.rows {
            let index = self.indices.of_row(r, &mut self.watch);
            self.row::<W>(r, index);
        }
    }

    #[inline]
    fn row<const W: usize>(&mut self, r: u64, index: u32) {
        match self.bounds.slot(index) {
            Some(row) => self.copy_row::<W>(r, times(u64::from(row), self.pitch)),
            None if self.zero => self.zero_row::<W>(r),
            None => {}
        }
    }

    #[inline]
    fn copy_row<const W: usize>(&mut self, r: u64, base: i64) {
        if !T::RECORDS
            && let Some(mut row) = self.table.elements::<W>(base, self.cols)
            && let Some(dst) = self.dst.pieces_mut(r, self.cols)
        {
            for piece in dst {
                let (now, rest) = row.split_at(piece.len());
                copy(piece, now);
                row = rest;
            }
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
            && let Some(dst) = self.dst.pieces_mut(r, self.cols)
        {
            dst.for_each(|piece| piece.fill(0));
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
                && let Some(dst) = self.dst.pieces_mut(r, cols)
            {
                let (table, zero, strays) = (&self.table, self.zero, self.watch.strays());
                match self.bounds {
                    Bounds::Unchecked(it) => row::<W>(dst, table, words, it, zero, strays),
                    Bounds::Below(it) => row::<W>(dst, table, words, it, zero, strays),
                    Bounds::Clamped(it) => row::<W>(dst, table, words, it, zero, strays),
                    Bounds::Wrapped(it) => row::<W>(dst, table, words, it, zero, strays),
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

/// One row of elements whose destinations and indices are the operands' own bytes.
fn row<'d, const W: usize>(
    dst: impl Iterator<Item = &'d mut [u8]>,
    table: &Input<'_>,
    mut words: &[[u8; 4]],
    remap: impl Remap,
    zero: bool,
    strays: &mut Strays,
) {
    for piece in dst {
        let piece = piece.as_chunks_mut::<W>().0;
        let (now, rest) = words.split_at(piece.len());
        lanes(piece, table, now, remap, zero, strays);
        words = rest;
    }
}

/// A piece of such a row. Inlined, it is slower on long ones.
#[inline(never)]
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
