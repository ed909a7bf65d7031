//! Constraints on the table in GM.

use ptodiff_isa::{CpuPaddedTable, GlobalTensor, Layout, NarrowRow, Readings};

use super::facts::{Facts, Findings};
use crate::strides::{extents, reach, rows_apart, rows_packed, strides};

pub(super) mod a2a3;
pub(super) mod a5;

pub(super) fn described(table: &GlobalTensor) -> String {
    format!(
        "{} table, shape {:?}, strides {:?}",
        table.layout,
        extents(table),
        strides(table)
    )
}

/// The table has elements, and not more than can be addressed
/// (MSCATTER-GAP-02, -11, MGATHER-GAP-03, -04).
pub(super) fn not_empty(facts: &Facts<'_>, found: &mut Findings) {
    let empty = facts.either("MSCATTER-GAP-02", "MGATHER-GAP-03");
    let large = facts.either("MSCATTER-GAP-11", "MGATHER-GAP-04");
    counted(facts.table, empty, large, found);
}

/// `table` has elements, else `empty` is broken, and not more than can be
/// addressed, else `large` is.
pub(super) fn counted(
    table: &GlobalTensor,
    empty: &'static str,
    large: &'static str,
    found: &mut Findings,
) {
    if reach(table).is_some_and(|n| n < 1 << 60) {
        return;
    }
    let none = extents(table).contains(&0);
    let clause = if none { empty } else { large };
    found.precondition(false, clause, || described(table));
}

/// The tile's width beside the table, in words.
fn widths(facts: &Facts<'_>) -> String {
    let valid = facts.data.valid_col.get();
    format!("ValidCol {valid}, {}", described(facts.table))
}

/// First revision: packed ND of one matrix, in Row mode with rows as wide as the tile's.
pub(super) fn first(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    let why = || format!("{} tile columns, {}", facts.data.cols, described(table));
    let nd = table.layout == Layout::ND;
    found.precondition(nd, "MSCATTER-TABLE-08", why);
    let [outer @ .., _, width] = extents(table);
    if facts.row() {
        let packed = width == facts.data.cols && rows_packed(table, width);
        found.precondition(packed, "MSCATTER0-GAP-08", why);
    } else {
        found.precondition(outer == [1; 3], "MSCATTER0-GAP-04", why);
    }
}

/// CPU: ND, one matrix.
pub(super) fn cpu(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    let clause = facts.either("MSCATTER-TABLE-02", "MGATHER-TABLE-02");
    found.precondition(table.layout == Layout::ND, clause, || described(table));
    let clause = facts.either("MSCATTER-TABLE-03", "MGATHER-TABLE-03");
    let [outer @ .., _, _] = extents(table);
    found.precondition(outer == [1; 3], clause, || described(table));
}

/// MGATHER Row on the CPU: rows that stand where they are looked for and are wide enough.
pub(super) fn cpu_gather_row(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let table = facts.table;
    if !facts.row() {
        return;
    }
    let [.., width] = extents(table);
    let found_there = match readings.cpu_padded_table {
        CpuPaddedTable::Precondition => rows_packed(table, width),
        CpuPaddedTable::Strided => rows_apart(table),
    };
    found.precondition(found_there, "MGATHER-GAP-08", || described(table));
    let valid = facts.data.valid_col.get();
    let fits = valid == width || (valid < width && readings.narrow_row == NarrowRow::Partial);
    found.precondition(fits, "MGATHER-GAP-10", || widths(facts));
}
