//! How a SIMT launch shares its work out among warps and lanes (000 and 001,
//! Performance Considerations / A5).

use std::ops::Range;

use ptodiff_isa::{Coalesce, Dispatch, End, Event, Serves};
use ptodiff_memory::Bus;

use crate::plan::Extent;

/// Lanes of a warp.
pub(crate) const LANES: u64 = 32;
/// Most warps of a launch: 1024 threads (MSCATTER-LAUNCH-01).
const MOST_WARPS: u64 = 32;

/// The warps of a launch and the items that they share: `rows` rows of `cols`
/// columns, a lane a column. Where lanes take items by number there is one row.
pub(crate) struct Grid {
    /// `kRowWarps`: how many rows are served at a time.
    row_warps: u64,
    /// `kWarpsPerRow`: how many warps share the columns of a row.
    warps_per_row: u64,
    rows: u64,
    cols: u64,
    serves: Serves,
    /// Whether the document gives the launch a fixed size.
    fixed: bool,
}

impl Grid {
    /// One index a row: kRowWarps = min(validRows, 32) and kWarpsPerRow =
    /// min(32 / kRowWarps, ceil(validCols / 32)), each at least 1
    /// (MSCATTER-LAUNCH-04, -05, MGATHER-LAUNCH-02, -03).
    pub(crate) fn rows(extent: Extent) -> Self {
        let row_warps = extent.rows.clamp(1, MOST_WARPS);
        let chunks = extent.cols.div_ceil(LANES);
        Self {
            row_warps,
            warps_per_row: chunks.clamp(1, MOST_WARPS / row_warps),
            rows: extent.rows,
            cols: extent.cols,
            serves: Serves::Row,
            fixed: false,
        }
    }

    /// Items by number: kLaunchWarps = min(ceil(count / 32), 32), at least 1
    /// (MSCATTER-LAUNCH-06, -07, MGATHER-LAUNCH-04, MGATHERL1-LAUNCH-01).
    pub(crate) fn items(count: u64, serves: Serves) -> Self {
        Self {
            row_warps: 1,
            warps_per_row: count.div_ceil(LANES).clamp(1, MOST_WARPS),
            rows: 1,
            cols: count,
            serves,
            fixed: false,
        }
    }

    /// The same work with 32 warps whatever the shape (MSCATTER0-LAUNCH-01);
    /// where rows are served, each warp has rows of its own.
    pub(crate) fn always_full(self) -> Self {
        let (row_warps, warps_per_row) = match self.serves {
            Serves::Row => (MOST_WARPS, 1),
            _ => (1, MOST_WARPS),
        };
        Self {
            row_warps,
            warps_per_row,
            fixed: true,
            ..self
        }
    }

    /// Elements of a call without a documented launch: each has a lane of its own.
    pub(crate) fn lane_each(count: u64) -> Self {
        Self {
            warps_per_row: count.div_ceil(LANES),
            ..Self::items(count, Serves::Element)
        }
    }

    /// Number of items.
    pub(crate) fn count(&self) -> u64 {
        self.rows * self.cols
    }

    /// Number of warps.
    pub(crate) fn warps(&self) -> u64 {
        self.row_warps * self.warps_per_row
    }

    /// The items that a warp serves, trip after trip, a lane an item. Warps and
    /// lanes advance by the size of the launch (MSCATTER-GAP-74, MGATHER-GAP-59).
    pub(crate) fn trips(&self, warp: u64) -> impl Iterator<Item = Range<u64>> + use<'_> {
        let first_row = warp / self.warps_per_row;
        let first_col = warp % self.warps_per_row * LANES;
        let advance = (self.warps_per_row * LANES) as usize;
        let rows = (first_row..self.rows).step_by(self.row_warps as usize);
        rows.flat_map(move |row| {
            let start = row * self.cols;
            let chunks = (first_col..self.cols).step_by(advance);
            chunks.map(move |col| start + col..start + self.cols.min(col + LANES))
        })
    }

    /// The warp of an item, its trip where lanes take items by number, and its lane.
    pub(crate) fn place(&self, item: u64) -> (u64, u64, u64) {
        let (row, col) = (item / self.cols, item % self.cols);
        let chunk = col / LANES;
        let warp = row % self.row_warps * self.warps_per_row + chunk % self.warps_per_row;
        (warp, chunk / self.warps_per_row, col % LANES)
    }

    /// Which of the warps that share rows serves an item of `row` in column
    /// `col`, counted over all rows.
    pub(crate) fn share(&self, (row, col): (u64, u64)) -> usize {
        (row * self.warps_per_row + col / LANES % self.warps_per_row) as usize
    }

    /// How many of those shares there are.
    pub(crate) fn shares(&self) -> usize {
        (self.rows * self.warps_per_row) as usize
    }

    fn event(&self, kernel: &str, mode: Coalesce) -> Event {
        let by_row = self.serves == Serves::Row;
        let (stride, work) = match by_row {
            true => (self.row_warps, self.rows),
            false => (self.warps() * LANES, self.cols),
        };
        let sized_by_rows = by_row && !self.fixed;
        Event::Launch {
            kernel: kernel.to_owned(),
            mode,
            dim3: (LANES, self.warps()),
            row_warps: sized_by_rows.then_some(self.row_warps),
            warps_per_row: sized_by_rows.then_some(self.warps_per_row),
            serves: self.serves,
            stride,
            trips: work.div_ceil(stride),
        }
    }
}

/// `cce::async_invoke<kernel>(cce::dim3{32, kLaunchWarps}, ...)`. Without the SIMT
/// context of a standard launch it does not return (MSCATTER-LAUNCH-10,
/// MGATHER-LAUNCH-11).
pub(crate) fn async_invoke(
    kernel: &str,
    mode: Coalesce,
    grid: &Grid,
    dispatch: Dispatch,
    bus: &mut Bus<'_>,
) -> End {
    bus.note(|| grid.event(kernel, mode));
    match dispatch {
        Dispatch::Standard => End::Finished,
        Dispatch::Direct => End::Hung,
    }
}
