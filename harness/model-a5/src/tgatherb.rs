//! TGATHERB (004). No launch is documented: each offset has a lane of its own.

use ptodiff_isa::Role::{Destination, Index, Source};
use ptodiff_isa::Space::Ub;
use ptodiff_isa::{End, Event, Fault, How, OffsetGranularity, Tgatherb, UnalignedOffset};
use ptodiff_memory::Bus;

use crate::launch::Grid;
use crate::plan::{self, Extent};
use crate::schedule::order;

/// Bytes of an offset: a `uint32_t`, whatever the tile says (INDEX-01).
const OFFSET_SIZE: usize = 4;
/// Bytes that one offset serves by block (GAP-14).
const BLOCK: u64 = 32;

/// Runs one call: `dst[i, j] = *(srcBase + offset[i, j])`.
pub(crate) fn run(call: &Tgatherb, how: &How, bus: &mut Bus<'_>) -> Result<End, Fault> {
    let valid = Extent::valid(&call.dst)?;
    match how.readings.tgatherb_granularity {
        OffsetGranularity::Element => by_element(call, valid, how, bus),
        OffsetGranularity::Block => by_block(call, valid, how, bus)?,
    }
    Ok(End::Finished)
}

/// One offset an element (SEM-01 to -03).
fn by_element(call: &Tgatherb, valid: Extent, how: &How, bus: &mut Bus<'_>) {
    let size = call.dst.dtype.size();
    for item in order(&Grid::lane_each(valid.count()), how.schedule) {
        let position = valid.position(item);
        let from = offset(call, position, size as i64, how, bus);
        let value = bus.load(Ub, Source, from, size);
        let to = plan::tile_at(&call.dst, position, size);
        bus.store(Ub, Destination, to, size, value);
    }
}

/// One offset a block of 32 bytes of a row, which is loaded whole (GAP-14).
fn by_block(call: &Tgatherb, valid: Extent, how: &How, bus: &mut Bus<'_>) -> Result<(), Fault> {
    let size = call.dst.dtype.size();
    let served = BLOCK / size as u64;
    let blocks = Extent::new(valid.rows, valid.cols.div_ceil(served))?;
    for item in order(&Grid::lane_each(blocks.count()), how.schedule) {
        let (row, block) = blocks.position(item);
        let from = offset(call, (row, block), BLOCK as i64, how, bus);
        let first_col = block * served;
        let to = plan::tile_at(&call.dst, (row, first_col), size);
        // The rest of a row's last block may change (GAP-07), the next row may not.
        let cols = served.min(call.dst.cols.saturating_sub(first_col));
        let len = cols * size as u64;
        bus.note(|| Event::Load {
            space: Ub,
            role: Source,
            offset: from,
            len: BLOCK,
        });
        bus.note(|| Event::Store {
            space: Ub,
            role: Destination,
            offset: to,
            len,
        });
        bus.access(Source, from, BLOCK, false);
        bus.access(Destination, to, len, true);
        for byte in 0..len as i64 {
            let value = bus.peek(Source, from + byte, 1);
            bus.poke(Destination, to.saturating_add(byte), 1, value);
        }
    }
    Ok(())
}

/// Loads the offset at a position of the offset tile. Nothing checks it (OOB-03);
/// where it is no multiple of `unit`, a reading may round it down (GAP-01).
fn offset(call: &Tgatherb, position: (u64, u64), unit: i64, how: &How, bus: &mut Bus<'_>) -> i64 {
    let at = plan::tile_at(&call.offset, position, OFFSET_SIZE);
    let offset = bus.load(Ub, Index, at, OFFSET_SIZE) as i64;
    match how.readings.tgatherb_unaligned {
        UnalignedOffset::RoundedDown => offset - offset % unit,
        UnalignedOffset::ByteExact | UnalignedOffset::Undefined => offset,
    }
}
