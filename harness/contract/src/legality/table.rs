//! Constraints on the table in GM.

use ptodiff_isa::{Coalesce, CpuPaddedTable, GlobalTensor, Layout, Mscatter, NarrowRow, Readings};

use super::findings::{Cited, Findings};
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

/// What is wrong with `table`, and what it is.
pub(super) fn wrong(what: &str, table: &GlobalTensor) -> String {
    format!("{what}: {}", described(table))
}

/// Why a table is none of one layout, of one matrix, or of packed rows.
pub(super) const NOT_ND: &str = "the layout is not ND";
pub(super) const SEVERAL: &str = "more than one matrix";
pub(super) const NOT_SIDE_BY_SIDE: &str = "elements do not stand side by side";
pub(super) const GAPS: &str = "rows do not follow each other without a gap";

/// What is wrong with rows that are not [`rows_apart`].
pub(super) fn not_apart(table: &GlobalTensor) -> String {
    let [.., width] = extents(table);
    let [.., pitch, step] = strides(table);
    let what = match (width > 1 && step != 1, pitch < width) {
        (false, true) => "rows overlap",
        _ => "elements of a row do not stand side by side",
    };
    wrong(what, table)
}

/// The table has elements, and not more than can be addressed
/// (MSCATTER-GAP-02, -11, MGATHER-GAP-03, -04).
pub(super) fn not_empty(call: &Mscatter, found: &mut Findings) {
    let empty = ["MSCATTER-GAP-02", "MGATHER-GAP-03"];
    let large = ["MSCATTER-GAP-11", "MGATHER-GAP-04"];
    counted(&call.table, empty, large, found);
}

/// `table` has elements, else `empty` is broken, and not more than can be
/// addressed, else `large` is.
pub(super) fn counted<C: Cited>(table: &GlobalTensor, empty: C, large: C, found: &mut Findings) {
    if reach(table).is_some_and(|n| n < 1 << 60) {
        return;
    }
    let none = extents(table).contains(&0);
    let (clause, what) = match none {
        true => (empty, "no elements"),
        false => (large, "more elements than can be addressed"),
    };
    found.precondition(false, clause, || wrong(what, table));
}

/// That the table's rows are not as wide as the tile's.
fn widths(call: &Mscatter) -> String {
    let valid = call.src.valid_col.get();
    let [.., width] = extents(&call.table);
    wrong(
        &format!("ValidCol is {valid}, rows of the table have {width}"),
        &call.table,
    )
}

/// First revision: packed ND of one matrix, in Row mode with rows as wide as the tile's.
pub(super) fn first(call: &Mscatter, found: &mut Findings) {
    let table = &call.table;
    let nd = table.layout == Layout::ND;
    found.precondition(nd, "MSCATTER-TABLE-08", || wrong(NOT_ND, table));
    let [outer @ .., _, width] = extents(table);
    if call.mode == Coalesce::Row {
        let packed = width == call.src.cols && rows_packed(table, width);
        found.precondition(packed, "MSCATTER0-GAP-08", || {
            let cols = call.src.cols;
            wrong(&format!("rows are not {cols} wide and packed"), table)
        });
    } else {
        found.precondition(outer == [1; 3], "MSCATTER0-GAP-04", || {
            wrong(SEVERAL, table)
        });
    }
}

/// CPU: ND, one matrix.
pub(super) fn cpu(call: &Mscatter, found: &mut Findings) {
    let table = &call.table;
    let clause = ["MSCATTER-TABLE-02", "MGATHER-TABLE-02"];
    found.precondition(table.layout == Layout::ND, clause, || wrong(NOT_ND, table));
    let clause = ["MSCATTER-TABLE-03", "MGATHER-TABLE-03"];
    let [outer @ .., _, _] = extents(table);
    found.precondition(outer == [1; 3], clause, || wrong(SEVERAL, table));
}

/// MGATHER Row on the CPU: rows that stand where they are looked for and are wide enough.
pub(super) fn cpu_gather_row(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    if call.mode == Coalesce::Elem {
        return;
    }
    let [.., width] = extents(table);
    let clause = "MGATHER-GAP-08";
    match readings.cpu_padded_table {
        CpuPaddedTable::Precondition => {
            found.precondition(rows_packed(table, width), clause, || wrong(GAPS, table));
        }
        CpuPaddedTable::Strided => {
            found.precondition(rows_apart(table), clause, || not_apart(table));
        }
    }
    let valid = call.src.valid_col.get();
    let fits = valid == width || (valid < width && readings.narrow_row == NarrowRow::Partial);
    found.precondition(fits, "MGATHER-GAP-10", || widths(call));
}
