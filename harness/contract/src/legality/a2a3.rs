//! All constraints of A2/A3 (000 and 001, Tile Constraints (A2/A3)).

use ptodiff_isa::Readings;

use super::{
    elements,
    facts::{Facts, Findings},
    table, tiles, unified_buffer, valid,
};

pub(super) fn rules(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    elements::a2a3(facts, found);
    elements::a2a3_atomic(facts, found);
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
