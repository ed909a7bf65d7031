//! TGATHERB (004): `dst[i, j] = *(srcBase + offset[i, j])`.
//!
//! A *piece* is what one offset serves: an element, or a block of 32 bytes
//! (TGATHERB-GAP-14).

use ptodiff_isa::Role::{Destination, Source};
use ptodiff_isa::Space::Ub;
use ptodiff_isa::{OffsetBoundary, OffsetGranularity, Readings, Tgatherb, Tile, UnalignedOffset};
use ptodiff_memory::Bus;

use crate::index;
use crate::place::{self, BLOCK};

/// Walks ValidRow x ValidCol of the destination (TGATHERB-SEM-02), by piece. An
/// element is as wide as the destination's type says (TGATHERB-GAP-04).
pub(crate) fn run(call: &Tgatherb, readings: &Readings, bus: &mut Bus<'_>) {
    let Tgatherb { dst, src, offset } = call;
    let size = dst.dtype.size() as u64;
    // A last block passes ValidCol, but not the padded row (TGATHERB-GAP-07).
    let (piece, columns) = match readings.tgatherb_granularity {
        OffsetGranularity::Element => (size, dst.valid_col.get()),
        OffsetGranularity::Block => (BLOCK, dst.cols),
    };
    let elements = piece / size;
    // Where the last whole piece of the source begins; 0 if there is none.
    let last = source_end(src, readings).saturating_sub(piece);
    for r in 0..dst.valid_row.get() {
        for p in 0..dst.valid_col.get().div_ceil(elements) {
            let at = place::in_tile(offset, r, p);
            let wanted = index::load_uint32(bus, Ub, offset.dtype, at);
            let start = aligned(wanted, piece, readings).min(last);
            let first = place::linear(p, elements, 0);
            for c in first..columns.min(first.saturating_add(elements)) {
                let from = place::offset(place::linear(c - first, size, start));
                let value = bus.load(Ub, Source, from, dst.dtype.size());
                let to = place::in_tile(dst, r, c);
                bus.store(Ub, Destination, to, dst.dtype.size(), value);
            }
        }
    }
}

/// Where the piece at `offset` begins (TGATHERB-GAP-01).
fn aligned(offset: u64, piece: u64, readings: &Readings) -> u64 {
    match readings.tgatherb_unaligned {
        UnalignedOffset::ByteExact | UnalignedOffset::Undefined => offset,
        UnalignedOffset::RoundedDown => offset - offset % piece,
    }
}

/// The boundary that offsets are clamped to (TGATHERB-OOB-02, TGATHERB-GAP-02):
/// the end of the source's allocation, or of the last element of its valid
/// region in storage order; in bytes.
fn source_end(src: &Tile, readings: &Readings) -> u64 {
    match readings.tgatherb_boundary {
        OffsetBoundary::Allocation => place::tile_bytes(src),
        OffsetBoundary::Valid => {
            let (rows, cols) = (src.valid_row.get(), src.valid_col.get());
            let (Some(r), Some(c)) = (rows.checked_sub(1), cols.checked_sub(1)) else {
                return 0;
            };
            let last = place::number_in_tile(src, r, c);
            last.saturating_add(1)
                .saturating_mul(src.dtype.size() as u64)
        }
    }
}
