//! Constraints on where tiles stand and how they are laid out.

use ptodiff_isa::{
    BLayout, Coalesce, CpuRowIndex, Layout, Mscatter, Readings, RowIndexPitch, SLayout, Tile,
    TileType,
};

use super::findings::{Cited, Findings};
use crate::coord::{BLOCK_BYTES, FRACTAL_ROWS};

/// Bytes of one fractal, `TileConfig::fractalABSize`.
const FRACTAL_BYTES: u64 = 512;

/// Whether a tile is RowMajor without boxes.
pub(super) fn row_major(tile: &Tile) -> bool {
    tile.blayout == BLayout::RowMajor && tile.slayout == SLayout::NoneBox
}

/// Whether a tile has the NZ form.
pub(super) fn fractal(tile: &Tile) -> bool {
    tile.blayout == BLayout::ColMajor
        && tile.slayout == SLayout::RowMajor
        && tile.fractal == FRACTAL_BYTES
}

/// The layout of a tile in words.
pub(super) fn layout(tile: &Tile) -> String {
    format!(
        "{} tile, {} boxes of {} bytes",
        tile.blayout, tile.slayout, tile.fractal
    )
}

/// That a tile has boxes, in words.
pub(super) fn boxed(tile: &Tile) -> String {
    format!("a tile with boxes: {}", layout(tile))
}

/// Whether a tile has no boxes.
pub(super) fn plain(tile: &Tile) -> bool {
    tile.slayout == SLayout::NoneBox
}

/// Where a tile stands in words.
pub(super) fn place(tile: &Tile) -> String {
    format!("a tile in {}", tile.location)
}

/// A check that a tile stands in the unified buffer.
pub(super) fn in_vec(tile: &Tile, clause: impl Cited, found: &mut Findings) {
    found.check(tile.location == TileType::Vec, clause, || place(tile));
}

/// Both tiles stand in the unified buffer: a check on the NPUs.
pub(super) fn in_unified_buffer(call: &Mscatter, found: &mut Findings) {
    let data = ["MSCATTER-TILE-01", "MGATHER-TILE-01"];
    let idx = ["MSCATTER-TILE-02", "MGATHER-TILE-02"];
    in_vec(&call.src, data, found);
    in_vec(&call.idx, idx, found);
}

/// A2/A3: layouts of tiles and table come in pairs.
pub(super) fn a2a3_layouts(call: &Mscatter, found: &mut Findings) {
    let clause = ["MSCATTER-TILE-06", "MGATHER-TILE-04"];
    found.check(row_major(&call.idx), clause, || {
        format!("index: {}", layout(&call.idx))
    });
    let (nd, nz) = (row_major(&call.src), fractal(&call.src));
    let (paired, crossed, clause) = match call.table.layout {
        Layout::ND => (nd, nz, ["MSCATTER-TILE-07", "MGATHER-TILE-05"]),
        Layout::NZ => (nz, nd, ["MSCATTER-TILE-08", "MGATHER-TILE-06"]),
        Layout::DN => (false, false, ["MSCATTER-GAP-20", "MGATHER-GAP-39"]),
    };
    let why = || format!("{} table with {}", call.table.layout, layout(&call.src));
    found.check(paired, clause, why);
    if found.scatter {
        found.check(!crossed, "MSCATTER-TILE-09", why);
    }
}

/// A2/A3: the padded width is whole 32-byte units, an NZ tile whole fractals.
pub(super) fn a2a3_extents(call: &Mscatter, found: &mut Findings) {
    let width = call.src.cols.saturating_mul(call.src.dtype.size() as u64);
    let clause = ["MSCATTER-ALIGN-01", "MGATHER-ALIGN-01"];
    found.check(width.is_multiple_of(BLOCK_BYTES), clause, || {
        format!("padded rows of {width} bytes are no multiple of {BLOCK_BYTES}")
    });
    if call.table.layout == Layout::NZ {
        let cols = ["MSCATTER-NZ-06", "MGATHER-NZ-09"];
        let rows = ["MSCATTER-NZ-07", "MGATHER-NZ-10"];
        whole_fractals(&call.src, cols, rows, found);
    }
}

/// Checks that an NZ tile is whole fractals.
pub(super) fn whole_fractals(
    tile: &Tile,
    cols: impl Cited,
    rows: impl Cited,
    found: &mut Findings,
) {
    let block = BLOCK_BYTES / tile.dtype.size() as u64;
    found.check(tile.cols.is_multiple_of(block), cols, || {
        format!("{} columns in blocks of {block}", tile.cols)
    });
    found.check(tile.rows.is_multiple_of(FRACTAL_ROWS), rows, || {
        format!("{} rows", tile.rows)
    });
}

/// A5: no boxes, which no check sees.
pub(super) fn a5_layouts(call: &Mscatter, found: &mut Findings) {
    let data = ["MSCATTER-TILE-12", "MGATHER-TILE-08"];
    let idx = ["MSCATTER-GAP-59", "MGATHER-GAP-49"];
    for (tile, clause) in [(&call.src, data), (&call.idx, idx)] {
        found.precondition(plain(tile), clause, || boxed(tile));
    }
}

/// A5: the contiguous padded extent is whole 32-byte units, as loads and stores want it.
pub(super) fn a5_extents(call: &Mscatter, found: &mut Findings) {
    let extent = match call.src.blayout {
        BLayout::RowMajor => call.src.cols,
        BLayout::ColMajor => call.src.rows,
    };
    let bytes = extent.saturating_mul(call.src.dtype.size() as u64);
    let clause = ["MSCATTER-ALIGN-02", "MGATHER-ALIGN-03"];
    found.precondition(bytes.is_multiple_of(BLOCK_BYTES), clause, || {
        format!("a contiguous extent of {bytes} bytes is no multiple of {BLOCK_BYTES}")
    });
}

/// A5 Row: the kernel reads R adjacent indices, which `[R, 1]` RowMajor and
/// `[1, R]` ColMajor are not (MSCATTER-GAP-36, MGATHER-GAP-15).
pub(super) fn a5_index_adjacent(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let (idx, pitch) = (&call.idx, index_pitch(call));
    let clause = ["MSCATTER-GAP-36", "MGATHER-GAP-15"];
    let (adjacent, why) = (pitch == 1, || pitched(pitch));
    match readings.row_index_pitch {
        RowIndexPitch::Precondition => found.precondition(adjacent, clause, why),
        RowIndexPitch::Logical => {}
        RowIndexPitch::Rejected => {
            found.gated(adjacent, &[idx.valid_row, idx.valid_col], clause, why);
        }
    }
}

/// MGATHER Row on the CPU: whether indices that stand below each other, with padding
/// between them, are read. One index has none before it.
pub(super) fn cpu_row_index(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let pitch = index_pitch(call);
    let apart = row_major(&call.idx) && pitch > 1;
    let read = !apart || readings.cpu_row_index == CpuRowIndex::OwnLayout;
    found.precondition(read, "MGATHER-GAP-56", || pitched(pitch));
}

/// Elements from one index of a Row call to the next, where there are several.
fn index_pitch(call: &Mscatter) -> u64 {
    let idx = &call.idx;
    let (rows, cols) = (idx.valid_row.get(), idx.valid_col.get());
    match (call.mode, idx.blayout) {
        (Coalesce::Row, BLayout::RowMajor) if rows > 1 && cols == 1 => idx.cols,
        (Coalesce::Row, BLayout::ColMajor) if cols > 1 && rows == 1 => idx.rows,
        _ => 1,
    }
}

/// That indices do not follow each other, in words.
fn pitched(pitch: u64) -> String {
    format!("the indices stand {pitch} elements apart, not side by side")
}

/// CPU: both tiles in UB, RowMajor and without boxes, rows of whole 32-byte units.
pub(super) fn cpu(call: &Mscatter, found: &mut Findings) {
    for tile in [&call.src, &call.idx] {
        let clause = ["MSCATTER-TILE-17", "MGATHER-TILE-14"];
        let vec = tile.location == TileType::Vec;
        found.precondition(vec, clause, || format!("no tile in Vec: {}", place(tile)));
        let clause = ["MSCATTER-TILE-03", "MGATHER-TILE-03"];
        found.precondition(row_major(tile), clause, || {
            format!("not RowMajor without boxes: {}", layout(tile))
        });
    }
    let width = call.src.cols.saturating_mul(call.src.dtype.size() as u64);
    let clause = ["MSCATTER-ALIGN-04", "MGATHER-ALIGN-02"];
    found.precondition(width.is_multiple_of(BLOCK_BYTES), clause, || {
        format!("padded rows of {width} bytes are no multiple of {BLOCK_BYTES}")
    });
}
