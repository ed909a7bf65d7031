//! Facts about single operands that the rules are made of.

use ptodiff_isa::{BLayout, DType, Dim, GlobalTensor, SLayout, ScatterAtomicOp, Tile, TileType};

use crate::relation::place::{BLOCK_BYTES, BLOCK_ROWS};

/// Goes on only where a rule holds.
pub(in crate::relation) fn demand(holds: bool) -> Option<()> {
    holds.then_some(())
}

/// The valid extents of a tile that has at least one element and no more
/// than its padded image.
pub(super) fn extents(tile: &Tile) -> Option<[u64; 2]> {
    let valid = [tile.valid_row.get(), tile.valid_col.get()];
    let fits = |(valid, padded): (u64, u64)| (1..=padded).contains(&valid);
    let padded = [tile.rows, tile.cols];
    demand(valid.into_iter().zip(padded).all(fits))?;
    Some(valid)
}

/// Whether a tile is in UB and has no boxes.
pub(super) fn plain(tile: &Tile) -> bool {
    tile.location == TileType::Vec && tile.slayout == SLayout::NoneBox
}

/// Whether it is also by rows.
pub(super) fn plain_rows(tile: &Tile) -> bool {
    plain(tile) && tile.blayout == BLayout::RowMajor
}

/// Whether a tile is in NZ form (000, NZ Layout; 001, MGatherCheckGm2L1).
pub(super) fn fractal(tile: &Tile, location: TileType) -> bool {
    tile.location == location
        && tile.blayout == BLayout::ColMajor
        && tile.slayout == SLayout::RowMajor
        && tile.fractal == BLOCK_ROWS * BLOCK_BYTES
        && tile.rows.is_multiple_of(BLOCK_ROWS)
        && tile.cols.is_multiple_of(across(tile.dtype))
}

/// Elements of `dtype` in a row of a fractal block.
pub(super) const fn across(dtype: DType) -> u64 {
    BLOCK_BYTES / dtype.size() as u64
}

/// Whether the contiguous extent of a tile without boxes is a multiple of 32 bytes.
pub(super) fn whole_units(tile: &Tile) -> bool {
    let along = match tile.blayout {
        BLayout::RowMajor => tile.cols,
        BLayout::ColMajor => tile.rows,
    };
    along.is_multiple_of(across(tile.dtype))
}

/// What a tile takes of UB, in bytes.
pub(super) fn bytes(tile: &Tile) -> u64 {
    let elements = tile.rows.saturating_mul(tile.cols);
    let bytes = elements.saturating_mul(tile.dtype.size() as u64);
    bytes.saturating_add(31) / 32 * 32
}

/// The nine types that every target has.
pub(super) const fn common(dtype: DType) -> bool {
    !small(dtype) && dtype.size() <= 4
}

/// The types that A5 has besides.
pub(super) const fn small(dtype: DType) -> bool {
    matches!(
        dtype,
        DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8
    )
}

/// Whether the contract of CPU has `atomic` for `dtype`, which binds its caller
/// even where CPU drops the atomic (MSCATTER-ATOM-16, -17).
pub(super) const fn portable(atomic: ScatterAtomicOp, dtype: DType) -> bool {
    use DType::{Float, Half, Int32, Uint32};
    match atomic {
        ScatterAtomicOp::None => true,
        ScatterAtomicOp::Add => matches!(dtype, Int32 | Uint32 | Float | Half),
        ScatterAtomicOp::Max | ScatterAtomicOp::Min => matches!(dtype, Int32 | Float),
    }
}

/// The two types of indices into a table.
pub(super) const fn index_type(dtype: DType) -> bool {
    matches!(dtype, DType::Int32 | DType::Uint32)
}

/// A tensor's extents and strides as the call runs with them.
#[derive(Clone, Copy)]
pub(in crate::relation) struct Shape {
    pub(in crate::relation) of: [u64; 5],
    pub(in crate::relation) step: [u64; 5],
}

impl Shape {
    pub(in crate::relation) fn of(tensor: &GlobalTensor) -> Self {
        Self {
            of: tensor.shape.map(Dim::get),
            step: tensor.stride.map(Dim::get),
        }
    }

    /// The product of the first `dimensions` extents.
    pub(in crate::relation) fn product(&self, dimensions: usize) -> u64 {
        let extents = &self.of[..dimensions];
        extents.iter().fold(1, |p: u64, e| p.saturating_mul(*e))
    }

    /// Whether dimensions 0 to 2 are all 1.
    pub(in crate::relation) fn flat(&self) -> bool {
        self.of[..3] == [1; 3]
    }

    /// Elements from the first to the last, both included, where no two share a place.
    pub(in crate::relation) fn span(&self) -> Option<u64> {
        let mut span: u64 = 1;
        for (extent, step) in self.of.into_iter().zip(self.step).rev() {
            demand(extent > 0)?;
            if extent > 1 {
                demand(step >= span)?;
                span = step.checked_mul(extent - 1)?.checked_add(span)?;
            }
        }
        Some(span)
    }

    /// Whether the elements lie side by side in row-major order.
    pub(in crate::relation) fn packed(&self) -> bool {
        self.span() == Some(self.product(5))
    }

    /// The elements that rows of `width`, a stride of dimension 3 apart, take
    /// up, where dimensions 0 to 2 lie as if they were more rows.
    pub(in crate::relation) fn rows(&self, width: u64) -> Option<u64> {
        let [.., rows, across] = self.of;
        let pitch = self.step[3];
        demand(self.step[4] == 1 && pitch >= across && width <= across)?;
        let mut next = pitch.checked_mul(rows)?;
        for at in (0..3).rev() {
            demand(self.of[at] == 1 || self.step[at] == next)?;
            next = next.checked_mul(self.of[at])?;
        }
        pitch
            .checked_mul(self.product(4).checked_sub(1)?)?
            .checked_add(width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(of: [u64; 5], step: [u64; 5]) -> Shape {
        Shape { of, step }
    }

    #[test]
    fn tensors_without_shared_places() {
        let packed = shape([1, 2, 1, 2, 3], [99, 6, 1, 3, 1]);
        assert_eq!((packed.span(), packed.packed()), (Some(12), true));
        let padded = shape([1, 2, 1, 2, 3], [1, 20, 1, 8, 1]);
        assert_eq!((padded.span(), padded.packed()), (Some(31), false));
        assert_eq!(shape([1, 1, 1, 2, 3], [1, 1, 1, 2, 1]).span(), None);
        assert_eq!(shape([1, 1, 1, 0, 3], [1, 1, 1, 3, 1]).span(), None);
    }

    #[test]
    fn rows_that_follow_each_other() {
        assert_eq!(shape([1, 1, 2, 3, 8], [1, 1, 48, 16, 1]).rows(5), Some(85));
        assert_eq!(shape([1, 1, 2, 3, 8], [1, 1, 64, 16, 1]).rows(5), None);
        assert_eq!(shape([1, 1, 1, 3, 8], [1, 1, 1, 8, 1]).rows(9), None);
        assert_eq!(shape([1, 1, 1, 3, 8], [1, 1, 1, 7, 1]).rows(8), None);
        assert_eq!(shape([1, 1, 1, 3, 8], [1, 1, 1, 16, 2]).rows(8), None);
        assert_eq!(shape([1, 1, 1, 0, 8], [1, 1, 1, 8, 1]).rows(8), None);
    }
}
