//! The constraints of the first revision of MSCATTER (003, Constraints), which
//! are asserted as those of the current one are (MSCATTER0-GAP-11).

use ptodiff_isa::{DType, MscatterFirst, Readings, Refusal, ScatterAtomicOp};

use crate::first;

use super::{in_ub, refuse};

/// What the first revision refuses.
pub(crate) fn refusals(call: &MscatterFirst, readings: &Readings, found: &mut Vec<Refusal>) {
    let MscatterFirst {
        table, src, idx, ..
    } = call;
    if matches!(src.dtype, DType::Int64 | DType::Uint64 | DType::Hifloat8) {
        let why = format!("a tile of {}", src.dtype);
        refuse(found, "MSCATTER0-DTYPE-01", why);
    }
    if !matches!(idx.dtype, DType::Int32 | DType::Uint32) {
        let why = format!("indices of {}", idx.dtype);
        refuse(found, "MSCATTER0-DTYPE-02", why);
    }
    if table.dtype != src.dtype {
        let why = format!("a table of {} for a tile of {}", table.dtype, src.dtype);
        refuse(found, "MSCATTER0-DTYPE-03", why);
    }
    in_ub(found, "MSCATTER0-TILE-01", "source", src);
    in_ub(found, "MSCATTER0-TILE-02", "index", idx);
    if src.rows != idx.rows {
        let why = format!("{} index rows for {} source rows", idx.rows, src.rows);
        refuse(found, "MSCATTER0-SHAPE-01", why);
    }
    if first::mode(src, idx, readings.first_mode).is_none() {
        let why = format!("{} index columns for {} source columns", idx.cols, src.cols);
        refuse(found, "MSCATTER0-MODE-01", why);
    }
    atomic_dtype(call.atomic, src.dtype, found);
}

/// Atomic Type Constraints (003).
fn atomic_dtype(atomic: ScatterAtomicOp, dtype: DType, found: &mut Vec<Refusal>) {
    use DType::{Float, Half, Int32, Uint32};
    let (clause, allowed) = match atomic {
        ScatterAtomicOp::None => return,
        ScatterAtomicOp::Add => (
            "MSCATTER0-ATOM-03",
            matches!(dtype, Int32 | Uint32 | Float | Half),
        ),
        ScatterAtomicOp::Max => ("MSCATTER0-ATOM-04", matches!(dtype, Int32 | Float)),
        ScatterAtomicOp::Min => ("MSCATTER0-ATOM-05", matches!(dtype, Int32 | Float)),
    };
    if !allowed {
        refuse(found, clause, format!("{atomic} with {dtype}"));
    }
}
