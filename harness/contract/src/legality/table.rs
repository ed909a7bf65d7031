//! Constraints on the table in GM.

use ptodiff_isa::{Clause, GlobalTensor, Layout};

use super::facts::{Facts, Findings};
use crate::coord::{BLOCK_BYTES, FRACTAL_ROWS, reach};

pub(super) fn extents(table: &GlobalTensor) -> [u64; 5] {
    table.shape.map(|d| d.get())
}

pub(super) fn strides(table: &GlobalTensor) -> [u64; 5] {
    table.stride.map(|d| d.get())
}

pub(super) fn described(table: &GlobalTensor) -> String {
    format!(
        "{} table, shape {:?}, strides {:?}",
        table.layout,
        extents(table),
        strides(table)
    )
}

/// Whether no two elements share a place, as far as nested strides tell.
fn distinct(table: &GlobalTensor) -> bool {
    let mut dims: Vec<(u64, u64)> = strides(table)
        .into_iter()
        .zip(extents(table))
        .filter(|(_, extent)| *extent > 1)
        .collect();
    dims.sort_unstable();
    let mut span = 1_u64;
    dims.iter().all(|&(stride, extent)| {
        let nested = stride >= span;
        span = span.saturating_add(stride.saturating_mul(extent - 1));
        nested
    })
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
pub(super) fn counted(table: &GlobalTensor, empty: Clause, large: Clause, found: &mut Findings) {
    let none = extents(table).contains(&0);
    found.duty(!none, empty, || described(table));
    let countable = reach(table).is_some_and(|n| n < 1 << 60);
    found.duty(none || countable, large, || described(table));
}

/// Whether the outer dimensions continue the pitch of dimension 3.
pub(super) fn outer_packed(table: &GlobalTensor) -> bool {
    let [d0, d1, d2, d3, _] = extents(table);
    let [s0, s1, s2, s3, _] = strides(table);
    let mut packed = true;
    let mut expected = s3;
    for (inner, outer, stride) in [(d3, d2, s2), (d2, d1, s1), (d1, d0, s0)] {
        expected = expected.saturating_mul(inner);
        packed &= outer <= 1 || stride == expected;
    }
    packed
}

/// Whether rows do not overlap and their elements stand side by side.
pub(super) fn rows_apart(table: &GlobalTensor) -> bool {
    let [outer @ .., d4] = extents(table);
    let [.., s3, s4] = strides(table);
    let rows = outer.iter().any(|&d| d > 1);
    (!rows || s3 >= d4) && (d4 <= 1 || s4 == 1)
}

/// Whether the elements stand side by side, the last dimension first.
pub(super) fn contiguous(tensor: &GlobalTensor) -> bool {
    let mut expected = 1_u64;
    extents(tensor)
        .into_iter()
        .zip(strides(tensor))
        .rev()
        .all(|(extent, stride)| {
            let nested = extent <= 1 || stride == expected;
            expected = expected.saturating_mul(extent);
            nested
        })
}

/// Whether rows stand as close as their elements, these side by side.
pub(super) fn rows_packed(table: &GlobalTensor, width: u64) -> bool {
    let [.., d3, d4] = extents(table);
    let [.., s3, s4] = strides(table);
    (d3 <= 1 || s3 == width) && (d4 <= 1 || s4 == 1)
}

/// A2/A3, table of layout ND, Row mode.
pub(super) fn a2a3_nd_row(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    if !facts.row() || table.layout != Layout::ND {
        return;
    }
    let clause = facts.either("MSCATTER-GAP-16", "MGATHER-GAP-06");
    found.duty(outer_packed(table), clause, || described(table));
    let [.., width] = extents(table);
    let clause = facts.either("MSCATTER-GAP-17", "MGATHER-GAP-10");
    found.duty(facts.data.valid_col.get() <= width, clause, || {
        format!(
            "ValidCol {}, {}",
            facts.data.valid_col.get(),
            described(table)
        )
    });
    let clause = facts.either("MSCATTER-TABLE-05", "MGATHER-TABLE-05");
    found.duty(rows_apart(table), clause, || described(table));
}

/// A2/A3, table of layout NZ.
pub(super) fn a2a3_nz(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    if table.layout != Layout::NZ {
        return;
    }
    let block = BLOCK_BYTES / facts.size();
    let [.., rows, cols] = table.shape;
    let clause = facts.either("MSCATTER-NZ-04", "MGATHER-NZ-07");
    found.gated(rows.get() == FRACTAL_ROWS, &[rows], clause, || {
        described(table)
    });
    let clause = facts.either("MSCATTER-NZ-05", "MGATHER-NZ-08");
    found.gated(cols.get() == block, &[cols], clause, || described(table));
    let [.., s3, s4] = strides(table);
    let clause = facts.either("MSCATTER-GAP-26", "MGATHER-GAP-22");
    let inner = s4 == 1 && (!facts.row() || s3 == block);
    found.duty(inner, clause, || described(table));
    let clause = facts.either("MSCATTER-NZ-14", "MGATHER-NZ-12");
    found.duty(distinct(table), clause, || described(table));
    if facts.row() {
        let [batches, blocks, ..] = extents(table);
        let logical = batches.saturating_mul(blocks).saturating_mul(block);
        let clause = facts.either("MSCATTER-GAP-23", "MGATHER-GAP-20");
        found.duty(facts.data.cols == logical, clause, || {
            format!("{} tile columns, {logical} logical ones", facts.data.cols)
        });
    }
}

/// A5: packed ND, in Row mode with rows as wide as the tile's.
pub(super) fn a5(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    let clause = facts.either("MSCATTER-TABLE-08", "MGATHER-TABLE-08");
    found.duty(table.layout == Layout::ND, clause, || described(table));
    if !facts.row() {
        return;
    }
    let (width, valid) = (table.shape[4], facts.data.valid_col);
    let why = || format!("ValidCol {}, {}", valid.get(), described(table));
    let clause = facts.either("MSCATTER-TABLE-07", "MGATHER-TABLE-07");
    found.gated(width.get() == valid.get(), &[width, valid], clause, why);
    let packed = rows_packed(table, valid.get());
    let clause = facts.either("MSCATTER-GAP-13", "MGATHER-GAP-09");
    found.duty(packed, clause, why);
}

/// First revision: packed ND of one matrix, in Row mode with rows as wide as the tile's.
pub(super) fn first(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    let why = || format!("{} tile columns, {}", facts.data.cols, described(table));
    let nd = table.layout == Layout::ND;
    found.duty(nd, Clause("MSCATTER-TABLE-08"), why);
    let [outer @ .., _, width] = extents(table);
    if facts.row() {
        let packed = width == facts.data.cols && rows_packed(table, width);
        found.duty(packed, Clause("MSCATTER0-GAP-08"), why);
    } else {
        found.duty(outer == [1; 3], Clause("MSCATTER0-GAP-04"), why);
    }
}

/// CPU: ND, one matrix.
pub(super) fn cpu(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    let clause = facts.either("MSCATTER-TABLE-02", "MGATHER-TABLE-02");
    found.duty(table.layout == Layout::ND, clause, || described(table));
    let clause = facts.either("MSCATTER-TABLE-03", "MGATHER-TABLE-03");
    let [d0, d1, d2, ..] = extents(table);
    found.duty([d0, d1, d2] == [1; 3], clause, || described(table));
}

/// MGATHER Row on the CPU: rows Shape[4] apart and wide enough.
pub(super) fn cpu_gather_row(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    if !facts.row() {
        return;
    }
    let [.., width] = extents(table);
    let packed = rows_packed(table, width);
    found.duty(packed, Clause("MGATHER-GAP-08"), || described(table));
    let narrow = facts.data.valid_col.get() <= width;
    found.duty(narrow, Clause("MGATHER-GAP-10"), || {
        format!(
            "ValidCol {}, {}",
            facts.data.valid_col.get(),
            described(table)
        )
    });
}
