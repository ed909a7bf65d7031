//! Indices: where in the index operand one lies, and what number it is.

use ptodiff_isa::{BLayout, DType, GlobalTensor, L1IndexPitch, Tile};

use crate::layout::Steps;
use crate::operand::Input;
use crate::tile::{self, Elements};
use crate::watch::Watch;

/// The index operand: a tile read through its own layout, or a tensor.
pub(crate) struct Indices<'a> {
    elements: Elements<&'a [u8]>,
    dtype: DType,
    /// Whether the index of row `r` stands at `(r, 0)` rather than `(0, r)`.
    upright: bool,
}

impl<'a> Indices<'a> {
    /// The indices that `bytes` hold in the layout of `tile`.
    pub(crate) fn new(tile: &Tile, bytes: Input<'a>) -> Self {
        Self {
            elements: Elements::new(tile, bytes),
            dtype: tile.dtype,
            upright: tile.valid_col.get() == 1,
        }
    }

    /// The indices of a tensor for `cols` columns a row (MGATHERL1-GAP-03).
    pub(crate) fn of_tensor(
        tensor: &GlobalTensor,
        bytes: Input<'a>,
        cols: u64,
        pitch: L1IndexPitch,
    ) -> Self {
        let (row, col) = match pitch {
            L1IndexPitch::Linear => (cols, 1),
            L1IndexPitch::Strided => (tensor.stride[3].get(), tensor.stride[4].get()),
        };
        let width = tensor.dtype.size();
        Self {
            elements: Elements::placed(Steps::apart(row, col, width), width, bytes),
            dtype: tensor.dtype,
            upright: false,
        }
    }

    /// Whether `cols` columns a row make one sequence, row after row.
    pub(crate) fn packed(&self, cols: u64) -> bool {
        self.elements.packed(cols)
    }

    /// The index of element `(r, c)`, cast to `uint32_t`.
    ///
    /// A narrower signed index is extended first, a wider one loses its upper half.
    #[inline]
    pub(crate) fn of_element(&self, r: u64, c: u64, watch: &mut impl Watch) -> u32 {
        match self.dtype {
            DType::Int8 => i32::from(i8::from_le_bytes(self.elements.load(r, c, watch))) as u32,
            DType::Int16 => i32::from(i16::from_le_bytes(self.elements.load(r, c, watch))) as u32,
            _ => self.unsigned(r, c, watch) as u32,
        }
    }

    /// The index of element `(r, c)` as an unsigned number of its own width
    /// (TSCATTER-GAP-06).
    #[inline]
    pub(crate) fn unsigned(&self, r: u64, c: u64, watch: &mut impl Watch) -> u64 {
        match self.dtype.size() {
            1 => u8::from_le_bytes(self.elements.load(r, c, watch)).into(),
            2 => u16::from_le_bytes(self.elements.load(r, c, watch)).into(),
            4 => u32::from_le_bytes(self.elements.load(r, c, watch)).into(),
            _ => u64::from_le_bytes(self.elements.load(r, c, watch)),
        }
    }

    /// The index of row `r`: element `r` of the [1, R] or [R, 1] tile, or of the tensor.
    #[inline]
    pub(crate) fn of_row(&self, r: u64, watch: &mut impl Watch) -> u32 {
        if self.upright {
            self.of_element(r, 0, watch)
        } else {
            self.of_element(0, r, watch)
        }
    }

    /// The indices of the first `rows` rows of `cols` elements, a row in one
    /// piece, if they are `W` bytes wide and lie so.
    #[inline]
    pub(crate) fn words<const W: usize>(
        &self,
        rows: u64,
        cols: u64,
    ) -> Option<impl Iterator<Item = &'a [[u8; W]]> + use<'a, W>> {
        self.elements.rows(rows, cols)
    }

    /// The indices of the first `rows` rows, under the same conditions.
    #[inline]
    pub(crate) fn words_of_rows(&self, rows: u64) -> Option<&'a [[u8; 4]]> {
        // A column of which nothing lies between is read as a row.
        if self.upright && !self.packed(1) {
            return None;
        }
        Some(self.words(1, rows)?.next().unwrap_or_default())
    }
}

/// The indices of the first `rows` rows of `cols` elements, if they are four
/// bytes wide, nothing lies between any of them and all are the operand's own.
#[inline]
pub(crate) fn of_elements<'a>(
    tile: &Tile,
    bytes: &'a [u8],
    rows: u64,
    cols: u64,
) -> Option<&'a [[u8; 4]]> {
    match tile.dtype.size() {
        4 => tile::sequence(tile, bytes, rows, cols),
        _ => None,
    }
}

/// Those of the first `rows` rows, one a row, under the same conditions.
#[inline]
pub(crate) fn of_rows<'a>(tile: &Tile, bytes: &'a [u8], rows: u64) -> Option<&'a [[u8; 4]]> {
    let upright = tile.valid_col.get() == 1;
    // From one to the next is one element: of a row, or of a column that is alone.
    let touching = match tile.blayout {
        BLayout::RowMajor => !upright || tile.cols == 1,
        BLayout::ColMajor => upright || tile.rows == 1,
    };
    if tile.dtype.size() != 4 || !touching {
        return None;
    }
    bytes.as_chunks().0.get(..usize::try_from(rows).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operand::Operand;
    use ptodiff_isa::{Dim, Role, SLayout, TileType};

    /// 0, 1, .. as `uint32_t`, `row` of them from row to row.
    fn counted(bytes: &[u8], row: u64, upright: bool) -> Indices<'_> {
        let bytes = Operand::bare(Role::Index, bytes);
        Indices {
            elements: Elements::placed(Steps::apart(row, 1, 4), 4, bytes),
            dtype: DType::Uint32,
            upright,
        }
    }

    fn twelve() -> Vec<u8> {
        (0_u32..12).flat_map(u32::to_le_bytes).collect()
    }

    fn numbers(words: &[[u8; 4]]) -> Vec<u32> {
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    #[test]
    fn a_row_is_read_in_one_piece() {
        let bytes = twelve();
        let indices = counted(&bytes, 6, false);
        assert!(indices.packed(6) && !indices.packed(5));
        let rows = indices.words::<4>(2, 3).expect("pieces");
        let rows: Vec<_> = rows.map(numbers).collect();
        assert_eq!(rows, [[0, 1, 2], [6, 7, 8]]);
        assert!(indices.words::<2>(2, 3).is_none());
    }

    // [1, 4] of [1, 6]; [4, 1]; [4, 1] of [4, 3], whose indices lie apart.
    #[test]
    fn the_indices_of_rows_are_one_piece_unless_others_lie_between() {
        let bytes = twelve();
        let four = |row, upright| counted(&bytes, row, upright).words_of_rows(4).map(numbers);
        assert_eq!(four(6, false), Some(vec![0, 1, 2, 3]));
        assert_eq!(four(1, true), Some(vec![0, 1, 2, 3]));
        assert_eq!(four(3, true), None);
    }

    // One index a row: four of [1, 6], of [4, 1] and of a column-major [4, 3],
    // whose first column is one piece. Those of a row-major [4, 3] lie apart,
    // as does a row of a column-major tile; one of 13 is missing.
    #[test]
    fn the_indices_of_a_tile_are_one_piece_unless_others_lie_between() {
        let bytes = twelve();
        let read = |blayout, [rows, cols]: [u64; 2], [r, c]: [u64; 2], count| {
            let tile = Tile {
                location: TileType::Vec,
                dtype: DType::Int32,
                rows,
                cols,
                valid_row: Dim::Static(r),
                valid_col: Dim::Static(c),
                blayout,
                slayout: SLayout::NoneBox,
                fractal: 512,
            };
            of_rows(&tile, &bytes, count).map(numbers)
        };
        let four = Some(vec![0, 1, 2, 3]);
        assert_eq!(read(BLayout::RowMajor, [1, 6], [1, 4], 4), four);
        assert_eq!(read(BLayout::RowMajor, [4, 1], [4, 1], 4), four);
        assert_eq!(read(BLayout::ColMajor, [4, 3], [4, 1], 4), four);
        assert_eq!(read(BLayout::ColMajor, [1, 6], [1, 4], 4), four);
        assert_eq!(read(BLayout::RowMajor, [4, 3], [4, 1], 4), None);
        assert_eq!(read(BLayout::ColMajor, [3, 4], [1, 4], 4), None);
        assert_eq!(read(BLayout::RowMajor, [1, 13], [1, 13], 13), None);
    }
}
