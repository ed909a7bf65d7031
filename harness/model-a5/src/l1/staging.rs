//! What both executors of Elem mode share: the scratch that holds the NZ image.

use ptodiff_isa::{Region, Space};

use crate::access::{Port, Sink};
use crate::view::View;

use super::Job;

/// A call's operands as elements; the SIMT executor has none in UB (MGATHERL1-EXEC-06).
pub(crate) struct Staging<'m, const W: usize> {
    pub(crate) table: View<'m, W>,
    pub(crate) tile: View<'m, W>,
    pub(crate) index: View<'m, 4>,
    pub(crate) scratch: View<'m, W>,
}

impl<'m, const W: usize> Staging<'m, W> {
    pub(crate) fn new([table, tile, index, scratch]: [&'m mut Region; 4]) -> Self {
        Self {
            table: View::new(table, Space::Gm),
            tile: View::new(tile, Space::L1),
            index: View::new(index, Space::Gm),
            scratch: View::new(scratch, Space::Gm),
        }
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
        port.burst(&self.scratch, &mut self.tile, job.image.count(), intrinsic);
    }
}
