//! MSCATTER: source tile to table.

mod anywhere;
mod at_once;
mod atomic;
mod lanes;
mod parts;
mod rows;

pub(crate) use lanes::lanes;

use ptodiff_isa::{
    Coalesce, CpuForm, End, Fault, Memory, Mscatter, Readings, Region, Role, ScatterAtomicOp,
    ScatterOob, Strays,
};

use crate::bounds::Bounds;
use crate::index::Indices;
use crate::layout::{span, table_pitch, table_rows, table_size, times};
use crate::operand::{Input, split};
use crate::tile::Elements;
use crate::watch::{Quiet, Watch};

use self::anywhere::Anywhere;

/// Bytes that are fetched together: no access of fewer is cheaper.
const LINE: u64 = 64;

/// Runs one call.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
#[inline]
pub(crate) fn execute<T: Watch>(
    call: &Mscatter,
    memory: &mut Memory,
    readings: &Readings,
    watch: T,
) -> Result<End, Fault> {
    let job = Job::of(call, readings);
    if T::RECORDS {
        return others(call, memory, readings, watch, None);
    }
    match (job.mode, job.oob) {
        (Coalesce::Row, _) => by_row(call, memory, readings, watch),
        (Coalesce::Elem, ScatterOob::Undefined) => {
            match at_once::unbounded(job, memory, readings)? {
                Some(0) => Ok(End::Finished),
                left => others(call, memory, readings, watch, left),
            }
        }
        (Coalesce::Elem, _) => others(call, memory, readings, watch, None),
    }
}

/// Runs a call by row. Apart, so that the rest need not carry it.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
#[inline(never)]
fn by_row<T: Watch>(
    call: &Mscatter,
    memory: &mut Memory,
    readings: &Readings,
    watch: T,
) -> Result<End, Fault> {
    match at_once::own_rows(Job::of(call, readings), memory, readings)? {
        Some(0) => Ok(End::Finished),
        left => others(call, memory, readings, watch, left),
    }
}

/// Runs the last `left` lanes or rows of a call, or all of another. Apart, so that the
/// rest need not carry it.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
#[inline(never)]
fn others<T: Watch>(
    call: &Mscatter,
    memory: &mut Memory,
    readings: &Readings,
    mut watch: T,
    left: Option<usize>,
) -> Result<End, Fault> {
    let job = Job::of(call, readings);
    if !T::RECORDS {
        let strays = watch.strays();
        let done = memory.get_mut(Role::Table).is_some_and(notes)
            && in_parts(job, memory, readings, strays)?
            || match job.mode {
                Coalesce::Row => at_once::by_row(job, memory, readings, strays, left)?,
                Coalesce::Elem => at_once::by_element(job, memory, readings, strays, left)?,
            };
        if done {
            return Ok(End::Finished);
        }
    }
    let mut walk = Anywhere { job, memory, watch };
    atomic::run(&mut walk, job.atomic, call.src.dtype, readings)
}

/// Whether `table` notes what is written of it.
#[inline]
fn notes(table: &mut Region) -> bool {
    table.parts_mut(0).is_some()
}

/// Runs a call on a table that notes what is written of it, if that is worth it
/// and it can be run so; whether it was.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
#[cold]
#[inline(never)]
fn in_parts(
    job: Job<'_>,
    memory: &mut Memory,
    readings: &Readings,
    strays: &mut Strays,
) -> Result<bool, Fault> {
    let (table, inputs) = split(memory, &Role::Table, |table| table)?;
    let [src, idx] = [inputs.get(&Role::Source)?, inputs.get(&Role::Index)?];
    let Some(table) = table.parts_mut(job.most()) else {
        return Ok(false);
    };
    let mut scatter = job.scatter(table, src, idx, Quiet { strays });
    let dtype = job.call.src.dtype;
    Ok(atomic::run(&mut scatter, job.atomic, dtype, readings))
}

/// What is to be done.
#[derive(Clone, Copy)]
struct Job<'a> {
    call: &'a Mscatter,
    mode: Coalesce,
    atomic: ScatterAtomicOp,
    oob: ScatterOob,
}

impl<'a> Job<'a> {
    /// The documented form has no template parameters to look at.
    #[inline]
    fn of(call: &'a Mscatter, readings: &Readings) -> Self {
        let (mode, atomic, oob) = match readings.cpu_form {
            CpuForm::Documented => (Coalesce::Elem, ScatterAtomicOp::None, ScatterOob::Undefined),
            CpuForm::Templated => (call.mode, call.atomic, call.oob),
        };
        Self {
            call,
            mode,
            atomic,
            oob,
        }
    }

    /// The most bytes it may write, where a lane counts for no fewer than are
    /// fetched with it.
    fn most(self) -> usize {
        let tile = &self.call.src;
        let [rows, cols] = [tile.valid_row, tile.valid_col].map(|n| n.get());
        let (lanes, elements) = match self.mode {
            Coalesce::Row => (rows, cols),
            Coalesce::Elem => (rows.saturating_mul(cols), 1),
        };
        let bytes = elements.saturating_mul(tile.dtype.size() as u64).max(LINE);
        usize::try_from(lanes.saturating_mul(bytes)).unwrap_or(usize::MAX)
    }

    /// The scatter to `table`, whichever way that is to be written.
    #[inline]
    fn scatter<O, T>(
        self,
        table: O,
        src: Input<'a>,
        idx: Input<'a>,
        watch: T,
    ) -> Scatter<'a, O, T> {
        let call = self.call;
        Scatter {
            table,
            src: Elements::new(&call.src, src),
            indices: Indices::new(&call.idx, idx),
            rows: call.src.valid_row.get(),
            cols: call.src.valid_col.get(),
            mode: self.mode,
            bounds: self.bounds(),
            pitch: table_pitch(&call.table, call.src.dtype.size()),
            watch,
        }
    }

    /// What an index selects.
    #[inline]
    fn bounds(self) -> Bounds {
        let table = &self.call.table;
        Bounds::scatter(self.oob, || match self.mode {
            Coalesce::Row => table_rows(table),
            Coalesce::Elem => table_size(table),
        })
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
