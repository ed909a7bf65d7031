//! The first revision of MSCATTER, put in the words of the current one.

use ptodiff_isa::{
    Clause, Coalesce, FirstConflict, FirstMode, FirstRowCapacity, Mscatter, MscatterFirst,
    Readings, ScatterConflict, ScatterOob, Target,
};

use crate::selection;

/// The call with its mode and its answer to conflicts written out (MSCATTER0-GAP-02): an
/// index selects a row where the index tile is one column wide, else an element
/// (MSCATTER0-MODE-01, MSCATTER0-GAP-01).
pub(crate) fn restated(call: &MscatterFirst, readings: &Readings) -> Mscatter {
    Mscatter {
        table: call.table,
        src: call.src,
        idx: call.idx,
        mode: match (call.idx.cols, call.src.cols, readings.first_mode) {
            (1, 1, FirstMode::Elem) => Coalesce::Elem,
            (1, ..) => Coalesce::Row,
            _ => Coalesce::Elem,
        },
        atomic: call.atomic,
        oob: call.oob,
        conflict: match readings.first_conflict {
            FirstConflict::Any => ScatterConflict::Default,
            FirstConflict::Last => ScatterConflict::Last,
        },
        launch: call.launch,
    }
}

/// What the policies of the restated `call` act on (MSCATTER0-CAP-01, -02, MSCATTER0-GAP-03).
pub(crate) fn capacity(call: &Mscatter, readings: &Readings) -> u64 {
    match (call.mode, readings.first_row_capacity) {
        (mode @ Coalesce::Row, FirstRowCapacity::Rows) => {
            selection::capacity(&call.table, mode, Target::A5)
        }
        (Coalesce::Row, FirstRowCapacity::Elements) | (Coalesce::Elem, _) => {
            let [.., rows, cols] = call.table.shape;
            rows.get().saturating_mul(cols.get())
        }
    }
}

/// Why nothing is promised of an index.
pub(crate) const fn unbound(oob: ScatterOob) -> Clause {
    Clause(match oob {
        ScatterOob::Undefined => "MSCATTER0-OOB-01",
        // The other policies let a row past the table through under one reading only.
        ScatterOob::Skip | ScatterOob::Clamp | ScatterOob::Wrap => "MSCATTER0-GAP-03",
    })
}
