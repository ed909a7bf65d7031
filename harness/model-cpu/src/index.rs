//! Indices: where in the index tile one lies, and its cast to `uint32_t`.

use ptodiff_isa::{DType, Tile};

use crate::operand::Input;
use crate::tile::Elements;
use crate::watch::Watch;

/// The index tile, read through its own layout.
pub(crate) struct Indices<'a> {
    tile: Elements<&'a [u8]>,
    dtype: DType,
    /// Whether the index of row `r` stands at `(r, 0)` rather than `(0, r)`.
    upright: bool,
}

impl<'a> Indices<'a> {
    /// The indices that `bytes` hold in the layout of `tile`.
    pub(crate) fn new(tile: &Tile, bytes: Input<'a>) -> Self {
        Self {
            tile: Elements::new(tile, bytes),
            dtype: tile.dtype,
            upright: tile.valid_col.get() == 1,
        }
    }

    /// Whether `cols` columns a row make one sequence, row after row.
    pub(crate) fn packed(&self, cols: u64) -> bool {
        self.tile.packed(cols)
    }

    /// The index of element `(r, c)`.
    ///
    /// A narrower signed index is extended first, a wider one loses its upper half.
    #[inline]
    pub(crate) fn of_element(&self, r: u64, c: u64, watch: &mut impl Watch) -> u32 {
        match self.dtype {
            DType::Int8 => i32::from(i8::from_le_bytes(self.tile.load(r, c, watch))) as u32,
            DType::Int16 => i32::from(i16::from_le_bytes(self.tile.load(r, c, watch))) as u32,
            other => match other.size() {
                1 => u32::from(u8::from_le_bytes(self.tile.load(r, c, watch))),
                2 => u32::from(u16::from_le_bytes(self.tile.load(r, c, watch))),
                4 => u32::from_le_bytes(self.tile.load(r, c, watch)),
                _ => u64::from_le_bytes(self.tile.load(r, c, watch)) as u32,
            },
        }
    }

    /// The index of row `r`: element `r` of the [1, R] or [R, 1] tile.
    #[inline]
    pub(crate) fn of_row(&self, r: u64, watch: &mut impl Watch) -> u32 {
        if self.upright {
            self.of_element(r, 0, watch)
        } else {
            self.of_element(0, r, watch)
        }
    }

    /// The first `cols` indices of row `r` in one piece, if they are 32 bits
    /// wide and the tile has them so.
    #[inline]
    pub(crate) fn words(&self, r: u64, cols: u64) -> Option<&[[u8; 4]]> {
        if self.dtype.size() != 4 {
            return None;
        }
        Some(self.tile.row(r, cols)?.as_chunks().0)
    }
}
