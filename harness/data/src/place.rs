//! Where the values of an operand stand in its body.
//!
//! Values are in logical row-major order: over the valid rows and columns of a
//! tile, over the five dimensions of an ND or DN tensor, over the rows and
//! columns of the table that the blocks of an NZ tensor make up (000, NZ Layout).

use ptodiff_isa::{BLayout, Layout, Operand, SLayout, Tile};

/// Rows of a box of a tile (its columns, where the inside is column-major).
const BOX_ROWS: u64 = 16;

/// The logical extents of an operand, outermost first, in elements: two for a
/// tile and for an NZ tensor, five for any other tensor.
#[must_use]
pub fn extents(operand: Operand<'_>) -> Vec<u64> {
    match operand {
        Operand::Tile(tile) => vec![tile.valid_row.get(), tile.valid_col.get()],
        Operand::Tensor(tensor) => {
            let shape = tensor.shape.map(|dim| dim.get());
            match tensor.layout {
                Layout::NZ => vec![
                    shape[2].saturating_mul(shape[3]),
                    shape[0].saturating_mul(shape[1]).saturating_mul(shape[4]),
                ],
                Layout::ND | Layout::DN => shape.to_vec(),
            }
        }
    }
}

/// Bytes of the values of an operand; `None` past 2^64.
#[must_use]
pub fn bytes(operand: Operand<'_>) -> Option<u64> {
    count(&extents(operand))?.checked_mul(operand.dtype().size() as u64)
}

/// Elements of an array with these extents; `None` past 2^64.
pub(crate) fn count(extents: &[u64]) -> Option<u64> {
    if extents.contains(&0) {
        return Some(0);
    }
    extents.iter().try_fold(1_u64, |n, e| n.checked_mul(*e))
}

/// The values of an operand, taken out of its body; `None` if the body ends
/// before the last of them.
#[must_use]
pub fn take(operand: Operand<'_>, body: &[u8]) -> Option<Vec<u8>> {
    let size = operand.dtype().size();
    let mut values = Vec::new();
    each(operand, &mut |at| {
        values.extend_from_slice(body.get(at..at.checked_add(size)?)?);
        Some(())
    })?;
    Some(values)
}

/// Puts the values of an operand into its body, and touches nothing else;
/// `None`, with some of them put, if either is too short.
#[must_use]
pub fn put(operand: Operand<'_>, values: &[u8], body: &mut [u8]) -> Option<()> {
    let mut left = values.chunks_exact(operand.dtype().size());
    each(operand, &mut |at| {
        let value = left.next()?;
        body.get_mut(at..at.checked_add(value.len())?)?
            .copy_from_slice(value);
        Some(())
    })
}

/// Hands the byte offset of every value to `f`, in logical order, until it has none.
pub fn each(operand: Operand<'_>, f: &mut impl FnMut(usize) -> Option<()>) -> Option<()> {
    let size = operand.dtype().size() as u64;
    let mut at = |element: Option<u64>| f(usize::try_from(element?.checked_mul(size)?).ok()?);
    match operand {
        Operand::Tile(tile) => {
            for r in 0..tile.valid_row.get() {
                for c in 0..tile.valid_col.get() {
                    at(in_tile(tile, r, c))?;
                }
            }
        }
        Operand::Tensor(tensor) => {
            let [s0, s1, s2, s3, s4] = tensor.shape.map(|dim| dim.get());
            let stride = tensor.stride.map(|dim| dim.get());
            let nz = tensor.layout == Layout::NZ;
            // Which of the five dimensions each loop runs over.
            let (order, [a, b, c, d, e]) = match nz {
                true => ([2, 3, 0, 1, 4], [s2, s3, s0, s1, s4]),
                false => ([0, 1, 2, 3, 4], [s0, s1, s2, s3, s4]),
            };
            for (i, j) in pairs(a, b) {
                for (k, l) in pairs(c, d) {
                    for m in 0..e {
                        let loops = order.iter().zip([i, j, k, l, m]);
                        at(loops
                            .map(|(dim, at)| at.checked_mul(stride[*dim]))
                            .try_fold(0_u64, |sum, part| sum.checked_add(part?)))?;
                    }
                }
            }
        }
    }
    Some(())
}

fn pairs(outer: u64, inner: u64) -> impl Iterator<Item = (u64, u64)> {
    (0..outer).flat_map(move |o| (0..inner).map(move |i| (o, i)))
}

/// Element `(r, c)` of a tile, counted from the start of its body.
fn in_tile(tile: &Tile, r: u64, c: u64) -> Option<u64> {
    if tile.slayout == SLayout::NoneBox {
        let (major, pitch, minor) = match tile.blayout {
            BLayout::RowMajor => (r, tile.cols, c),
            BLayout::ColMajor => (c, tile.rows, r),
        };
        return major.checked_mul(pitch)?.checked_add(minor);
    }
    let short = tile.fractal / BOX_ROWS / tile.dtype.size() as u64;
    // A box wider than the tile is as good as one of the tile's size.
    let short = short.clamp(1, tile.rows.max(tile.cols).max(1));
    let by_rows = tile.slayout == SLayout::RowMajor;
    let [tall, wide] = match by_rows {
        true => [BOX_ROWS, short],
        false => [short, BOX_ROWS],
    };
    // Full lines of boxes before the one that (r, c) lies in, then boxes of
    // that line before it, then elements of its box.
    let (lines, line, before) = match tile.blayout {
        BLayout::RowMajor => (r / tall, tall.checked_mul(tile.cols)?, c / wide),
        BLayout::ColMajor => (c / wide, wide.checked_mul(tile.rows)?, r / tall),
    };
    let inside = match by_rows {
        true => (r % tall) * short + c % wide,
        false => (c % wide) * short + r % tall,
    };
    let boxes = before.checked_mul(tall * wide)?;
    lines
        .checked_mul(line)?
        .checked_add(boxes)?
        .checked_add(inside)
}
