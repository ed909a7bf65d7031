//! The order in which lanes take effect.
//!
//! In order and reversed, a warp runs to its end before the next one starts
//! and its lanes run in step. Shuffled draws one of all interleavings.

use ptodiff_isa::Schedule;

use crate::extent::Valid;
use crate::grid::{FlatGrid, LANES, RowGrid};

/// Most lanes of a launch.
const MAX_LANES: u32 = 1024;

/// Visits runs `(start, len)` of flat positions; one lane serves one position.
#[inline(always)]
pub(crate) fn elem(
    schedule: Schedule,
    count: u32,
    grid: FlatGrid,
    mut visit: impl FnMut(u32, u32),
) {
    let lanes = grid.lanes();
    match schedule {
        Schedule::InOrder => {
            // One trip: warps in order are positions in order.
            let run = if count <= lanes { count } else { LANES };
            for first in every(run, 0, count.min(lanes)) {
                for start in every(lanes, first, count) {
                    visit(start, run.min(count - start));
                }
            }
        }
        Schedule::Reversed => {
            for warp in (0..grid.warps).rev() {
                for start in every(lanes, warp * LANES, count) {
                    for lane in (0..LANES.min(count - start)).rev() {
                        visit(start + lane, 1);
                    }
                }
            }
        }
        Schedule::Shuffled(seed) => {
            let order = match count <= lanes {
                true => permutation(seed, count),
                false => interleave(seed, (0..lanes).cycle().take(count as usize)),
            };
            order.into_iter().for_each(|position| visit(position, 1));
        }
    }
}

/// Visits strips `(row, col, len)`, each inside one row, every position served
/// by a lane of its own, in warps of 32 along the rows: what a target does of
/// which no launch is documented.
#[inline(always)]
pub(crate) fn lanes(schedule: Schedule, valid: Valid, mut visit: impl FnMut(u32, u32, u32)) {
    let mut one = |lane| {
        let (row, col) = valid.position(lane);
        visit(row, col, 1);
    };
    match schedule {
        Schedule::InOrder => (0..valid.rows).for_each(|row| visit(row, 0, valid.cols)),
        Schedule::Reversed => (0..valid.count()).rev().for_each(one),
        Schedule::Shuffled(seed) => {
            let order = permutation(seed, valid.count());
            order.into_iter().for_each(&mut one);
        }
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
    match schedule {
        // A warp has all columns of its rows.
        Schedule::InOrder if grid.warps_per_row == 1 => {
            rows_in_order(valid, grid, |row| visit(row, 0, cols));
        }
        Schedule::InOrder => {
            for warp in 0..grid.warps() {
                let (first, share) = (warp / grid.warps_per_row, warp % grid.warps_per_row);
                for row in every(grid.row_warps, first, rows) {
                    for col in every(col_step, share * LANES, cols) {
                        visit(row, col, LANES.min(cols - col));
                    }
                }
            }
        }
        Schedule::Reversed => {
            for warp in (0..grid.warps()).rev() {
                let (first, share) = (warp / grid.warps_per_row, warp % grid.warps_per_row);
                for row in every(grid.row_warps, first, rows) {
                    for col in every(col_step, share * LANES, cols) {
                        for lane in (0..LANES.min(cols - col)).rev() {
                            visit(row, col + lane, 1);
                        }
                    }
                }
            }
        }
        Schedule::Shuffled(seed) => {
            let order = if rows <= grid.row_warps && cols <= col_step {
                permutation(seed, valid.count())
            } else {
                let lanes = (0..rows).flat_map(|row| {
                    let lane = move |col| grid.warp_of(row, col) * LANES + col % LANES;
                    (0..cols).map(lane)
                });
                interleave(seed, lanes)
            };
            for position in order {
                visit(position / cols, position % cols, 1);
            }
        }
    }
}

/// Visits rows in order, each of which has one warp.
#[inline(always)]
pub(crate) fn rows_in_order(valid: Valid, grid: RowGrid, mut visit: impl FnMut(u32)) {
    for first in 0..grid.row_warps {
        let mut row = first;
        while row < valid.rows {
            visit(row);
            row += grid.row_warps;
        }
    }
}

/// Every `step`th number from `first` up to `end`, which is far below 2^32.
/// `step_by` would divide to know how many these are.
#[inline(always)]
fn every(step: u32, first: u32, end: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(first), move |at| Some(at + step)).take_while(move |at| *at < end)
}

/// One interleaving of the operations `0..`, given the lane of each (below 1024):
/// each lane's own ones keep their order, and some seed draws every interleaving.
pub(crate) fn interleave(seed: u64, lanes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut turns: Vec<u16> = lanes.map(|lane| (lane % MAX_LANES) as u16).collect();
    // A small launch has few lanes: the others need no place.
    let used = turns.iter().max().map_or(0, |last| usize::from(*last) + 1);
    let mut next = vec![0_u32; used];
    for lane in &turns {
        next[usize::from(*lane)] += 1;
    }
    let mut end = 0;
    for lane in &mut next {
        end += *lane;
        *lane = end;
    }
    // Lane after lane, each lane's operations in order: filled from its end,
    // which leaves `next` at its first.
    let mut by_lane = vec![0; turns.len()];
    for (lane, op) in turns.iter().zip(0..turns.len() as u32).rev() {
        let place = &mut next[usize::from(*lane)];
        *place -= 1;
        by_lane[*place as usize] = op;
    }
    // Whose turn it is, shuffled; then each turn takes its lane's next operation.
    shuffle(seed, &mut turns);
    let take = |lane: u16| {
        let place = &mut next[usize::from(lane)];
        *place += 1;
        by_lane[*place as usize - 1]
    };
    turns.into_iter().map(take).collect()
}

/// One order of so many operations, each of a lane of its own: what
/// [`interleave`] makes of them.
fn permutation(seed: u64, count: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    shuffle(seed, &mut order);
    order
}

/// One of all permutations.
fn shuffle<T>(seed: u64, items: &mut [T]) {
    let mut bits = SplitMix(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, bits.below(last + 1));
    }
}

/// The splitmix64 generator.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is at least 1.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Sizing;
    use std::collections::BTreeSet;

    #[test]
    fn an_interleaving_keeps_each_lanes_order_and_loses_nothing() {
        for seed in 0..50 {
            let order = interleave(seed, (0..100).map(|op| op % 7));
            for lane in 0..7 {
                let own: Vec<u32> = order.iter().copied().filter(|op| op % 7 == lane).collect();
                let expected: Vec<u32> = (0..100).filter(|op| op % 7 == lane).collect();
                assert_eq!(own, expected);
            }
        }
    }

    #[test]
    fn lanes_of_one_operation_each_interleave_in_any_order() {
        for seed in 0..50 {
            // Which lanes they are makes no difference.
            let order = interleave(seed, (0..30).map(|op| 1023 - 7 * op));
            assert_eq!(order, permutation(seed, 30));
        }
    }

    #[test]
    fn seeds_draw_every_interleaving() {
        // Lanes 0, 1, 0: three interleavings keep 0 before 2.
        let drawn: BTreeSet<Vec<u32>> = (0..200)
            .map(|seed| interleave(seed, [0, 1, 0].into_iter()))
            .collect();
        let expected = BTreeSet::from([vec![0, 1, 2], vec![1, 0, 2], vec![0, 2, 1]]);
        assert_eq!(drawn, expected);
    }

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
    fn the_generator_is_splitmix64() {
        // Published outputs for two seeds.
        let drawn = |seed| {
            let mut bits = SplitMix(seed);
            [(); 3].map(|()| bits.next())
        };
        let expected = [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F,
        ];
        assert_eq!(drawn(0), expected);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(drawn(1_234_567), expected);
    }

    #[test]
    fn warps_and_lanes_run_up_or_down() {
        // 1056 positions, 1024 lanes: lane 0 serves 0 and 1024 (MGATHER-LAUNCH-06).
        let order = |schedule| {
            let mut order = Vec::new();
            elem(
                schedule,
                1056,
                FlatGrid::new(1056, Sizing::Fitted),
                |start, len| {
                    order.extend(start..start + len);
                },
            );
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
