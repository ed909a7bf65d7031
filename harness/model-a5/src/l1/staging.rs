//! What both executors of Elem mode share: the scratch that holds the NZ image.

use ptodiff_isa::{Region, Space};

use crate::access::{Port, Sink};
use crate::bounds::Policy;
use crate::view::{View, ViewMut};

use super::Job;
use super::image::c0;

/// A call's operands as elements; the SIMT executor has none in UB (MGATHERL1-EXEC-06).
pub(crate) struct Staging<'m, const W: usize> {
    pub(crate) table: View<'m, W>,
    pub(crate) tile: ViewMut<'m, W>,
    pub(crate) index: View<'m, 4>,
    pub(crate) scratch: ViewMut<'m, W>,
}

impl<'m, const W: usize> Staging<'m, W> {
    pub(crate) fn new([table, tile, index, scratch]: [&'m mut Region; 4]) -> Self {
        Self {
            table: View::new(table, Space::Gm),
            tile: ViewMut::new(tile, Space::L1),
            index: View::new(index, Space::Gm),
            scratch: ViewMut::new(scratch, Space::Gm),
        }
    }

    /// Gathers the valid elements to their places in the image, zero where
    /// nothing is selected; none, with some of them gathered, where indices have
    /// gaps, a place has two writers or an access would be a stray. The order
    /// shows in traces and strays only.
    pub(crate) fn collect_at_once<P: Policy>(&mut self, job: &Job) -> Option<()> {
        let image = job.image;
        if !image.holds(job.valid) {
            return None;
        }
        for row in 0..job.valid.rows {
            let indices = job.indices.strip(&self.index, row, job.valid.cols)?;
            let bounds = job.bounds.plain(indices)?;
            let mut to = image.at::<W>(row, 0);
            for indices in indices.chunks(c0::<W>() as usize) {
                let unit = self.scratch.strip_mut(to, indices.len())?;
                self.table
                    .read_all((indices, unit), |bits| bounds.slot::<P>(bits))?;
                to += image.block::<W>();
            }
        }
        Some(())
    }

    /// Makes the image visible to the DMA engine (MGATHERL1-CACHE-01, -02).
    pub(crate) fn flush<S: Sink>(&self, port: &mut Port<'_, S>, job: &Job) {
        let bytes = u64::from(job.image.count()) * W as u64;
        port.flush(self.scratch.role, bytes);
    }

    /// Moves the image to L1 in one piece (MGATHERL1-PERF-03).
    pub(crate) fn deliver<S: Sink>(
        &mut self,
        port: &mut Port<'_, S>,
        job: &Job,
        intrinsic: &'static str,
    ) {
        port.burst(
            &self.scratch.as_view(),
            &mut self.tile,
            job.image.count(),
            intrinsic,
        );
    }
}
