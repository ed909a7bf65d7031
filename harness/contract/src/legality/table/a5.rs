//! Constraints of A5 on the table.

use ptodiff_isa::{Layout, PaddedElem, Readings, RowCapacity, RowPitch, WidthCheck};

use super::{
    super::facts::{Facts, Findings},
    GAPS, NOT_ND, NOT_SIDE_BY_SIDE, SEVERAL, not_apart, widths, wrong,
};
use crate::{
    address::{padded, seen_apart},
    strides::{extents, strides},
};

/// Packed ND, in Row mode with rows as wide as the tile's.
pub(in super::super) fn rules(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let table = facts.table;
    let clause = facts.either("MSCATTER-TABLE-08", "MGATHER-TABLE-08");
    found.precondition(table.layout == Layout::ND, clause, || wrong(NOT_ND, table));
    if facts.row() {
        row(facts, readings, found);
    } else {
        elem(facts, readings, found);
    }
}

fn row(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let table = facts.table;
    if readings.row_capacity == RowCapacity::Precondition {
        let [outer @ .., _, _] = extents(table);
        let clause = facts.either("MSCATTER-GAP-15", "MGATHER-GAP-05");
        found.precondition(outer == [1; 3], clause, || wrong(SEVERAL, table));
    }
    if seen_apart(facts.table, facts.data) {
        let clause = facts.either("MSCATTER-TABLE-07", "MGATHER-TABLE-07");
        found.check(false, clause, || widths(facts));
        return;
    }
    // By pitch valid-cols rows are where the kernel puts them; an idle call has none.
    if readings.row_pitch == RowPitch::Precondition && !facts.idle(readings) {
        packed(facts, found);
    }
}

/// Rows that the check lets pass stand side by side, as wide as the tile's.
fn packed(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    let ([.., rows, width], [.., pitch, step]) = (extents(table), strides(table));
    let overlap = (rows > 1 && pitch < width) || (width > 1 && step != 1);
    let apart = rows > 1 && pitch > width;
    let clause = if overlap {
        // Another layout breaks the same clause.
        if table.layout != Layout::ND {
            return;
        }
        facts.either("MSCATTER-TABLE-08", "MGATHER-TABLE-08")
    } else if apart {
        facts.either("MSCATTER-GAP-13", "MGATHER-GAP-09")
    } else if width != facts.data.valid_col.get() {
        facts.either("MSCATTER-GAP-14", "MGATHER-GAP-09")
    } else {
        return;
    };
    found.precondition(false, clause, || match (overlap, apart) {
        (true, _) => not_apart(table),
        (_, true) => wrong(GAPS, table),
        _ => widths(facts),
    });
}

fn elem(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    if readings.width_check == WidthCheck::Both {
        let clause = facts.either("MSCATTER-GAP-12", "MGATHER-GAP-42");
        found.check(!seen_apart(facts.table, facts.data), clause, || {
            widths(facts)
        });
    }
    if readings.padded_elem == PaddedElem::Precondition {
        let clause = facts.either("MSCATTER-GAP-19", "MGATHER-GAP-07");
        found.precondition(!padded(facts.table), clause, || {
            wrong(NOT_SIDE_BY_SIDE, facts.table)
        });
    }
}
