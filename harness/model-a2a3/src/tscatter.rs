//! TSCATTER (002): tile to tile, by index or by mask.

use ptodiff_isa::{
    DType, Fault, MaskAxis, MaskPadding, MaskPattern, Readings,
    Role::{Destination, Index, Source},
    ScatterExtent, ScatterIndex, Scope,
    Space::Ub,
    TscatterIndex, TscatterMask, Unaddressed,
};

use crate::{engine::Core, index, places};

/// Runs the index form: `dst_flat[idx[i, j]] = src[i, j]` (TSCATTER-SEM-01), or
/// `dst[idx[i, j], j] = src[i, j]` (TSCATTER-GAP-22).
///
/// # Errors
/// If no kernel exists for its index dtype, or an operand is missing.
pub(crate) fn by_index(
    call: &TscatterIndex,
    readings: &Readings,
    core: &mut Core<'_>,
) -> Result<(), Fault> {
    // TSCATTER-DTYPE-04.
    match call.idx.dtype {
        DType::Int16 | DType::Uint16 | DType::Int32 | DType::Uint32 => {}
        dtype => return Err(index::not_read(dtype)),
    }
    core.bus().require(&[Destination, Source, Index])?;
    let size = call.dst.dtype.size();
    if readings.tscatter_unaddressed == Unaddressed::Zero {
        core.fill(Ub, Destination, places::allocation(&call.dst));
    }
    // TSCATTER-SEM-02, TSCATTER-GAP-03.
    let extent = match readings.tscatter_extent {
        ScatterExtent::Source => &call.src,
        ScatterExtent::Index => &call.idx,
    };
    // Increasing (r, c); the last writer stays (TSCATTER-CONF-02).
    for row in 0..extent.valid_row.get() {
        for col in 0..extent.valid_col.get() {
            let at = places::in_tile(&call.idx, row, col);
            let bits = core.load(Ub, Index, at, call.idx.dtype.size());
            let value = core.load(
                Ub,
                Source,
                places::in_tile_of(&call.src, row, col, size),
                size,
            );
            let index = index::number(bits, call.idx.dtype, readings.tscatter_negative_index);
            // A slot of the destination's storage, whatever its layout
            // (TSCATTER-SEM-04, TSCATTER-GAP-07); no bounds are checked.
            let slot = match readings.tscatter_index {
                ScatterIndex::Flat => index,
                ScatterIndex::Row => places::element(&call.dst, index, col),
            };
            core.store(Ub, Destination, places::byte(slot, size), size, value);
        }
    }
    Ok(())
}

/// Whether A2/A3 has the mask form: where the suites drive it, and along rows
/// only (TSCATTER-MODE-02, TSCATTER-GAP-09).
pub(crate) fn has_mask_form(call: &TscatterMask, readings: &Readings) -> bool {
    readings.scope == Scope::AsTheSuite && call.axis == MaskAxis::Row
}

/// Runs the mask form: `dst[i, F * j + pos] = src[i, j]`, zero elsewhere (002, Mask
/// Scatter).
///
/// # Errors
/// If A2/A3 has no such form, or an operand is missing.
pub(crate) fn by_mask(
    call: &TscatterMask,
    readings: &Readings,
    core: &mut Core<'_>,
) -> Result<(), Fault> {
    if !has_mask_form(call, readings) {
        let axis = call.axis;
        return Err(Fault(format!(
            "no kernel for TSCATTER by mask along {axis}"
        )));
    }
    core.bus().require(&[Destination, Source])?;
    let size = call.dst.dtype.size();
    let (factor, position) = lanes(call.pattern);
    // The whole allocation, also without a valid element (TSCATTER-MASK-11,
    // TSCATTER-GAP-13, -21).
    let keeps = readings.mask_p1111_padding == MaskPadding::Kept;
    if !(keeps && call.pattern == MaskPattern::P1111) {
        core.fill(Ub, Destination, places::allocation(&call.dst));
    }
    for row in 0..call.src.valid_row.get() {
        for col in 0..call.src.valid_col.get() {
            let value = core.load(
                Ub,
                Source,
                places::in_tile_of(&call.src, row, col, size),
                size,
            );
            let lane = col.saturating_mul(factor).saturating_add(position);
            let to = places::in_tile(&call.dst, row, lane);
            core.store(Ub, Destination, to, size, value);
        }
    }
    Ok(())
}

/// Lanes of a group, and which of them takes the element (002, the table of
/// MaskPattern).
pub(crate) fn lanes(pattern: MaskPattern) -> (u64, u64) {
    match pattern {
        MaskPattern::P1111 => (1, 0),
        MaskPattern::P0101 => (2, 0),
        MaskPattern::P1010 => (2, 1),
        MaskPattern::P0001 => (4, 0),
        MaskPattern::P0010 => (4, 1),
        MaskPattern::P0100 => (4, 2),
        MaskPattern::P1000 => (4, 3),
    }
}
