//! TGATHERB: loads from anywhere in the source's storage.

use ptodiff_isa::{
    Fault, Memory, OffsetGranularity, Readings, Role, Space, Tgatherb, UnalignedOffset,
};

use crate::{
    flat::{self, Flat},
    groups::pairs_mut,
    nz::C0_BYTES,
    operands::regions,
    port::{Port, View},
    scribe::Scribe,
};

/// Bytes of a block.
const BLOCK: usize = C0_BYTES as usize;

/// Bytes of one offset, whatever the tile's dtype says (TGATHERB-INDEX-01).
const OFFSET_BYTES: usize = 4;

/// Runs one TGATHERB in place on `memory` (004, A2/A3).
///
/// # Errors
/// If the memory lacks an operand or no kernel exists for the element size
/// (TGATHERB-DTYPE-01).
#[inline(never)]
pub(crate) fn run<L: Scribe>(
    call: &Tgatherb,
    memory: &mut Memory,
    readings: &Readings,
    log: &mut L,
) -> Result<(), Fault> {
    let [dst, src, offset] = regions(memory, [Role::Destination, Role::Source, Role::Index])?;
    let mut task = Task {
        call,
        rounded: readings.tgatherb_unaligned == UnalignedOffset::RoundedDown,
        dst: Port::new(dst),
        src: View::new(src),
        offset: View::new(offset),
    };
    match (readings.tgatherb_granularity, call.dst.dtype.size()) {
        (_, 8) => return Err(Fault(format!("no kernel gathers {}", call.dst.dtype))),
        (OffsetGranularity::Block, width) => task.blocks(width as u64, log),
        (OffsetGranularity::Element, 1) => task.elements::<1, L>(log),
        (OffsetGranularity::Element, 2) => task.elements::<2, L>(log),
        (OffsetGranularity::Element, _) => task.elements::<4, L>(log),
    }
    Ok(())
}

struct Task<'t> {
    call: &'t Tgatherb,
    /// Whether an offset counts from the unit that it lies in (TGATHERB-GAP-01).
    rounded: bool,
    dst: Port<'t>,
    src: View<'t>,
    offset: View<'t>,
}

impl Task<'_> {
    /// An element for each offset (TGATHERB-SEM-01, -02); bounds are not
    /// looked at (TGATHERB-OOB-01).
    fn elements<const W: usize, L: Scribe>(&mut self, log: &mut L) {
        let Tgatherb { dst, offset, .. } = self.call;
        let (slots, offsets) = (Flat::new(dst, W), Flat::new(offset, OFFSET_BYTES));
        let (rows, cols) = (dst.valid_row.get(), dst.valid_col.get());
        let (rows, cols) = flat::extents(rows, cols, [&slots, &offsets]);
        for row in 0..rows {
            if self.line::<W, L>(row, cols, &offsets, &slots, log) {
                continue;
            }
            for col in 0..cols {
                let value = self.load::<W>(offsets.at(row, col), log);
                let to = slots.at(row, col);
                log.store(Space::Ub, Role::Destination, to, W);
                self.dst.store(to, value, log);
            }
        }
    }

    /// 32 bytes for each offset, the other reading of TGATHERB-GAP-14. A
    /// row's last block may pass ValidCol, but not the end of the padded row.
    fn blocks<L: Scribe>(&mut self, width: u64, log: &mut L) {
        let Tgatherb { dst, offset, .. } = self.call;
        let offsets = Flat::new(offset, OFFSET_BYTES);
        let slots = Flat::new(dst, width as usize).cut(BLOCK);
        let padded = dst.cols.saturating_mul(width);
        let valid = dst.valid_col.get().saturating_mul(width).min(padded);
        let (rows, blocks) = (dst.valid_row.get(), valid.div_ceil(C0_BYTES));
        // Rows that blocks fill have no block that is cut short.
        let whole = padded.is_multiple_of(C0_BYTES);
        let (rows, blocks) = match whole {
            true => flat::extents(rows, blocks, [&slots, &offsets]),
            false => (rows, blocks),
        };
        for row in 0..rows {
            if whole && self.line::<BLOCK, L>(row, blocks, &offsets, &slots, log) {
                continue;
            }
            for block in 0..blocks {
                let bytes = self.load::<BLOCK>(offsets.at(row, block), log);
                let room = match whole {
                    true => BLOCK,
                    false => C0_BYTES.min(padded - block * C0_BYTES) as usize,
                };
                let to = slots.at(row, block);
                log.store(Space::Ub, Role::Destination, to, room);
                self.dst.write(to, &bytes[..room], log);
            }
        }
    }

    /// A unit of `N` bytes for each of the first `cols` offsets of a row, if
    /// offsets and slots lie side by side and in their operands; else nothing.
    fn line<const N: usize, L: Scribe>(
        &mut self,
        row: u64,
        cols: u64,
        offsets: &Flat,
        slots: &Flat,
        log: &mut L,
    ) -> bool {
        let first = self.first_of::<N>();
        let offset_line = offsets.line(&self.offset, row, cols);
        let slot_line = slots.line_mut(&mut self.dst, row, cols);
        let (Some(offset_line), Some(slot_line)) = (offset_line, slot_line) else {
            return false;
        };
        let (offset_line, _) = offset_line.as_chunks::<OFFSET_BYTES>();
        let (slot_line, _) = slot_line.as_chunks_mut::<N>();
        let done = if L::TRACES || self.rounded {
            0
        } else {
            units_inside(self.src.body(), offset_line, slot_line)
        };
        let elements = (0..).zip(offset_line.iter().zip(slot_line));
        for (col, (&offset, slot)) in elements.skip(done) {
            log.load(Space::Ub, Role::Index, offsets.at(row, col), OFFSET_BYTES);
            let from = first(offset);
            log.load(Space::Ub, Role::Source, from, N);
            self.src.fetch(from, slot, log);
            log.store(Space::Ub, Role::Destination, slots.at(row, col), N);
        }
        true
    }

    /// The unit of `N` bytes that the offset stored at `at` leads to.
    #[inline(always)]
    fn load<const N: usize>(&self, at: i64, log: &mut impl Scribe) -> [u8; N] {
        log.load(Space::Ub, Role::Index, at, OFFSET_BYTES);
        let from = self.first_of::<N>()(self.offset.load(at, log));
        log.load(Space::Ub, Role::Source, from, N);
        self.src.load(from, log)
    }

    /// From an offset to the first byte of its unit of `N` bytes, a power of two.
    #[inline(always)]
    fn first_of<const N: usize>(&self) -> impl Fn([u8; OFFSET_BYTES]) -> i64 + use<N> {
        let kept = if self.rounded {
            !(N as u32 - 1)
        } else {
            u32::MAX
        };
        move |offset| i64::from(u32::from_le_bytes(offset) & kept)
    }
}

/// Gathers the units at `offsets` as they come, in order, until one leaves the
/// source, and gives how many came before. Fewer may be done, as [`pairs_mut`]
/// says.
#[inline(never)]
fn units_inside<const N: usize>(
    source: &[u8],
    offsets: &[[u8; OFFSET_BYTES]],
    to: &mut [[u8; N]],
) -> usize {
    pairs_mut(offsets, to, |offset, to| {
        let from = usize::try_from(u32::from_le_bytes(offset)).ok()?;
        *to = *source.get(from..from.checked_add(N)?)?.first_chunk()?;
        Some(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In order, up to the one that leaves the source.
    #[test]
    fn units_inside_are_gathered() {
        let source: [u8; 20] = std::array::from_fn(|k| k as u8);
        let mut offsets: [u32; 16] = std::array::from_fn(|k| 16 - k as u32);
        for (beyond, done) in [(17, 9), (16, 16)] {
            offsets[9] = beyond;
            let mut to = [[0xFF; 4]; 16];
            let bits = offsets.map(u32::to_le_bytes);
            assert_eq!(units_inside(&source, &bits, &mut to), done);
            for (unit, from) in to[..done].iter().zip(offsets) {
                assert_eq!(*unit, [0, 1, 2, 3].map(|k| from as u8 + k));
            }
            assert!(to[done..].iter().all(|unit| *unit == [0xFF; 4]));
        }
    }
}
