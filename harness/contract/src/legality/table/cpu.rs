//! Constraints of the CPU simulator on the table.

use ptodiff_isa::{Clause, CpuPaddedTable, Layout, NarrowRow, Readings};

use super::{
    super::facts::{Facts, Findings},
    described, widths,
};
use crate::strides::{extents, rows_apart, rows_packed};

/// ND, one matrix.
pub(in super::super) fn rules(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    let clause = facts.either("MSCATTER-TABLE-02", "MGATHER-TABLE-02");
    found.precondition(table.layout == Layout::ND, clause, || described(table));
    let clause = facts.either("MSCATTER-TABLE-03", "MGATHER-TABLE-03");
    let [outer @ .., _, _] = extents(table);
    found.precondition(outer == [1; 3], clause, || described(table));
}

/// MGATHER Row: rows that stand where they are looked for and are wide enough.
pub(in super::super) fn gather_row(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let table = facts.table;
    if !facts.row() {
        return;
    }
    let [.., width] = extents(table);
    let found_there = match readings.cpu_padded_table {
        CpuPaddedTable::Precondition => rows_packed(table, width),
        CpuPaddedTable::Strided => rows_apart(table),
    };
    found.precondition(found_there, Clause("MGATHER-GAP-08"), || described(table));
    let valid = facts.data.valid_col.get();
    let fits = valid == width || (valid < width && readings.narrow_row == NarrowRow::Partial);
    found.precondition(fits, Clause("MGATHER-GAP-10"), || widths(facts));
}
