//! Constraints of A5 on the table.

use ptodiff_isa::{Layout, PaddedElem, Readings, RowCapacity, RowPitch, WidthCheck};

use super::{
    super::facts::{Facts, Findings},
    described, widths,
};
use crate::{
    address::padded,
    strides::{extents, rows_packed},
};

/// Packed ND, in Row mode with rows as wide as the tile's.
pub(in super::super) fn rules(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let table = facts.table;
    let clause = facts.either("MSCATTER-TABLE-08", "MGATHER-TABLE-08");
    found.duty(table.layout == Layout::ND, clause, || described(table));
    if facts.row() {
        row(facts, readings, found);
    } else {
        elem(facts, readings, found);
    }
}

/// Whether the check sees a width of the table other than the tile's.
fn seen_apart(facts: &Facts<'_>) -> bool {
    let (width, valid) = (facts.table.shape[4].known(), facts.data.valid_col.known());
    width.zip(valid).is_some_and(|(w, v)| w != v)
}

fn row(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let table = facts.table;
    if readings.row_capacity == RowCapacity::Duty {
        let [outer @ .., _, _] = extents(table);
        let clause = facts.either("MSCATTER-GAP-15", "MGATHER-GAP-05");
        found.duty(outer == [1; 3], clause, || described(table));
    }
    let (width, valid) = (table.shape[4], facts.data.valid_col);
    let clause = facts.either("MSCATTER-TABLE-07", "MGATHER-TABLE-07");
    if readings.row_pitch == RowPitch::ValidCols || facts.idle(readings) {
        // What passes the check has rows where the kernel puts them.
        found.check(!seen_apart(facts), clause, || widths(facts));
        return;
    }
    let same = width.get() == valid.get();
    found.gated(same, &[width, valid], clause, || widths(facts));
    let packed = rows_packed(table, valid.get());
    let clause = facts.either("MSCATTER-GAP-13", "MGATHER-GAP-09");
    found.duty(packed, clause, || widths(facts));
}

fn elem(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    if readings.width_check == WidthCheck::Both {
        let clause = facts.either("MSCATTER-GAP-12", "MGATHER-GAP-42");
        found.check(!seen_apart(facts), clause, || widths(facts));
    }
    if readings.padded_elem == PaddedElem::Duty {
        let clause = facts.either("MSCATTER-GAP-19", "MGATHER-GAP-07");
        found.duty(!padded(facts.table), clause, || described(facts.table));
    }
}
