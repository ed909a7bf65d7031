//! MGATHER, GM to UB (001).

use ptodiff_isa::Role::{Destination, Index};
use ptodiff_isa::Space::Ub;
use ptodiff_isa::{
    Coalesce, End, Fault, GatherOob, How, Mgather, RowIndexPitch, Schedule, Serves, Tile,
};
use ptodiff_memory::Bus;

use crate::index::{Indices, Selected};
use crate::launch::{Grid, async_invoke};
use crate::plan::{self, Extent, INDEX_SIZE};
use crate::scalar::on_scalar_pipe;
use crate::schedule::order;

/// Runs one call.
pub(crate) fn run(call: &Mgather, how: &How, bus: &mut Bus<'_>) -> Result<End, Fault> {
    let (mode, readings) = (call.mode, &how.readings);
    let size = call.dst.dtype.size();
    // CAP-03 and CAP-04.
    let capacity = match mode {
        Coalesce::Row => call.table.shape[3].get(),
        Coalesce::Elem => plan::table_size(&call.table),
    };
    let indices = Indices::new(call.idx.dtype, readings.negative_index, capacity)?;
    let gather = Gather {
        dst: &call.dst,
        idx: &call.idx,
        oob: call.oob,
        row_index_pitch: readings.row_index_pitch,
        extent: Extent::valid(&call.dst)?,
        size,
        indices: indices.counting(mode, readings.index_unit, size),
    };
    let elements = gather.extent.count();
    if elements == 0 {
        // GAP-26: a run-time extent of 0 does nothing.
        return Ok(End::Finished);
    }
    if mode == Coalesce::Elem && elements == 1 {
        // LAUNCH-07, by the run-time extents (GAP-28).
        on_scalar_pipe(bus, |bus| gather.element((0, 0), bus));
        return Ok(End::Finished);
    }
    // LAUNCH-09; LAUNCH-08: Row launches for one element too.
    let (kernel, grid) = match mode {
        Coalesce::Row => ("simt_mgather_row_kernel", Grid::rows(gather.extent)),
        Coalesce::Elem => (
            "simt_mgather_elem_kernel",
            Grid::items(elements, Serves::Element),
        ),
    };
    let end = async_invoke(kernel, mode, &grid, call.launch.dispatch, bus);
    if end == End::Finished && !gather.indices.give_nothing(call.oob) {
        match mode {
            Coalesce::Row => gather.row_kernel(&grid, how.schedule, bus),
            Coalesce::Elem => gather.elem_kernel(&grid, how.schedule, bus),
        }
    }
    Ok(end)
}

/// A gather, with what its kernels are instantiated for.
struct Gather<'c> {
    dst: &'c Tile,
    idx: &'c Tile,
    oob: GatherOob,
    row_index_pitch: RowIndexPitch,
    /// What it runs over.
    extent: Extent,
    /// Bytes of an element.
    size: usize,
    indices: Indices,
}

impl Gather<'_> {
    /// A lane a column: `srcRow = table + safeIdx * validCols` (SEM-01, TABLE-06).
    fn row_kernel(&self, grid: &Grid, schedule: Schedule, bus: &mut Bus<'_>) {
        // A warp loads the index of a row, and applies the policy, once.
        let mut sources = vec![None; grid.shares()];
        for item in order(grid, schedule) {
            let position = self.extent.position(item);
            let (row, col) = position;
            let source = &mut sources[grid.share(position)];
            let source = source.get_or_insert_with(|| {
                let at = plan::row_index_at(self.idx, row, self.row_index_pitch);
                self.select(bus, at)
            });
            // No stride is read (GAP-09).
            let at = |from| plan::row_at(from, self.extent.cols, col, self.size);
            if let Some(value) = source.load(bus, self.size, at) {
                self.put(bus, position, value);
            }
        }
    }

    /// Thread tid serves element tid of the valid region (SEM-02, GAP-60).
    fn elem_kernel(&self, grid: &Grid, schedule: Schedule, bus: &mut Bus<'_>) {
        for item in order(grid, schedule) {
            self.element(self.extent.position(item), bus);
        }
    }

    /// One element from its flat slot (TABLE-11). `MGatherScalarImpl` does the same
    /// with its only one (SEM-05, GAP-41).
    fn element(&self, position: (u64, u64), bus: &mut Bus<'_>) {
        let at = plan::tile_at(self.idx, position, INDEX_SIZE);
        let source = self.select(bus, at);
        // OOB-15 and -16: a lane stores T(0) as it would any value.
        let at = |slot: i64| plan::element_at(slot.into(), self.size);
        if let Some(value) = source.load(bus, self.size, at) {
            self.put(bus, position, value);
        }
    }

    fn select(&self, bus: &mut Bus<'_>, at: i64) -> Selected {
        let bits = bus.load(Ub, Index, at, INDEX_SIZE);
        self.indices.gather(self.oob, bits)
    }

    fn put(&self, bus: &mut Bus<'_>, position: (u64, u64), value: u64) {
        let to = plan::tile_at(self.dst, position, self.size);
        bus.store(Ub, Destination, to, self.size, value);
    }
}
