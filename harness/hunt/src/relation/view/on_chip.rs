//! Rules of TSCATTER and TGATHERB: 002 and 004, Target-Profile Restrictions.

use ptodiff_isa::{
    BLayout, DType, MaskAxis, MaskPattern, OffsetBoundary, OffsetGranularity, Readings,
    ScatterExtent, ScatterRange, Target, Tgatherb, Tile, TscatterIndex, TscatterMask,
    UnalignedOffset,
};

use super::facts::{common, demand, extents, plain, plain_rows};
use crate::relation::place::{BLOCK_BYTES, Places};
use crate::relation::reach::Policy;

/// What the rules make of a call's tiles.
pub(super) struct Ruled {
    /// Extents that the call runs over.
    pub(super) extents: [u64; 2],
    /// Columns that one index serves.
    pub(super) width: u64,
    pub(super) capacity: u64,
    pub(super) policy: Policy,
}

/// Nothing where a rule of TSCATTER by index is broken.
pub(super) fn by_index(call: &TscatterIndex, readings: &Readings) -> Option<Ruled> {
    let TscatterIndex { dst, src, idx } = call;
    demand(plain(dst) && plain(src) && plain(idx))?;
    // CPU moves bytes, the NPUs check the types (TSCATTER-GAP-08).
    demand(dst.dtype.size() == src.dtype.size() && idx.dtype.is_integer())?;
    let [over, other] = match readings.tscatter_extent {
        ScatterExtent::Source => [extents(src)?, extents(idx)?],
        ScatterExtent::Index => [extents(idx)?, extents(src)?],
    };
    demand(over[0] <= other[0] && over[1] <= other[1])?;
    // TSCATTER-GAP-05.
    let (capacity, pitch, inner) = match (readings.tscatter_range, dst.blayout) {
        (ScatterRange::Storage, _) => (dst.rows.saturating_mul(dst.cols), 1, 1),
        (ScatterRange::Valid, layout) => {
            let [rows, cols] = extents(dst)?;
            match layout {
                BLayout::RowMajor => (rows.saturating_mul(dst.cols), dst.cols, cols),
                BLayout::ColMajor => (cols.saturating_mul(dst.rows), dst.rows, rows),
            }
        }
    };
    Some(Ruled {
        extents: over,
        width: 1,
        capacity,
        policy: Policy::Storage { pitch, inner },
    })
}

/// Whether the rules of TSCATTER by mask hold along the rows.
pub(in crate::relation) fn by_mask(call: &TscatterMask) -> Option<()> {
    let TscatterMask {
        dst,
        src,
        pattern,
        axis,
    } = call;
    demand(plain(dst) && plain(src) && dst.dtype == src.dtype && *axis == MaskAxis::Row)?;
    let [src, dst] = [extents(src)?, extents(dst)?];
    let lanes = match pattern {
        MaskPattern::P1111 => 1,
        MaskPattern::P0101 | MaskPattern::P1010 => 2,
        MaskPattern::P0001 | MaskPattern::P0010 | MaskPattern::P0100 | MaskPattern::P1000 => 4,
    };
    demand(dst[0] == src[0] && src[1].checked_mul(lanes)? == dst[1])
}

/// Nothing where a rule of TGATHERB is broken (TGATHERB-GAP-04 to -10).
pub(super) fn byte_gather(call: &Tgatherb, target: Target, readings: &Readings) -> Option<Ruled> {
    let Tgatherb { dst, src, offset } = call;
    let size = dst.dtype.size() as u64;
    demand(common(dst.dtype) && src.dtype == dst.dtype)?;
    demand(matches!(offset.dtype, DType::Int32 | DType::Uint32))?;
    demand(plain(dst) && plain(src) && plain(offset))?;
    demand(dst.blayout == BLayout::RowMajor || target == Target::A5)?;
    let [rows, cols] = extents(dst)?;
    let blocks = readings.tgatherb_granularity == OffsetGranularity::Block;
    let width = if blocks { BLOCK_BYTES / size } else { 1 };
    if blocks {
        // What follows the last column may change with its block (TGATHERB-GAP-07).
        demand([dst, src, offset].into_iter().all(plain_rows) && cols.is_multiple_of(width))?;
    }
    let offsets = extents(offset)?;
    demand(rows <= offsets[0] && cols / width <= offsets[1])?;
    // TGATHERB-GAP-02, -03.
    let elements = match readings.tgatherb_boundary {
        OffsetBoundary::Allocation => src.rows.checked_mul(src.cols)?,
        OffsetBoundary::Valid => last(src)?,
    };
    let unit = width * size;
    let capacity = elements.checked_mul(size)?;
    demand(capacity >= unit && capacity.is_multiple_of(unit))?;
    Some(Ruled {
        extents: [rows, cols],
        width,
        capacity,
        policy: Policy::Bytes {
            unit,
            clamps: target == Target::Cpu,
            aligned: readings.tgatherb_unaligned == UnalignedOffset::Undefined,
        },
    })
}

/// Elements up to and with the last valid one, in storage order.
fn last(tile: &Tile) -> Option<u64> {
    let [rows, cols] = extents(tile)?;
    // No place is beyond the image.
    tile.rows.checked_mul(tile.cols)?;
    let last = Places::of_tile(tile).at(rows as usize - 1, cols as usize - 1);
    Some(last as u64 + 1)
}
