//! TGATHERB (004): loads through byte offsets, by element or by block of 32 bytes.
//!
//! Offsets are not held against anything (TGATHERB-OOB-01). The offset tile is
//! read as `uint32_t` whatever its type (TGATHERB-INDEX-01, TGATHERB-GAP-05).

use ptodiff_isa::{
    End, Fault, How, Memory, OffsetGranularity, Region, Role, Schedule, Space, Tgatherb,
    UnalignedOffset,
};

use crate::access::{Port, Sink, operands};
use crate::extent::{Steps, Valid};
use crate::group::GROUP;
use crate::order;
use crate::view::{View, ViewMut};

/// Bytes of a block.
const BLOCK: usize = 32;

/// A call's run-time values.
#[derive(Clone, Copy)]
struct Job {
    /// Destination elements or blocks.
    valid: Valid,
    /// Of the offset tile.
    offset: Steps,
    /// Of the destination tile.
    dst: Steps,
    /// Elements of a destination row, padding included.
    cols: u64,
    /// The bits of an offset that count.
    mask: u32,
    schedule: Schedule,
}

impl Job {
    /// For loads of `unit` bytes.
    ///
    /// # Errors
    /// If a tile could stand in no memory.
    fn new(call: &Tgatherb, unit: usize, how: &How) -> Result<Self, Fault> {
        let Tgatherb { dst, offset, .. } = call;
        let region = Valid::of(dst)?;
        // Elements that an offset serves.
        let served = (unit / dst.dtype.size()) as u32;
        let valid = Valid {
            cols: region.cols.div_ceil(served),
            ..region
        };
        let (offset, to) = (Steps::new(offset, valid)?, Steps::new(dst, region)?);
        let mut job = Self {
            valid,
            offset,
            dst: to,
            cols: dst.cols,
            mask: mask(unit, how.readings.tgatherb_unaligned),
            schedule: how.schedule,
        };
        let whole = u64::from(region.cols) == dst.cols && region.cols.is_multiple_of(served);
        if whole && offset.is_dense(valid) && to.is_dense(region) {
            // No row ends where no tile has padding and no block is cut.
            job.valid = valid.flat();
            job.cols = region.count().into();
        }
        Ok(job)
    }

    /// The byte that a load begins at.
    #[inline(always)]
    fn start(&self, bits: [u8; 4]) -> u32 {
        u32::from_le_bytes(bits) & self.mask
    }

    /// Loads of `N` bytes one after the other; none, with some of them done,
    /// where one leaves the body.
    #[inline(always)]
    fn load_all<const N: usize>(
        &self,
        src: &View<'_, 1>,
        offsets: &[[u8; 4]],
        slots: &mut [[u8; N]],
    ) -> Option<()> {
        // Locals of their own, lest every store seem to change them.
        let (job, bytes) = (*self, src.cells.as_flattened());
        let (groups, offsets) = offsets.as_chunks::<GROUP>();
        let (groups_of_slots, slots) = slots.as_chunks_mut::<GROUP>();
        for (offsets, slots) in groups.iter().zip(groups_of_slots) {
            job.load_group(bytes, offsets, slots)?;
        }
        job.load_group(bytes, offsets, slots)
    }

    #[inline(always)]
    fn load_group<const N: usize>(
        self,
        bytes: &[u8],
        offsets: &[[u8; 4]],
        slots: &mut [[u8; N]],
    ) -> Option<()> {
        for (bits, slot) in offsets.iter().zip(slots) {
            let from = self.start(*bits) as usize;
            *slot = *bytes.get(from..from.checked_add(N)?)?.first_chunk()?;
        }
        Some(())
    }
}

/// The bits that count in an offset of a load of `unit` bytes, a power of two
/// (TGATHERB-GAP-01).
fn mask(unit: usize, rounding: UnalignedOffset) -> u32 {
    match rounding {
        UnalignedOffset::RoundedDown => !(unit as u32 - 1),
        UnalignedOffset::ByteExact | UnalignedOffset::Undefined => !0,
    }
}

/// Runs one call in place.
///
/// # Errors
/// If an operand is missing or a tile could stand in no memory.
pub(crate) fn run<S: Sink>(
    call: &Tgatherb,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let regions = operands(memory, [Role::Destination, Role::Source, Role::Index])?;
    let granularity = how.readings.tgatherb_granularity;
    let width = call.dst.dtype.size();
    let unit = match granularity {
        OffsetGranularity::Element => width,
        OffsetGranularity::Block => BLOCK,
    };
    let job = Job::new(call, unit, how)?;
    match (granularity, width) {
        (OffsetGranularity::Block, width) => blocks(&job, width, regions, port),
        (OffsetGranularity::Element, 1) => elements::<S, 1>(&job, regions, port),
        (OffsetGranularity::Element, 2) => elements::<S, 2>(&job, regions, port),
        (OffsetGranularity::Element, 4) => elements::<S, 4>(&job, regions, port),
        (OffsetGranularity::Element, _) => elements::<S, 8>(&job, regions, port),
    }
    Ok(End::Finished)
}

/// One offset an element (TGATHERB-SEM-01).
fn elements<S: Sink, const W: usize>(
    job: &Job,
    [dst, src, offset]: [&mut Region; 3],
    mut port: Port<'_, S>,
) {
    let mut dst = ViewMut::<W>::new(dst, Space::Ub);
    let src = View::<1>::new(src, Space::Ub);
    let offset = View::<4>::new(offset, Space::Ub);
    if !S::ON && elements_at_once(job, &mut port, (&mut dst, &src, &offset)).is_some() {
        return;
    }
    order::lanes(job.schedule, job.valid, |row, col, len| {
        let (at, to) = (job.offset.at(row, col), job.dst.at(row, col));
        for lane in 0..i64::from(len) {
            let from = job.start(port.load(&offset, at + lane * job.offset.col));
            let cell = port.load_bytes::<W>(&src, from.into());
            port.store(&mut dst, to + lane * job.dst.col, cell);
        }
    });
}

/// All elements one after the other, then the strays in their order; none, with no
/// stray noted, where two elements share a slot or one leaves a tile. Otherwise the
/// order shows in traces and strays only.
#[inline(always)]
fn elements_at_once<S: Sink, const W: usize>(
    job: &Job,
    port: &mut Port<'_, S>,
    (dst, src, offset): (&mut ViewMut<'_, W>, &View<'_, 1>, &View<'_, 4>),
) -> Option<()> {
    if !job.dst.is_apart(job.valid) {
        return None;
    }
    let cols = job.valid.cols;
    let mut strays = false;
    for row in 0..job.valid.rows {
        let (at, to) = (job.offset.at(row, 0), job.dst.at(row, 0));
        if job.offset.col == 1 && job.dst.col == 1 {
            let offsets = offset.strip(at, cols as usize)?;
            let slots = dst.strip_mut(to, cols as usize)?;
            if job.load_all(src, offsets, slots).is_some() {
                continue;
            }
        }
        for lane in 0..i64::from(cols) {
            let bits = offset.get(at + lane * job.offset.col)?;
            let slot = dst.get_mut(to + lane * job.dst.col)?;
            match src.bytes(job.start(*bits).into()) {
                Some(bytes) => *slot = bytes,
                None => strays = true,
            }
        }
    }
    if strays {
        load_strays(job, port, (dst, src, offset));
    }
    Some(())
}

/// The elements whose loads leave the body, in the order of the schedule.
#[inline(never)]
fn load_strays<S: Sink, const W: usize>(
    job: &Job,
    port: &mut Port<'_, S>,
    (dst, src, offset): (&mut ViewMut<'_, W>, &View<'_, 1>, &View<'_, 4>),
) {
    order::lanes(job.schedule, job.valid, |row, col, len| {
        let (at, to) = (job.offset.at(row, col), job.dst.at(row, col));
        for lane in 0..i64::from(len) {
            let from = job.start(offset.peek(at + lane * job.offset.col)).into();
            if src.bytes::<W>(from).is_none() {
                let cell = port.load_bytes(src, from);
                port.store(dst, to + lane * job.dst.col, cell);
            }
        }
    });
}

/// One offset a block (TGATHERB-GAP-14); the last block of a row fills it up
/// to the end of the padded row at most (TGATHERB-GAP-07).
fn blocks<S: Sink>(
    job: &Job,
    width: usize,
    [dst, src, offset]: [&mut Region; 3],
    mut port: Port<'_, S>,
) {
    let mut dst = ViewMut::<1>::new(dst, Space::Ub);
    let src = View::<1>::new(src, Space::Ub);
    let offset = View::<4>::new(offset, Space::Ub);
    let per_block = (BLOCK / width) as u32;
    order::lanes(job.schedule, job.valid, |row, block, len| {
        let at = job.offset.at(row, block);
        let to = |block| {
            let to = job.dst.at(row, block * per_block);
            to.saturating_mul(width as i64)
        };
        let room = |block: u32| job.cols.saturating_sub((block * per_block).into());
        let mut done = 0;
        if !S::ON && job.offset.col == 1 && job.dst.col == 1 {
            let whole = (room(block) / u64::from(per_block)).min(len.into()) as u32;
            if let Some(offsets) = offset.strip(at, whole as usize)
                && let Some(slots) = dst.strip_mut(to(block), whole as usize * BLOCK)
            {
                let (slots, _) = slots.as_flattened_mut().as_chunks_mut::<BLOCK>();
                if job.load_all(&src, offsets, slots).is_some() {
                    done = whole;
                }
            }
        }
        for lane in done..len {
            let bits = port.load(&offset, at + i64::from(lane) * job.offset.col);
            let bytes = port.load_bytes::<BLOCK>(&src, job.start(bits).into());
            let block = block + lane;
            let bytes = &bytes[..room(block).min(per_block.into()) as usize * width];
            port.store_bytes(&mut dst, to(block), bytes);
        }
    });
}

#[cfg(test)]
mod tests;
