//! Which index leads which elements of the data tile, in a target's order.

use std::ops::Range;

use ptodiff_isa::{Coalesce, GlobalTensor, L1IndexPitch, Tile};

use crate::{address::strided, out::Stop, spots::Spots};

/// One index and the elements of one tile row that go where it leads.
pub(crate) struct Lane {
    /// Position of the index in the storage of its operand.
    pub(crate) index: usize,
    /// Row of the data tile.
    pub(crate) r: usize,
    /// Its columns.
    pub(crate) cols: Range<usize>,
}

/// A lane a row of `rows`, of `cols` columns each: index r stands at (0, r)
/// or, in a tile of one column, at (r, 0).
pub(crate) fn by_row(idx: &Tile, rows: usize, cols: usize) -> Result<Vec<Lane>, Stop> {
    let spots = Spots::of(idx)?;
    let across = spots.valid[0] == 1;
    let lane = |r| {
        let index = if across {
            spots.at(0, r)?
        } else {
            spots.at(r, 0)?
        };
        let cols = 0..cols;
        Ok(Lane { index, r, cols })
    };
    (0..rows).map(lane).collect()
}

/// A lane an element of `order`.
pub(crate) fn by_element(idx: &Tile, order: &[[usize; 2]]) -> Result<Vec<Lane>, Stop> {
    let spots = Spots::of(idx)?;
    let lane = |&[r, c]: &[usize; 2]| {
        Ok(Lane {
            index: spots.at(r, c)?,
            r,
            cols: c..c + 1,
        })
    };
    order.iter().map(lane).collect()
}

/// Lanes of these rows and columns whose indices stand in a tensor: one after
/// the other, or by its strides (MGATHERL1-GAP-03).
pub(crate) fn by_tensor(
    idx: &GlobalTensor,
    lanes: Vec<(usize, Range<usize>)>,
    mode: Coalesce,
    pitch: L1IndexPitch,
) -> Result<Vec<Lane>, Stop> {
    let positions = match (pitch, mode) {
        (L1IndexPitch::Linear, _) => (0..lanes.len() as u64).collect(),
        (L1IndexPitch::Strided, Coalesce::Row) => strided(idx, 4..5)?,
        (L1IndexPitch::Strided, Coalesce::Elem) => {
            let all = strided(idx, 3..5)?;
            let wide = idx.shape[4].get() as usize;
            let of = |(r, cols): &(usize, Range<usize>)| all.get(r * wide + cols.start);
            lanes.iter().filter_map(of).copied().collect()
        }
    };
    if positions.len() < lanes.len() {
        return Err(Stop::NotCovered(
            "an index tensor of fewer indices than lanes",
        ));
    }
    let lane = |((r, cols), at): ((usize, Range<usize>), u64)| Lane {
        index: usize::try_from(at).unwrap_or(usize::MAX),
        r,
        cols,
    };
    Ok(lanes.into_iter().zip(positions).map(lane).collect())
}

/// (r, c) below `valid`, row by row.
pub(crate) fn row_by_row([rows, cols]: [usize; 2]) -> Vec<[usize; 2]> {
    let row = |r| (0..cols).map(move |c| [r, c]);
    (0..rows).flat_map(row).collect()
}

/// (r, c) below `valid`, column by column.
pub(crate) fn column_by_column([rows, cols]: [usize; 2]) -> Vec<[usize; 2]> {
    let col = |c| (0..rows).map(move |r| [r, c]);
    (0..cols).flat_map(col).collect()
}

/// (r, c) below `valid`: a block of `wide` columns, its rows, their columns.
pub(crate) fn block_by_block([rows, cols]: [usize; 2], wide: usize) -> Vec<[usize; 2]> {
    let mut all = Vec::with_capacity(rows * cols);
    for block in (0..cols).step_by(wide) {
        for r in 0..rows {
            all.extend((block..cols.min(block + wide)).map(|c| [r, c]));
        }
    }
    all
}
