//! MSCATTER, first revision (003). What the document does not speak of is as in
//! 000 (MSCATTER0-GAP-11).

use ptodiff_isa::{
    Coalesce, End, Fault, FirstConflict, FirstMode, FirstRowCapacity, How, LastBy, MscatterFirst,
    RowIndexPitch, ScatterAtomicOp,
};
use ptodiff_memory::Bus;

use crate::atomics;
use crate::index::Indices;
use crate::mscatter::{Launched, Scatter};
use crate::plan::{self, Extent};

/// Runs one call.
pub(crate) fn run(call: &MscatterFirst, how: &How, bus: &mut Bus<'_>) -> Result<End, Fault> {
    let readings = &how.readings;
    let mode = mode(call, readings.first_mode);
    // CAP-01 and CAP-02: dimensions 0 to 2 do not count (GAP-04).
    let [_, _, _, rows, row_width] = call.table.shape;
    let capacity = match (mode, readings.first_row_capacity) {
        (Coalesce::Row, FirstRowCapacity::Rows) => rows.get(),
        (Coalesce::Row, FirstRowCapacity::Elements) | (Coalesce::Elem, _) => {
            plan::product(&[rows, row_width])
        }
    };
    let scatter = Scatter {
        src: &call.src,
        idx: &call.idx,
        mode,
        atomic: atomics::of(call.atomic, call.src.dtype, readings)?,
        oob: call.oob,
        // GAP-07: row indices of either BLayout stand one after the other.
        row_index_pitch: RowIndexPitch::Precondition,
        last_by: LastBy::Logical,
        // GAP-06: rules name the padded extents, so the whole tile is scattered.
        extent: Extent::padded(&call.src)?,
        size: call.src.dtype.size(),
        // No index counts bytes: `index-unit` is of the current revision.
        indices: Indices::new(call.idx.dtype, readings.negative_index, capacity)?,
    };
    // GAP-02: any writer survives, or the last one.
    let last =
        call.atomic == ScatterAtomicOp::None && readings.first_conflict == FirstConflict::Last;
    let grid = if last {
        scatter.last_grid()
    } else {
        scatter.grid()
    };
    let launch = Launched {
        kernel: match mode {
            Coalesce::Row => "simt_mscatter_row_kernel",
            Coalesce::Elem => "simt_mscatter_elem_kernel",
        },
        // LAUNCH-01: 1024 threads, for one element too (GAP-09).
        grid: grid.always_full(),
        last,
        dispatch: call.launch.dispatch,
        schedule: how.schedule,
    };
    Ok(scatter.launch(&launch, bus))
}

/// What one index selects: a row where the index tile is one column wide
/// (MODE-01), unless the source is as narrow and a reading says otherwise (GAP-01).
fn mode(call: &MscatterFirst, reading: FirstMode) -> Coalesce {
    match (call.idx.cols == 1, call.src.cols == 1, reading) {
        (false, ..) | (true, true, FirstMode::Elem) => Coalesce::Elem,
        (true, false, _) | (true, true, FirstMode::Row) => Coalesce::Row,
    }
}
