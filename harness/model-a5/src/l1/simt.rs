//! `GatherExec::Simt`: the vector core fills the scratch lane by lane, the cube
//! core moves it (001, SIMT executor).

use ptodiff_isa::{Coalesce, Core, End, Event, Pipe, Region, Serves};

use crate::access::{Port, Sink};
use crate::bounds::Policy;
use crate::grid::{FlatGrid, Sizing};
use crate::order;

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
    let mute = job.bounds.gives_nothing::<P>();
    if !S::ON && !mute && at_once::<P, W>(job, staging).is_some() {
        return;
    }
    let Staging {
        table,
        index,
        scratch,
        ..
    } = staging;
    order::elem(job.schedule, job.image.count(), grid, |start, len| {
        for offset in start..start + len {
            let (row, col) = job.image.position::<W>(offset);
            let mut cell = [0; W];
            // The others are padding.
            if row < job.valid.rows && col < job.valid.cols {
                if mute {
                    continue;
                }
                let bits = port.load(index, job.indices.at(row, col));
                if let Some(slot) = job.bounds.slot::<P>(bits) {
                    cell = port.load(table, slot);
                }
            }
            port.store(scratch, offset.into(), cell);
        }
    });
}

/// All lanes one after the other, those of the padding first; none, with some
/// of it done, where indices have gaps or an access would be a stray.
fn at_once<P: Policy, const W: usize>(job: &Job, staging: &mut Staging<'_, W>) -> Option<()> {
    let count = job.image.count();
    if job.valid.count() < count {
        staging.scratch.strip_mut(0, count as usize)?.fill([0; W]);
    }
    staging.collect_at_once::<P>(job)
}
