//! Where things stand: extents, capacities and byte offsets.
//!
//! Extents given at run time may be any number, so offsets are computed in
//! `i128`; one beyond `i64` is as far outside as any.

use ptodiff_isa::{BLayout, Dim, Fault, GlobalTensor, Role, RowIndexPitch, Tile};

/// Bytes of one index of MSCATTER and MGATHER.
pub(crate) const INDEX_SIZE: usize = 4;

/// Most elements that a call may run over. With an index each they fill the
/// largest memory that a case has, 256 MiB.
const MOST_ELEMENTS: u64 = 1 << 26;

/// The rows and columns that a call runs over, none of either where there is no
/// element. Its positions are counted row by row.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) rows: u64,
    pub(crate) cols: u64,
}

impl Extent {
    /// Fails where there are more elements than any memory of a case has.
    pub(crate) fn new(rows: u64, cols: u64) -> Result<Self, Fault> {
        if rows.saturating_mul(cols) > MOST_ELEMENTS {
            return Err(Fault(format!("a region of {rows}x{cols} fits no memory")));
        }
        if rows == 0 || cols == 0 {
            return Ok(Self { rows: 0, cols: 0 });
        }
        Ok(Self { rows, cols })
    }

    /// The valid region of a tile.
    pub(crate) fn valid(tile: &Tile) -> Result<Self, Fault> {
        Self::new(tile.valid_row.get(), tile.valid_col.get())
    }

    /// All of a tile.
    pub(crate) fn padded(tile: &Tile) -> Result<Self, Fault> {
        Self::new(tile.rows, tile.cols)
    }

    /// Number of its elements.
    pub(crate) fn count(self) -> u64 {
        self.rows * self.cols
    }

    /// Row and column of a position.
    pub(crate) fn position(self, at: u32) -> (u64, u64) {
        let at = u64::from(at);
        (at / self.cols, at % self.cols)
    }
}

/// Fails for a tile of more bytes than any memory has.
pub(crate) fn fits_memory(role: Role, tile: &Tile) -> Result<(), Fault> {
    match i64::try_from(image_bytes(tile, tile.dtype.size())) {
        Ok(_) => Ok(()),
        Err(_) => Err(Fault(format!("the {role} tile fits no memory"))),
    }
}

/// Bytes of a tile's whole allocation, padding included.
pub(crate) fn image_bytes(tile: &Tile, size: usize) -> u64 {
    let elements = tile.rows.saturating_mul(tile.cols);
    elements.saturating_mul(size as u64)
}

/// `tile_offset_2d(r, c)` in bytes: the BLayout and the padded extents decide
/// (MSCATTER-TILE-11, -18).
pub(crate) fn tile_at(tile: &Tile, (row, col): (u64, u64), size: usize) -> i64 {
    tile_row_at(tile, row.into(), col, size)
}

/// The same where the tile may have no such row.
pub(crate) fn tile_row_at(tile: &Tile, row: i128, col: u64, size: usize) -> i64 {
    let (outer, pitch, inner) = match tile.blayout {
        BLayout::RowMajor => (row, tile.cols, col.into()),
        BLayout::ColMajor => (col.into(), tile.rows, row),
    };
    pitched_at(outer, pitch.into(), inner, size)
}

/// Byte offset of column `col` of row `row` where rows lie `pitch` elements apart.
pub(crate) fn row_at(row: i64, pitch: u64, col: u64, size: usize) -> i64 {
    pitched_at(row.into(), pitch.into(), col.into(), size)
}

fn pitched_at(outer: i128, pitch: i128, inner: i128, size: usize) -> i64 {
    element_at(outer * pitch + inner, size)
}

/// Byte offset of an element of a flat operand.
pub(crate) fn element_at(element: i128, size: usize) -> i64 {
    let bytes = element.saturating_mul(size as i128);
    bytes.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// Byte offset of the index of `row` in a Row index tile: one after the other
/// (MSCATTER-INDEX-05, MGATHER-INDEX-03), or through the tile's own layout
/// (MSCATTER-GAP-36, MGATHER-GAP-15).
pub(crate) fn row_index_at(idx: &Tile, row: u64, pitch: RowIndexPitch) -> i64 {
    let pitch = match pitch {
        RowIndexPitch::Precondition | RowIndexPitch::Rejected => 1,
        RowIndexPitch::Logical => row_index_pitch(idx),
    };
    pitched_at(row.into(), pitch.into(), 0, INDEX_SIZE)
}

/// Elements from one index of a Row index tile to the next by the tile's layout: 1
/// unless it is [1, R] in columns or [R, 1] in rows.
pub(crate) fn row_index_pitch(idx: &Tile) -> u64 {
    match (idx.valid_row.get(), idx.valid_col.get(), idx.blayout) {
        (1, _, BLayout::ColMajor) => idx.rows,
        (rows, 1, BLayout::RowMajor) if rows != 1 => idx.cols,
        _ => 1,
    }
}

/// The product of some extents of a table.
pub(crate) fn product(extents: &[Dim]) -> u64 {
    let extents = extents.iter().map(|extent| extent.get());
    extents.fold(1, u64::saturating_mul)
}

/// The capacity of Elem mode: all elements (MSCATTER-CAP-02, MGATHER-CAP-04).
pub(crate) fn table_size(table: &GlobalTensor) -> u64 {
    product(&table.shape)
}
