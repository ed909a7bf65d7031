//! Where the elements of a tile stand.

use ptodiff_isa::{BLayout, SLayout, Tile};

use crate::{ELEMENTS, out::Stop};

/// Rows of a box of an NZ tile; its rows have 32 bytes.
const BOX_ROWS: usize = 16;

/// The storage position of each element of a tile, padding included.
pub(crate) struct Spots {
    /// Padded columns.
    cols: usize,
    /// By row, then column.
    at: Vec<usize>,
    /// Valid rows and columns.
    pub(crate) valid: [usize; 2],
}

impl Spots {
    /// Walks the storage of `tile` from its first element to its last.
    pub(crate) fn of(tile: &Tile) -> Result<Self, Stop> {
        let [rows, cols] = padded(tile)?;
        let valid = [tile.valid_row.get(), tile.valid_col.get()];
        let valid = match valid.map(usize::try_from) {
            [Ok(r), Ok(c)] if r <= rows && c <= cols => [r, c],
            _ => {
                return Err(Stop::NotCovered(
                    "a tile's valid extents exceed its padded ones",
                ));
            }
        };
        let mut at = vec![0; rows * cols];
        let mut next = 0;
        let mut put = |r: usize, c: usize| {
            at[r * cols + c] = next;
            next += 1;
        };
        match (tile.blayout, tile.slayout) {
            (BLayout::RowMajor, SLayout::NoneBox) => {
                for r in 0..rows {
                    for c in 0..cols {
                        put(r, c);
                    }
                }
            }
            (BLayout::ColMajor, SLayout::NoneBox) => {
                for c in 0..cols {
                    for r in 0..rows {
                        put(r, c);
                    }
                }
            }
            (BLayout::ColMajor, SLayout::RowMajor) => {
                let wide = 32 / tile.dtype.size();
                if tile.fractal != 512 || cols % wide != 0 || rows % BOX_ROWS != 0 {
                    return Err(Stop::NotCovered("a tile of other boxes than 16 x 32 bytes"));
                }
                for box_col in (0..cols).step_by(wide) {
                    for box_row in (0..rows).step_by(BOX_ROWS) {
                        for r in box_row..box_row + BOX_ROWS {
                            for c in box_col..box_col + wide {
                                put(r, c);
                            }
                        }
                    }
                }
            }
            _ => return Err(Stop::NotCovered("a tile whose boxes are not those of NZ")),
        }
        Ok(Self { cols, at, valid })
    }

    /// Where (r, c) stands, if the tile has it.
    pub(crate) fn find(&self, r: usize, c: usize) -> Option<usize> {
        if c >= self.cols {
            return None;
        }
        let start = r.checked_mul(self.cols)?;
        self.at.get(start.checked_add(c)?).copied()
    }

    /// Where (r, c) stands, which the descriptor says is there.
    pub(crate) fn at(&self, r: usize, c: usize) -> Result<usize, Stop> {
        self.find(r, c)
            .ok_or(Stop::NotCovered("a tile has no such element"))
    }

    /// Elements of the storage.
    pub(crate) fn len(&self) -> usize {
        self.at.len()
    }

    /// Padded columns.
    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    /// Where the elements that are not valid stand.
    pub(crate) fn padding(&self) -> impl Iterator<Item = usize> {
        self.those(false)
    }

    /// Where the valid elements stand, row by row.
    pub(crate) fn held(&self) -> impl Iterator<Item = usize> {
        self.those(true)
    }

    fn those(&self, wanted: bool) -> impl Iterator<Item = usize> {
        let ([rows, cols], wide) = (self.valid, self.cols);
        let valid = move |n: usize| n / wide < rows && n % wide < cols;
        let all = self.at.iter().enumerate();
        all.filter(move |(n, _)| valid(*n) == wanted)
            .map(|(_, &spot)| spot)
    }
}

fn padded(tile: &Tile) -> Result<[usize; 2], Stop> {
    match [tile.rows, tile.cols].map(usize::try_from) {
        [Ok(r), Ok(c)] if r.checked_mul(c).is_some_and(|n| n <= ELEMENTS) => Ok([r, c]),
        _ => Err(Stop::TooLarge),
    }
}
