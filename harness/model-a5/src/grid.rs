//! Launch geometry: `dim3{32, kLaunchWarps}` (000 and 001, Shape-adaptive launch),
//! `dim3{32, 32}` in the first revision of MSCATTER (003).

use ptodiff_isa::{Coalesce, Event, Serves};

use crate::extent::Valid;

/// Lanes of a warp.
pub(crate) const LANES: u32 = 32;
/// Most warps of a launch.
const MAX_WARPS: u32 = 32;

/// How a launch is sized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sizing {
    /// To the work.
    Fitted,
    /// Always 1024 threads (MSCATTER0-LAUNCH-01).
    Full,
}

/// A launch whose lanes take work one item each, in strides of the launch.
#[derive(Clone, Copy)]
pub(crate) struct FlatGrid {
    pub(crate) warps: u32,
    items: u64,
}

impl FlatGrid {
    /// Lanes for `items` elements or slots (MSCATTER-GAP-50, -74, MSCATTER0-GAP-09).
    pub(crate) fn new(items: u64, sizing: Sizing) -> Self {
        let fitted = items.div_ceil(LANES.into()).try_into();
        let warps = match sizing {
            Sizing::Fitted => fitted.unwrap_or(MAX_WARPS).min(MAX_WARPS),
            Sizing::Full => MAX_WARPS,
        };
        Self { warps, items }
    }

    /// Lanes of the launch.
    pub(crate) fn lanes(self) -> u32 {
        self.warps * LANES
    }

    pub(crate) fn event(self, kernel: &str, mode: Coalesce, serves: Serves) -> Event {
        Event::Launch {
            kernel: kernel.into(),
            mode,
            dim3: (LANES.into(), self.warps.into()),
            row_warps: None,
            warps_per_row: None,
            serves,
            stride: self.lanes().into(),
            trips: match self.lanes() {
                0 => 0,
                lanes => self.items.div_ceil(lanes.into()),
            },
        }
    }
}

/// A launch whose warps own rows, several warps sharing a row's columns.
#[derive(Clone, Copy)]
pub(crate) struct RowGrid {
    /// `kRowWarps`.
    pub(crate) row_warps: u32,
    /// `kWarpsPerRow`.
    pub(crate) warps_per_row: u32,
    sizing: Sizing,
    rows: u32,
}

impl RowGrid {
    /// Warps for a valid region of at least 1 by 1 (MSCATTER-GAP-49, MGATHER-GAP-27);
    /// in a full launch each warp owns rows.
    pub(crate) fn new(valid: Valid, sizing: Sizing) -> Self {
        let row_warps = match sizing {
            Sizing::Fitted => valid.rows.clamp(1, MAX_WARPS),
            Sizing::Full => MAX_WARPS,
        };
        let chunks = valid.cols.div_ceil(LANES).max(1);
        Self {
            row_warps,
            warps_per_row: (MAX_WARPS / row_warps).min(chunks),
            sizing,
            rows: valid.rows,
        }
    }

    /// Warps of the launch.
    pub(crate) fn warps(self) -> u32 {
        self.row_warps * self.warps_per_row
    }

    /// The warp that serves an element.
    pub(crate) fn warp_of(self, row: u32, col: u32) -> u32 {
        let share = col / LANES % self.warps_per_row;
        row % self.row_warps * self.warps_per_row + share
    }

    pub(crate) fn event(self, kernel: &str) -> Event {
        // Document 003 has no such sizes.
        let sized = self.sizing == Sizing::Fitted;
        Event::Launch {
            kernel: kernel.into(),
            mode: Coalesce::Row,
            dim3: (LANES.into(), self.warps().into()),
            row_warps: sized.then_some(self.row_warps.into()),
            warps_per_row: sized.then_some(self.warps_per_row.into()),
            serves: Serves::Row,
            stride: self.row_warps.into(),
            trips: self.rows.div_ceil(self.row_warps).into(),
        }
    }
}

/// Which warps have loaded which row's index: a warp loads it once a row.
pub(crate) struct IndexLoads([u32; MAX_WARPS as usize]);

impl IndexLoads {
    pub(crate) fn new() -> Self {
        Self([0; MAX_WARPS as usize])
    }

    /// Whether this is the first access of `warp` to `row`; a warp's rows increase.
    #[inline(always)]
    pub(crate) fn first(&mut self, warp: u32, row: u32) -> bool {
        match self.0.get_mut(warp as usize) {
            Some(next) if *next <= row => {
                *next = row + 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_launches_have_the_documented_sizes() {
        let of = |rows, cols| {
            let grid = RowGrid::new(Valid { rows, cols }, Sizing::Fitted);
            (grid.row_warps, grid.warps_per_row)
        };
        // MSCATTER-LAUNCH-05 and MGATHER-LAUNCH-03.
        assert_eq!(of(8, 64), (8, 2));
        assert_eq!(of(1, 2048), (1, 32));
        assert_eq!(of(12, 256), (12, 2));
        assert_eq!(of(64, 64), (32, 1));
        assert_eq!(of(4, 100), (4, 4));
        assert_eq!(of(5, 256), (5, 6));
        assert_eq!(of(64, 256), (32, 1));
    }

    #[test]
    fn flat_launches_have_the_documented_sizes() {
        let warps = |items| FlatGrid::new(items, Sizing::Fitted).warps;
        // MSCATTER-LAUNCH-06 and MGATHER-LAUNCH-04.
        assert_eq!(warps(9), 1);
        assert_eq!(warps(256), 8);
        assert_eq!(warps(264), 9);
        assert_eq!(warps(2048), 32);
        assert_eq!(warps(1056), 32);
        assert_eq!(warps(u64::MAX), 32);
        assert_eq!(warps(0), 0);
    }

    #[test]
    fn a_full_launch_has_1024_threads_whatever_the_shape() {
        // MSCATTER0-LAUNCH-01.
        for items in [0, 1, 33, 5000] {
            assert_eq!(FlatGrid::new(items, Sizing::Full).lanes(), 1024);
        }
        for (rows, cols) in [(1, 1), (8, 64), (1, 2048), (100, 7)] {
            let grid = RowGrid::new(Valid { rows, cols }, Sizing::Full);
            assert_eq!((grid.warps(), grid.warps_per_row), (32, 1));
        }
    }
}
