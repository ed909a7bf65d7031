//! TGATHERB: loads from anywhere in the source's storage.

use ptodiff_isa::{
    Fault, Memory, OffsetGranularity, Readings, Role, Space, Tgatherb, UnalignedOffset,
};

use crate::{
    flat::Flat,
    nz::C0_BYTES,
    operands::ports,
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
pub(crate) fn run<L: Scribe>(
    call: &Tgatherb,
    memory: &mut Memory,
    readings: &Readings,
    log: &mut L,
) -> Result<(), Fault> {
    let [dst, src, offset] = ports(memory, [Role::Destination, Role::Source, Role::Index])?;
    let mut task = Task {
        call,
        rounded: readings.tgatherb_unaligned == UnalignedOffset::RoundedDown,
        dst,
        src: src.view(),
        offset: offset.view(),
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
        for row in 0..dst.valid_row.get() {
            for col in 0..dst.valid_col.get() {
                let value = self.fetch::<W>(offsets.at(row, col), log);
                let to = slots.at(row, col);
                log.store(Space::Ub, Role::Destination, to, W);
                self.dst.store(to, value, log);
            }
        }
    }

    /// 32 bytes for each offset, the other reading of TGATHERB-GAP-14. A
    /// row's last block may pass ValidCol, but not the end of the padded row.
    fn blocks(&mut self, width: u64, log: &mut impl Scribe) {
        let Tgatherb { dst, offset, .. } = self.call;
        let offsets = Flat::new(offset, OFFSET_BYTES);
        let rows = Flat::new(dst, width as usize);
        let padded = dst.cols.saturating_mul(width);
        let valid = dst.valid_col.get().saturating_mul(width).min(padded);
        for row in 0..dst.valid_row.get() {
            for block in 0..valid.div_ceil(C0_BYTES) {
                let bytes = self.fetch::<BLOCK>(offsets.at(row, block), log);
                let start = block * C0_BYTES;
                let room = C0_BYTES.min(padded - start) as usize;
                let to = rows.at(row, 0).saturating_add(start as i64);
                log.store(Space::Ub, Role::Destination, to, room);
                self.dst.write(to, &bytes[..room], log);
            }
        }
    }

    /// The unit of `N` bytes that the offset stored at `at` leads to.
    #[inline(always)]
    fn fetch<const N: usize>(&self, at: i64, log: &mut impl Scribe) -> [u8; N] {
        log.load(Space::Ub, Role::Index, at, OFFSET_BYTES);
        let mut from = i64::from(u32::from_le_bytes(self.offset.load(at, log)));
        if self.rounded {
            from -= from % N as i64;
        }
        log.load(Space::Ub, Role::Source, from, N);
        self.src.load(from, log)
    }
}
