//! `GatherExec::Simt`: the vector core fills the scratch lane by lane, the cube
//! core moves it (001, SIMT executor).

use ptodiff_isa::{Coalesce, Core, End, Event, Pipe, Region, Serves};

use crate::access::{Port, Sink};
use crate::bounds::Policy;
use crate::grid::{FlatGrid, Sizing};
use crate::order;

use super::image::c0;
use super::staging::Staging;
use super::{Job, Kernel};

/// The one flag of the hand-off; the documents give no number (MGATHERL1-GAP-13).
const FLAG: u64 = 0;

/// The SIMT kernel.
pub(crate) struct Simt;

impl Kernel<4> for Simt {
    fn run<S: Sink, P: Policy, const W: usize>(
        job: &Job,
        regions: [&mut Region; 4],
        port: &mut Port<'_, S>,
    ) -> End {
        let mut staging = Staging::<W>::new(regions);
        port.note(|| Event::Core(Core::Aiv));
        // MGATHERL1-LAUNCH-01, -02, MGATHERL1-GAP-22.
        let grid = FlatGrid::new(job.image.count().into(), Sizing::Fitted);
        let launch = || {
            grid.event(
                "simt_mgather_l1_elem_kernel",
                Coalesce::Elem,
                Serves::Offset,
            )
        };
        if port.launch(job.dispatch, launch) == End::Hung {
            return End::Hung;
        }
        collect::<S, P, W>(job, grid, &mut staging, port);
        staging.flush(port, job);
        // MGATHERL1-EXEC-10, -SYNC-05.
        port.note(|| Event::SetIntraBlock {
            pipe: Pipe::S,
            id: FLAG,
        });
        port.note(|| Event::Core(Core::Aic));
        port.note(|| Event::WaitIntraBlock {
            pipe: Pipe::MTE2,
            id: FLAG,
        });
        staging.deliver(port, job, "copy_gm_to_cbuf");
        End::Finished
    }
}

/// Each lane serves the element of the image at its own offset (MGATHERL1-EXEC-07, -08).
fn collect<S: Sink, P: Policy, const W: usize>(
    job: &Job,
    grid: FlatGrid,
    staging: &mut Staging<'_, W>,
    port: &mut Port<'_, S>,
) {
    order::elem(job.schedule, job.image.count(), grid, |start, len| {
        let mut offset = start;
        while offset < start + len {
            // A run may go on into the next row of a block.
            let rest = c0::<W>() - offset % c0::<W>();
            let len = rest.min(start + len - offset);
            collect_unit::<S, P, W>(job, staging, port, offset, len);
            offset += len;
        }
    });
}

/// The same for `len` elements from `offset` on, in one row of a block.
#[inline(always)]
fn collect_unit<S: Sink, P: Policy, const W: usize>(
    job: &Job,
    staging: &mut Staging<'_, W>,
    port: &mut Port<'_, S>,
    offset: u32,
    len: u32,
) {
    let Staging {
        table,
        index,
        scratch,
        ..
    } = staging;
    let (row, col) = job.image.position::<W>(offset);
    // Those with an index; what follows them is padding.
    let valid = if row < job.valid.rows {
        job.valid.cols.saturating_sub(col).min(len)
    } else {
        0
    };
    let mute = job.bounds.gives_nothing::<P>();
    if !S::ON
        && !mute
        && let Some(indices) = job.indices.strip(index, row, col, valid)
        && let Some(slots) = scratch.strip_mut(offset.into(), len as usize)
    {
        let (slots, padding) = slots.split_at_mut(valid as usize);
        let bounds = job.bounds;
        let from = indices.iter().map(|bits| bounds.slot::<P>(*bits));
        port.read_all(table, from.zip(slots));
        return padding.fill([0; W]);
    }
    for lane in 0..len {
        let mut cell = [0; W];
        if lane < valid {
            if mute {
                continue;
            }
            let bits = port.load(index, job.indices.at(row, col + lane));
            if let Some(slot) = job.bounds.slot::<P>(bits) {
                cell = port.load(table, slot);
            }
        }
        port.store(scratch, (offset + lane).into(), cell);
    }
}
