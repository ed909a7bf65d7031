//! What the first revision of MSCATTER resolves to (003).

use ptodiff_isa::{
    Coalesce, Fault, FirstConflict, FirstMode, FirstRowCapacity, How, MscatterFirst, Readings,
    ScatterConflict, Tile,
};

use crate::extent::{Steps, Valid};
use crate::grid::Sizing;
use crate::plan::{Frame, Plan, product};

/// What one index selects, by the padded width of the index tile
/// (MSCATTER0-MODE-01, MSCATTER0-GAP-01); none where the width fits neither mode.
pub(crate) fn mode(src: &Tile, idx: &Tile, reading: FirstMode) -> Option<Coalesce> {
    match (idx.cols == 1, idx.cols == src.cols) {
        (true, true) => Some(match reading {
            FirstMode::Row => Coalesce::Row,
            FirstMode::Elem => Coalesce::Elem,
        }),
        (true, false) => Some(Coalesce::Row),
        (false, true) => Some(Coalesce::Elem),
        (false, false) => None,
    }
}

/// The conflict policy of the current revision that a reading comes down to
/// (MSCATTER0-GAP-02, -13).
pub(crate) fn conflict(reading: FirstConflict) -> ScatterConflict {
    match reading {
        FirstConflict::Any => ScatterConflict::Default,
        FirstConflict::Last => ScatterConflict::Last,
    }
}

/// Resolves a call; none where a tile has no elements. Its loops and the
/// table's pitch follow the padded extents, the only ones that document 003
/// speaks of (MSCATTER0-GAP-06, -08).
///
/// # Errors
/// If the index tile has a width or dtype that the check refuses, or a tile
/// could stand in no memory.
pub(crate) fn plan(call: &MscatterFirst, how: &How) -> Result<Option<Plan>, Fault> {
    let MscatterFirst { src, idx, .. } = call;
    let Some(mode) = mode(src, idx, how.readings.first_mode) else {
        let why = format!("{} index columns for {} source columns", idx.cols, src.cols);
        return Err(Fault(why));
    };
    let valid = Valid::padded(src)?;
    if valid.count() == 0 {
        return Ok(None);
    }
    let frame = Frame {
        mode,
        valid,
        index: match mode {
            // MSCATTER0-GAP-07.
            Coalesce::Row => Steps::column(1),
            Coalesce::Elem => Steps::new(idx, valid)?,
        },
        capacity: capacity(call, mode, &how.readings),
        sizing: Sizing::Full,
    };
    Plan::framed(src, idx.dtype, frame, &call.launch, how).map(Some)
}

/// `tableSize` (MSCATTER0-CAP-01, -02, MSCATTER0-GAP-03, -04).
fn capacity(call: &MscatterFirst, mode: Coalesce, readings: &Readings) -> i64 {
    let [.., rows, width] = call.table.shape;
    match (mode, readings.first_row_capacity) {
        (Coalesce::Row, FirstRowCapacity::Rows) => product(&[rows]),
        _ => product(&[rows, width]),
    }
}
