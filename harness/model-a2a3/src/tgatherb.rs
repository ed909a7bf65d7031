//! TGATHERB (004): tile to tile through byte offsets.

use ptodiff_isa::{
    Event, Fault, OffsetGranularity, Readings,
    Role::{Destination, Index, Source},
    Space::Ub,
    Tgatherb, UnalignedOffset,
};

use crate::{
    engine::Core,
    places::{self, bytes},
};

/// Bytes of an offset: it is taken as `uint32_t` (TGATHERB-INDEX-01, TGATHERB-GAP-05).
const OFFSET_BYTES: usize = 4;

/// Bytes that one offset serves under `tgatherb-granularity=block`.
const BLOCK: u64 = 32;

/// Runs one call over the destination's valid region (TGATHERB-SEM-02).
///
/// # Errors
/// If the destination's elements have 8 bytes, or an operand is missing.
pub(crate) fn run(call: &Tgatherb, readings: &Readings, core: &mut Core<'_>) -> Result<(), Fault> {
    let size = call.dst.dtype.size();
    if size > 4 {
        return Err(Fault(format!("no kernel for elements of {size} bytes")));
    }
    core.bus().require(&[Destination, Source, Index])?;
    match readings.tgatherb_granularity {
        OffsetGranularity::Element => elements(call, readings, core),
        OffsetGranularity::Block => blocks(call, readings, core),
    }
    Ok(())
}

/// One offset an element: `dst[i, j] = *(srcBase + offset[i, j])`.
fn elements(call: &Tgatherb, readings: &Readings, core: &mut Core<'_>) {
    let size = call.dst.dtype.size();
    for row in 0..call.dst.valid_row.get() {
        for col in 0..call.dst.valid_col.get() {
            let from = offset(call, readings, (row, col), size as i64, core);
            let value = core.load(Ub, Source, from, size);
            let to = places::in_tile(&call.dst, row, col);
            core.store(Ub, Destination, to, size, value);
        }
    }
}

/// One offset a block of 32 bytes: offset (i, b) serves row i from column
/// `b * 32 / size` on (TGATHERB-GAP-14). The last block of a row ends with the
/// padded row.
fn blocks(call: &Tgatherb, readings: &Readings, core: &mut Core<'_>) {
    let size = call.dst.dtype.size();
    let valid = bytes(call.dst.valid_col.get(), size);
    let padded = bytes(call.dst.cols, size);
    for row in 0..call.dst.valid_row.get() {
        let start = places::in_tile(&call.dst, row, 0);
        for block in 0..valid.div_ceil(BLOCK) {
            let from = offset(call, readings, (row, block), BLOCK as i64, core);
            let before = block * BLOCK;
            let room = BLOCK.min(padded.saturating_sub(before));
            move_block(from, (start.saturating_add_unsigned(before), room), core);
        }
    }
}

/// The byte of the source that the offset at a position names. Nothing is
/// negative and nothing is checked (TGATHERB-INDEX-01, TGATHERB-OOB-03).
fn offset(
    call: &Tgatherb,
    readings: &Readings,
    (row, col): (u64, u64),
    unit: i64,
    core: &mut Core<'_>,
) -> i64 {
    let tile = &call.offset;
    let at = places::in_tile_of(tile, row, col, OFFSET_BYTES);
    let offset = core.load(Ub, Index, at, OFFSET_BYTES) as i64;
    // TGATHERB-GAP-01.
    match readings.tgatherb_unaligned {
        UnalignedOffset::ByteExact | UnalignedOffset::Undefined => offset,
        UnalignedOffset::RoundedDown => offset - offset % unit,
    }
}

/// Loads a block in one access and stores as much of it as there is room for in another.
fn move_block(from: i64, (to, room): (i64, u64), core: &mut Core<'_>) {
    let bus = core.bus();
    let (space, role, offset) = (Ub, Source, from);
    bus.note(|| Event::Load {
        space,
        role,
        offset,
        len: BLOCK,
    });
    bus.access(Source, from, BLOCK, false);
    if room == 0 {
        return;
    }
    let (role, offset, len) = (Destination, to, room);
    bus.note(|| Event::Store {
        space,
        role,
        offset,
        len,
    });
    bus.access(Destination, to, room, true);
    for k in 0..room as i64 {
        let value = bus.peek(Source, from.saturating_add(k), 1);
        bus.poke(Destination, to.saturating_add(k), 1, value);
    }
}
