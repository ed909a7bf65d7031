//! MSCATTER: source tile to table.

use std::ops::ControlFlow::{Break, Continue};

use ptodiff_isa::{
    Coalesce, CpuForm, DType, Fault, MaxMinNan, MaxMinZero, Memory, Mscatter, Readings, Role,
    ScatterAtomicOp, ScatterOob, Strays,
};

use half::{bf16, f16};

use crate::bounds::{Bounds, Remap};
use crate::combine::{Add, Combine, Fold, Operation, Replace};
use crate::extreme::{
    ByBits, ByValue, Extreme, Ignored, Max, Min, Nans, Order, PassedOn, Side, Unsettled,
};
use crate::index::Indices;
use crate::layout::{span, table_pitch, table_rows, table_size, times};
use crate::operand::{Output, operands};
use crate::tile::Elements;
use crate::watch::{Quiet, Watch};

/// Runs one call.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
pub(crate) fn execute<T: Watch>(
    call: &Mscatter,
    memory: &mut Memory,
    readings: &Readings,
    watch: T,
) -> Result<(), Fault> {
    let (table, inputs) = operands(memory, Role::Table)?;
    let (src, idx) = (inputs.get(Role::Source)?, inputs.get(Role::Index)?);
    // The documented form has no template parameters to look at.
    let (mode, atomic, oob) = match readings.cpu_form {
        CpuForm::Documented => (Coalesce::Elem, ScatterAtomicOp::None, ScatterOob::Undefined),
        CpuForm::Templated => (call.mode, call.atomic, call.oob),
    };
    let capacity = match mode {
        Coalesce::Row => table_rows(&call.table),
        Coalesce::Elem => table_size(&call.table),
    };
    let dtype = call.src.dtype;
    let mut scatter = Scatter {
        table,
        src: Elements::new(&call.src, src),
        indices: Indices::new(&call.idx, idx),
        rows: call.src.valid_row.get(),
        cols: call.src.valid_col.get(),
        mode,
        bounds: Bounds::scatter(oob, capacity),
        pitch: table_pitch(&call.table, dtype.size()),
        watch,
    };
    match atomic {
        ScatterAtomicOp::None => scatter.replace(dtype),
        ScatterAtomicOp::Add => scatter.fold::<Add, Add>(dtype),
        ScatterAtomicOp::Max => scatter.extreme::<Max>(dtype, readings),
        ScatterAtomicOp::Min => scatter.extreme::<Min>(dtype, readings),
    }
    Ok(())
}

struct Scatter<'a, T> {
    table: Output<'a>,
    src: Elements<&'a [u8]>,
    indices: Indices<'a>,
    rows: u64,
    cols: u64,
    mode: Coalesce,
    bounds: Bounds,
    pitch: i64,
    watch: T,
}

impl<T: Watch> Scatter<'_, T> {
    fn replace(&mut self, dtype: DType) {
        match dtype.size() {
            1 => self.run::<1, Replace>(),
            2 => self.run::<2, Replace>(),
            4 => self.run::<4, Replace>(),
            _ => self.run::<8, Replace>(),
        }
    }

    /// Max or Min as the readings have it for floats.
    fn extreme<S: Side>(&mut self, dtype: DType, readings: &Readings) {
        use MaxMinNan as Nan;
        use MaxMinZero::{Either, Ordered};
        match (readings.max_min_nan, readings.max_min_zero) {
            (Nan::Anything, Either) => self.rank::<S, Unsettled, ByValue>(dtype),
            // Where a NaN may do anything, its bits may rank it.
            (Nan::Anything, Ordered) | (Nan::ByBits, _) => {
                self.rank::<S, Unsettled, ByBits>(dtype);
            }
            (Nan::Ignored, Either) => self.rank::<S, Ignored, ByValue>(dtype),
            (Nan::Ignored, Ordered) => self.rank::<S, Ignored, ByBits>(dtype),
            (Nan::PassedOn, Either) => self.rank::<S, PassedOn, ByValue>(dtype),
            (Nan::PassedOn, Ordered) => self.rank::<S, PassedOn, ByBits>(dtype),
        }
    }

    /// Max or Min where `P` settles NaNs of floats and `O` orders the rest.
    fn rank<S: Side, P: Nans, O: Order>(&mut self, dtype: DType) {
        self.fold::<Extreme<S, Unsettled, ByValue>, Extreme<S, P, O>>(dtype);
    }

    /// Reads, operates and writes: integers by `I`, floats by `F`.
    fn fold<I: Operation, F: Operation>(&mut self, dtype: DType) {
        match dtype {
            DType::Int8 => self.run::<1, Fold<I, i8>>(),
            DType::Uint8 => self.run::<1, Fold<I, u8>>(),
            DType::Int16 => self.run::<2, Fold<I, i16>>(),
            DType::Uint16 => self.run::<2, Fold<I, u16>>(),
            DType::Int32 => self.run::<4, Fold<I, i32>>(),
            DType::Uint32 => self.run::<4, Fold<I, u32>>(),
            DType::Int64 => self.run::<8, Fold<I, i64>>(),
            DType::Uint64 => self.run::<8, Fold<I, u64>>(),
            DType::Half => self.run::<2, Fold<F, f16>>(),
            DType::Bfloat16 => self.run::<2, Fold<F, bf16>>(),
            DType::Float => self.run::<4, Fold<F, f32>>(),
            // A plain host build has no such types, so no arithmetic on them.
            DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => self.replace(dtype),
        }
    }

    fn run<const W: usize, C: Combine<W>>(&mut self) {
        match self.mode {
            Coalesce::Row => self.by_row::<W, C>(),
            Coalesce::Elem => self.by_element::<W, C>(),
        }
    }

    fn by_row<const W: usize, C: Combine<W>>(&mut self) {
        for r in 0..self.rows {
            let index = self.indices.of_row(r, &mut self.watch);
            let Some(row) = self.bounds.slot(index) else {
                continue;
            };
            let base = times(u64::from(row), self.pitch);
            if !T::RECORDS
                && let Some(new) = self.src.row::<W>(r, self.cols)
                && let new = new.as_flattened()
                && let Some(old) = self.table.span_mut(base, new.len())
            {
                C::combine_row(old, new);
                continue;
            }
            for c in 0..self.cols {
                let new = self.src.load(r, c, &mut self.watch);
                let at = base.saturating_add(span(c, W));
                put::<W, C>(&mut self.table, at, new, &mut self.watch);
            }
        }
    }

    fn by_element<const W: usize, C: Combine<W>>(&mut self) {
        // Without padding the rows are one long row.
        let (rows, cols) = if self.src.packed(self.cols) && self.indices.packed(self.cols) {
            (1, self.rows.saturating_mul(self.cols))
        } else {
            (self.rows, self.cols)
        };
        for r in 0..rows {
            if !T::RECORDS
                && let Some(words) = self.indices.words(r, cols)
                && let Some(new) = self.src.row(r, cols)
            {
                let (table, strays) = (&mut self.table, self.watch.strays());
                match self.bounds {
                    Bounds::Unchecked(it) => bounded::<W, C>(table, new, words, it, strays),
                    Bounds::Below(it) => bounded::<W, C>(table, new, words, it, strays),
                    Bounds::Clamped(it) => bounded::<W, C>(table, new, words, it, strays),
                    Bounds::Wrapped(it) => bounded::<W, C>(table, new, words, it, strays),
                }
                continue;
            }
            for c in 0..cols {
                let index = self.indices.of_element(r, c, &mut self.watch);
                if let Some(slot) = self.bounds.slot(index) {
                    let new = self.src.load(r, c, &mut self.watch);
                    let at = span(u64::from(slot), W);
                    put::<W, C>(&mut self.table, at, new, &mut self.watch);
                }
            }
        }
    }
}

/// One row of elements under bounds.
fn bounded<const W: usize, C: Combine<W>>(
    table: &mut Output<'_>,
    src: &[[u8; W]],
    words: &[[u8; 4]],
    remap: impl Remap,
    strays: &mut Strays,
) {
    let select = |word| remap.slot(u32::from_le_bytes(word));
    lanes::<W, 4, C>(table, src, words, select, strays);
}

/// One row of elements whose sources and indices are the tiles' own bytes;
/// `select` turns an index of `I` bytes into a slot of `table`, or into none.
#[inline]
pub(crate) fn lanes<const W: usize, const I: usize, C: Combine<W>>(
    table: &mut Output<'_>,
    src: &[[u8; W]],
    indices: &[[u8; I]],
    select: impl Fn([u8; I]) -> Option<u32>,
    strays: &mut Strays,
) {
    let mut lanes = indices.iter().zip(src);
    loop {
        let slots = table.body.as_chunks_mut().0;
        let stopped = lanes.try_for_each(|(&index, &new)| {
            if let Some(slot) = select(index) {
                match slots.get_mut(slot as usize) {
                    Some(old) => *old = C::combine(*old, new),
                    None => return Break((slot, new)),
                }
            }
            Continue(())
        });
        // A lane that leaves the table is handled here, then the loop goes on.
        let Break((slot, new)) = stopped else {
            return;
        };
        let at = span(u64::from(slot), W);
        put::<W, C>(table, at, new, &mut Quiet { strays });
    }
}

/// Combines `new` into the table at byte `at`.
fn put<const W: usize, C: Combine<W>>(
    table: &mut Output<'_>,
    at: i64,
    new: [u8; W],
    watch: &mut impl Watch,
) {
    let old = if C::READS { table.load(at, watch) } else { new };
    table.store(at, C::combine(old, new), watch);
}
