//! TSCATTER by index, and by mask on A5.

use ptodiff_isa::MaskPattern::{self, P0001, P0010, P0100, P0101, P1000, P1010, P1111};
use ptodiff_isa::{MaskPadding, ScatterExtent};

use super::*;

/// Lanes of a group, and the lane that is written.
fn group(call: &Call) -> (u64, u64) {
    let Call::TscatterMask(call) = call else {
        return (1, 0);
    };
    match call.pattern {
        P0101 => (2, 0),
        P1010 => (2, 1),
        P0001 => (4, 0),
        P0010 => (4, 1),
        P0100 => (4, 2),
        P1000 => (4, 3),
        P1111 => (1, 0),
    }
}

/// The lane that `(r, c)` is of its group, if that group is one of a source element.
fn lane_written(cells: &Cells<'_>, r: u64, c: u64) -> Option<u64> {
    let (count, _) = group(cells.call);
    let src = cells.call.data_tile();
    let written = r < src.valid_row.get() && c / count < src.valid_col.get();
    written.then_some(c % count)
}

fn patterns_swapped(call: &mut Call, a: MaskPattern, b: MaskPattern) {
    match call {
        Call::TscatterMask(c) if c.pattern == a => c.pattern = b,
        Call::TscatterMask(c) if c.pattern == b => c.pattern = a,
        _ => {}
    }
}

pub(super) const CPU: &[Row] = &[
    FIRST_WINS.named("tscatter-cpu-first-writer-wins", "TSCATTER-CONF-03"),
    BY_COLUMNS.named("tscatter-cpu-walk-by-columns", "TSCATTER-CONF-03"),
    INDEX_IN_VALID_REGION.named("tscatter-cpu-index-in-valid-region", "TSCATTER-SEM-04"),
    CLEARS_DESTINATION.named("tscatter-cpu-clears-destination", "TSCATTER-GAP-02"),
    (
        "tscatter-cpu-extent-of-index",
        "TSCATTER-SEM-02",
        "runs over the valid region of the index tile",
        Other(|_, readings| readings.tscatter_extent = ScatterExtent::Index),
    ),
    LAST_LEFT_OUT.named("tscatter-cpu-last-left-out", "TSCATTER-SEM-01"),
];

pub(super) const A2A3: &[Row] = &[
    PADDING_SCATTERED.named("tscatter-a2a3-padding-lanes", "TSCATTER-SEM-02"),
    BYTE_INDEX.named("tscatter-a2a3-index-in-bytes", "TSCATTER-SEM-04"),
    (
        "tscatter-a2a3-short-index",
        "TSCATTER-SEM-01",
        "reads the lower 6 bits of an index",
        Selects(|_, index, _| Some((index & 0x3F).cast_signed())),
    ),
    MIXED_WRITERS.named("tscatter-a2a3-mixed-writers", "TSCATTER-CONF-02"),
    (
        "tscatter-a2a3-row-selector",
        "TSCATTER-SEM-03",
        "takes an index for the number of a destination row",
        Selects(|ops, index, capacity| Some((index * ops.on_chip?.cols % capacity).cast_signed())),
    ),
];

pub(super) const A5: &[Row] = &[
    CLEARS_DESTINATION.named("tscatter-a5-clears-destination", "TSCATTER-GAP-02"),
    LAST_LEFT_OUT.named("tscatter-a5-last-left-out", "TSCATTER-SEM-01"),
    INDEX_IN_VALID_REGION.named("tscatter-a5-index-in-valid-region", "TSCATTER-SEM-04"),
    SOURCE_TOUCHED.named("tscatter-a5-source-touched", "TSCATTER-SEM-05"),
];

pub(super) const MASK: &[Row] = &[
    (
        "tscatter-mask-a5-lanes-of-two-swapped",
        "TSCATTER-MASK-04",
        "counts the lanes of a group of two from the left",
        Other(|call, _| patterns_swapped(call, P0101, P1010)),
    ),
    (
        "tscatter-mask-a5-middle-lanes-swapped",
        "TSCATTER-MASK-06",
        "takes the third lane of four for the second",
        Other(|call, _| patterns_swapped(call, P0010, P0100)),
    ),
    (
        "tscatter-mask-a5-fourth-lane-is-first",
        "TSCATTER-MASK-08",
        "writes the first lane of four for the fourth",
        Other(|call, _| match call {
            Call::TscatterMask(c) if c.pattern == P1000 => c.pattern = P0001,
            _ => {}
        }),
    ),
    (
        "tscatter-mask-a5-not-cleared",
        "TSCATTER-MASK-01",
        "leaves the other lanes of a group as they were",
        Cell(|cells, r, c| {
            let (_, lane) = group(cells.call);
            kept_if(cells, r, c, lane_written(cells, r, c) != Some(lane))
        }),
    ),
    (
        "tscatter-mask-a5-valid-region-cleared",
        "TSCATTER-MASK-11",
        "leaves the padding of the destination as it was",
        Cell(|cells, r, c| kept_if(cells, r, c, !cells.is_valid(r, c))),
    ),
    (
        "tscatter-mask-a5-repeated",
        "TSCATTER-MASK-01",
        "writes the element to every lane of its group",
        Cell(|cells, r, c| match lane_written(cells, r, c) {
            Some(lane) => cells.after(r, c - lane + group(cells.call).1),
            None => cells.after(r, c),
        }),
    ),
    (
        "tscatter-mask-a5-padding-lanes",
        "TSCATTER-SEM-02",
        "spreads the padding columns of the source as far as they fit",
        Other(|call, _| {
            let (count, _) = group(call);
            if let Call::TscatterMask(c) = call {
                c.src.valid_col = Dim::Dynamic(c.src.cols.min(c.dst.cols / count));
            }
        }),
    ),
    (
        "tscatter-mask-a5-packed-destination",
        "TSCATTER-MASK-01",
        "takes the rows of the destination for ValidCol apart",
        Other(|call, _| packed(call, Role::Destination)),
    ),
    (
        "tscatter-mask-a5-plain-padding-kept",
        "TSCATTER-GAP-13",
        "keeps the padding under P1111",
        Other(|_, readings| readings.mask_p1111_padding = MaskPadding::Kept),
    ),
    SOURCE_TOUCHED.named("tscatter-mask-a5-source-touched", "TSCATTER-SEM-05"),
];
