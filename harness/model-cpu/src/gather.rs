//! MGATHER: table to destination tile, in UB or in L1.

use ptodiff_isa::{
    Coalesce, CpuPaddedTable, End, Fault, GatherOob, GlobalTensor, L1IndexPitch, Memory, Mgather,
    MgatherL1, Role, Strays, Tile,
};

use crate::bounds::{Bounds, Remap};
use crate::gather_rows;
use crate::gather_whole::{long, whole};
use crate::index::Indices;
use crate::layout::{
    Nz, Place, Steps, gather_pitch, span, table_pitch, table_rows, table_size, times,
};
use crate::operand::{Input, Output, copy, operands};
use crate::tile::Elements;
use crate::watch::Watch;

/// Runs one call of the form GM to UB.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
#[inline]
pub(crate) fn to_ub<T: Watch>(
    call: &Mgather,
    memory: &mut Memory,
    padded: CpuPaddedTable,
    watch: T,
) -> Result<End, Fault> {
    if !T::RECORDS && call.mode == Coalesce::Row {
        return by_row(call, memory, padded, watch);
    }
    of_width(call, memory, padded, watch)
}

/// Runs an untraced call by row. Apart, so that the rest need not carry it.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
#[inline(never)]
fn by_row<T: Watch>(
    call: &Mgather,
    memory: &mut Memory,
    padded: CpuPaddedTable,
    mut watch: T,
) -> Result<End, Fault> {
    if gather_rows::whole(call, memory, padded, watch.strays())? {
        return Ok(End::Finished);
    }
    of_width(call, memory, padded, watch)
}

/// Runs another call.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
#[inline(never)]
fn of_width<T: Watch>(
    call: &Mgather,
    memory: &mut Memory,
    padded: CpuPaddedTable,
    watch: T,
) -> Result<End, Fault> {
    match call.dst.dtype.size() {
        1 => ub::<1, T>(call, memory, padded, watch),
        2 => ub::<2, T>(call, memory, padded, watch),
        4 => ub::<4, T>(call, memory, padded, watch),
        _ => ub::<8, T>(call, memory, padded, watch),
    }
}

fn ub<const W: usize, T: Watch>(
    call: &Mgather,
    memory: &mut Memory,
    padded: CpuPaddedTable,
    mut watch: T,
) -> Result<End, Fault> {
    if !T::RECORDS && whole::<W>(call, memory, watch.strays())? {
        return Ok(End::Finished);
    }
    let (dst, inputs) = operands(memory, &Role::Destination)?;
    let (table, idx) = (inputs.get(&Role::Table)?, inputs.get(&Role::Index)?);
    let job = Job {
        tile: &call.dst,
        tensor: &call.table,
        pitch: gather_pitch(&call.table, W, padded),
        mode: call.mode,
        oob: call.oob,
    };
    let indices = Indices::new(&call.idx, idx);
    let place = Steps::in_tile(&call.dst, W);
    job.run::<W, _, T>(place, dst, table, indices, watch);
    Ok(End::Finished)
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
) -> Result<End, Fault> {
    match call.dst.dtype.size() {
        1 => l1::<1, T>(call, memory, pitch, watch),
        2 => l1::<2, T>(call, memory, pitch, watch),
        4 => l1::<4, T>(call, memory, pitch, watch),
        _ => l1::<8, T>(call, memory, pitch, watch),
    }
}

fn l1<const W: usize, T: Watch>(
    call: &MgatherL1,
    memory: &mut Memory,
    pitch: L1IndexPitch,
    watch: T,
) -> Result<End, Fault> {
    let (dst, inputs) = operands(memory, &Role::Destination)?;
    let (table, idx) = (inputs.get(&Role::Table)?, inputs.get(&Role::Index)?);
    if call.scratch.is_some() {
        inputs.get(&Role::Scratch)?;
    }
    let job = Job {
        tile: &call.dst,
        tensor: &call.table,
        pitch: table_pitch(&call.table, W),
        mode: call.mode,
        oob: call.oob,
    };
    let indices = Indices::of_tensor(&call.idx, idx, call.dst.valid_col.get(), pitch);
    job.run::<W, _, T>(Nz::of(&call.dst), dst, table, indices, watch);
    Ok(End::Finished)
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
    #[inline]
    fn run<const W: usize, P: Place, T: Watch>(
        &self,
        place: P,
        dst: Output<'_>,
        table: Input<'_>,
        indices: Indices<'_>,
        watch: T,
    ) {
        let capacity = || match self.mode {
            Coalesce::Row => table_rows(self.tensor),
            Coalesce::Elem => table_size(self.tensor),
        };
        let mut gather = Gather {
            dst: Elements::placed(place, W, dst),
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
        gather.run::<W>();
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
        let (rows, cols) = (self.rows, self.cols);
        if !T::RECORDS
            && let Some(words) = self.indices.words(rows, cols)
        {
            match self.bounds {
                Bounds::Unchecked(it) => self.lanes::<W>(rows, cols, words, it),
                // An empty table: nothing arrives.
                Bounds::Below(_) if !self.zero => {}
                Bounds::Below(it) => self.lanes::<W>(rows, cols, words, it),
                Bounds::Clamped(it) => self.lanes::<W>(rows, cols, words, it),
                Bounds::Wrapped(it) => self.lanes::<W>(rows, cols, words, it),
            }
            return;
        }
        for r in 0..rows {
            for c in 0..cols {
                self.element::<W>(r, c);
            }
        }
    }

    fn element<const W: usize>(&mut self, r: u64, c: u64) {
        let index = self.indices.of_element(r, c, &mut self.watch);
        let element = match self.bounds.slot(index) {
            Some(slot) => {
                let at = span(u64::from(slot), W);
                self.table.load::<W>(at, &mut self.watch)
            }
            None if self.zero => [0; W],
            None => return,
        };
        self.dst.store(r, c, element, &mut self.watch);
    }

    /// Rows of elements whose indices are the operand's own bytes.
    fn lanes<'i, const W: usize>(
        &mut self,
        rows: u64,
        cols: u64,
        words: impl Iterator<Item = &'i [[u8; 4]]>,
        remap: impl Remap,
    ) {
        if let Some(dst) = self.dst.rows_mut::<W>(rows, cols) {
            for (dst, words) in dst.zip(words) {
                long(dst, self.table, words, remap, self.watch.strays());
            }
            return;
        }
        for (r, mut words) in (0..rows).zip(words) {
            let Some(pieces) = self.dst.pieces_mut(r, cols) else {
                (0..cols).for_each(|c| self.element::<W>(r, c));
                continue;
            };
            for piece in pieces {
                let (now, rest) = words.split_at(piece.len() / W);
                let strays = self.watch.strays();
                lanes(
                    piece.as_chunks_mut::<W>().0,
                    &self.table,
                    now,
                    remap,
                    strays,
                );
                words = rest;
            }
        }
    }
}

/// A few elements whose destinations and indices are the operands' own bytes.
#[inline]
pub(crate) fn lanes<const W: usize>(
    dst: &mut [[u8; W]],
    table: &Input<'_>,
    words: &[[u8; 4]],
    remap: impl Remap,
    strays: &mut Strays,
) {
    let (fours, rest) = dst.as_chunks_mut::<4>();
    let (words, others) = words.as_chunks::<4>();
    for (words, four) in words.iter().zip(fours) {
        for (&word, dst) in words.iter().zip(four) {
            *dst = element(table, u32::from_le_bytes(word), remap, strays);
        }
    }
    for (&word, dst) in others.iter().zip(rest) {
        *dst = element(table, u32::from_le_bytes(word), remap, strays);
    }
}

/// The element that `index` delivers: zero if it selects nothing.
#[inline]
pub(crate) fn element<const W: usize>(
    table: &Input<'_>,
    index: u32,
    remap: impl Remap,
    strays: &mut Strays,
) -> [u8; W] {
    let Some(slot) = remap.slot(index) else {
        return [0; W];
    };
    match table.body.as_chunks().0.get(slot as usize) {
        Some(element) => *element,
        None => table.peek(span(u64::from(slot), W), strays),
    }
}
