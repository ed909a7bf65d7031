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
use crate::order;
use crate::view::View;

/// Bytes of a block.
const BLOCK: usize = 32;

/// A call's run-time values.
struct Job {
    /// Destination elements or blocks.
    valid: Valid,
    /// Of the offset tile.
    offset: Steps,
    /// Of the destination tile.
    dst: Steps,
    /// Elements of a destination row, padding included.
    cols: u64,
    rounding: UnalignedOffset,
    schedule: Schedule,
}

impl Job {
    /// The byte that a load of `unit` bytes begins at (TGATHERB-GAP-01).
    #[inline(always)]
    fn start(&self, bits: [u8; 4], unit: usize) -> i64 {
        let offset = i64::from(u32::from_le_bytes(bits));
        match self.rounding {
            UnalignedOffset::RoundedDown => offset - offset % unit as i64,
            UnalignedOffset::ByteExact | UnalignedOffset::Undefined => offset,
        }
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
    let Tgatherb { dst, offset, .. } = call;
    let region = Valid::of(dst)?;
    let width = dst.dtype.size();
    let valid = match how.readings.tgatherb_granularity {
        OffsetGranularity::Element => region,
        OffsetGranularity::Block => Valid {
            // Elements of a block: 32 / size.
            cols: region.cols.div_ceil((BLOCK / width) as u32),
            ..region
        },
    };
    let job = Job {
        valid,
        offset: Steps::new(offset, valid)?,
        dst: Steps::new(dst, region)?,
        cols: dst.cols,
        rounding: how.readings.tgatherb_unaligned,
        schedule: how.schedule,
    };
    match (how.readings.tgatherb_granularity, width) {
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
    let mut dst = View::<W>::new(dst, Space::Ub);
    let src = View::<1>::new(src, Space::Ub);
    let offset = View::<4>::new(offset, Space::Ub);
    order::lanes(job.schedule, job.valid.count(), |start, len| {
        for lane in start..start + len {
            let (row, col) = job.valid.position(lane);
            let from = job.start(port.load(&offset, job.offset.at(row, col)), W);
            let cell = port.load_bytes::<W>(&src, from);
            port.store(&mut dst, job.dst.at(row, col), cell);
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
    let mut dst = View::<1>::new(dst, Space::Ub);
    let src = View::<1>::new(src, Space::Ub);
    let offset = View::<4>::new(offset, Space::Ub);
    let per_block = (BLOCK / width) as u32;
    order::lanes(job.schedule, job.valid.count(), |start, len| {
        for lane in start..start + len {
            let (row, block) = job.valid.position(lane);
            let from = job.start(port.load(&offset, job.offset.at(row, block)), BLOCK);
            let bytes = port.load_bytes::<BLOCK>(&src, from);
            let col = block * per_block;
            let room = job.cols.saturating_sub(col.into());
            let bytes = &bytes[..room.min(per_block.into()) as usize * width];
            let to = job.dst.at(row, col).saturating_mul(width as i64);
            port.store_bytes(&mut dst, to, bytes);
        }
    });
}
