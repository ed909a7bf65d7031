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
    pub(crate) at: [usize; 2],
    /// From one lane to the next.
    pub(crate) step: [usize; 2],
    /// How many lanes there are.
    pub(crate) len: usize,
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
    let down = order == Order::Physical && data.runs_down();
    // Short lines cost more than their lanes.
    let even = [data, other].map(|plane| even_step(plane, [rows, cols], down));
    let (lines, len, width, most, step) = match (even, order) {
        ([Some(a), Some(b)], _) => {
            let all = rows.saturating_mul(cols);
            (1, all, all, all, [a, b])
        }
        _ if down => (cols, rows, rows, rows, [data.row_step, other.row_step]),
        (_, order) => {
            let block = data.block();
            let width = if order == Order::Logical { cols } else { block };
            let most = block.min(other.block());
            (rows, cols, width, most, [data.col_step, other.col_step])
        }
    };
    // Plain counting: for few lanes `step_by` and its division show. One place
    // that visits: what is done there then stands in the loop.
    let mut first = 0;
    while first < len {
        let end = len.min(first.saturating_add(width));
        for line in 0..lines {
            let mut lane = first;
            while lane < end {
                let (r, c) = if down { (lane, line) } else { (line, lane) };
                let at = [data.at(r, c), other.at(r, c)];
                let len = most.min(end - lane);
                visit(Line { at, step, len });
                lane += len;
            }
        }
        first = end;
    }
}

/// From one lane of a plane to the next, if all of them, row by row or column
/// by column, stand in even steps.
fn even_step(plane: &Plane, [rows, cols]: [usize; 2], down: bool) -> Option<usize> {
    let (row, col) = ((rows, plane.row_step), (cols, plane.col_step));
    let (outer, inner) = if down { (col, row) } else { (row, col) };
    match (outer, inner) {
        _ if plane.block() < cols => None,
        ((1, _), (_, step)) => Some(step),
        ((_, step), (1, _)) => Some(step),
        ((_, far), (len, step)) => (len.checked_mul(step) == Some(far)).then_some(step),
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

    #[test]
    fn lanes_in_even_steps_are_one_line() {
        let lines = |order, layout, [rows, cols]: [usize; 2]| {
            let plane = plane(DType::Half, layout, [rows as u64, cols as u64]);
            let mut lines = 0;
            each_line(order, [rows, cols], [&plane, &plane], |_| lines += 1);
            lines
        };
        use Order::{Logical, Physical};
        for (order, layout, extents, expected) in [
            (Logical, ROWS, [5, 64], 1),
            (Logical, ROWS, [5, 1], 1),
            (Logical, ROWS, [1, 33], 1),
            (Logical, ROWS, [5, 63], 5),
            (Physical, COLS, [16, 7], 1),
            (Physical, COLS, [3, 1], 1),
            (Physical, COLS, [15, 7], 7),
            (Physical, BOXES, [4, 16], 1),
            (Physical, BOXES, [4, 17], 8),
        ] {
            let found = lines(order, layout, extents);
            assert_eq!(found, expected, "{order:?} {extents:?}");
        }
    }
}
