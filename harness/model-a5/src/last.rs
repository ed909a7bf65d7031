//! The Last kernels of MSCATTER (000, Conflict Resolution): lanes own slots of the
//! table, and each finds by a reverse scan who of the source is the last to target
//! its slot.
//!
//! The scans of all lanes together are one pass over the indices, in which later
//! sources take a slot over from earlier ones (MSCATTER-CONF-11). The trace shows
//! for each lane the index where its scan ends (MSCATTER-PERF-08).

use std::ops::Range;

use ptodiff_isa::Role::{Index, Source};
use ptodiff_isa::Space::Ub;
use ptodiff_isa::{BLayout, Event, LastBy, Schedule};
use ptodiff_memory::Bus;

use crate::launch::Grid;
use crate::mscatter::Scatter;
use crate::plan::INDEX_SIZE;
use crate::schedule::arrange;

/// A source that targets a slot.
#[derive(Clone, Copy)]
struct Claim {
    slot: i64,
    /// How many sources come before it.
    at: u32,
}

impl Scatter<'_> {
    /// `simt_mscatter_row_last_kernel`: the owner of a table row stores all of it
    /// (CONF-03).
    pub(crate) fn row_last_kernel(&self, grid: &Grid, schedule: Schedule, bus: &mut Bus<'_>) {
        let sources = 0..self.extent.rows as u32;
        let index_at = |source| self.row_index_at(u64::from(source));
        for Claim { slot, at } in self.owners(sources, index_at, grid, schedule, bus) {
            note_scan_end(bus, index_at(at));
            for col in 0..self.extent.cols {
                let from = self.source_at((at.into(), col));
                let value = bus.load(Ub, Source, from, self.size);
                self.put(bus, self.row_slot_at(slot, col), value);
            }
        }
    }

    /// `simt_mscatter_elem_last_kernel`: last is the largest r * ValidCol + c
    /// (CONF-04), or what comes last in the source tile's storage (GAP-72).
    pub(crate) fn elem_last_kernel(&self, grid: &Grid, schedule: Schedule, bus: &mut Bus<'_>) {
        let sources = 0..self.extent.count() as u32;
        let by_columns = self.last_by == LastBy::Storage && self.src.blayout == BLayout::ColMajor;
        let rows = self.extent.rows;
        let position = |at: u32| match by_columns {
            true => (u64::from(at) % rows, u64::from(at) / rows),
            false => self.extent.position(at),
        };
        let index_at = |at| self.elem_index_at(position(at));
        for Claim { slot, at } in self.owners(sources, index_at, grid, schedule, bus) {
            note_scan_end(bus, index_at(at));
            let from = self.source_at(position(at));
            let value = bus.load(Ub, Source, from, self.size);
            self.put(bus, self.slot_at(slot), value);
        }
    }

    /// The last claim to each slot that has one, in the order of the lanes that own
    /// the slots. A slot without owner is not stored to (CONF-12). One that no lane
    /// has is nobody's: none below 0, none at or above capacity, also under
    /// Undefined (GAP-10).
    fn owners(
        &self,
        sources: Range<u32>,
        index_at: impl Fn(u32) -> i64,
        grid: &Grid,
        schedule: Schedule,
        bus: &mut Bus<'_>,
    ) -> Vec<Claim> {
        let mut claims = Vec::with_capacity(sources.len());
        for at in sources {
            let bits = bus.read(Index, index_at(at), INDEX_SIZE);
            let slot = self.indices.scatter(self.oob, bits);
            if let Some(slot) = slot.filter(|slot| self.indices.has(*slot)) {
                claims.push(Claim { slot, at });
            }
        }
        claims.reverse();
        claims.sort_by_key(|claim| claim.slot);
        claims.dedup_by_key(|claim| claim.slot);
        arrange(grid, schedule, &claims, |owner| owner.slot as u64)
    }
}

fn note_scan_end(bus: &mut Bus<'_>, at: i64) {
    bus.note(|| Event::Load {
        space: Ub,
        role: Index,
        offset: at,
        len: INDEX_SIZE as u64,
    });
}
