//! MSCATTER: source tile to table.

mod atomic;
mod one_piece;
mod parts;

pub(crate) use one_piece::lanes;

use ptodiff_isa::{
    Coalesce, CpuForm, Fault, Memory, Mscatter, Parts, Readings, Role, ScatterAtomicOp, ScatterOob,
    Strays,
};

use crate::bounds::Bounds;
use crate::index::Indices;
use crate::layout::{span, table_pitch, table_rows, table_size, times};
use crate::operand::{Input, Output, split};
use crate::tile::Elements;
use crate::watch::{Quiet, Watch};

use self::atomic::Scattering;

/// Bytes that are fetched together: no access of fewer is cheaper.
const LINE: u64 = 64;

/// Runs one call.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
pub(crate) fn execute<T: Watch>(
    call: &Mscatter,
    memory: &mut Memory,
    readings: &Readings,
    mut watch: T,
) -> Result<(), Fault> {
    let (table, inputs) = split(memory, Role::Table, |table| table)?;
    // The documented form has no template parameters to look at.
    let (mode, atomic, oob) = match readings.cpu_form {
        CpuForm::Documented => (Coalesce::Elem, ScatterAtomicOp::None, ScatterOob::Undefined),
        CpuForm::Templated => (call.mode, call.atomic, call.oob),
    };
    let job = Job {
        call,
        readings,
        mode,
        atomic,
        oob,
        src: inputs.get(Role::Source)?,
        idx: inputs.get(Role::Index)?,
    };
    if !T::RECORDS
        && let Some(parts) = table.parts_mut(job.most())
        && job.in_parts(parts, watch.strays())
    {
        return Ok(());
    }
    job.run(Output::of(table), watch);
    Ok(())
}

/// What is to be done, and with what.
struct Job<'a> {
    call: &'a Mscatter,
    readings: &'a Readings,
    mode: Coalesce,
    atomic: ScatterAtomicOp,
    oob: ScatterOob,
    src: Input<'a>,
    idx: Input<'a>,
}

impl<'a> Job<'a> {
    /// The most bytes it may write, where a lane counts for no fewer than are
    /// fetched with it.
    #[inline]
    fn most(&self) -> usize {
        let tile = &self.call.src;
        let [rows, cols] = [tile.valid_row, tile.valid_col].map(|n| n.get());
        let (lanes, elements) = match self.mode {
            Coalesce::Row => (rows, cols),
            Coalesce::Elem => (rows.saturating_mul(cols), 1),
        };
        let bytes = elements.saturating_mul(tile.dtype.size() as u64).max(LINE);
        usize::try_from(lanes.saturating_mul(bytes)).unwrap_or(usize::MAX)
    }

    /// Runs it on a table that notes what is written of it, if it can be run
    /// so; whether it was. Apart, so that other calls need not carry it.
    #[cold]
    #[inline(never)]
    fn in_parts(&self, table: Parts<'_>, strays: &mut Strays) -> bool {
        self.run(table, Quiet { strays })
    }

    /// Runs it on `table`, whichever way that is to be written.
    #[inline]
    fn run<O, T>(&self, table: O, watch: T) -> <Scatter<'a, O, T> as Scattering>::Done
    where
        Scatter<'a, O, T>: Scattering,
    {
        let Self { call, mode, .. } = *self;
        let capacity = || match mode {
            Coalesce::Row => table_rows(&call.table),
            Coalesce::Elem => table_size(&call.table),
        };
        let dtype = call.src.dtype;
        let mut scatter = Scatter {
            table,
            src: Elements::new(&call.src, self.src),
            indices: Indices::new(&call.idx, self.idx),
            rows: call.src.valid_row.get(),
            cols: call.src.valid_col.get(),
            mode,
            bounds: Bounds::scatter(self.oob, capacity),
            pitch: table_pitch(&call.table, dtype.size()),
            watch,
        };
        atomic::run(&mut scatter, self.atomic, dtype, self.readings)
    }
}

/// A scatter to the table `O`.
struct Scatter<'a, O, T> {
    table: O,
    src: Elements<&'a [u8]>,
    indices: Indices<'a>,
    rows: u64,
    cols: u64,
    mode: Coalesce,
    bounds: Bounds,
    pitch: i64,
    watch: T,
}

impl<O, T> Scatter<'_, O, T> {
    /// Where column `c` of a table row lies.
    #[inline]
    fn place(&self, row: u32, c: u64, width: usize) -> i64 {
        times(u64::from(row), self.pitch).saturating_add(span(c, width))
    }
}
