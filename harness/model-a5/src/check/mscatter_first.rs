//! The rules of MSCATTER's first revision (003, Constraints).

use ptodiff_isa::{DType, MscatterFirst, ScatterAtomicOp};

use super::{Checks, is_common_or_small_float, is_index};

/// Adds what is rejected.
pub(super) fn check(call: &MscatterFirst, checks: &mut Checks) {
    let MscatterFirst {
        table, src, idx, ..
    } = call;
    let listed = is_common_or_small_float(src.dtype) && src.dtype != DType::Hifloat8;
    checks.element_type(listed, "MSCATTER0-DTYPE-01", "a tile", src.dtype);
    let index_listed = is_index(idx.dtype);
    checks.element_type(index_listed, "MSCATTER0-DTYPE-02", "indices", idx.dtype);
    checks.same("MSCATTER0-DTYPE-03", "table", table.dtype, src.dtype);
    checks.in_ub("MSCATTER0-TILE-01", "source tile", src);
    checks.in_ub("MSCATTER0-TILE-02", "index tile", idx);
    checks.require(src.rows == idx.rows, "MSCATTER0-SHAPE-01", || {
        format!("{} index rows for {} source rows", idx.rows, src.rows)
    });
    let has_mode = idx.cols == 1 || idx.cols == src.cols;
    checks.require(has_mode, "MSCATTER0-MODE-01", || {
        format!("{} index columns for {} source columns", idx.cols, src.cols)
    });
    let (has_atomic, clause) = atomic(call.atomic, src.dtype);
    checks.require(has_atomic, clause, || {
        format!("{} with {}", call.atomic, src.dtype)
    });
}

fn atomic(atomic: ScatterAtomicOp, dtype: DType) -> (bool, &'static str) {
    use DType::{Float, Half, Int32, Uint32};
    let is_signed_or_float = matches!(dtype, Int32 | Float);
    match atomic {
        ScatterAtomicOp::None => (true, "MSCATTER0-ATOM-02"),
        ScatterAtomicOp::Add => (
            matches!(dtype, Int32 | Uint32 | Float | Half),
            "MSCATTER0-ATOM-03",
        ),
        ScatterAtomicOp::Max => (is_signed_or_float, "MSCATTER0-ATOM-04"),
        ScatterAtomicOp::Min => (is_signed_or_float, "MSCATTER0-ATOM-05"),
    }
}
