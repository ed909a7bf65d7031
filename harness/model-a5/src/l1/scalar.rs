//! `GatherExec::Scalar`: the cube core walks the indices (MGATHERL1-EXEC-02).

use ptodiff_isa::{Core, End, Event, L1ScratchZero, Region};

use crate::access::{Port, Sink};
use crate::bounds::Policy;

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
    // Zero where nothing is selected is what the scratch was filled with.
    if !S::ON && staging.collect_at_once::<P>(job).is_some() {
        return;
    }
    let Staging {
        table,
        index,
        scratch,
        ..
    } = staging;
    for row in 0..job.valid.rows {
        for col in 0..job.valid.cols {
            let bits = port.load(index, job.indices.at(row, col));
            if let Some(slot) = job.bounds.slot::<P>(bits) {
                let cell = port.load(table, slot);
                port.store(scratch, job.image.at::<W>(row, col), cell);
            }
        }
    }
}
