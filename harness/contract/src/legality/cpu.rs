//! All constraints of the CPU simulator (000 and 001, Tile Constraints (CPU)).

use ptodiff_isa::{Clause, CpuForm, Readings};

use super::{
    a5, elements,
    facts::{Facts, Findings},
    table, tiles, valid,
};

pub(super) fn rules(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    elements::cpu(facts, found);
    if facts.is_scatter() {
        elements::cpu_atomic(facts, found);
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
    valid::within_padding(facts, Clause("MSCATTER-SEM-05"), found);
    valid::cpu_scatter(facts, found);
    table::not_empty(facts, found);
    table::cpu::rules(facts, found);
}

/// A5's rules on operands, none of which a CPU build asserts.
fn templated(facts: &Facts<'_>, found: &mut Findings) {
    let from = found.broken.len();
    // What the choices change there is A5's alone.
    a5::operands(facts, &Readings::default(), found);
    let (data, table) = (facts.data.dtype, facts.table.dtype);
    found.precondition(data == table, Clause("MSCATTER-DTYPE-11"), || {
        format!("a tile of {data} with a table of {table}")
    });
    found.demote(from);
}

fn gather(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    elements::cpu_one_type(facts, readings, found);
    tiles::cpu(facts, found);
    tiles::cpu_row_index(facts, readings, found);
    valid::within_padding(facts, Clause("MGATHER-MIN-09"), found);
    valid::cpu_gather(facts, readings, found);
    table::not_empty(facts, found);
    table::cpu::rules(facts, found);
    table::cpu::gather_row(facts, readings, found);
}
