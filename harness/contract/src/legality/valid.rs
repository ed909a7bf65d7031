//! Constraints on valid extents, and between those of data and index tile.

use ptodiff_isa::{CpuRowCheck, Dim, EmptyExtent, Readings, Tile};

use super::facts::{Facts, Findings};

fn shapes(facts: &Facts<'_>) -> String {
    let shape = |t: &Tile| format!("[{}, {}]", t.valid_row.get(), t.valid_col.get());
    format!(
        "data valid {}, index valid {}",
        shape(facts.data),
        shape(facts.idx)
    )
}

/// What is wrong with the valid shapes, and what they are.
fn wrong(what: &str, facts: &Facts<'_>) -> String {
    format!("{what}: {}", shapes(facts))
}

/// What Elem wants.
const EACH: &str = "each element wants an index";

fn equal(a: Dim, b: Dim) -> bool {
    a.get() == b.get()
}

/// Both NPUs: at least one row and one column (a static 0 is rejected,
/// MSCATTER-GAP-71, MGATHER-GAP-58; one at run time is MSCATTER-GAP-38, MGATHER-GAP-26).
pub(super) fn not_empty(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let clause = facts.either("MSCATTER-SHAPE-03", "MGATHER-SHAPE-03");
    for dim in [facts.data.valid_row, facts.data.valid_col] {
        let nothing = readings.empty_extent == EmptyExtent::NoOp && dim.known().is_none();
        found.gated(dim.get() >= 1 || nothing, &[dim], clause, || {
            wrong("there is no valid element", facts)
        });
    }
}

/// No more valid rows and columns than padded ones.
pub(super) fn within_padding(facts: &Facts<'_>, clause: &'static str, found: &mut Findings) {
    for tile in [facts.data, facts.idx] {
        found.precondition(inside(tile), clause, || beyond(tile));
    }
}

/// Whether a tile has no more valid rows and columns than padded ones.
pub(super) fn inside(tile: &Tile) -> bool {
    tile.valid_row.get() <= tile.rows && tile.valid_col.get() <= tile.cols
}

/// That more is valid than there is, in words.
pub(super) fn beyond(tile: &Tile) -> String {
    format!("more is valid than the tile has: {}", extents(tile))
}

/// The extents of a tile in words.
pub(super) fn extents(tile: &Tile) -> String {
    let (rows, cols) = (tile.valid_row.get(), tile.valid_col.get());
    format!("valid [{rows}, {cols}] in [{}, {}]", tile.rows, tile.cols)
}

/// Whether the valid region of `outer` contains that of `inner`.
pub(super) fn contains(outer: &Tile, inner: &Tile) -> bool {
    inner.valid_row.get() <= outer.valid_row.get() && inner.valid_col.get() <= outer.valid_col.get()
}

/// Elem on both NPUs: index and data have one valid shape.
pub(super) fn same_shape(facts: &Facts<'_>, found: &mut Findings) {
    let (data, idx) = (facts.data, facts.idx);
    let clause = facts.either("MSCATTER-SHAPE-02", "MGATHER-MODE-05");
    for (a, b) in [
        (idx.valid_row, data.valid_row),
        (idx.valid_col, data.valid_col),
    ] {
        found.gated(equal(a, b), &[a, b], clause, || wrong(EACH, facts));
    }
}

/// Row on A2/A3: [1, R].
pub(super) fn a2a3_row(facts: &Facts<'_>, found: &mut Findings) {
    let (rows, cols, r) = (
        facts.idx.valid_row,
        facts.idx.valid_col,
        facts.data.valid_row,
    );
    let clause = facts.either("MSCATTER-SHAPE-01", "MGATHER-MODE-02");
    let why = || {
        let wanted = format!("Row wants an index valid shape of [1, {}]", r.get());
        wrong(&wanted, facts)
    };
    found.gated(rows.get() == 1, &[rows], clause, why);
    found.gated(equal(cols, r), &[cols, r], clause, why);
}

/// Row on A5, and on a CPU that follows it: [1, R] or [R, 1]. By `seen` where
/// the check sees all, else by `unseen`.
pub(super) fn either_row(
    facts: &Facts<'_>,
    seen: &'static str,
    unseen: &'static str,
    found: &mut Findings,
) {
    let (rows, cols, r) = (
        facts.idx.valid_row,
        facts.idx.valid_col,
        facts.data.valid_row,
    );
    let across = rows.get() == 1 && equal(cols, r);
    let down = equal(rows, r) && cols.get() == 1;
    let dims = [rows, cols, r];
    let known = dims.iter().all(|dim| dim.known().is_some());
    let clause = if known { seen } else { unseen };
    found.gated(across || down, &dims, clause, || {
        let r = r.get();
        let wanted = format!("Row wants an index valid shape of [1, {r}] or [{r}, 1]");
        wrong(&wanted, facts)
    });
}

/// That two tiles have not the same padded rows, in words.
pub(super) fn rows_differ(data: &Tile, idx: &Tile) -> String {
    let (data, idx) = (data.rows, idx.rows);
    format!("the data tile has {data} padded rows, the index tile {idx}")
}

/// MSCATTER on the documented CPU: indices are read by elements whatever the
/// mode, so the index tile has the shape of the source.
pub(super) fn cpu_scatter(facts: &Facts<'_>, found: &mut Findings) {
    let (data, idx) = (facts.data, facts.idx);
    let same = equal(idx.valid_row, data.valid_row) && equal(idx.valid_col, data.valid_col);
    let clause = match (facts.row(), idx.valid_col.get()) {
        (false, _) => "MSCATTER-SHAPE-06",
        (true, 1) => "MSCATTER-GAP-39",
        (true, _) => "MSCATTER-TILE-05",
    };
    found.precondition(same, clause, || match facts.row() {
        true => wrong("each element wants an index, in Row mode too", facts),
        false => wrong(EACH, facts),
    });
    found.precondition(data.rows == idx.rows, "MSCATTER-SHAPE-05", || {
        rows_differ(data, idx)
    });
}

/// MGATHER on the CPU.
pub(super) fn cpu_gather(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let (data, idx) = (facts.data, facts.idx);
    if facts.row() {
        let unseen = "MGATHER-TILE-12";
        match readings.cpu_row_check {
            CpuRowCheck::Rejected => either_row(facts, "MGATHER-MODE-06", unseen, found),
            CpuRowCheck::Precondition => {
                found.by_caller(|found| either_row(facts, "MGATHER-GAP-12", unseen, found));
            }
        }
    } else {
        let same = equal(idx.valid_row, data.valid_row) && equal(idx.valid_col, data.valid_col);
        found.precondition(same, "MGATHER-SHAPE-07", || wrong(EACH, facts));
    }
    // [1, R] cannot have the rows of the destination (MGATHER-GAP-11).
    let across = facts.row() && idx.valid_row.get() == 1;
    let rows = across || data.rows == idx.rows;
    found.precondition(rows, "MGATHER-SHAPE-01", || rows_differ(data, idx));
}
