//! How large a case may be. Every check is arithmetic: nothing is allocated first.

use ptodiff_isa::{Dim, GlobalTensor, Tile};

/// Bytes of all operands of a case, over all its chunks.
pub const MAX_CASE_BYTES: u64 = 256 << 20;
/// Calls that a case may issue.
pub const MAX_CHUNKS: u64 = 4096;
/// Elements from one entry of a dimension to the next.
pub const MAX_STRIDE: u64 = 1 << 40;
/// Bytes of one box.
pub const MAX_FRACTAL: u64 = 1 << 20;
/// Bytes of the second launch argument.
pub const MAX_DYN_UB: u64 = 1 << 40;
/// Characters of a name.
pub const MAX_NAME: usize = 200;
/// Characters of a clause's number.
pub const MAX_CLAUSE: usize = 40;
/// Bytes of a case file.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// Elements in a tile's padded image; `None` past 2^64.
pub(crate) fn padded_elements(tile: &Tile) -> Option<u64> {
    tile.rows.checked_mul(tile.cols)
}

/// Valid elements of a tile over all chunks; `None` past 2^64.
pub(crate) fn valid_elements(tile: &Tile, chunks: u64) -> Option<u64> {
    tile.valid_row
        .get()
        .checked_mul(tile.valid_col.get())?
        .checked_mul(chunks)
}

/// Elements of a table's shape; `None` past 2^64.
pub(crate) fn shape_elements(table: &GlobalTensor) -> Option<u64> {
    if table.shape.iter().any(|dim| dim.get() == 0) {
        return Some(0);
    }
    table
        .shape
        .iter()
        .try_fold(1_u64, |product, dim| product.checked_mul(dim.get()))
}

/// Elements from a table's first to its last, inclusive; `None` past 2^64.
pub(crate) fn span_elements(table: &GlobalTensor) -> Option<u64> {
    if table.shape.iter().any(|dim| dim.get() == 0) {
        return Some(0);
    }
    let reach = |(extent, stride): (&Dim, &Dim)| (extent.get() - 1).checked_mul(stride.get());
    table
        .shape
        .iter()
        .zip(&table.stride)
        .try_fold(1_u64, |sum, pair| sum.checked_add(reach(pair)?))
}

/// Bytes that a case needs: padded tiles, the table's span and shape, and the
/// tiles' data over all chunks; `None` past 2^64.
pub(crate) fn case_bytes(
    tile: &Tile,
    index: &Tile,
    table: &GlobalTensor,
    chunks: u64,
) -> Option<u64> {
    let tile_bytes = |t: &Tile| {
        let elements = padded_elements(t)?.max(valid_elements(t, chunks)?);
        elements.checked_mul(t.dtype.size() as u64)
    };
    let table_elements = span_elements(table)?.max(shape_elements(table)?);
    tile_bytes(tile)?
        .checked_add(tile_bytes(index)?)?
        .checked_add(table_elements.checked_mul(table.dtype.size() as u64)?)
}

/// Strides of a dense row-major tensor, static; `None` past 2^64. An empty
/// dimension counts as one, so that no stride is 0.
pub(crate) fn dense_strides(shape: &[Dim; 5]) -> Option<[Dim; 5]> {
    let mut stride = [Dim::Static(1); 5];
    for at in (0..4).rev() {
        let inner = stride[at + 1]
            .get()
            .checked_mul(shape[at + 1].get().max(1))?;
        stride[at] = Dim::Static(inner);
    }
    Some(stride)
}
