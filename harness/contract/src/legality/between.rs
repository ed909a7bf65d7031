//! All constraints of a call between GM and UB, of the current revisions (000 and 001).

use ptodiff_isa::{CpuForm, Readings, Target};

use super::{
    elements,
    facts::{Facts, Findings},
    table, tiles, unified_buffer, valid,
};

pub(super) fn rules(facts: &Facts<'_>, target: Target, readings: &Readings, found: &mut Findings) {
    match target {
        Target::A2a3 => a2a3(facts, readings, found),
        Target::A5 => a5(facts, readings, found),
        Target::Cpu => cpu(facts, readings, found),
    }
}

/// A2/A3 (Tile Constraints (A2/A3)).
fn a2a3(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    elements::npu(facts, Target::A2a3, found);
    elements::atomic(facts, Target::A2a3, found);
    tiles::in_unified_buffer(facts, found);
    tiles::a2a3_layouts(facts, found);
    tiles::a2a3_extents(facts, found);
    valid::not_empty(facts, readings, found);
    let clause = facts.either("MSCATTER-SHAPE-08", "MGATHER-SHAPE-04");
    valid::within_padding(facts, clause, found);
    if facts.row() {
        valid::a2a3_row(facts, found);
    } else {
        valid::same_shape(facts, found);
    }
    table::not_empty(facts, found);
    table::a2a3::nd(facts, readings, found);
    table::a2a3::nz(facts, readings, found);
    unified_buffer::a2a3(facts, found);
}

/// A5 (Tile Constraints (A5)).
fn a5(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    elements::npu(facts, Target::A5, found);
    elements::atomic(facts, Target::A5, found);
    tiles::a5_index_adjacent(facts, readings, found);
    unified_buffer::a5(facts, found);
    operands(facts, readings, found);
}

/// The rules on tiles and table that the templated CPU form shares.
fn operands(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    tiles::in_unified_buffer(facts, found);
    tiles::a5_layouts(facts, found);
    tiles::a5_extents(facts, found);
    valid::not_empty(facts, readings, found);
    let clause = facts.either("MSCATTER-SHAPE-07", "MGATHER-SHAPE-06");
    valid::within_padding(facts, clause, found);
    if facts.row() {
        let clause = facts.either("MSCATTER-SHAPE-04", "MGATHER-MODE-04");
        valid::either_row(facts, clause, clause, found);
    } else {
        valid::same_shape(facts, found);
    }
    table::not_empty(facts, found);
    table::a5::rules(facts, readings, found);
}

/// The CPU simulator (Tile Constraints (CPU)).
fn cpu(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    elements::cpu(facts, found);
    if facts.scatter {
        elements::atomic(facts, Target::Cpu, found);
        match readings.cpu_form {
            CpuForm::Documented => scatter(facts, found),
            CpuForm::Templated => templated(facts, found),
        }
    } else {
        gather(facts, readings, found);
    }
}

fn scatter(facts: &Facts<'_>, found: &mut Findings) {
    tiles::cpu(facts, found);
    valid::within_padding(facts, "MSCATTER-SEM-05", found);
    valid::cpu_scatter(facts, found);
    table::not_empty(facts, found);
    table::cpu(facts, found);
}

/// A5's rules on operands, none of which a CPU build asserts.
fn templated(facts: &Facts<'_>, found: &mut Findings) {
    // What the choices change there is A5's alone.
    found.by_caller(|found| operands(facts, &Readings::default(), found));
    let (data, table) = (facts.data.dtype, facts.table.dtype);
    let same = data == table;
    found.precondition(same, "MSCATTER-DTYPE-11", || elements::types(data, table));
}

fn gather(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    elements::cpu_one_type(facts, readings, found);
    tiles::cpu(facts, found);
    tiles::cpu_row_index(facts, readings, found);
    valid::within_padding(facts, "MGATHER-MIN-09", found);
    valid::cpu_gather(facts, readings, found);
    table::not_empty(facts, found);
    table::cpu(facts, found);
    table::cpu_gather_row(facts, readings, found);
}
