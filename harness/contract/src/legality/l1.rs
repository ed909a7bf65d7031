//! All constraints of a gather to L1 (001, GM to L1 Gather, Constraints).

use ptodiff_isa::{
    Coalesce, GatherExec, GlobalTensor, Layout, MgatherL1, Readings, Scope, Target, TileType,
};

use super::{elements, findings::Findings, table, tiles, valid};
use crate::{
    l1::indices_covered,
    strides::{extents, product},
};

pub(super) fn rules(call: &MgatherL1, target: Target, readings: &Readings, found: &mut Findings) {
    match target {
        Target::Cpu if readings.scope == Scope::Documented => {
            asserted(call, found);
            found.precondition(false, "MGATHERL1-GAP-14", || {
                format!("a gather to L1 on {target}")
            });
        }
        Target::Cpu => cpu(call, readings, found),
        Target::A2a3 | Target::A5 => npu(call, target, readings, found),
    }
}

fn npu(call: &MgatherL1, target: Target, readings: &Readings, found: &mut Findings) {
    dtypes(call, target, found);
    form(call, target, found);
    layouts(call, found);
    operand_preconditions(call, readings, found);
    if call.mode == Coalesce::Row {
        let table = &call.table;
        found.tensor(table, table::OUTER_PACKED, "MGATHERL1-GAP-16");
        found.apart(table, "MGATHER-GAP-71");
    } else if let Some(scratch) = &call.scratch {
        staging(call, scratch, found);
    }
}

fn dtypes(call: &MgatherL1, target: Target, found: &mut Findings) {
    let (data, idx, table) = (call.dst.dtype, call.idx.dtype, call.table.dtype);
    let (eight_bit, clause) = match target {
        Target::A5 => (elements::float8(data), "MGATHERL1-DTYPE-02"),
        Target::A2a3 | Target::Cpu => (false, "MGATHERL1-DTYPE-01"),
    };
    let listed = elements::common(data) || eight_bit;
    found.check(listed, clause, || format!("element type {data}"));
    let moved = call.mode == Coalesce::Elem || data.size() <= 4;
    found.check(moved, "MGATHERL1-DTYPE-03", || format!("rows of {data}"));
    elements::index_type(idx, "MGATHERL1-DTYPE-05", found);
    let same = data == table;
    found.check(same, "MGATHERL1-DTYPE-06", || elements::types(data, table));
}

/// Operands and executor that the mode and the target have.
fn form(call: &MgatherL1, target: Target, found: &mut Findings) {
    let elem = call.mode == Coalesce::Elem;
    let four = call.scratch.is_some();
    found.check(elem == four, "MGATHERL1-GAP-05", || {
        format!("{} with {} operands", call.mode, 3 + u8::from(four))
    });
    if let Some(scratch) = call.scratch.filter(|_| elem) {
        let same = scratch.dtype == call.dst.dtype;
        found.check(same, "MGATHERL1-SCRATCH-01", || {
            format!("a scratch of {}", scratch.dtype)
        });
    }
    let scalar = call.exec == GatherExec::Scalar;
    let (exists, clause) = match target {
        Target::A5 => (scalar || elem, "MGATHERL1-GAP-06"),
        Target::A2a3 | Target::Cpu => (scalar, "MGATHERL1-EXEC-03"),
    };
    found.check(exists, clause, || {
        format!("{} with {} on {target}", call.exec, call.mode)
    });
}

fn layouts(call: &MgatherL1, found: &mut Findings) {
    let (dst, table) = (&call.dst, &call.table);
    let nd = table.layout == Layout::ND;
    found.check(nd, "MGATHERL1-TABLE-01", || table::described(table));
    let nz = dst.location == TileType::Mat && tiles::fractal(dst);
    found.check(nz, "MGATHERL1-TILE-01", || {
        format!("{}: {}", dst.location, tiles::layout(dst))
    });
    tiles::whole_fractals(dst, "MGATHERL1-TILE-02", "MGATHERL1-TILE-03", found);
}

/// What every target leaves to the caller.
fn operand_preconditions(call: &MgatherL1, readings: &Readings, found: &mut Findings) {
    let (dst, table) = (&call.dst, &call.table);
    let inside = valid::inside(dst);
    found.precondition(inside, "MGATHERL1-DYN-01", || valid::beyond(dst));
    let unstated = "MGATHERL1-GAP-26";
    table::counted(table, unstated, unstated, found);
    let held = indices_covered(call, readings);
    found.precondition(held, "MGATHERL1-GAP-28", || {
        let (held, dst) = (extents(&call.idx), valid::extents(dst));
        format!(
            "there are too few indices for {} {dst}: the index has shape {held:?}",
            call.mode
        )
    });
    if call.mode == Coalesce::Row {
        let held = dst.valid_col.get() <= extents(table)[4];
        found.precondition(held, "MGATHERL1-GAP-17", || table::widths(dst, table));
    }
}

/// The staging area is large enough and in one piece (MGATHERL1-GAP-08).
fn staging(call: &MgatherL1, scratch: &GlobalTensor, found: &mut Findings) {
    let held = product(&extents(scratch));
    let needed = call.dst.rows.saturating_mul(call.dst.cols);
    found.precondition(held >= needed, "MGATHERL1-SCRATCH-02", || {
        format!("{held} elements are fewer than the {needed} needed")
    });
    found.tensor(scratch, table::SIDE_BY_SIDE, "MGATHERL1-GAP-08");
}

/// The two rules that the CPU's header asserts of any gather (MGATHER-GAP-47).
fn asserted(call: &MgatherL1, found: &mut Findings) {
    let (data, idx, table) = (call.dst.dtype, call.idx.dtype, call.table.dtype);
    let clause = "MGATHER-DTYPE-04";
    found.check(idx.is_integer(), clause, || format!("index type {idx}"));
    let same = data.size() == table.size();
    found.check(same, clause, || elements::types(data, table));
}

/// The CPU simulator as the suite has it (MGATHERL1-GAP-14).
fn cpu(call: &MgatherL1, readings: &Readings, found: &mut Findings) {
    asserted(call, found);
    let idx = call.idx.dtype;
    let narrow = elements::index(idx) || !idx.is_integer();
    found.precondition(narrow, "MGATHER-DTYPE-03", || format!("index type {idx}"));
    elements::cpu_element(call.dst.dtype, found);
    elements::cpu_element(call.table.dtype, found);
    found.by_caller(true, |found| layouts(call, found));
    operand_preconditions(call, readings, found);
    let table = &call.table;
    found.tensor(table, table::ONE_MATRIX, "MGATHER-TABLE-03");
    if call.mode == Coalesce::Row {
        found.tensor(table, table::ROWS_PACKED, "MGATHER-GAP-08");
    }
}
