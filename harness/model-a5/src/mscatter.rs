//! MSCATTER (000): UB to GM through an index tile.

use ptodiff_isa::Role::{Index, Source, Table};
use ptodiff_isa::Space::{Gm, Ub};
use ptodiff_isa::{
    Coalesce, Dispatch, End, Fault, How, LastBy, Mscatter, RowIndexPitch, ScatterAtomicOp,
    ScatterConflict, ScatterOob, Schedule, Serves, Tile,
};
use ptodiff_memory::Bus;

use crate::atomics::{self, Atomic};
use crate::index::Indices;
use crate::launch::{Grid, async_invoke};
use crate::plan::{self, Extent, INDEX_SIZE};
use crate::scalar::on_scalar_pipe;
use crate::schedule::order;

/// Runs one call.
pub(crate) fn run(call: &Mscatter, how: &How, bus: &mut Bus<'_>) -> Result<End, Fault> {
    let (mode, readings) = (call.mode, &how.readings);
    let size = call.src.dtype.size();
    // CAP-01: rows, of which A5 counts Shape[3] only (CAP-04), or elements.
    let capacity = match mode {
        Coalesce::Row => call.table.shape[3].get(),
        Coalesce::Elem => plan::table_size(&call.table),
    };
    let indices = Indices::new(call.idx.dtype, readings.negative_index, capacity)?;
    let scatter = Scatter {
        src: &call.src,
        idx: &call.idx,
        mode,
        atomic: atomics::of(call.atomic, call.src.dtype, readings)?,
        oob: call.oob,
        row_index_pitch: readings.row_index_pitch,
        last_by: readings.last_by,
        extent: Extent::valid(&call.src)?,
        size,
        indices: indices.counting(mode, readings.index_unit, size),
    };
    let elements = scatter.extent.count();
    if elements == 0 {
        // GAP-38: a run-time extent of 0 does nothing.
        return Ok(End::Finished);
    }
    if mode == Coalesce::Elem && elements == 1 {
        // LAUNCH-03, by the run-time extents (GAP-35).
        on_scalar_pipe(bus, |bus| scatter.scalar(bus));
        return Ok(End::Finished);
    }
    // LAUNCH-02; CONF-09: atomics ignore the conflict policy.
    let last = call.atomic == ScatterAtomicOp::None && call.conflict == ScatterConflict::Last;
    if last && scatter.indices.take_nothing() {
        // No slot, no lane.
        return Ok(End::Finished);
    }
    let (kernel, grid) = match (mode, last) {
        (Coalesce::Row, false) => ("simt_mscatter_row_kernel", scatter.grid()),
        (Coalesce::Row, true) => ("simt_mscatter_row_last_kernel", scatter.last_grid()),
        (Coalesce::Elem, false) => ("simt_mscatter_elem_kernel", scatter.grid()),
        (Coalesce::Elem, true) => ("simt_mscatter_elem_last_kernel", scatter.last_grid()),
    };
    let launch = Launched {
        kernel,
        grid,
        last,
        dispatch: call.launch.dispatch,
        schedule: how.schedule,
    };
    Ok(scatter.launch(&launch, bus))
}

/// A scatter of either revision, with what its kernels are instantiated for.
pub(crate) struct Scatter<'c> {
    pub(crate) src: &'c Tile,
    pub(crate) idx: &'c Tile,
    pub(crate) mode: Coalesce,
    pub(crate) atomic: Option<Atomic>,
    pub(crate) oob: ScatterOob,
    pub(crate) row_index_pitch: RowIndexPitch,
    pub(crate) last_by: LastBy,
    /// What it runs over.
    pub(crate) extent: Extent,
    /// Bytes of an element.
    pub(crate) size: usize,
    pub(crate) indices: Indices,
}

/// How the kernel of a scatter is launched.
pub(crate) struct Launched {
    pub(crate) kernel: &'static str,
    pub(crate) grid: Grid,
    /// Whether lanes own slots of the table.
    pub(crate) last: bool,
    pub(crate) dispatch: Dispatch,
    pub(crate) schedule: Schedule,
}

impl Scatter<'_> {
    /// A launch that is sized by the source.
    pub(crate) fn grid(&self) -> Grid {
        match self.mode {
            Coalesce::Row => Grid::rows(self.extent),
            Coalesce::Elem => Grid::items(self.extent.count(), Serves::Element),
        }
    }

    /// A launch that is sized by the destination, a lane a slot; in Row mode a
    /// lane a table row (LAUNCH-07, GAP-50).
    pub(crate) fn last_grid(&self) -> Grid {
        let serves = match self.mode {
            Coalesce::Row => Serves::TableRow,
            Coalesce::Elem => Serves::Slot,
        };
        Grid::items(self.indices.capacity(), serves)
    }

    /// Launches the kernel and runs it.
    pub(crate) fn launch(&self, launch: &Launched, bus: &mut Bus<'_>) -> End {
        let Launched { kernel, grid, .. } = launch;
        let end = async_invoke(kernel, self.mode, grid, launch.dispatch, bus);
        if end == End::Finished && !self.indices.take_nothing() {
            match (self.mode, launch.last) {
                (Coalesce::Row, false) => self.row_kernel(grid, launch.schedule, bus),
                (Coalesce::Row, true) => self.row_last_kernel(grid, launch.schedule, bus),
                (Coalesce::Elem, false) => self.elem_kernel(grid, launch.schedule, bus),
                (Coalesce::Elem, true) => self.elem_last_kernel(grid, launch.schedule, bus),
            }
        }
        end
    }

    /// A lane a column: `dstRow = table + safeIdx * validCols` (SEM-01, TABLE-06).
    fn row_kernel(&self, grid: &Grid, schedule: Schedule, bus: &mut Bus<'_>) {
        // PERF-10: a warp loads the index of a row, and applies the policy, once.
        let mut targets = vec![None; grid.shares()];
        for item in order(grid, schedule) {
            let position = self.extent.position(item);
            let (row, col) = position;
            let target = &mut targets[grid.share(position)];
            let target = target.get_or_insert_with(|| self.select(bus, self.row_index_at(row)));
            let Some(to) = *target else {
                // OOB-18: what is dropped is not stored.
                continue;
            };
            let value = bus.load(Ub, Source, self.source_at(position), self.size);
            self.put(bus, self.row_slot_at(to, col), value);
        }
    }

    /// Thread t takes flat position t (SEM-02, PERF-12, TABLE-10).
    fn elem_kernel(&self, grid: &Grid, schedule: Schedule, bus: &mut Bus<'_>) {
        for item in order(grid, schedule) {
            let position = self.extent.position(item);
            let Some(to) = self.select(bus, self.elem_index_at(position)) else {
                continue;
            };
            let value = bus.load(Ub, Source, self.source_at(position), self.size);
            self.put(bus, self.slot_at(to), value);
        }
    }

    /// `MScatterScalarImpl`: all policies are honoured, atomics by a plain read,
    /// operation and write (SEM-07, GAP-35).
    fn scalar(&self, bus: &mut Bus<'_>) {
        let Some(to) = self.select(bus, self.elem_index_at((0, 0))) else {
            return;
        };
        let at = self.slot_at(to);
        let mut value = bus.load(Ub, Source, self.source_at((0, 0)), self.size);
        if let Some(atomic) = self.atomic {
            let old = bus.load(Gm, Table, at, self.size);
            value = (atomic.combine)(old, value);
        }
        bus.store(Gm, Table, at, self.size, value);
    }

    /// Loads an index and applies the policy to it, before any atomic (OOB-14).
    fn select(&self, bus: &mut Bus<'_>, at: i64) -> Option<i64> {
        let bits = bus.load(Ub, Index, at, INDEX_SIZE);
        self.indices.scatter(self.oob, bits)
    }

    /// One access of a lane to the table, which an atomic neither preloads nor
    /// gates (PERF-13).
    pub(crate) fn put(&self, bus: &mut Bus<'_>, at: i64, value: u64) {
        match self.atomic {
            None => bus.store(Gm, Table, at, self.size, value),
            Some(Atomic { name, combine }) => {
                bus.atomic(name, Table, at, self.size, value, combine);
            }
        }
    }

    pub(crate) fn row_index_at(&self, row: u64) -> i64 {
        plan::row_index_at(self.idx, row, self.row_index_pitch)
    }

    pub(crate) fn elem_index_at(&self, position: (u64, u64)) -> i64 {
        plan::tile_at(self.idx, position, INDEX_SIZE)
    }

    pub(crate) fn source_at(&self, position: (u64, u64)) -> i64 {
        plan::tile_at(self.src, position, self.size)
    }

    /// Rows lie as far apart as the source is wide; no stride is read (GAP-13).
    pub(crate) fn row_slot_at(&self, row: i64, col: u64) -> i64 {
        plan::row_at(row, self.extent.cols, col, self.size)
    }

    /// The table is a flat buffer.
    pub(crate) fn slot_at(&self, slot: i64) -> i64 {
        plan::element_at(slot.into(), self.size)
    }
}
