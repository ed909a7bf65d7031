//! Where elements lie: tiles without boxes, and ND tables.
//!
//! Positions count elements in 128 bits, so that no stride and no index that a
//! call can have leaves their range (MSCATTER-GAP-11, MGATHER-GAP-04).

use ptodiff_isa::{BLayout, Dim, GlobalTensor, OuterStrides, PaddedElem, Tile};

/// The byte at which an element lies; beyond 64 bits the last one that an access can name.
pub(crate) fn byte(element: i128, size: usize) -> i64 {
    let element = element.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    element.saturating_mul(size as i64)
}

/// The same for a number of bytes.
pub(crate) fn bytes(elements: u64, size: usize) -> u64 {
    elements.saturating_mul(size as u64)
}

/// Bytes of a tile's whole allocation, padding included.
pub(crate) fn allocation(tile: &Tile) -> u64 {
    bytes(tile.rows.saturating_mul(tile.cols), tile.dtype.size())
}

/// The product of some extents.
pub(crate) fn product(extents: &[Dim]) -> i128 {
    let all = extents.iter().map(|extent| extent.get());
    all.fold(1_u64, u64::saturating_mul).into()
}

/// The byte of element (row, col) of an ND tile: from row to row it is the padded
/// width (MSCATTER-TILE-18, MGATHER-TILE-13).
pub(crate) fn in_nd(tile: &Tile, row: u64, col: u64) -> i64 {
    let element = scaled(row, tile.cols).saturating_add(col.into());
    byte(element, tile.dtype.size())
}

/// The byte of element (row, col) of a tile without boxes, in whichever layout.
pub(crate) fn in_tile(tile: &Tile, row: u64, col: u64) -> i64 {
    in_tile_of(tile, row, col, tile.dtype.size())
}

/// The same for elements of `size` bytes, whatever the tile's dtype.
pub(crate) fn in_tile_of(tile: &Tile, row: u64, col: u64, size: usize) -> i64 {
    byte(element(tile, row.into(), col), size)
}

/// The slot of the storage of a tile without boxes that element (row, col) is, be
/// it in the tile or not.
pub(crate) fn element(tile: &Tile, row: i128, col: u64) -> i128 {
    let (line, pitch, along) = match tile.blayout {
        BLayout::RowMajor => (row, tile.cols, col.into()),
        BLayout::ColMajor => (col.into(), tile.rows, row),
    };
    line.saturating_mul(pitch.into()).saturating_add(along)
}

/// The first element of a row of an ND table: its number times GetStride(DIM_3)
/// (MSCATTER-TABLE-04).
///
/// Under `split` the number is split over dimensions 0 to 3, and the stride of
/// each counts (MSCATTER-GAP-16, MGATHER-GAP-06).
pub(crate) fn row(table: &GlobalTensor, row: i128, strides: OuterStrides) -> i128 {
    match strides {
        OuterStrides::Precondition | OuterStrides::Ignored => strided(row, table.stride[3]),
        OuterStrides::Split => split(table, row, 3, strided(1, table.stride[3])),
    }
}

/// The element that slot `slot` of an ND table is: the number itself, as Elem
/// addresses the table linearly (MSCATTER-INDEX-03).
///
/// Under `strided` it is split over the shape, and the strides count
/// (MSCATTER-GAP-18, MGATHER-GAP-07).
pub(crate) fn slot(table: &GlobalTensor, slot: i128, padded: PaddedElem) -> i128 {
    match padded {
        PaddedElem::Flat | PaddedElem::Precondition => slot,
        PaddedElem::Strided => split(table, slot, 4, 1),
    }
}

/// Splits `number` over dimensions 0 to `last`, the last one running fastest.
///
/// Beyond its shape a table that is packed, one step of `pitch` elements after the
/// other, goes on as within; of any other, what is left counts in dimension 0.
fn split(table: &GlobalTensor, number: i128, last: usize, pitch: i128) -> i128 {
    if is_packed(table, last, pitch) {
        return number.saturating_mul(pitch);
    }
    let (mut rest, mut element) = (number, 0_i128);
    for dim in (1..=last).rev() {
        // A table with an extent of 0 has no slot that could be selected.
        let extent = i128::from(table.shape[dim].get().max(1));
        element = element.saturating_add(strided(rest % extent, table.stride[dim]));
        rest /= extent;
    }
    element.saturating_add(strided(rest, table.stride[0]))
}

/// Whether dimensions 0 to `last` lie without gaps, if `last` has the stride
/// `pitch`. Of an extent of 1 no stride is ever taken.
fn is_packed(table: &GlobalTensor, last: usize, pitch: i128) -> bool {
    let mut gapless = pitch;
    (0..=last).rev().all(|dim| {
        let (extent, stride) = (table.shape[dim], strided(1, table.stride[dim]));
        let fits = extent.get() == 1 || stride == gapless;
        gapless = strided(gapless, extent);
        fits
    })
}

/// `number` times a stride.
pub(crate) fn strided(number: i128, stride: Dim) -> i128 {
    number.saturating_mul(stride.get().into())
}

/// The product of two extents; beyond 64 bits it is out of reach anyhow.
pub(crate) fn scaled(number: u64, pitch: u64) -> i128 {
    number.saturating_mul(pitch).into()
}

/// The positions of a valid region in blocks of columns: block after block, in
/// it row after row, in that column after column. One block of all columns is
/// the order of increasing (r, c).
pub(crate) fn walk(rows: u64, cols: u64, block: u64) -> impl Iterator<Item = (u64, u64)> {
    let blocks = (0..cols).step_by(block.max(1) as usize);
    blocks.flat_map(move |first| {
        let end = first.saturating_add(block).min(cols);
        (0..rows).flat_map(move |row| (first..end).map(move |col| (row, col)))
    })
}
