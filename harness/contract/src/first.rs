//! The first revision of MSCATTER, put in the words of the current one.

use ptodiff_isa::{
    Clause, Coalesce, FirstConflict, FirstMode, FirstRowCapacity, Mscatter, MscatterFirst,
    Readings, ScatterAtomicOp, ScatterConflict, ScatterOob, Target,
};

use crate::{runs::Why, selection};

/// What an index selects: a row where the index tile is one column wide, else
/// an element (MSCATTER0-MODE-01, MSCATTER0-GAP-01).
pub(crate) fn mode(call: &MscatterFirst, readings: &Readings) -> Coalesce {
    match (call.idx.cols, call.src.cols, readings.first_mode) {
        (1, 1, FirstMode::Elem) => Coalesce::Elem,
        (1, ..) => Coalesce::Row,
        _ => Coalesce::Elem,
    }
}

/// The call with its mode and its answer to conflicts written out (MSCATTER0-GAP-02).
pub(crate) fn restated(call: &MscatterFirst, readings: &Readings) -> Mscatter {
    Mscatter {
        table: call.table,
        src: call.src,
        idx: call.idx,
        mode: mode(call, readings),
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
    let by_elements =
        call.mode == Coalesce::Row && readings.first_row_capacity == FirstRowCapacity::Elements;
    let mode = if by_elements {
        Coalesce::Elem
    } else {
        call.mode
    };
    match mode {
        Coalesce::Row => selection::capacity(&call.table, mode, Target::A5),
        Coalesce::Elem => {
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

/// The clause for a slot with one plain writer.
pub(crate) const fn single(mode: Coalesce) -> Why {
    Why::by(match mode {
        Coalesce::Row => "MSCATTER0-SEM-01",
        Coalesce::Elem => "MSCATTER0-SEM-02",
    })
}

/// The clause for a slot with several, `any` of which may survive.
pub(crate) const fn contested(any: bool) -> Why {
    if any {
        Why::open(Clause("MSCATTER0-CONF-01"))
    } else {
        Why::by("MSCATTER0-GAP-02")
    }
}

/// The clause that defines Add, Max or Min.
pub(crate) const fn atomic(op: ScatterAtomicOp) -> Clause {
    Clause(match op {
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => "MSCATTER0-ATOM-06",
        ScatterAtomicOp::Add | ScatterAtomicOp::None => "MSCATTER0-ATOM-01",
    })
}
