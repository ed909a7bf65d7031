//! Constraints on element types.

use ptodiff_isa::{CpuTableType, DType, Readings, ScatterAtomicOp};

use super::facts::{Facts, Findings};

/// Whether `dtype` is among the nine that every target lists.
pub(super) const fn common(dtype: DType) -> bool {
    matches!(
        dtype,
        DType::Int8
            | DType::Uint8
            | DType::Int16
            | DType::Uint16
            | DType::Int32
            | DType::Uint32
            | DType::Half
            | DType::Bfloat16
            | DType::Float
    )
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
pub(super) fn index_type(idx: DType, clause: &'static str, found: &mut Findings) {
    found.check(index(idx), clause, || format!("index type {idx}"));
}

/// What is wrong between the types of a tile and of a table.
pub(super) fn types(data: DType, table: DType) -> String {
    format!("a tile of {data} with a table of {table}")
}

/// Element and index types on A2/A3.
pub(super) fn a2a3(facts: &Facts<'_>, found: &mut Findings) {
    let dtype = facts.data.dtype;
    let clause = if float8(dtype) {
        facts.either("MSCATTER-DTYPE-08", "MGATHER-DTYPE-07")
    } else {
        facts.either("MSCATTER-DTYPE-07", "MGATHER-DTYPE-06")
    };
    found.check(common(dtype), clause, || format!("element type {dtype}"));
    shared(facts, found);
}

/// Element and index types on A5.
pub(super) fn a5(facts: &Facts<'_>, found: &mut Findings) {
    let dtype = facts.data.dtype;
    let clause = facts.either("MSCATTER-DTYPE-09", "MGATHER-DTYPE-09");
    found.check(common(dtype) || float8(dtype), clause, || {
        format!("element type {dtype}")
    });
    shared(facts, found);
}

fn shared(facts: &Facts<'_>, found: &mut Findings) {
    let clause = facts.either("MSCATTER-DTYPE-03", "MGATHER-DTYPE-08");
    index_type(facts.idx.dtype, clause, found);
    let (data, table) = (facts.data.dtype, facts.table.dtype);
    let clause = facts.either("MSCATTER-DTYPE-11", "MGATHER-DTYPE-11");
    found.check(data == table, clause, || types(data, table));
}

/// Element and index types on the CPU, where the header asserts two rules only.
pub(super) fn cpu(facts: &Facts<'_>, found: &mut Findings) {
    let idx = facts.idx.dtype;
    let clause = facts.either("MSCATTER-DTYPE-04", "MGATHER-DTYPE-04");
    found.check(idx.is_integer(), clause, || format!("index type {idx}"));
    let clause = facts.either("MSCATTER-DTYPE-13", "MGATHER-DTYPE-03");
    found.precondition(index(idx) || !idx.is_integer(), clause, || {
        format!("index type {idx}")
    });
    let (data, table) = (facts.data.dtype, facts.table.dtype);
    let clause = facts.either("MSCATTER-DTYPE-05", "MGATHER-DTYPE-04");
    let same = data.size() == table.size();
    found.check(same, clause, || types(data, table));
    for dtype in [data, table] {
        let clause = if float8(dtype) {
            facts.either("MSCATTER-GAP-62", "MGATHER-GAP-35")
        } else {
            facts.either("MSCATTER-DTYPE-01", "MGATHER-DTYPE-01")
        };
        found.precondition(common(dtype), clause, || format!("element type {dtype}"));
        if data == table {
            break;
        }
    }
}

/// MGATHER on the CPU: whether a destination takes the bytes of a table of another type.
pub(super) fn cpu_one_type(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let (data, table) = (facts.data.dtype, facts.table.dtype);
    let taken = data == table
        || data.size() != table.size()
        || readings.cpu_table_type == CpuTableType::Bytes;
    found.precondition(taken, "MGATHER-GAP-13", || types(data, table));
}

/// Atomic operations on A2/A3.
pub(super) fn a2a3_atomic(facts: &Facts<'_>, found: &mut Findings) {
    let (op, dtype) = (facts.atomic, facts.data.dtype);
    let why = || format!("{op} with {dtype}");
    match op {
        ScatterAtomicOp::None => {}
        ScatterAtomicOp::Add => {
            let unsigned = matches!(dtype, DType::Uint8 | DType::Uint16 | DType::Uint32);
            let clause = if unsigned {
                "MSCATTER-ATOM-09"
            } else {
                "MSCATTER-ATOM-08"
            };
            found.check(common(dtype) && !unsigned, clause, why);
        }
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => {
            found.check(false, "MSCATTER-ATOM-10", why);
        }
    }
}

/// Atomic operations on A5.
pub(super) fn a5_atomic(facts: &Facts<'_>, found: &mut Findings) {
    let (op, dtype) = (facts.atomic, facts.data.dtype);
    let ordered = matches!(dtype, DType::Int32 | DType::Uint32 | DType::Float);
    let (listed, clause) = match op {
        ScatterAtomicOp::None => return,
        ScatterAtomicOp::Add => (
            ordered || matches!(dtype, DType::Half | DType::Bfloat16),
            if common(dtype) || float8(dtype) {
                "MSCATTER-ATOM-12"
            } else {
                "MSCATTER-ATOM-11"
            },
        ),
        ScatterAtomicOp::Max => (ordered, "MSCATTER-ATOM-13"),
        ScatterAtomicOp::Min => (ordered, "MSCATTER-ATOM-14"),
    };
    found.check(listed, clause, || format!("{op} with {dtype}"));
}

/// Atomic operations that a source may ask for where it is built for the CPU too.
pub(super) fn cpu_atomic(facts: &Facts<'_>, found: &mut Findings) {
    let (op, dtype) = (facts.atomic, facts.data.dtype);
    let ordered = matches!(dtype, DType::Int32 | DType::Float);
    let (listed, clause) = match op {
        ScatterAtomicOp::None => return,
        ScatterAtomicOp::Add => (
            ordered || matches!(dtype, DType::Uint32 | DType::Half),
            "MSCATTER-ATOM-16",
        ),
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => (ordered, "MSCATTER-ATOM-17"),
    };
    found.precondition(listed, clause, || format!("{op} with {dtype}"));
}
