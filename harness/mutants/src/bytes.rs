//! Reading and writing operands as every model must: what leaves the operand
//! is noted, and goes no further than its guard zone.

use ptodiff_isa::{BLayout, Log, OobAccess, Region, SLayout, Tile};

/// One element, in the first bytes; no dtype is wider.
pub(crate) type Element = [u8; 8];

/// Bytes of one row of a box.
const BLOCK: u64 = 32;

/// Columns of one box of elements of `size` bytes.
pub(crate) const fn block_cols(size: usize) -> u64 {
    BLOCK / size as u64
}

/// The number of element `(r, c)` in the image of `tile`.
pub(crate) fn in_tile(tile: &Tile, r: u64, c: u64) -> u64 {
    let boxed = tile.slayout != SLayout::NoneBox;
    match tile.blayout {
        _ if boxed => in_blocks(tile.rows, tile.dtype.size(), r, c),
        BLayout::RowMajor => r * tile.cols + c,
        BLayout::ColMajor => c * tile.rows + r,
    }
}

/// The number of element `(r, c)` in an NZ image of `rows` rows.
pub(crate) fn in_blocks(rows: u64, size: usize, r: u64, c: u64) -> u64 {
    let width = block_cols(size);
    c / width * rows * width + r * width + c % width
}

/// Whether `region` is the whole image of `tile` and its valid region lies in it.
pub(crate) fn is_image(tile: &Tile, region: &Region) -> bool {
    let bytes = tile.rows.checked_mul(tile.cols);
    let bytes = bytes.and_then(|n| n.checked_mul(tile.dtype.size() as u64));
    bytes == Some(region.body().len() as u64)
        && tile.valid_row.get() <= tile.rows
        && tile.valid_col.get() <= tile.cols
}

/// Positions of the valid region of `tile`, row by row.
pub(crate) fn valid(tile: &Tile) -> Vec<(u64, u64)> {
    rectangle(tile.valid_row.get(), tile.valid_col.get())
}

/// Positions of `rows` rows of `cols` columns, row by row.
pub(crate) fn rectangle(rows: u64, cols: u64) -> Vec<(u64, u64)> {
    (0..rows)
        .flat_map(|r| (0..cols).map(move |c| (r, c)))
        .collect()
}

/// Byte `k` of an access at byte `at` of the operand, as a place in the region.
fn place(region: &Region, at: i64, k: usize) -> Option<usize> {
    let start = i64::try_from(region.body_range().start).ok()?;
    usize::try_from(at.checked_add(start)?).ok()?.checked_add(k)
}

fn note(region: &Region, at: i64, len: usize, write: bool, log: &mut Log) {
    let start = usize::try_from(at).ok();
    let end = start.and_then(|start| start.checked_add(len));
    if end.is_none_or(|end| end > region.body().len()) {
        log.oob_accesses.push(OobAccess {
            role: region.role,
            offset: at,
            len: len as u64,
            write,
        });
    }
}

/// Element number `number` of `size` bytes.
pub(crate) fn read(region: &Region, number: i64, size: usize, log: &mut Log) -> Element {
    read_at(region, number.saturating_mul(size as i64), size, log)
}

/// The element of `size` bytes at byte `at`.
pub(crate) fn read_at(region: &Region, at: i64, size: usize, log: &mut Log) -> Element {
    note(region, at, size, false, log);
    let mut element = Element::default();
    for (k, byte) in element.iter_mut().enumerate().take(size) {
        let found = place(region, at, k).and_then(|at| region.bytes().get(at));
        *byte = found.copied().unwrap_or(0xEE);
    }
    element
}

/// Sets element number `number` of `size` bytes.
pub(crate) fn write(
    region: &mut Region,
    number: i64,
    size: usize,
    element: Element,
    log: &mut Log,
) {
    let at = number.saturating_mul(size as i64);
    note(region, at, size, true, log);
    for (k, byte) in element.into_iter().enumerate().take(size) {
        let place = place(region, at, k);
        if let Some([found]) = place.and_then(|at| region.part_mut(at..at + 1)) {
            *found = byte;
        }
    }
}

/// An element and its number in an image.
pub(crate) type Put = (u64, Element);

/// Sets elements of `size` bytes, one after the other.
pub(crate) fn write_all(region: &mut Region, puts: &[Put], size: usize, log: &mut Log) {
    for (number, element) in puts {
        let number = i64::try_from(*number).unwrap_or(i64::MAX);
        write(region, number, size, *element, log);
    }
}

/// The 32-bit index that is element number `number`.
pub(crate) fn index(region: &Region, number: u64, log: &mut Log) -> u32 {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let [a, b, c, d, ..] = read(region, number, 4, log);
    u32::from_le_bytes([a, b, c, d])
}
