//! Where an element lies: its number in its operand, and its byte offset from
//! the start of the operand's body.
//!
//! Extents may be as large as `u64` allows, so all of this saturates: whatever
//! lies further out than `i64::MAX` bytes is at `i64::MAX`.

use ptodiff_isa::{BLayout, DType, GlobalTensor, Tile};

/// Bytes of a block: `C0_SIZE_BYTE`.
pub(crate) const BLOCK: u64 = 32;

/// Byte offset of element `number` of an operand of `dtype`.
pub(crate) fn element(number: u64, dtype: DType) -> i64 {
    offset(number.saturating_mul(dtype.size() as u64))
}

/// Byte offset of a slot of the table, which may lie before it (MSCATTER-GAP-01).
pub(crate) fn slot(number: i64, dtype: DType) -> i64 {
    number.saturating_mul(dtype.size() as i64)
}

/// A number, such as one of bytes, as an offset.
pub(crate) fn offset(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Byte offset of element `(r, c)` of a tile, through its own layout and padded
/// pitch (MSCATTER-GAP-45, MGATHER-GAP-56). A tile with boxes breaks a
/// precondition of every instruction that comes here; its boxes do not count.
pub(crate) fn in_tile(tile: &Tile, r: u64, c: u64) -> i64 {
    element(number_in_tile(tile, r, c), tile.dtype)
}

/// The same as a number of elements.
pub(crate) fn number_in_tile(tile: &Tile, r: u64, c: u64) -> u64 {
    match tile.blayout {
        BLayout::RowMajor => linear(r, tile.cols, c),
        BLayout::ColMajor => linear(c, tile.rows, r),
    }
}

/// Byte offset of element `(r, c)` of an NZ tile, `(c / kC0) * (Rows * kC0) +
/// r * kC0 + (c % kC0)` (001, GM to L1 Gather, Algorithm).
pub(crate) fn in_nz_tile(tile: &Tile, r: u64, c: u64) -> i64 {
    let c0 = BLOCK / tile.dtype.size() as u64;
    let block = linear(c / c0, tile.rows, r);
    element(linear(block, c0, c % c0), tile.dtype)
}

/// Byte offset of index `r` of a Row index tile: `[R, 1]` or `[1, R]` by its
/// valid shape (001, Mode Resolution; MGATHER-TILE-12). Whatever is not one
/// column is taken for a row; other shapes break a precondition.
pub(crate) fn row_index(idx: &Tile, r: u64) -> i64 {
    match idx.valid_col.get() {
        1 => in_tile(idx, r, 0),
        _ => in_tile(idx, 0, r),
    }
}

/// `row * pitch + c`: place `c` of row `row`, where rows begin `pitch` apart.
pub(crate) fn linear(row: u64, pitch: u64, c: u64) -> u64 {
    row.saturating_mul(pitch).saturating_add(c)
}

/// The same for a row that may lie before the table (MSCATTER-GAP-01).
pub(crate) fn slot_in_row(row: i64, pitch: u64, c: u64) -> i64 {
    row.saturating_mul(offset(pitch)).saturating_add(offset(c))
}

/// `tableRows`, the capacity in Row mode: `Shape[3]` (MGATHER-CAP-01, MSCATTER-GAP-15).
pub(crate) fn table_rows(table: &GlobalTensor) -> u64 {
    table.shape[3].get()
}

/// Elements of a row of the table: `Shape[4]`.
pub(crate) fn table_width(table: &GlobalTensor) -> u64 {
    table.shape[4].get()
}

/// `TableSize`, the capacity in Elem mode: the product of all five extents
/// (MGATHER-CAP-04). One that saturates is above every index all the same.
pub(crate) fn table_size(table: &GlobalTensor) -> u64 {
    table
        .shape
        .iter()
        .fold(1, |size: u64, extent| size.saturating_mul(extent.get()))
}

/// Bytes of a tile's whole allocation, `Rows * Cols` elements.
pub(crate) fn tile_bytes(tile: &Tile) -> u64 {
    tile.rows
        .saturating_mul(tile.cols)
        .saturating_mul(tile.dtype.size() as u64)
}
