//! All constraints of A5 (000 and 001, Tile Constraints (A5)).

use ptodiff_isa::Readings;

use super::{
    elements,
    facts::{Facts, Findings},
    table, tiles, unified_buffer, valid,
};

pub(super) fn rules(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    elements::a5(facts, found);
    elements::a5_atomic(facts, found);
    tiles::a5_index_adjacent(facts, readings, found);
    unified_buffer::a5(facts, found);
    operands(facts, readings, found);
}

/// The rules on tiles and table that the templated CPU form shares.
pub(super) fn operands(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
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
