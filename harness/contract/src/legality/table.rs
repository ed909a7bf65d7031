//! Constraints on the table in GM.

use ptodiff_isa::{Clause, GlobalTensor, Layout};

use super::facts::{Facts, Findings};
use crate::coord::{BLOCK_BYTES, FRACTAL_ROWS, reach};

fn extents(table: &GlobalTensor) -> [u64; 5] {
    table.shape.map(|d| d.get())
}

fn strides(table: &GlobalTensor) -> [u64; 5] {
    table.stride.map(|d| d.get())
}

fn described(table: &GlobalTensor) -> String {
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
/// (MSCATTER-GAP-02, MGATHER-GAP-03).
pub(super) fn not_empty(facts: &Facts<'_>, found: &mut Findings) {
    let clause = facts.either("MSCATTER-GAP-02", "MGATHER-GAP-03");
    let empty = extents(facts.table).contains(&0);
    found.duty(!empty, clause, || described(facts.table));
    let clause = facts.either("MSCATTER-GAP-11", "MGATHER-GAP-04");
    let countable = reach(facts.table).is_some_and(|n| n < 1 << 60);
    found.duty(empty || countable, clause, || described(facts.table));
}

/// A2/A3, table of layout ND, Row mode.
pub(super) fn a2a3_nd_row(facts: &Facts<'_>, found: &mut Findings) {
    let table = facts.table;
    if !facts.row() || table.layout != Layout::ND {
        return;
    }
    let [d0, d1, d2, d3, d4] = extents(table);
    let [s0, s1, s2, s3, s4] = strides(table);
    // Only the pitch of dimension 3 is used: the outer ones must continue it.
    let mut packed = true;
    let mut expected = s3;
    for (inner, outer, stride) in [(d3, d2, s2), (d2, d1, s1), (d1, d0, s0)] {
        expected = expected.saturating_mul(inner);
        packed &= outer <= 1 || stride == expected;
    }
    let clause = facts.either("MSCATTER-GAP-16", "MGATHER-GAP-06");
    found.duty(packed, clause, || described(table));
    let clause = facts.either("MSCATTER-GAP-17", "MGATHER-GAP-10");
    found.duty(facts.data.valid_col.get() <= d4, clause, || {
        format!(
            "ValidCol {}, {}",
            facts.data.valid_col.get(),
            described(table)
        )
    });
    let rows = [d0, d1, d2, d3].iter().any(|&d| d > 1);
    let apart = (!rows || s3 >= d4) && (d4 <= 1 || s4 == 1);
    let clause = facts.either("MSCATTER-TABLE-05", "MGATHER-TABLE-05");
    found.duty(apart, clause, || described(table));
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
    let [.., s3, s4] = strides(table);
    let packed = (table.shape[3].get() <= 1 || s3 == valid.get()) && (width.get() <= 1 || s4 == 1);
    let clause = facts.either("MSCATTER-GAP-13", "MGATHER-GAP-09");
    found.duty(packed, clause, why);
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
    let [.., d3, d4] = extents(table);
    let [.., s3, s4] = strides(table);
    let packed = (d3 <= 1 || s3 == d4) && (d4 <= 1 || s4 == 1);
    found.duty(packed, Clause("MGATHER-GAP-08"), || described(table));
    let narrow = facts.data.valid_col.get() <= d4;
    found.duty(narrow, Clause("MGATHER-GAP-10"), || {
        format!(
            "ValidCol {}, {}",
            facts.data.valid_col.get(),
            described(table)
        )
    });
}
