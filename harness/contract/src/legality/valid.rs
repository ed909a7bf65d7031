//! Constraints on valid extents, and between those of data and index tile.

use ptodiff_isa::{Coalesce, CpuRowCheck, Dim, EmptyExtent, Mscatter, Readings, Tile};

use super::findings::{Cited, Findings};

/// The valid shape of a tile.
fn shape(tile: &Tile) -> [u64; 2] {
    [tile.valid_row.get(), tile.valid_col.get()]
}

/// What is wrong with the valid shapes, and what they are.
fn wrong(what: &str, call: &Mscatter) -> String {
    let (data, idx) = (shape(&call.src), shape(&call.idx));
    format!("{what}: data valid {data:?}, index valid {idx:?}")
}

/// What Elem wants.
const EACH: &str = "one index an element: data and index want the same valid shape";

fn equal(a: Dim, b: Dim) -> bool {
    a.get() == b.get()
}

/// Both NPUs: at least one row and one column (a static 0 is rejected,
/// MSCATTER-GAP-71, MGATHER-GAP-58; one at run time is MSCATTER-GAP-38, MGATHER-GAP-26).
pub(super) fn not_empty(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let clause = ["MSCATTER-SHAPE-03", "MGATHER-SHAPE-03"];
    for dim in [call.src.valid_row, call.src.valid_col] {
        let nothing = readings.empty_extent == EmptyExtent::NoOp && dim.known().is_none();
        found.gated(dim.get() >= 1 || nothing, &[dim], clause, || {
            wrong("there is no valid element", call)
        });
    }
}

/// No more valid rows and columns than padded ones.
pub(super) fn within_padding(call: &Mscatter, clause: impl Cited, found: &mut Findings) {
    for tile in [&call.src, &call.idx] {
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
    format!("valid {:?} in {:?}", shape(tile), [tile.rows, tile.cols])
}

/// Whether the valid region of `outer` contains that of `inner`.
pub(super) fn contains(outer: &Tile, inner: &Tile) -> bool {
    inner.valid_row.get() <= outer.valid_row.get() && inner.valid_col.get() <= outer.valid_col.get()
}

/// Elem on both NPUs: index and data have one valid shape.
pub(super) fn same_shape(call: &Mscatter, found: &mut Findings) {
    let (data, idx) = (&call.src, &call.idx);
    let clause = ["MSCATTER-SHAPE-02", "MGATHER-MODE-05"];
    for (a, b) in [
        (idx.valid_row, data.valid_row),
        (idx.valid_col, data.valid_col),
    ] {
        found.gated(equal(a, b), &[a, b], clause, || wrong(EACH, call));
    }
}

/// Row on A2/A3: [1, R].
pub(super) fn a2a3_row(call: &Mscatter, found: &mut Findings) {
    let (rows, cols, r) = (call.idx.valid_row, call.idx.valid_col, call.src.valid_row);
    let clause = ["MSCATTER-SHAPE-01", "MGATHER-MODE-02"];
    let why = || {
        let wanted = format!("Row wants an index valid shape of [1, {}]", r.get());
        wrong(&wanted, call)
    };
    found.gated(rows.get() == 1, &[rows], clause, why);
    found.gated(equal(cols, r), &[cols, r], clause, why);
}

/// Row on A5, and on a CPU that follows it: [1, R] or [R, 1]. By `seen` where
/// the check sees all, else by `unseen`.
pub(super) fn either_row<C: Cited>(call: &Mscatter, seen: C, unseen: C, found: &mut Findings) {
    let (rows, cols, r) = (call.idx.valid_row, call.idx.valid_col, call.src.valid_row);
    let across = rows.get() == 1 && equal(cols, r);
    let down = equal(rows, r) && cols.get() == 1;
    let dims = [rows, cols, r];
    let known = dims.iter().all(|dim| dim.known().is_some());
    let clause = if known { seen } else { unseen };
    found.gated(across || down, &dims, clause, || {
        let r = r.get();
        let wanted = format!("Row wants an index valid shape of [1, {r}] or [{r}, 1]");
        wrong(&wanted, call)
    });
}

/// That two tiles have not the same padded rows, in words.
pub(super) fn rows_differ(data: &Tile, idx: &Tile) -> String {
    let (data, idx) = (data.rows, idx.rows);
    format!("the data tile has {data} padded rows, the index tile {idx}")
}

/// MSCATTER on the documented CPU: indices are read by elements whatever the
/// mode, so the index tile has the shape of the source.
pub(super) fn cpu_scatter(call: &Mscatter, found: &mut Findings) {
    let (data, idx) = (&call.src, &call.idx);
    let in_row_mode = "each element wants an index, in Row mode too";
    let (clause, what) = match (call.mode, idx.valid_col.get()) {
        (Coalesce::Elem, _) => ("MSCATTER-SHAPE-06", EACH),
        (Coalesce::Row, 1) => ("MSCATTER-GAP-39", in_row_mode),
        (Coalesce::Row, _) => ("MSCATTER-TILE-05", in_row_mode),
    };
    found.precondition(shape(data) == shape(idx), clause, || wrong(what, call));
    found.precondition(data.rows == idx.rows, "MSCATTER-SHAPE-05", || {
        rows_differ(data, idx)
    });
}

/// MGATHER on the CPU.
pub(super) fn cpu_gather(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let (data, idx) = (&call.src, &call.idx);
    if call.mode == Coalesce::Row {
        let (unchecked, seen) = match readings.cpu_row_check {
            CpuRowCheck::Rejected => (false, "MGATHER-MODE-06"),
            CpuRowCheck::Precondition => (true, "MGATHER-GAP-12"),
        };
        found.by_caller(unchecked, |found| {
            either_row(call, seen, "MGATHER-TILE-12", found);
        });
    } else {
        let same = shape(data) == shape(idx);
        found.precondition(same, "MGATHER-SHAPE-07", || wrong(EACH, call));
    }
    // [1, R] cannot have the rows of the destination (MGATHER-GAP-11).
    let across = call.mode == Coalesce::Row && idx.valid_row.get() == 1;
    let rows = across || data.rows == idx.rows;
    found.precondition(rows, "MGATHER-SHAPE-01", || rows_differ(data, idx));
}
