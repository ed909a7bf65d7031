//! `GatherExec::Scalar`: the cube core walks the indices (MGATHERL1-EXEC-02).

use ptodiff_isa::{Core, End, Event, L1ScratchZero, Region};

use crate::access::{Port, Sink};
use crate::bounds::Policy;
use crate::extent::Valid;

use super::image::c0;
use super::staging::Staging;
use super::{Job, Kernel};

/// The scalar kernel.
pub(crate) struct Scalar;

impl Kernel<4> for Scalar {
    fn run<S: Sink, P: Policy, const W: usize>(
        job: &Job,
        regions: [&mut Region; 4],
        port: &mut Port<'_, S>,
    ) -> End {
        let mut staging = Staging::<W>::new(regions);
        port.note(|| Event::Core(Core::Aic));
        if P::FILLS || job.zeroing == L1ScratchZero::Always {
            // MGATHERL1-SCRATCH-05, MGATHERL1-GAP-02.
            port.fill(&mut staging.scratch, job.image.count(), None);
        }
        if !job.bounds.gives_nothing::<P>() {
            collect::<S, P, W>(job, &mut staging, port);
        }
        staging.flush(port, job);
        staging.deliver(port, job, "pto_copy_gm_to_cbuf_align_v2");
        End::Finished
    }
}

/// Stores every element that its index selects at its place in the image.
fn collect<S: Sink, P: Policy, const W: usize>(
    job: &Job,
    staging: &mut Staging<'_, W>,
    port: &mut Port<'_, S>,
) {
    let Valid { rows, cols } = job.valid;
    for row in 0..rows {
        for col in (0..cols).step_by(c0::<W>() as usize) {
            let len = c0::<W>().min(cols - col);
            collect_unit::<S, P, W>(job, staging, port, (row, col, len));
        }
    }
}

/// The same for `(row, col, len)` of the tile, neighbours in the image.
#[inline(always)]
fn collect_unit<S: Sink, P: Policy, const W: usize>(
    job: &Job,
    staging: &mut Staging<'_, W>,
    port: &mut Port<'_, S>,
    (row, col, len): (u32, u32, u32),
) {
    let Staging {
        table,
        index,
        scratch,
        ..
    } = staging;
    let to = job.image.at::<W>(row, col);
    if !S::ON
        && let Some(indices) = job.indices.strip(index, row, col, len)
        && let Some(slots) = scratch.strip_mut(to, len as usize)
    {
        let bounds = job.bounds;
        let from = indices.iter().map(|bits| bounds.slot::<P>(*bits));
        // What no index selects keeps what the scratch held.
        let reads = from.zip(slots).filter(|(slot, _)| slot.is_some());
        return port.read_all(table, reads);
    }
    for lane in 0..len {
        let bits = port.load(index, job.indices.at(row, col + lane));
        if let Some(slot) = job.bounds.slot::<P>(bits) {
            let cell = port.load(table, slot);
            port.store(scratch, to + i64::from(lane), cell);
        }
    }
}
