//! In which order the lanes of a launch take effect: the one place where a
//! schedule is looked at, but for what the host reads of an unflushed table.
//!
//! In order, a warp runs to its end before the next one starts and its lanes run
//! in step. In reverse, warps and lanes come in decreasing order; each still
//! takes its trips in increasing order. A shuffle interleaves whole operations of
//! lanes, each lane's own ones in order.

use ptodiff_isa::Schedule;

use crate::launch::{Grid, LANES};

/// All items of a launch in the order in which they take effect.
pub(crate) fn order(grid: &Grid, schedule: Schedule) -> Vec<u32> {
    let mut order = Vec::with_capacity(grid.count() as usize);
    match schedule {
        Schedule::InOrder => {
            for warp in 0..grid.warps() {
                for items in grid.trips(warp) {
                    order.extend(items.map(|item| item as u32));
                }
            }
        }
        Schedule::Reversed => {
            for warp in (0..grid.warps()).rev() {
                for items in grid.trips(warp) {
                    order.extend(items.rev().map(|item| item as u32));
                }
            }
        }
        Schedule::Shuffled(seed) => {
            let lanes = (0..grid.count()).map(|item| lane(grid, item));
            order = interleave(seed, lanes.collect());
        }
    }
    order
}

/// The same of a launch of which few items have work, given in increasing order:
/// the work in the order in which it takes effect.
pub(crate) fn arrange<T: Copy>(
    grid: &Grid,
    schedule: Schedule,
    work: &[T],
    item: impl Fn(&T) -> u64,
) -> Vec<T> {
    if let Schedule::Shuffled(seed) = schedule {
        let lanes = work.iter().map(|work| lane(grid, item(work)));
        let order = interleave(seed, lanes.collect());
        return order.into_iter().map(|at| work[at as usize]).collect();
    }
    // What is in increasing order comes trip after trip in each warp.
    let mut warps = vec![Vec::new(); grid.warps() as usize];
    for work in work {
        let (warp, ..) = grid.place(item(work));
        warps[warp as usize].push(*work);
    }
    if schedule == Schedule::InOrder {
        return warps.concat();
    }
    let trip = |work: &T| grid.place(item(work)).1;
    let warps = warps.iter().rev();
    let trips = warps.flat_map(|warp| warp.chunk_by(|one, next| trip(one) == trip(next)));
    trips
        .flat_map(|lanes| lanes.iter().rev().copied())
        .collect()
}

/// The number of an item's lane in the whole launch.
fn lane(grid: &Grid, item: u64) -> u32 {
    let (warp, _, lane) = grid.place(item);
    (warp * LANES + lane) as u32
}

/// One interleaving of the operations `0..`, given the lane of each: each lane's
/// own ones keep their order, and some seed draws every interleaving.
fn interleave(seed: u64, lanes: Vec<u32>) -> Vec<u32> {
    // Lane after lane, each lane's operations in order; where each lane begins.
    let mut by_lane: Vec<u32> = (0..lanes.len() as u32).collect();
    by_lane.sort_by_key(|operation| lanes[*operation as usize]);
    let mut next = vec![0; lanes.iter().max().map_or(0, |last| *last as usize + 1)];
    for (place, operation) in by_lane.iter().enumerate().rev() {
        next[lanes[*operation as usize] as usize] = place;
    }
    // Whose turn it is, shuffled; then each turn takes its lane's next operation.
    let mut turns = lanes;
    shuffle(seed, &mut turns);
    let take = |lane: u32| {
        let place = &mut next[lane as usize];
        *place += 1;
        by_lane[*place - 1]
    };
    turns.into_iter().map(take).collect()
}

/// One of all permutations.
fn shuffle(seed: u64, items: &mut [u32]) {
    let mut stream = SplitMix(seed);
    for last in (1..items.len()).rev() {
        let end = last as u128 + 1;
        let drawn = (u128::from(stream.next()) * end) >> 64;
        items.swap(last, drawn as usize);
    }
}

/// The splitmix64 generator.
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

    pub(crate) fn next(&mut self) -> u64 {
        let next = self.nth(0);
        self.0 = self.0.wrapping_add(Self::STEP);
        next
    }

    /// The number that comes after so many others.
    pub(crate) const fn nth(&self, others: u64) -> u64 {
        let steps = Self::STEP.wrapping_mul(others.wrapping_add(1));
        let state = self.0.wrapping_add(steps);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
