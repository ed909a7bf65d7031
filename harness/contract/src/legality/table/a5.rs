//! Constraints of A5 on the table.

use ptodiff_isa::{
    Coalesce, Layout, Mscatter, PaddedElem, Readings, RowCapacity, RowPitch, WidthCheck,
};

use super::{
    super::findings::Findings, GAPS, NOT_ND, NOT_SIDE_BY_SIDE, SEVERAL, not_apart, widths, wrong,
};
use crate::{
    address::{padded, seen_apart},
    launch::idle,
    strides::{extents, strides},
};

/// Packed ND, in Row mode with rows as wide as the tile's.
pub(in super::super) fn rules(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    let clause = ["MSCATTER-TABLE-08", "MGATHER-TABLE-08"];
    found.precondition(table.layout == Layout::ND, clause, || wrong(NOT_ND, table));
    if call.mode == Coalesce::Row {
        row(call, readings, found);
    } else {
        elem(call, readings, found);
    }
}

fn row(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    if readings.row_capacity == RowCapacity::Precondition {
        let [outer @ .., _, _] = extents(table);
        let clause = ["MSCATTER-GAP-15", "MGATHER-GAP-05"];
        found.precondition(outer == [1; 3], clause, || wrong(SEVERAL, table));
    }
    if seen_apart(&call.table, &call.src) {
        let clause = ["MSCATTER-TABLE-07", "MGATHER-TABLE-07"];
        found.check(false, clause, || widths(call));
        return;
    }
    // By pitch valid-cols rows are where the kernel puts them; an idle call has none.
    if readings.row_pitch == RowPitch::Precondition && !idle(&call.src, readings) {
        packed(call, found);
    }
}

/// Rows that the check lets pass stand side by side, as wide as the tile's.
fn packed(call: &Mscatter, found: &mut Findings) {
    let table = &call.table;
    let ([.., rows, width], [.., pitch, step]) = (extents(table), strides(table));
    let overlap = (rows > 1 && pitch < width) || (width > 1 && step != 1);
    let apart = rows > 1 && pitch > width;
    let clause = if overlap {
        // Another layout breaks the same clause.
        if table.layout != Layout::ND {
            return;
        }
        ["MSCATTER-TABLE-08", "MGATHER-TABLE-08"]
    } else if apart {
        ["MSCATTER-GAP-13", "MGATHER-GAP-09"]
    } else if width != call.src.valid_col.get() {
        ["MSCATTER-GAP-14", "MGATHER-GAP-09"]
    } else {
        return;
    };
    found.precondition(false, clause, || match (overlap, apart) {
        (true, _) => not_apart(table),
        (_, true) => wrong(GAPS, table),
        _ => widths(call),
    });
}

fn elem(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    if readings.width_check == WidthCheck::Both {
        let clause = ["MSCATTER-GAP-12", "MGATHER-GAP-42"];
        found.check(!seen_apart(&call.table, &call.src), clause, || widths(call));
    }
    if readings.padded_elem == PaddedElem::Precondition {
        let clause = ["MSCATTER-GAP-19", "MGATHER-GAP-07"];
        found.precondition(!padded(&call.table), clause, || {
            wrong(NOT_SIDE_BY_SIDE, &call.table)
        });
    }
}
