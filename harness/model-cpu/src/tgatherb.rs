//! TGATHERB: source tile to destination tile through byte offsets.

use ptodiff_isa::{
    End, Fault, Memory, OffsetBoundary, OffsetGranularity, Readings, Role, Strays, Tgatherb, Tile,
    UnalignedOffset,
};

use crate::index::Indices;
use crate::layout::{BLOCK, Place, Steps, span};
use crate::operand::{Input, operands};
use crate::tile::Elements;
use crate::watch::{Quiet, Watch};

/// Runs one call over the destination's valid region, with an offset an
/// element or, under `Readings::tgatherb_granularity`, a block.
///
/// # Errors
/// If `memory` lacks the destination, the source or the offset tile.
pub(crate) fn execute<T: Watch>(
    call: &Tgatherb,
    memory: &mut Memory,
    readings: &Readings,
    watch: T,
) -> Result<End, Fault> {
    let (dst, inputs) = operands(memory, &Role::Destination)?;
    let (src, idx) = (inputs.get(&Role::Source)?, inputs.get(&Role::Index)?);
    let width = call.dst.dtype.size();
    let granularity = readings.tgatherb_granularity;
    let piece = match granularity {
        OffsetGranularity::Element => width,
        OffsetGranularity::Block => BLOCK,
    };
    let mut gather = Gather {
        dst: Elements::new(&call.dst, dst),
        src,
        offsets: Indices::new(&call.offset, idx),
        rows: call.dst.valid_row.get(),
        cols: call.dst.valid_col.get(),
        padded_cols: call.dst.cols,
        granularity,
        reach: Reach::new(&call.src, piece, readings),
        watch,
    };
    match width {
        1 => gather.run::<1>(),
        2 => gather.run::<2>(),
        4 => gather.run::<4>(),
        _ => gather.run::<8>(),
    }
    Ok(End::Finished)
}

/// Where pieces of the source may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Reach {
    /// Offset bits that count.
    aligned: u32,
    /// The last beginning, in bytes, or the last that an offset reaches.
    last: u32,
}

impl Reach {
    /// Beginnings of pieces of `piece` bytes that lie wholly inside the source
    /// (TGATHERB-OOB-02). A source that has no such piece leaves offset 0.
    fn new(src: &Tile, piece: usize, readings: &Readings) -> Self {
        let aligned = match readings.tgatherb_unaligned {
            UnalignedOffset::ByteExact | UnalignedOffset::Undefined => u32::MAX,
            UnalignedOffset::RoundedDown => u32::MAX << piece.ilog2(),
        };
        let last = end(src, readings.tgatherb_boundary).saturating_sub(span(1, piece));
        Self {
            aligned,
            last: u32::try_from(last.max(0)).unwrap_or(u32::MAX),
        }
    }

    /// Where the piece of an offset begins: rounded first, clamped then.
    #[inline]
    fn start(self, offset: u32) -> i64 {
        (offset & self.aligned).min(self.last).into()
    }

    /// The bytes of `src` as far as no piece of `N` bytes that lies in them is
    /// clamped.
    #[inline]
    fn unclamped<const N: usize>(self, src: &[u8]) -> &[u8] {
        let end = (self.last as usize).saturating_add(N);
        &src[..end.min(src.len())]
    }
}

/// The piece that begins at `start`, if it lies in `unclamped`.
#[inline]
fn piece<const N: usize>(unclamped: &[u8], start: u32) -> Option<&[u8; N]> {
    let start = start as usize;
    unclamped.get(start..start.checked_add(N)?)?.first_chunk()
}

/// The byte at which the source ends (TGATHERB-GAP-02).
fn end(src: &Tile, boundary: OffsetBoundary) -> i64 {
    let width = src.dtype.size();
    match boundary {
        OffsetBoundary::Allocation => span(src.rows.saturating_mul(src.cols), width),
        // In both layouts no valid element lies beyond the one in the corner.
        OffsetBoundary::Valid => {
            let (rows, cols) = (src.valid_row.get(), src.valid_col.get());
            match (rows.checked_sub(1), cols.checked_sub(1)) {
                (Some(r), Some(c)) => Steps::of(src).at(r, c).saturating_add(span(1, width)),
                _ => 0,
            }
        }
    }
}

struct Gather<'a, T> {
    dst: Elements<&'a mut [u8]>,
    src: Input<'a>,
    offsets: Indices<'a>,
    rows: u64,
    cols: u64,
    padded_cols: u64,
    granularity: OffsetGranularity,
    reach: Reach,
    watch: T,
}

impl<T: Watch> Gather<'_, T> {
    fn run<const W: usize>(&mut self) {
        match self.granularity {
            OffsetGranularity::Element => self.by_element::<W>(),
            OffsetGranularity::Block => self.by_block::<W>(),
        }
    }

    fn by_element<const W: usize>(&mut self) {
        // Without padding the rows are one long row.
        let (rows, cols) = if self.dst.packed(self.cols) && self.offsets.packed(self.cols) {
            (1, self.rows.saturating_mul(self.cols))
        } else {
            (self.rows, self.cols)
        };
        let (reach, watch) = (self.reach, &mut self.watch);
        if !T::RECORDS
            && let Some(offsets) = self.offsets.words(rows, cols)
            && let Some(dst) = self.dst.rows_mut(rows, cols)
        {
            for (offsets, dst) in offsets.zip(dst) {
                let (src, strays) = (&self.src, watch.strays());
                match reach.aligned {
                    u32::MAX => elements::<W>(dst, src, offsets, reach, |offset| offset, strays),
                    bits => elements::<W>(dst, src, offsets, reach, |offset| offset & bits, strays),
                }
            }
            return;
        }
        for r in 0..rows {
            for c in 0..cols {
                let at = reach.start(self.offsets.of_element(r, c, watch));
                let element = self.src.load::<W>(at, watch);
                self.dst.store(r, c, element, watch);
            }
        }
    }

    /// The last block of a row may pass the valid columns but not the padded
    /// ones (TGATHERB-GAP-07).
    fn by_block<const W: usize>(&mut self) {
        let (reach, watch) = (self.reach, &mut self.watch);
        let lanes = (BLOCK / W) as u64;
        // Without padding the rows are one long row of whole blocks.
        let packed = self.cols.is_multiple_of(lanes)
            && self.dst.packed(self.cols)
            && self.offsets.packed(self.cols / lanes);
        let (rows, cols, padded_cols) = if packed {
            let all = self.rows.saturating_mul(self.cols);
            (1, all, all)
        } else {
            (self.rows, self.cols, self.padded_cols)
        };
        let blocks = cols.div_ceil(lanes);
        let cols = blocks.saturating_mul(lanes).min(padded_cols);
        if !T::RECORDS
            && let Some(offsets) = self.offsets.words(rows, blocks)
            && let Some(dst) = self.dst.rows_mut(rows, cols)
        {
            for (offsets, dst) in offsets.zip(dst) {
                blocks_of::<W>(dst, &self.src, offsets, reach, watch.strays());
            }
            return;
        }
        for r in 0..rows {
            for b in 0..blocks {
                let start = reach.start(self.offsets.of_element(r, b, watch));
                let first = b * lanes;
                for lane in 0..lanes.min(padded_cols.saturating_sub(first)) {
                    let at = start.saturating_add(span(lane, W));
                    let element = self.src.load::<W>(at, watch);
                    self.dst.store(r, first + lane, element, watch);
                }
            }
        }
    }
}

/// One row of elements whose destinations and offsets are the tiles' own bytes.
#[inline(never)]
fn elements<const W: usize>(
    dst: &mut [[u8; W]],
    src: &Input<'_>,
    offsets: &[[u8; 4]],
    reach: Reach,
    rounded: impl Fn(u32) -> u32,
    strays: &mut Strays,
) {
    let unclamped = reach.unclamped::<W>(src.body);
    let mut take = |offset| {
        let offset = rounded(u32::from_le_bytes(offset));
        match piece(unclamped, offset) {
            Some(element) => *element,
            None => clamped(src, reach.start(offset), strays),
        }
    };
    let (fours, rest) = dst.as_chunks_mut::<4>();
    let (offsets, others) = offsets.as_chunks::<4>();
    for (offsets, four) in offsets.iter().zip(fours) {
        for (&offset, dst) in offsets.iter().zip(four) {
            *dst = take(offset);
        }
    }
    for (&offset, dst) in others.iter().zip(rest) {
        *dst = take(offset);
    }
}

/// An element that may lie anywhere.
#[cold]
#[inline(never)]
fn clamped<const W: usize>(src: &Input<'_>, start: i64, strays: &mut Strays) -> [u8; W] {
    src.load(start, &mut Quiet { strays })
}

/// The same with an offset a block, of which a row's last may be shorter.
fn blocks_of<const W: usize>(
    dst: &mut [[u8; W]],
    src: &Input<'_>,
    offsets: &[[u8; 4]],
    reach: Reach,
    strays: &mut Strays,
) {
    let (whole, rest) = dst.as_flattened_mut().as_chunks_mut::<BLOCK>();
    let unclamped = reach.unclamped::<BLOCK>(src.body);
    let mut offsets = offsets.iter().map(|offset| u32::from_le_bytes(*offset));
    for (block, offset) in whole.iter_mut().zip(&mut offsets) {
        let offset = offset & reach.aligned;
        match piece(unclamped, offset) {
            Some(bytes) => *block = *bytes,
            None => block_lanes::<W>(block, src, reach.start(offset), strays),
        }
    }
    if let Some(offset) = offsets.next() {
        block_lanes::<W>(rest, src, reach.start(offset), strays);
    }
}

/// A block element by element: one that is cut short or not the source's own.
#[cold]
#[inline(never)]
fn block_lanes<const W: usize>(block: &mut [u8], src: &Input<'_>, start: i64, strays: &mut Strays) {
    for (lane, dst) in (0..).zip(block.as_chunks_mut::<W>().0) {
        let at = start.saturating_add(span(lane, W));
        *dst = src.load(at, &mut Quiet { strays });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Pieces may begin at bytes 0 to 8: those of four bytes end by byte 12.
    #[test]
    fn a_piece_is_not_clamped_up_to_the_last_beginning() {
        let src: [u8; 20] = std::array::from_fn(|k| k as u8);
        let reach = |last| Reach { aligned: !0, last };
        let unclamped = reach(8).unclamped::<4>(&src);
        assert_eq!(unclamped, &src[..12]);
        assert_eq!(piece(unclamped, 8), Some(&[8, 9, 10, 11]));
        assert_eq!(piece::<4>(unclamped, 9), None);
        assert_eq!(piece::<4>(unclamped, u32::MAX), None);
        // The source may be shorter than its tile says.
        assert_eq!(reach(17).unclamped::<4>(&src), src);
    }
}
