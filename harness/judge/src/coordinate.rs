//! Where a slot of an operand stands in the operand's own coordinates.

use std::fmt;

use ptodiff_isa::{BLayout, Call, Coalesce, GlobalTensor, Layout, Operand, Role, SLayout, Tile};

/// A place in an operand's logical coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coordinate {
    /// Element `[i0, i1, i2, i3, i4]` of a tensor.
    Table([u64; 5]),
    /// Row and column of the matrix that an NZ tensor holds (MSCATTER-NZ-03).
    Nz {
        /// Logical row.
        row: u64,
        /// Logical column.
        col: u64,
    },
    /// Row and column of a tile, padding included.
    Tile {
        /// Row, below `rows`.
        r: u64,
        /// Column, below `cols`.
        c: u64,
    },
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table([i0, i1, i2, i3, i4]) => write!(f, "[{i0}, {i1}, {i2}, {i3}, {i4}]"),
            Self::Nz { row, col } => write!(f, "({row}, {col})"),
            Self::Tile { r, c } => write!(f, "({r}, {c})"),
        }
    }
}

/// What a slot is to its operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// Its logical place; none between the rows of a strided tensor, and none
    /// in tiles whose boxes no document describes.
    pub coordinate: Option<Coordinate>,
    /// Whether it counts: an element of the tensor, or inside the valid region
    /// of the tile, or any slot of a tile of which no one can tell where that
    /// region lies. All else is padding.
    pub valid: bool,
}

/// Where slot `element` (counted from the start of the body) of an operand stands.
///
/// A table is resolved by its strides, which must not overlap. Where an ND table in Elem mode is
/// flat (MSCATTER-GAP-18), slots between its rows may count, too.
#[must_use]
pub fn locate(call: &Call, role: Role, element: u64) -> Spot {
    match call.operand(role) {
        Some(Operand::Tile(tile)) => in_tile(tile, element),
        Some(Operand::Tensor(tensor)) => {
            let coordinate = in_tensor(tensor, element);
            let flat = tensor.layout == Layout::ND && call.mode() == Some(Coalesce::Elem);
            let shape = tensor.shape.iter().map(|dim| dim.get());
            let is_in_order = || element < shape.fold(1, u64::saturating_mul);
            Spot {
                coordinate,
                valid: coordinate.is_some() || flat && is_in_order(),
            }
        }
        None => Spot {
            coordinate: None,
            valid: false,
        },
    }
}

fn in_tensor(table: &GlobalTensor, element: u64) -> Option<Coordinate> {
    let shape = table.shape.map(|d| d.get());
    let at = strided(&shape, &table.stride.map(|d| d.get()), element)?;
    if table.layout != Layout::NZ {
        return Some(Coordinate::Table(at));
    }
    // Shape<B, BCols, BRows, 16, C0>; batches extend the columns.
    let row = at[2].checked_mul(shape[3])?.checked_add(at[3])?;
    let block = at[0].checked_mul(shape[1])?.checked_add(at[1])?;
    let col = block.checked_mul(shape[4])?.checked_add(at[4])?;
    Some(Coordinate::Nz { row, col })
}

fn strided(shape: &[u64; 5], stride: &[u64; 5], element: u64) -> Option<[u64; 5]> {
    let mut order = [0, 1, 2, 3, 4];
    order.sort_by_key(|d: &usize| std::cmp::Reverse(stride[*d]));
    let (mut rest, mut at) = (element, [0; 5]);
    for d in order {
        let last = shape[d].checked_sub(1)?;
        // The stride of a dimension of one element is never used.
        if last > 0 {
            at[d] = rest.checked_div(stride[d])?.min(last);
            rest -= at[d] * stride[d];
        }
    }
    (rest == 0).then_some(at)
}

fn in_tile(tile: &Tile, element: u64) -> Spot {
    let at = match (tile.slayout, tile.blayout) {
        (SLayout::NoneBox, BLayout::RowMajor) => element
            .checked_div(tile.cols)
            .map(|r| (r, element % tile.cols)),
        (SLayout::NoneBox, BLayout::ColMajor) => element
            .checked_div(tile.rows)
            .map(|c| (element % tile.rows, c)),
        (SLayout::RowMajor, BLayout::ColMajor) => in_nz_tile(tile, element),
        // No one can tell which of its slots are padding, so each may count.
        _ => {
            let some = tile.valid_row.get() > 0 && tile.valid_col.get() > 0;
            return Spot {
                coordinate: None,
                valid: some && element < tile.rows.saturating_mul(tile.cols),
            };
        }
    };
    let at = at.filter(|(r, c)| *r < tile.rows && *c < tile.cols);
    Spot {
        coordinate: at.map(|(r, c)| Coordinate::Tile { r, c }),
        valid: at.is_some_and(|(r, c)| r < tile.valid_row.get() && c < tile.valid_col.get()),
    }
}

/// Blocks of 32 bytes a row, each as high as the tile (MGATHER-NZ-06).
fn in_nz_tile(tile: &Tile, element: u64) -> Option<(u64, u64)> {
    let c0 = 32 / tile.dtype.size() as u64;
    let block = tile.rows.checked_mul(c0)?;
    let (column, rest) = (element.checked_div(block)?, element % block);
    Some((rest / c0, column.checked_mul(c0)?.checked_add(rest % c0)?))
}
