//! MSCATTER, untraced, from tiles whose rows are pieces: whole rows at once, and
//! elements where nothing lies between rows either.
//!
//! A call is made ready here whatever its elements are, and nothing that only
//! other calls need: of a small call that would be a good part. What happens to
//! lanes that leave the table is made ready again, so that the others need not
//! keep it.

use ptodiff_isa::{Fault, Memory, Readings, Role, ScatterOob, Strays};

use super::atomic::{self, Scattering};
use super::lanes::{elements, own};
use super::rows::{self, Rows};
use super::{Job, notes};
use crate::bodies::bodies;
use crate::bounds::Bounds;
use crate::combine::Combine;
use crate::index;
use crate::layout::{Place, Steps, table_pitch, table_rows};
use crate::operand::{Output, body_mut, operands, split};
use crate::table_rows::Apart;
use crate::tile;

/// Indices as they stand in their tile.
type Words = [[u8; 4]];

/// The loops over lanes for one way in which a slot takes a value.
struct Kernel {
    /// Elements whose index is their slot, up to the first that leaves the
    /// table: how many are left.
    own: fn(&mut [u8], &[u8], &Words) -> usize,
    /// Elements under any bounds.
    elements: fn(&mut Output<'_>, &[u8], &Words, Bounds, &mut Strays),
    /// Rows whose index is their slot, up to the first other: how many are left.
    own_rows: fn(&mut [u8], &[u8], &Words, &Apart) -> usize,
    /// Rows under any bounds.
    rows: fn(&mut Rows<'_>, &Words, &[u8]),
}

impl Kernel {
    #[inline]
    fn of(job: Job<'_>, readings: &Readings) -> &'static Self {
        atomic::run(&mut Kernels, job.atomic, job.call.src.dtype, readings)
    }
}

/// All kernels.
struct Kernels;

impl Scattering for Kernels {
    type Done = &'static Kernel;

    #[inline]
    fn run<const W: usize, C: Combine<W>>(&mut self) -> &'static Kernel {
        const {
            &Kernel {
                own: own::<W, C>,
                elements: elements::<W, C>,
                own_rows: rows::own::<W, C>,
                rows: |rows, words, new| rows.scatter::<W, C>(words, new),
            }
        }
    }
}

/// Elements up to the first that leaves the table, unless what is written of
/// the table is noted, or something lies between elements: how many are left.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
#[inline]
pub(super) fn unbounded(
    job: Job<'_>,
    memory: &mut Memory,
    readings: &Readings,
) -> Result<Option<usize>, Fault> {
    let (table, inputs) = split(memory, &Role::Table, |table| table)?;
    let [src, idx] = [inputs.body(&Role::Source)?, inputs.body(&Role::Index)?];
    let Some((words, new)) = lanes(job, src, idx).filter(|_| !notes(table)) else {
        return Ok(None);
    };
    let kernel = Kernel::of(job, readings);
    Ok(Some((kernel.own)(body_mut(table), new, words)))
}

/// The last `left` elements, or all, if nothing lies between any of them; whether
/// that is so.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
pub(super) fn by_element(
    job: Job<'_>,
    memory: &mut Memory,
    readings: &Readings,
    strays: &mut Strays,
    left: Option<usize>,
) -> Result<bool, Fault> {
    let (mut table, inputs) = operands(memory, &Role::Table)?;
    let [src, idx] = [inputs.body(&Role::Source)?, inputs.body(&Role::Index)?];
    let Some((words, new)) = lanes(job, src, idx) else {
        return Ok(false);
    };
    let first = left.map_or(0, |left| words.len() - left);
    let new = &new[first * job.call.src.dtype.size()..];
    let kernel = Kernel::of(job, readings);
    (kernel.elements)(&mut table, new, &words[first..], job.bounds(), strays);
    Ok(true)
}

/// The indices and the bytes of all elements, if nothing lies between any of them.
#[inline]
fn lanes<'a>(job: Job<'_>, src: &'a [u8], idx: &'a [u8]) -> Option<(&'a Words, &'a [u8])> {
    let call = job.call;
    let [rows, cols] = [call.src.valid_row, call.src.valid_col].map(|n| n.get());
    let words = index::of_elements(&call.idx, idx, rows, cols)?;
    Some((words, tile::bytes(&call.src, src, rows, cols)?))
}

/// Rows up to the first whose index is not its slot, unless what is written of
/// the table is noted, or rows are not in one piece each: how many are left.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
#[inline]
pub(super) fn own_rows(
    job: Job<'_>,
    memory: &mut Memory,
    readings: &Readings,
) -> Result<Option<usize>, Fault> {
    let (table, [src, idx]) = bodies(memory, &Role::Table, [&Role::Source, &Role::Index])?;
    let Some((words, apart)) = rows(job, src, idx).filter(|_| !notes(table)) else {
        return Ok(None);
    };
    let kernel = Kernel::of(job, readings);
    Ok(Some((kernel.own_rows)(body_mut(table), src, words, &apart)))
}

/// The last `left` rows, or all, if they are in one piece each; whether they are.
///
/// # Errors
/// If `memory` lacks the table, the source or the index tile.
pub(super) fn by_row(
    job: Job<'_>,
    memory: &mut Memory,
    readings: &Readings,
    strays: &mut Strays,
    left: Option<usize>,
) -> Result<bool, Fault> {
    let (table, inputs) = operands(memory, &Role::Table)?;
    let [src, idx] = [inputs.body(&Role::Source)?, inputs.body(&Role::Index)?];
    let Some((words, apart)) = rows(job, src, idx) else {
        return Ok(false);
    };
    let first = left.map_or(0, |left| words.len() - left);
    let src = &src[first * apart.step..];
    let mut rows = Rows {
        table,
        apart,
        bounds: job.bounds(),
        strays,
    };
    (Kernel::of(job, readings).rows)(&mut rows, &words[first..], src);
    Ok(true)
}

/// The indices of the rows, and how these lie, if they are in one piece each.
// Inlined, it need not write down what it gives.
#[inline(always)]
fn rows<'a>(job: Job<'_>, src: &[u8], idx: &'a [u8]) -> Option<(&'a Words, Apart)> {
    let Job { call, oob, .. } = job;
    let [rows, cols] = [call.src.valid_row, call.src.valid_col].map(|n| n.get());
    let width = call.src.dtype.size();
    let words = index::of_rows(&call.idx, idx, rows)?;
    let pieces = Steps::in_tile(&call.src, width).rows(width, rows, cols)?;
    let own = match oob {
        ScatterOob::Undefined => u64::MAX,
        ScatterOob::Skip | ScatterOob::Clamp | ScatterOob::Wrap => table_rows(&call.table),
    };
    let apart = Apart::new(own, table_pitch(&call.table, width), pieces)?;
    match pieces.reach {
        // Of rows without columns none does anything.
        0 => Some((&[], apart)),
        reach => (reach <= src.len()).then_some((words, apart)),
    }
}
