//! All constraints of a call between GM and UB, of the current revisions (000 and 001).

use ptodiff_isa::{Coalesce, CpuForm, Mscatter, Readings, Target};

use super::{elements, findings::Findings, table, tiles, unified_buffer, valid};

pub(super) fn rules(call: &Mscatter, target: Target, readings: &Readings, found: &mut Findings) {
    match target {
        Target::A2a3 => a2a3(call, readings, found),
        Target::A5 => a5(call, readings, found),
        Target::Cpu => cpu(call, readings, found),
    }
}

/// A2/A3 (Tile Constraints (A2/A3)).
fn a2a3(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    elements::npu(call, Target::A2a3, found);
    elements::atomic(call, Target::A2a3, found);
    tiles::in_unified_buffer(call, found);
    tiles::a2a3_layouts(call, found);
    tiles::a2a3_extents(call, found);
    valid::not_empty(call, readings, found);
    valid::within_padding(call, ["MSCATTER-SHAPE-08", "MGATHER-SHAPE-04"], found);
    if call.mode == Coalesce::Row {
        valid::a2a3_row(call, found);
    } else {
        valid::same_shape(call, found);
    }
    table::not_empty(call, found);
    table::a2a3::nd(call, readings, found);
    table::a2a3::nz(call, readings, found);
    unified_buffer::a2a3(call, found);
}

/// A5 (Tile Constraints (A5)).
fn a5(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    elements::npu(call, Target::A5, found);
    elements::atomic(call, Target::A5, found);
    tiles::a5_index_adjacent(call, readings, found);
    unified_buffer::a5(call, found);
    operands(call, readings, found);
}

/// The rules on tiles and table that the templated CPU form shares.
fn operands(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    tiles::in_unified_buffer(call, found);
    tiles::a5_layouts(call, found);
    tiles::a5_extents(call, found);
    valid::not_empty(call, readings, found);
    valid::within_padding(call, ["MSCATTER-SHAPE-07", "MGATHER-SHAPE-06"], found);
    if call.mode == Coalesce::Row {
        let clause = ["MSCATTER-SHAPE-04", "MGATHER-MODE-04"];
        valid::either_row(call, clause, clause, found);
    } else {
        valid::same_shape(call, found);
    }
    table::not_empty(call, found);
    table::a5::rules(call, readings, found);
}

/// The CPU simulator (Tile Constraints (CPU)).
fn cpu(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    elements::cpu(call, found);
    elements::atomic(call, Target::Cpu, found);
    match readings.cpu_form {
        _ if !found.scatter => gather(call, readings, found),
        CpuForm::Documented => scatter(call, found),
        CpuForm::Templated => templated(call, found),
    }
}

fn scatter(call: &Mscatter, found: &mut Findings) {
    tiles::cpu(call, found);
    valid::within_padding(call, "MSCATTER-SEM-05", found);
    valid::cpu_scatter(call, found);
    table::not_empty(call, found);
    table::cpu(call, found);
}

/// A5's rules on operands, none of which a CPU build asserts.
fn templated(call: &Mscatter, found: &mut Findings) {
    // What the choices change there is A5's alone.
    found.by_caller(true, |found| operands(call, &Readings::default(), found));
    let (data, table) = (call.src.dtype, call.table.dtype);
    let same = data == table;
    found.precondition(same, "MSCATTER-DTYPE-11", || elements::types(data, table));
}

fn gather(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    elements::cpu_one_type(call, readings, found);
    tiles::cpu(call, found);
    tiles::cpu_row_index(call, readings, found);
    valid::within_padding(call, "MGATHER-MIN-09", found);
    valid::cpu_gather(call, readings, found);
    table::not_empty(call, found);
    table::cpu(call, found);
    table::cpu_gather_row(call, readings, found);
}
