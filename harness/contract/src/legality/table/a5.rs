//! Constraints of A5 on the table.

use ptodiff_isa::{
    Coalesce, Layout, Mscatter, PaddedElem, Readings, RowCapacity, RowPitch, WidthCheck,
};

use super::{super::findings::Findings, ND, ONE_MATRIX, ROWS_PACKED, SIDE_BY_SIDE, widths};
use crate::{
    address::seen_apart,
    launch::idle,
    strides::{extents, strides},
};

/// Of a table that is not ND, and of rows that overlap.
const OVERLAP: [&str; 2] = ["MSCATTER-TABLE-08", "MGATHER-TABLE-08"];

/// Packed ND, in Row mode with rows as wide as the tile's.
pub(in super::super) fn rules(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    found.tensor(table, ND, OVERLAP);
    if call.mode == Coalesce::Row {
        row(call, readings, found);
    } else {
        elem(call, readings, found);
    }
}

fn row(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    if readings.row_capacity == RowCapacity::Precondition {
        found.tensor(table, ONE_MATRIX, ["MSCATTER-GAP-15", "MGATHER-GAP-05"]);
    }
    if seen_apart(table, &call.src) {
        let clause = ["MSCATTER-TABLE-07", "MGATHER-TABLE-07"];
        found.check(false, clause, || widths(&call.src, table));
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
    if overlap {
        // Another layout breaks the same clause.
        if table.layout == Layout::ND {
            found.apart(table, OVERLAP);
        }
    } else if apart {
        found.tensor(table, ROWS_PACKED, ["MSCATTER-GAP-13", "MGATHER-GAP-09"]);
    } else {
        let clause = ["MSCATTER-GAP-14", "MGATHER-GAP-09"];
        let same = width == call.src.valid_col.get();
        found.precondition(same, clause, || widths(&call.src, table));
    }
}

fn elem(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    if readings.width_check == WidthCheck::Both {
        let clause = ["MSCATTER-GAP-12", "MGATHER-GAP-42"];
        let differ = seen_apart(table, &call.src);
        found.check(!differ, clause, || widths(&call.src, table));
    }
    if readings.padded_elem == PaddedElem::Precondition && table.layout == Layout::ND {
        found.tensor(table, SIDE_BY_SIDE, ["MSCATTER-GAP-19", "MGATHER-GAP-07"]);
    }
}
