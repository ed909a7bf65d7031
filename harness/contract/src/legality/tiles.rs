//! Constraints on where tiles stand and how they are laid out.

use ptodiff_isa::{BLayout, CpuRowIndex, Layout, Readings, RowIndexPitch, SLayout, Tile, TileType};

use super::facts::{Facts, Findings};
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
pub(super) fn in_vec(tile: &Tile, clause: &'static str, found: &mut Findings) {
    found.check(tile.location == TileType::Vec, clause, || place(tile));
}

/// Both tiles stand in the unified buffer: a check on the NPUs.
pub(super) fn in_unified_buffer(facts: &Facts<'_>, found: &mut Findings) {
    let data = facts.either("MSCATTER-TILE-01", "MGATHER-TILE-01");
    let idx = facts.either("MSCATTER-TILE-02", "MGATHER-TILE-02");
    in_vec(facts.data, data, found);
    in_vec(facts.idx, idx, found);
}

/// A2/A3: layouts of tiles and table come in pairs.
pub(super) fn a2a3_layouts(facts: &Facts<'_>, found: &mut Findings) {
    let clause = facts.either("MSCATTER-TILE-06", "MGATHER-TILE-04");
    found.check(row_major(facts.idx), clause, || {
        format!("index: {}", layout(facts.idx))
    });
    let (nd, nz) = (row_major(facts.data), fractal(facts.data));
    let (paired, crossed, clause) = match facts.table.layout {
        Layout::ND => (nd, nz, facts.either("MSCATTER-TILE-07", "MGATHER-TILE-05")),
        Layout::NZ => (nz, nd, facts.either("MSCATTER-TILE-08", "MGATHER-TILE-06")),
        Layout::DN => (
            false,
            false,
            facts.either("MSCATTER-GAP-20", "MGATHER-GAP-39"),
        ),
    };
    let why = || format!("{} table with {}", facts.table.layout, layout(facts.data));
    found.check(paired, clause, why);
    if facts.scatter {
        found.check(!crossed, "MSCATTER-TILE-09", why);
    }
}

/// A2/A3: the padded width is whole 32-byte units, an NZ tile whole fractals.
pub(super) fn a2a3_extents(facts: &Facts<'_>, found: &mut Findings) {
    let width = facts.data.cols.saturating_mul(facts.size());
    let clause = facts.either("MSCATTER-ALIGN-01", "MGATHER-ALIGN-01");
    found.check(width.is_multiple_of(BLOCK_BYTES), clause, || {
        format!("padded rows of {width} bytes are no multiple of {BLOCK_BYTES}")
    });
    if facts.table.layout == Layout::NZ {
        let cols = facts.either("MSCATTER-NZ-06", "MGATHER-NZ-09");
        let rows = facts.either("MSCATTER-NZ-07", "MGATHER-NZ-10");
        whole_fractals(facts.data, cols, rows, found);
    }
}

/// Checks that an NZ tile is whole fractals.
pub(super) fn whole_fractals(
    tile: &Tile,
    cols: &'static str,
    rows: &'static str,
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
pub(super) fn a5_layouts(facts: &Facts<'_>, found: &mut Findings) {
    let data = facts.either("MSCATTER-TILE-12", "MGATHER-TILE-08");
    let idx = facts.either("MSCATTER-GAP-59", "MGATHER-GAP-49");
    for (tile, clause) in [(facts.data, data), (facts.idx, idx)] {
        found.precondition(plain(tile), clause, || boxed(tile));
    }
}

/// A5: the contiguous padded extent is whole 32-byte units, as loads and stores want it.
pub(super) fn a5_extents(facts: &Facts<'_>, found: &mut Findings) {
    let extent = match facts.data.blayout {
        BLayout::RowMajor => facts.data.cols,
        BLayout::ColMajor => facts.data.rows,
    };
    let bytes = extent.saturating_mul(facts.size());
    let clause = facts.either("MSCATTER-ALIGN-02", "MGATHER-ALIGN-03");
    found.precondition(bytes.is_multiple_of(BLOCK_BYTES), clause, || {
        format!("a contiguous extent of {bytes} bytes is no multiple of {BLOCK_BYTES}")
    });
}

/// A5 Row: the kernel reads R adjacent indices, which `[R, 1]` RowMajor and
/// `[1, R]` ColMajor are not (MSCATTER-GAP-36, MGATHER-GAP-15).
pub(super) fn a5_index_adjacent(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let idx = facts.idx;
    let (rows, cols) = (idx.valid_row.get(), idx.valid_col.get());
    let pitch = match idx.blayout {
        BLayout::RowMajor if rows > 1 && cols == 1 => idx.cols,
        BLayout::ColMajor if cols > 1 && rows == 1 => idx.rows,
        _ => 1,
    };
    let clause = facts.either("MSCATTER-GAP-36", "MGATHER-GAP-15");
    let adjacent = !facts.row() || pitch == 1;
    let why = || format!("the indices stand {pitch} elements apart, not side by side");
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
pub(super) fn cpu_row_index(facts: &Facts<'_>, readings: &Readings, found: &mut Findings) {
    let idx = facts.idx;
    let down = idx.valid_row.get() > 1 && idx.valid_col.get() == 1;
    let apart = facts.row() && down && row_major(idx) && idx.cols > 1;
    let read = !apart || readings.cpu_row_index == CpuRowIndex::OwnLayout;
    found.precondition(read, "MGATHER-GAP-56", || {
        format!(
            "the indices stand {} elements apart, not side by side",
            idx.cols
        )
    });
}

/// CPU: both tiles in UB, RowMajor and without boxes, rows of whole 32-byte units.
pub(super) fn cpu(facts: &Facts<'_>, found: &mut Findings) {
    for tile in [facts.data, facts.idx] {
        let clause = facts.either("MSCATTER-TILE-17", "MGATHER-TILE-14");
        let vec = tile.location == TileType::Vec;
        found.precondition(vec, clause, || format!("no tile in Vec: {}", place(tile)));
        let clause = facts.either("MSCATTER-TILE-03", "MGATHER-TILE-03");
        found.precondition(row_major(tile), clause, || {
            format!("not RowMajor without boxes: {}", layout(tile))
        });
    }
    let width = facts.data.cols.saturating_mul(facts.size());
    let clause = facts.either("MSCATTER-ALIGN-04", "MGATHER-ALIGN-02");
    found.precondition(width.is_multiple_of(BLOCK_BYTES), clause, || {
        format!("padded rows of {width} bytes are no multiple of {BLOCK_BYTES}")
    });
}
