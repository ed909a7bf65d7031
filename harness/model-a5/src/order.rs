//! The order in which lanes take effect.
//!
//! In order and reversed, a warp runs to its end before the next one starts
//! and its lanes run in step. Shuffled draws one of all interleavings.

use ptodiff_isa::Schedule;

use crate::extent::Valid;
use crate::grid::{FlatGrid, LANES, RowGrid};
use crate::shuffle::{Room, interleave, shuffle};

/// Visits runs `(start, len)` of flat positions; one lane serves one position.
#[inline(always)]
pub(crate) fn elem(
    schedule: Schedule,
    count: u32,
    grid: FlatGrid,
    mut visit: impl FnMut(u32, u32),
) {
    let lanes = grid.lanes();
    if schedule != Schedule::InOrder {
        let mut room = Room::new();
        let order = elem_order(schedule, count, grid, &mut room);
        return order.iter().for_each(|position| visit(*position, 1));
    }
    // One trip: warps in order are positions in order.
    let run = if count <= lanes { count } else { LANES };
    for first in every(run, 0, count.min(lanes)) {
        for start in every(lanes, first, count) {
            visit(start, run.min(count - start));
        }
    }
}

/// Flat positions in the order of their lanes, of which each has one of its own
/// where these run in order.
#[inline(never)]
pub(crate) fn elem_order(
    schedule: Schedule,
    count: u32,
    grid: FlatGrid,
    room: &mut Room,
) -> &[u32] {
    let lanes = grid.lanes();
    if count <= lanes {
        return lane_order(schedule, count, room);
    }
    if let Schedule::Shuffled(seed) = schedule {
        return room.hold(interleave(seed, (0..lanes).cycle().take(count as usize)));
    }
    let mut order = Vec::with_capacity(count as usize);
    for warp in (0..grid.warps).rev() {
        for start in every(lanes, warp * LANES, count) {
            order.extend((start..start + LANES.min(count - start)).rev());
        }
    }
    room.hold(order)
}

/// Flat positions of which each has a lane of its own, in the order of these, in
/// warps of 32: what a target does of which no launch is documented.
#[inline(never)]
pub(crate) fn lane_order(schedule: Schedule, count: u32, room: &mut Room) -> &[u32] {
    let order = room.below(count);
    match schedule {
        Schedule::InOrder => {}
        Schedule::Reversed => order.reverse(),
        Schedule::Shuffled(seed) => shuffle(seed, order),
    }
    order
}

/// Visits the same as strips `(row, col, len)`, each inside one row.
#[inline(always)]
pub(crate) fn lanes(schedule: Schedule, valid: Valid, mut visit: impl FnMut(u32, u32, u32)) {
    if schedule == Schedule::InOrder {
        return (0..valid.rows).for_each(|row| visit(row, 0, valid.cols));
    }
    let mut room = Room::new();
    for position in lane_order(schedule, valid.count(), &mut room) {
        let (row, col) = valid.position(*position);
        visit(row, col, 1);
    }
}

/// Visits strips `(row, col, len)`, each inside one row and one warp.
#[inline(always)]
pub(crate) fn row(
    schedule: Schedule,
    valid: Valid,
    grid: RowGrid,
    mut visit: impl FnMut(u32, u32, u32),
) {
    let Valid { rows, cols } = valid;
    let col_step = grid.warps_per_row * LANES;
    if schedule != Schedule::InOrder {
        let mut room = Room::new();
        for position in row_order(schedule, valid, grid, &mut room) {
            let (row, col) = valid.position(*position);
            visit(row, col, 1);
        }
    } else if grid.warps_per_row == 1 {
        // A warp has all columns of its rows.
        Turns::new(schedule, valid, grid).visit(|row| {
            visit(row, 0, cols);
            Some(())
        });
    } else {
        for warp in 0..grid.warps() {
            let (first, share) = (warp / grid.warps_per_row, warp % grid.warps_per_row);
            for row in every(grid.row_warps, first, rows) {
                for col in every(col_step, share * LANES, cols) {
                    visit(row, col, LANES.min(cols - col));
                }
            }
        }
    }
}

/// Flat positions in the order of a row launch that does not run in order.
#[inline(never)]
pub(crate) fn row_order(
    schedule: Schedule,
    valid: Valid,
    grid: RowGrid,
    room: &mut Room,
) -> &[u32] {
    let Valid { rows, cols } = valid;
    let col_step = grid.warps_per_row * LANES;
    match schedule {
        Schedule::Shuffled(seed) if rows > grid.row_warps || cols > col_step => {
            let lanes = (0..rows).flat_map(|row| {
                let lane = move |col| grid.warp_of(row, col) * LANES + col % LANES;
                (0..cols).map(lane)
            });
            room.hold(interleave(seed, lanes))
        }
        Schedule::Shuffled(_) => lane_order(schedule, valid.count(), room),
        _ => {
            let mut order = Vec::with_capacity(valid.count() as usize);
            for warp in (0..grid.warps()).rev() {
                let (first, share) = (warp / grid.warps_per_row, warp % grid.warps_per_row);
                for row in every(grid.row_warps, first, rows) {
                    for col in every(col_step, share * LANES, cols) {
                        let start = row * cols + col;
                        order.extend((start..start + LANES.min(cols - col)).rev());
                    }
                }
            }
            room.hold(order)
        }
    }
}

/// Rows, each of which has one warp, as these have them in turn.
#[derive(Clone, Copy)]
pub(crate) struct Turns {
    pub(crate) rows: u32,
    /// Those that have rows.
    warps: u32,
    reversed: bool,
}

impl Turns {
    /// Of a launch in order or reversed.
    #[inline(always)]
    pub(crate) fn new(schedule: Schedule, valid: Valid, grid: RowGrid) -> Self {
        Self {
            rows: valid.rows,
            warps: grid.row_warps.min(valid.rows),
            reversed: schedule == Schedule::Reversed,
        }
    }

    /// One row after the other.
    #[inline(always)]
    pub(crate) fn of_one_warp(rows: u32) -> Self {
        Self {
            rows,
            warps: 1,
            reversed: false,
        }
    }

    /// Visits all rows; none, with the others not visited, where `visit` makes none.
    #[inline(always)]
    pub(crate) fn visit(self, mut visit: impl FnMut(u32) -> Option<()>) -> Option<()> {
        let (mut first, step, end) = match self.reversed {
            true => (self.warps.wrapping_sub(1), -1, u32::MAX),
            false => (0, 1, self.warps),
        };
        while first != end {
            let mut row = first;
            while row < self.rows {
                visit(row)?;
                row += self.warps;
            }
            first = first.wrapping_add_signed(step);
        }
        Some(())
    }
}

/// Visits runs `(col, len)` of the columns of a row that one warp has.
#[inline(always)]
pub(crate) fn warp_columns(schedule: Schedule, cols: u32, mut visit: impl FnMut(u32, u32)) {
    if schedule == Schedule::InOrder {
        return visit(0, cols);
    }
    for first in every(LANES, 0, cols) {
        for lane in (0..LANES.min(cols - first)).rev() {
            visit(first + lane, 1);
        }
    }
}

/// Every `step`th number from `first` up to `end`, which is far below 2^32.
/// `step_by` would divide to know how many these are.
#[inline(always)]
fn every(step: u32, first: u32, end: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first), move |at| Some(at + step)).take_while(move |at| *at < end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Sizing;
    use std::collections::BTreeSet;

    #[test]
    fn every_schedule_visits_every_element_once() {
        let valid = Valid { rows: 40, cols: 77 };
        let grid = RowGrid::new(Valid { rows: 3, cols: 77 }, Sizing::Fitted);
        let full = RowGrid::new(valid, Sizing::Full);
        let flat = FlatGrid::new(3080, Sizing::Fitted);
        for schedule in [Schedule::InOrder, Schedule::Reversed, Schedule::Shuffled(1)] {
            let mut seen = vec![0; 3080];
            let mut strip = |row: u32, col: u32, len: u32| {
                for col in col..col + len {
                    seen[(row * 77 + col) as usize] += 1;
                }
            };
            row(schedule, valid, grid, &mut strip);
            row(schedule, valid, full, &mut strip);
            lanes(schedule, valid, &mut strip);
            elem(schedule, 3080, flat, |start, len| {
                for position in start..start + len {
                    seen[position as usize] += 1;
                }
            });
            assert!(seen.iter().all(|times| *times == 4), "{schedule:?}");
        }
    }

    #[test]
    fn a_lane_of_a_row_launch_keeps_its_order_and_no_other() {
        // At most two elements a lane, so that few seeds draw what may come first.
        for (rows, cols, picked) in [
            // One warp a row.
            (
                32,
                34,
                vec![(0, 0), (0, 1), (0, 32), (1, 0), (1, 1), (1, 32)],
            ),
            (
                34,
                2,
                vec![(0, 0), (0, 1), (1, 0), (32, 0), (32, 1), (33, 0)],
            ),
            // Sixteen warps a row.
            (
                2,
                640,
                vec![(0, 0), (0, 1), (0, 32), (0, 512), (1, 0), (1, 544)],
            ),
        ] {
            let valid = Valid { rows, cols };
            let grid = RowGrid::new(valid, Sizing::Fitted);
            let (row_warps, stride) = (grid.row_warps, grid.warps_per_row * 32);
            let mut before = BTreeSet::new();
            for seed in 0..150 {
                let mut seen = Vec::new();
                row(Schedule::Shuffled(seed), valid, grid, |row, col, _| {
                    if picked.contains(&(row, col)) {
                        before.extend(seen.iter().map(|first| (*first, (row, col))));
                        seen.push((row, col));
                    }
                });
            }
            for (a, b) in picked
                .iter()
                .flat_map(|a| picked.iter().map(move |b| (*a, *b)))
            {
                let lane = |(row, col): (u32, u32)| (row % row_warps, col % stride);
                let drawn = if lane(a) == lane(b) { a < b } else { true };
                assert_eq!(before.contains(&(a, b)), drawn, "{a:?} before {b:?}");
            }
        }
    }

    #[test]
    fn warps_and_lanes_run_up_or_down() {
        // 1056 positions, 1024 lanes: lane 0 serves 0 and 1024 (MGATHER-LAUNCH-06).
        let order = |schedule| {
            let mut order = Vec::new();
            let grid = FlatGrid::new(1056, Sizing::Fitted);
            elem(schedule, 1056, grid, |start, len| {
                order.extend(start..start + len);
            });
            order
        };
        let up = order(Schedule::InOrder);
        assert_eq!(up[31..34], [31, 1024, 1025]);
        assert_eq!(up[63..66], [1055, 32, 33]);
        let down = order(Schedule::Reversed);
        assert_eq!(down[0], 1023);
        assert_eq!(down[992..994], [31, 30]);
        assert_eq!(down[1055], 1024);
    }
}
