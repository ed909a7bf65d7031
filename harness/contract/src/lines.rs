//! The lanes of a call, line by line.

use crate::coord::Plane;

/// In which order lanes are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// By coordinates, row-major.
    Logical,
    /// By where they stand in the data tile: in an NZ tile column block, then
    /// row, then column in the block (MSCATTER-NZ-13).
    Physical,
}

/// Lanes that stand in even steps in two planes, the data tile's and another:
/// gives the element offsets of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    /// Of the first lane.
    at: [usize; 2],
    /// From one lane to the next.
    step: [usize; 2],
    /// How many lanes there are.
    len: usize,
}

impl Iterator for Line {
    type Item = [usize; 2];

    #[inline]
    fn next(&mut self) -> Option<[usize; 2]> {
        self.len = self.len.checked_sub(1)?;
        let ([a, b], [x, y]) = (self.at, self.step);
        // Past the last lane nobody looks.
        self.at = [a.wrapping_add(x), b.wrapping_add(y)];
        Some([a, b])
    }
}

/// Visits every (r, c) below `extents` once, in the order asked for.
#[inline]
pub(crate) fn each_line(
    order: Order,
    [rows, cols]: [usize; 2],
    [data, other]: [&Plane; 2],
    mut visit: impl FnMut(Line),
) {
    let at = |r, c| [data.at(r, c), other.at(r, c)];
    if order == Order::Physical && data.runs_down() {
        let step = [data.row_step, other.row_step];
        for c in 0..cols {
            let (at, len) = (at(0, c), rows);
            visit(Line { at, step, len });
        }
        return;
    }
    let (own, others) = (data.block(), other.block());
    let width = match order {
        Order::Logical => cols,
        Order::Physical => own.min(cols),
    };
    let even = own.min(others).min(width).max(1);
    let step = [data.col_step, other.col_step];
    // Plain counting: for few lanes `step_by` and its division show.
    let mut first = 0;
    while first < cols {
        let end = cols.min(first + width);
        for r in 0..rows {
            let mut c = first;
            while c < end {
                let (at, len) = (at(r, c), even.min(end - c));
                visit(Line { at, step, len });
                c += len;
            }
        }
        first = end;
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{BLayout, DType, Dim, SLayout, Tile, TileType};

    use super::*;

    fn plane(dtype: DType, layout: (BLayout, SLayout), valid: [u64; 2]) -> Plane {
        Plane::of(&Tile {
            location: TileType::Vec,
            dtype,
            rows: 16,
            cols: 64,
            valid_row: Dim::Static(valid[0]),
            valid_col: Dim::Static(valid[1]),
            blayout: layout.0,
            slayout: layout.1,
            fractal: 512,
        })
        .unwrap()
    }

    const ROWS: (BLayout, SLayout) = (BLayout::RowMajor, SLayout::NoneBox);
    const COLS: (BLayout, SLayout) = (BLayout::ColMajor, SLayout::NoneBox);
    const BOXES: (BLayout, SLayout) = (BLayout::ColMajor, SLayout::RowMajor);

    /// The places of all lanes in both planes, as the lines have them.
    fn walked(order: Order, extents: [usize; 2], planes: [&Plane; 2]) -> Vec<[usize; 2]> {
        let mut all = Vec::new();
        each_line(order, extents, planes, |line| {
            all.extend(line);
        });
        all
    }

    #[test]
    fn lines_have_every_lane_once_and_in_order() {
        for data in [ROWS, COLS, BOXES] {
            for other in [ROWS, COLS, BOXES] {
                for extents in [[0, 0], [0, 5], [3, 0], [1, 1], [1, 40], [16, 1], [5, 33]] {
                    let valid = extents.map(|n| n as u64);
                    let data = plane(DType::Half, data, valid);
                    let other = plane(DType::Int32, other, valid);
                    let mut logical = Vec::new();
                    for r in 0..extents[0] {
                        for c in 0..extents[1] {
                            logical.push([data.at(r, c), other.at(r, c)]);
                        }
                    }
                    let planes = [&data, &other];
                    assert_eq!(walked(Order::Logical, extents, planes), logical);
                    let mut physical = logical;
                    physical.sort_unstable();
                    assert_eq!(walked(Order::Physical, extents, planes), physical);
                }
            }
        }
    }
}
