//! TSCATTER (002), by index and by mask. No launch is documented: each source
//! element has a lane of its own.

use ptodiff_isa::Role::{Destination, Index, Source};
use ptodiff_isa::Space::Ub;
use ptodiff_isa::{
    DType, End, Fault, How, MaskAxis, MaskPadding, MaskPattern, ScatterExtent, ScatterIndex, Tile,
    TscatterIndex, TscatterMask, Unaddressed,
};
use ptodiff_memory::Bus;

use crate::index::number;
use crate::launch::Grid;
use crate::no_kernel;
use crate::plan::{self, Extent};
use crate::schedule::order;

/// Runs one call of the index form: `dst_flat[idx[i, j]] = src[i, j]`, or
/// `dst[idx[i, j], j] = src[i, j]` under a reading (GAP-22).
pub(crate) fn by_index(call: &TscatterIndex, how: &How, bus: &mut Bus<'_>) -> Result<End, Fault> {
    use DType::{Int16, Int32, Uint16, Uint32};
    let TscatterIndex { dst, src, idx } = call;
    let readings = &how.readings;
    if !matches!(idx.dtype, Int16 | Int32 | Uint16 | Uint32) {
        // DTYPE-04.
        return Err(no_kernel(format_args!("{} indices", idx.dtype)));
    }
    // SEM-02, GAP-03.
    let extent = Extent::valid(match readings.tscatter_extent {
        ScatterExtent::Source => src,
        ScatterExtent::Index => idx,
    })?;
    let size = src.dtype.size();
    if readings.tscatter_unaddressed == Unaddressed::Zero {
        // GAP-02.
        zero_fill(dst, size, bus);
    }
    for item in order(&Grid::lane_each(extent.count()), how.schedule) {
        let position = extent.position(item);
        let index_size = idx.dtype.size();
        let bits = bus.load(
            Ub,
            Index,
            plan::tile_at(idx, position, index_size),
            index_size,
        );
        let value = bus.load(Ub, Source, plan::tile_at(src, position, size), size);
        // OOB-01: unchecked.
        let number = i128::from(number(bits, idx.dtype, readings.tscatter_negative_index));
        let to = match readings.tscatter_index {
            // SEM-04: a slot of the storage, whatever the layout (GAP-07).
            ScatterIndex::Flat => plan::element_at(number, size),
            ScatterIndex::Row => plan::tile_row_at(dst, number, position.1, size),
        };
        bus.store(Ub, Destination, to, size, value);
    }
    Ok(End::Finished)
}

/// Runs one call of the mask form: `dst[i, F * j + pos] = src[i, j]` (MASK-01).
pub(crate) fn by_mask(call: &TscatterMask, how: &How, bus: &mut Bus<'_>) -> Result<End, Fault> {
    let TscatterMask { dst, src, .. } = call;
    if call.axis == MaskAxis::Col {
        return Err(no_kernel("groups along the columns"));
    }
    let extent = Extent::valid(src)?;
    let size = src.dtype.size();
    // MASK-11, but for P1111 under a reading (GAP-13).
    let keeps =
        call.pattern == MaskPattern::P1111 && how.readings.mask_p1111_padding == MaskPadding::Kept;
    if !keeps {
        zero_fill(dst, size, bus);
    }
    let (factor, lane) = expansion(call.pattern);
    for item in order(&Grid::lane_each(extent.count()), how.schedule) {
        let (row, col) = extent.position(item);
        let value = bus.load(Ub, Source, plan::tile_at(src, (row, col), size), size);
        let to = plan::tile_at(dst, (row, factor * col + lane), size);
        bus.store(Ub, Destination, to, size, value);
    }
    Ok(End::Finished)
}

/// Zero over the whole allocation, not only the valid region.
fn zero_fill(dst: &Tile, size: usize, bus: &mut Bus<'_>) {
    bus.fill(None, Ub, Destination, 0, plan::image_bytes(dst, size));
}

/// The factor of a pattern and the lane of a group that it selects (MASK-02 to -09;
/// the column "Selected lane" counts, GAP-11).
pub(crate) fn expansion(pattern: MaskPattern) -> (u64, u64) {
    match pattern {
        MaskPattern::P0101 => (2, 0),
        MaskPattern::P1010 => (2, 1),
        MaskPattern::P0001 => (4, 0),
        MaskPattern::P0010 => (4, 1),
        MaskPattern::P0100 => (4, 2),
        MaskPattern::P1000 => (4, 3),
        MaskPattern::P1111 => (1, 0),
    }
}
