//! TSCATTER (002): by index, `dst_flat[idx[i, j]] = src[i, j]` or
//! `dst[idx[i, j], j] = src[i, j]`, and by mask.

use ptodiff_isa::Role::{Destination, Index, Source};
use ptodiff_isa::Space::Ub;
use ptodiff_isa::{
    DType, MaskAxis, MaskPadding, MaskPattern, Readings, ScatterExtent, ScatterIndex, Tile,
    TscatterIndex, TscatterMask, Unaddressed,
};
use ptodiff_memory::Bus;

use crate::place;

/// The index form, in row-major order: the last writer of a slot wins
/// (TSCATTER-CONF-03).
pub(crate) fn by_index(call: &TscatterIndex, readings: &Readings, bus: &mut Bus<'_>) {
    let TscatterIndex { dst, src, idx } = call;
    match readings.tscatter_unaddressed {
        Unaddressed::Kept | Unaddressed::Undefined => {}
        Unaddressed::Zero => zero_fill(bus, dst),
    }
    // TSCATTER-SEM-02, TSCATTER-GAP-03
    let extent = match readings.tscatter_extent {
        ScatterExtent::Source => src,
        ScatterExtent::Index => idx,
    };
    for r in 0..extent.valid_row.get() {
        for c in 0..extent.valid_col.get() {
            // Unsigned in its own width (TSCATTER-GAP-06).
            let index = bus.load(Ub, Index, place::in_tile(idx, r, c), idx.dtype.size());
            let to = match readings.tscatter_index {
                // A slot of the storage, whatever its layout (TSCATTER-SEM-04).
                ScatterIndex::Flat => place::element(index, dst.dtype),
                // TSCATTER-GAP-22: where the destination has no such row or
                // column, wherever its layout leads.
                ScatterIndex::Row => place::in_tile(dst, index, c),
            };
            copy(bus, dst.dtype, place::in_tile(src, r, c), to);
        }
    }
}

/// The mask form: each source element goes to one lane of its group, and all
/// else is zero. A5 alone has it by the document (TSCATTER-GAP-09); the column
/// axis is the cpu suite's.
pub(crate) fn by_mask(call: &TscatterMask, readings: &Readings, bus: &mut Bus<'_>) {
    let TscatterMask { dst, src, .. } = call;
    // TSCATTER-GAP-13: under P1111 the padding may be kept, as TMOV keeps it.
    let keeps_padding =
        call.pattern == MaskPattern::P1111 && readings.mask_p1111_padding == MaskPadding::Kept;
    if !keeps_padding {
        zero_fill(bus, dst);
    }
    let (expansion, lane) = group(call.pattern);
    for r in 0..src.valid_row.get() {
        for c in 0..src.valid_col.get() {
            let to = match call.axis {
                MaskAxis::Row => place::in_tile(dst, r, place::linear(c, expansion, lane)),
                MaskAxis::Col => place::in_tile(dst, place::linear(r, expansion, lane), c),
            };
            copy(bus, dst.dtype, place::in_tile(src, r, c), to);
        }
    }
}

/// The lanes of a group (`F_P`) and the one that is selected (`pos_P`), counted
/// from 0 (002, C++ Intrinsic).
fn group(pattern: MaskPattern) -> (u64, u64) {
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

/// Sets the whole allocation of the destination to zero, padding included
/// (002, Mask scatter zero fill).
fn zero_fill(bus: &mut Bus<'_>, dst: &Tile) {
    bus.fill(None, Ub, Destination, 0, place::tile_bytes(dst));
}

/// Copies an element. It is as wide as the destination's type says: equal types
/// are a precondition (TSCATTER-GAP-08).
fn copy(bus: &mut Bus<'_>, dtype: DType, from: i64, to: i64) {
    let value = bus.load(Ub, Source, from, dtype.size());
    bus.store(Ub, Destination, to, dtype.size(), value);
}
