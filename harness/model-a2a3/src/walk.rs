//! The order in which Elem mode visits a tile's valid positions.

use ptodiff_isa::Tile;

use crate::{nz, port::narrow, remap::INDEX_BYTES};

/// A run of positions whose elements lie side by side in the data tile and in
/// the index tile.
pub(crate) struct Segment {
    /// Byte offset of the first element in the data tile.
    pub(crate) data_at: i64,
    /// Byte offset of the first index in the index tile.
    pub(crate) index_at: i64,
    /// Number of positions.
    pub(crate) len: usize,
}

/// The index tile is ND whatever the data tile is (MSCATTER-TILE-06, MGATHER-TILE-13).
fn index_offset(index: &Tile, row: u64, col: u64) -> i64 {
    narrow((i128::from(row) * i128::from(index.cols) + i128::from(col)) * INDEX_BYTES as i128)
}

/// Positions of ND tiles neither of which has padding columns: all lie side by side.
#[inline(always)]
pub(crate) fn unpadded(data: &Tile, index: &Tile) -> Option<u64> {
    let (rows, cols) = (data.valid_row.get(), data.valid_col.get());
    (cols == data.cols && cols == index.cols).then(|| rows.saturating_mul(cols))
}

/// Rows of an ND tile, each one segment, or the whole tile as one where
/// neither tile has padding columns.
pub(crate) fn nd_rows<const W: usize>(data: &Tile, index: &Tile, mut visit: impl FnMut(Segment)) {
    if let Some(count) = unpadded(data, index) {
        return visit(Segment {
            data_at: 0,
            index_at: 0,
            len: length(count),
        });
    }
    let (rows, cols) = (data.valid_row.get(), data.valid_col.get());
    let len = length(cols);
    for row in 0..rows {
        let start = i128::from(row) * i128::from(data.cols) * W as i128;
        visit(Segment {
            data_at: narrow(start),
            index_at: index_offset(index, row, 0),
            len,
        });
    }
}

/// Rows of an NZ tile inside each column block, blocks outermost (MSCATTER-NZ-13,
/// MGATHER-NZ-13).
pub(crate) fn nz_blocks<const W: usize>(data: &Tile, index: &Tile, mut visit: impl FnMut(Segment)) {
    for block in 0..block_count::<W>(data) {
        for row in 0..data.valid_row.get() {
            visit(nz_segment::<W>(data, index, row, block));
        }
    }
}

/// Column blocks of an NZ tile inside each row, rows outermost: increasing
/// (r, c), the other reading of MSCATTER-GAP-08.
pub(crate) fn nz_rows<const W: usize>(data: &Tile, index: &Tile, mut visit: impl FnMut(Segment)) {
    for row in 0..data.valid_row.get() {
        for block in 0..block_count::<W>(data) {
            visit(nz_segment::<W>(data, index, row, block));
        }
    }
}

fn block_count<const W: usize>(data: &Tile) -> u64 {
    data.valid_col.get().div_ceil(nz::NzTable::<W>::C0)
}

fn nz_segment<const W: usize>(data: &Tile, index: &Tile, row: u64, block: u64) -> Segment {
    let c0 = nz::NzTable::<W>::C0;
    let first = block * c0;
    Segment {
        data_at: narrow(nz::tile_offset(data.rows, block, row)),
        index_at: index_offset(index, row, first),
        len: length((data.valid_col.get() - first).min(c0)),
    }
}

/// Valid columns lie in a padded tile, which lies in memory, so none is cut.
fn length(columns: u64) -> usize {
    usize::try_from(columns).unwrap_or(usize::MAX)
}
