//! Sizes: how much an index may select, how much a tile holds.

use std::num::NonZero;

use ptodiff_isa::{Coalesce, Dim, GlobalTensor, Layout, Tile};

use crate::nz::FRACTAL_ROWS;

/// Rows (Row) or elements (Elem) of `table`, by its run-time extents
/// (MSCATTER-CAP-01, MSCATTER-DYN-03, MGATHER-CAP-07).
pub(crate) fn capacity(mode: Coalesce, table: &GlobalTensor) -> i64 {
    match (mode, table.layout) {
        (Coalesce::Elem, _) => elements(&table.shape),
        (Coalesce::Row, Layout::NZ) => nz_rows(&table.shape),
        (Coalesce::Row, Layout::ND | Layout::DN) => nd_rows(&table.shape),
    }
}

/// Where products are cut: no memory has so many elements, and any slot below
/// it has a byte offset of 63 bits.
const LIMIT: u64 = 1 << 59;

/// Product of extents, at most [`LIMIT`].
pub(crate) fn product(extents: impl IntoIterator<Item = u64>) -> i64 {
    let product = extents.into_iter().fold(1, u64::saturating_mul);
    product.min(LIMIT) as i64
}

/// Row capacity of an ND table: `Shape[0]*..*Shape[3]` (MSCATTER-CAP-03, MGATHER-CAP-02).
fn nd_rows(shape: &[Dim; 5]) -> i64 {
    product(shape[..4].iter().map(|d| d.get()))
}

/// Row capacity of an NZ table: its logical rows (MSCATTER-CAP-05, MGATHER-CAP-05).
fn nz_rows(shape: &[Dim; 5]) -> i64 {
    product([shape[2].get(), FRACTAL_ROWS])
}

/// Elem capacity: all five extents (MSCATTER-CAP-02, -06, MGATHER-CAP-04, -06).
fn elements(shape: &[Dim; 5]) -> i64 {
    product(shape.iter().map(|d| d.get()))
}

/// Whether a tile's valid region has no element.
pub(crate) fn nothing_valid(tile: &Tile) -> bool {
    tile.valid_row.get() == 0 || tile.valid_col.get() == 0
}

/// Bytes of a tile of elements of `W` bytes, padding included.
pub(crate) fn tile_bytes<const W: usize>(tile: &Tile) -> usize {
    let bytes = u128::from(tile.rows) * u128::from(tile.cols);
    usize::try_from(bytes.saturating_mul(W as u128)).unwrap_or(usize::MAX)
}

/// Bytes of a padded row of a tile of elements of `W` bytes.
pub(crate) fn row_bytes<const W: usize>(tile: &Tile) -> Option<NonZero<usize>> {
    let bytes = usize::try_from(tile.cols).ok()?.checked_mul(W)?;
    NonZero::new(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(extents: [u64; 5]) -> [Dim; 5] {
        extents.map(Dim::Dynamic)
    }

    /// MSCATTER-CAP-02, -03, -05, -06.
    #[test]
    fn capacities_of_the_register() {
        assert_eq!(elements(&shape([2, 1, 3, 4, 8])), 192);
        assert_eq!(nd_rows(&shape([2, 1, 1, 4, 8])), 8);
        assert_eq!(nz_rows(&shape([1, 2, 2, 16, 16])), 32);
        assert_eq!(elements(&shape([1, 2, 2, 16, 8])), 512);
    }

    #[test]
    fn huge_extents_are_cut_and_zero_stays_zero() {
        assert_eq!(elements(&shape([u64::MAX; 5])), 1 << 59);
        let mut extents = [u64::MAX; 5];
        extents[4] = 0;
        assert_eq!(elements(&shape(extents)), 0);
    }
}
