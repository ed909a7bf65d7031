//! Constraints on element types.

use ptodiff_isa::{CpuTableType, DType, Mscatter, Readings, ScatterAtomicOp, Target};

use super::findings::{Cited, Findings};

/// Whether `dtype` is among the nine that every target lists: no 8-bit float and no 64-bit
/// integer.
pub(super) const fn common(dtype: DType) -> bool {
    dtype.size() <= 4 && !float8(dtype)
}

/// Whether `dtype` is one of the 8-bit floats.
pub(super) const fn float8(dtype: DType) -> bool {
    matches!(
        dtype,
        DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8
    )
}

/// Whether `dtype` may be an index type.
pub(super) const fn index(dtype: DType) -> bool {
    matches!(dtype, DType::Int32 | DType::Uint32)
}

/// A check of the type of indices.
pub(super) fn index_type(idx: DType, clause: impl Cited, found: &mut Findings) {
    found.check(index(idx), clause, || format!("index type {idx}"));
}

/// What is wrong between the types of a tile and of a table.
pub(super) fn types(data: DType, table: DType) -> String {
    format!("a tile of {data} with a table of {table}")
}

/// Element and index types on the NPUs.
pub(super) fn npu(call: &Mscatter, target: Target, found: &mut Findings) {
    let (data, table) = (call.src.dtype, call.table.dtype);
    let (listed, clause) = match (target == Target::A5, float8(data)) {
        (true, eight_bit) => (
            common(data) || eight_bit,
            ["MSCATTER-DTYPE-09", "MGATHER-DTYPE-09"],
        ),
        (false, true) => (false, ["MSCATTER-DTYPE-08", "MGATHER-DTYPE-07"]),
        (false, false) => (common(data), ["MSCATTER-DTYPE-07", "MGATHER-DTYPE-06"]),
    };
    found.check(listed, clause, || format!("element type {data}"));
    let clause = ["MSCATTER-DTYPE-03", "MGATHER-DTYPE-08"];
    index_type(call.idx.dtype, clause, found);
    let clause = ["MSCATTER-DTYPE-11", "MGATHER-DTYPE-11"];
    found.check(data == table, clause, || types(data, table));
}

/// Element and index types on the CPU, where the header asserts two rules only.
pub(super) fn cpu(call: &Mscatter, found: &mut Findings) {
    let idx = call.idx.dtype;
    let clause = ["MSCATTER-DTYPE-04", "MGATHER-DTYPE-04"];
    found.check(idx.is_integer(), clause, || format!("index type {idx}"));
    let clause = ["MSCATTER-DTYPE-13", "MGATHER-DTYPE-03"];
    found.precondition(index(idx) || !idx.is_integer(), clause, || {
        format!("index type {idx}")
    });
    let (data, table) = (call.src.dtype, call.table.dtype);
    let clause = ["MSCATTER-DTYPE-05", "MGATHER-DTYPE-04"];
    let same = data.size() == table.size();
    found.check(same, clause, || types(data, table));
    cpu_element(data, found);
    if data != table {
        cpu_element(table, found);
    }
}

/// An element type that the CPU lists.
pub(super) fn cpu_element(dtype: DType, found: &mut Findings) {
    let clause = match float8(dtype) {
        true => ["MSCATTER-GAP-62", "MGATHER-GAP-35"],
        false => ["MSCATTER-DTYPE-01", "MGATHER-DTYPE-01"],
    };
    found.precondition(common(dtype), clause, || format!("element type {dtype}"));
}

/// MGATHER on the CPU: whether a destination takes the bytes of a table of another type.
pub(super) fn cpu_one_type(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let (data, table) = (call.src.dtype, call.table.dtype);
    let taken = data == table
        || data.size() != table.size()
        || readings.cpu_table_type == CpuTableType::Bytes;
    found.precondition(taken, "MGATHER-GAP-13", || types(data, table));
}

/// The types that atomic operations take: a check on the NPUs, and a precondition of a
/// source that is built for the CPU too.
pub(super) fn atomic(call: &Mscatter, target: Target, found: &mut Findings) {
    use DType::{Bfloat16, Float, Half, Int32, Uint8, Uint16, Uint32};
    use ScatterAtomicOp::{Add, Max, Min};
    let (op, dtype) = (call.atomic, call.src.dtype);
    let unsigned = matches!(dtype, Uint8 | Uint16 | Uint32);
    let known = common(dtype) || float8(dtype);
    let (listed, clause) = match (target, op) {
        (_, ScatterAtomicOp::None) => return,
        (Target::A2a3, Add) if unsigned => (false, "MSCATTER-ATOM-09"),
        (Target::A2a3, Add) => (common(dtype), "MSCATTER-ATOM-08"),
        (Target::A2a3, Max | Min) => (false, "MSCATTER-ATOM-10"),
        (Target::A5, Add) if !known => (false, "MSCATTER-ATOM-11"),
        (Target::A5, Add) => {
            let summed = matches!(dtype, Int32 | Uint32 | Float | Half | Bfloat16);
            (summed, "MSCATTER-ATOM-12")
        }
        (Target::A5, Max) => (matches!(dtype, Int32 | Uint32 | Float), "MSCATTER-ATOM-13"),
        (Target::A5, Min) => (matches!(dtype, Int32 | Uint32 | Float), "MSCATTER-ATOM-14"),
        (Target::Cpu, Add) => (portable(op, dtype), "MSCATTER-ATOM-16"),
        (Target::Cpu, Max | Min) => (portable(op, dtype), "MSCATTER-ATOM-17"),
    };
    let why = || format!("{op} with {dtype}");
    match target {
        Target::Cpu => found.precondition(listed, clause, why),
        Target::A2a3 | Target::A5 => found.check(listed, clause, why),
    }
}

/// Whether the CPU, and A5 by the first revision, have an atomic operation for such elements.
pub(super) const fn portable(op: ScatterAtomicOp, dtype: DType) -> bool {
    match dtype {
        DType::Int32 | DType::Float => true,
        DType::Uint32 | DType::Half => matches!(op, ScatterAtomicOp::Add),
        _ => false,
    }
}
