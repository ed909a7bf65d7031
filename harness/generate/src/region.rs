//! An operand's bytes: guard zone, body, guard zone.

use std::borrow::Cow;

use ptodiff_case::Fill;
use ptodiff_isa::{BLayout, DType, GlobalTensor, Layout, Region, Role, SLayout, Tile};

use crate::fill;
use crate::place::{Places, put};
use crate::stream::Stream;

/// Least bytes of a guard zone, and what its length is a multiple of.
const GUARD_UNIT: u64 = 64;

/// Most bytes of a guard zone.
const GUARD_MOST: u64 = 4096;

/// The table of a case, filled.
pub(crate) fn table_region(table: &GlobalTensor, fill: &Fill, stream: &mut Stream) -> Region {
    let size = table.dtype.size();
    let places = Places::of_tensor(table);
    let [_, _, block, row, _] = table.stride.map(|d| d.get());
    // An NZ row lies in strips; what can be overrun is a block of 16 of them.
    let pitch = match table.layout {
        Layout::NZ => block,
        Layout::ND | Layout::DN => row.max(table.shape[4].get()),
    };
    let mut region = poisoned(Role::Table, places.span(), pitch, size);
    if let Some(values) = fill::values(fill, table.dtype, places.count(), stream) {
        put(&values, size, &places, region.body_mut());
    }
    region
}

/// One tile operand of a case, once for each chunk. `draw` gives the values of
/// all chunks in one piece, or none to leave poison.
pub(crate) fn tile_regions<'v>(
    role: Role,
    tile: &Tile,
    chunks: usize,
    draw: impl FnOnce(usize, DType, &mut Stream) -> Option<Cow<'v, [u8]>>,
    stream: &mut Stream,
) -> Vec<Region> {
    let size = tile.dtype.size();
    let places = Places::of_tile(tile);
    let count = places.count();
    let values = draw(count * chunks, tile.dtype, stream).unwrap_or_default();
    let pitch = match (tile.slayout, tile.blayout) {
        (SLayout::NoneBox, BLayout::ColMajor) => tile.rows,
        _ => tile.cols,
    };
    let elements = usize::try_from(tile.rows.saturating_mul(tile.cols)).unwrap_or(usize::MAX);
    let mut regions = vec![poisoned(role, elements, pitch, size); chunks];
    for (region, values) in regions.iter_mut().zip(values.chunks((count * size).max(1))) {
        put(values, size, &places, region.body_mut());
    }
    regions
}

/// Makes padding of an index tile worth reading: every other padding slot
/// holds an index in range (the others keep their poison, huge or negative),
/// so that whoever reads it moves something.
pub(crate) fn mark_index_padding(region: &mut Region, tile: &Tile, capacity: u64) {
    let slots = usize::try_from(tile.rows.saturating_mul(tile.cols)).unwrap_or(usize::MAX);
    let places = Places::of_tile(tile);
    if places.count() == slots {
        return;
    }
    let mut padding = vec![true; slots];
    places.each_run(|run| {
        for k in 0..run.len {
            if let Some(slot) = padding.get_mut(run.start + k * run.step) {
                *slot = false;
            }
        }
    });
    let size = tile.dtype.size();
    let body = region.body_mut();
    for (at, slot) in body.chunks_exact_mut(size).enumerate().step_by(2) {
        if padding[at] {
            // Counted from the end: not the index that a count from 0 would have here.
            let back = (at as u64).checked_rem(capacity).unwrap_or(0);
            let in_range = capacity.saturating_sub(1 + back);
            slot.copy_from_slice(&in_range.to_le_bytes()[..size]);
        }
    }
}

/// A region of `elements` elements with rows of `pitch` elements, all of it poison.
fn poisoned(role: Role, elements: usize, pitch: u64, size: usize) -> Region {
    let row = pitch.saturating_mul(size as u64);
    let guard = row
        .clamp(GUARD_UNIT, GUARD_MOST)
        .next_multiple_of(GUARD_UNIT) as usize;
    let body = elements * size;
    let bytes = fill::repeat(poison(role), guard + body + guard);
    Region::new(role, bytes, guard..guard + body)
}

/// What stands where no data does.
///
/// Only bytes that neither the suites' ramp nor zeros make; read as numbers
/// they are far from any data (large negative, NaN, an index out of any
/// range). Another order for each operand, and a period prime to all element
/// sizes: poison that was copied is not poison that was left alone.
fn poison(role: Role) -> &'static [u8; 7] {
    match role {
        Role::Table => &[0xFC, 0xFD, 0xFE, 0xFD, 0xFD, 0xFC, 0xFE],
        Role::Source => &[0xFD, 0xFE, 0xFC, 0xFE, 0xFE, 0xFD, 0xFC],
        Role::Destination => &[0xFE, 0xFC, 0xFD, 0xFC, 0xFC, 0xFE, 0xFD],
        Role::Index => &[0xFD, 0xFC, 0xFE, 0xFC, 0xFE, 0xFE, 0xFD],
    }
}
