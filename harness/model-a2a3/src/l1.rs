//! MGATHER into L1: picks the instantiation that a call's template arguments name.

use ptodiff_isa::{
    Coalesce, Fault, GatherOob, L1IndexPitch, L1RowPadding, L1ScratchZero, MgatherL1, Readings,
};

use crate::{
    dma::byte_pitch,
    engine::Engine,
    extent, l1_elem, l1_row,
    port::View,
    remap::{Clamp, INDEX_BYTES, Indices, Policy, Undefined, Within, Wrap},
};

/// Runs one MGATHER, GM to L1, on `engine` (001, GM to L1 Gather, A2/A3). Row
/// does not look at a scratch.
///
/// # Errors
/// If the index dtype is none.
#[inline(never)]
pub(crate) fn run<'m, E: Engine<'m>>(
    call: &MgatherL1,
    readings: &Readings,
    engine: &mut E,
) -> Result<(), Fault> {
    let capacity = extent::capacity(call.mode, &call.table);
    let task = Task {
        call,
        indices: Indices::new(call.idx.dtype, readings.negative_index, capacity)?,
        pitch: IndexPitch::new(call, readings.l1_index_pitch),
        // Undefined lets padding hold anything, so also zero.
        zero_tail: readings.l1_row_padding != L1RowPadding::Kept,
        zero_scratch: readings.l1_scratch_zero == L1ScratchZero::Always
            || call.oob == GatherOob::Zero,
    };
    match call.dst.dtype.size() {
        1 => task.sized::<1, E>(engine),
        2 => task.sized::<2, E>(engine),
        4 => task.sized::<4, E>(engine),
        _ => task.sized::<8, E>(engine),
    }
    Ok(())
}

/// One call.
pub(crate) struct Task<'t> {
    /// The call.
    pub(crate) call: &'t MgatherL1,
    /// Its indices.
    pub(crate) indices: Indices,
    /// Where they lie in GM.
    pub(crate) pitch: IndexPitch,
    /// Whether a transfer zeroes the rest of a row's last block (MGATHERL1-GAP-01).
    pub(crate) zero_tail: bool,
    /// Whether the scratch is zeroed first (MGATHERL1-SCRATCH-05, MGATHERL1-GAP-02).
    pub(crate) zero_scratch: bool,
}

impl Task<'_> {
    fn sized<'m, const W: usize, E: Engine<'m>>(&self, engine: &mut E) {
        match self.call.oob {
            GatherOob::Undefined => self.body::<W, Undefined, E>(engine),
            GatherOob::Clamp => self.body::<W, Clamp, E>(engine),
            GatherOob::Wrap => self.body::<W, Wrap, E>(engine),
            GatherOob::Zero => self.body::<W, Within, E>(engine),
        }
    }

    fn body<'m, const W: usize, P: Policy, E: Engine<'m>>(&self, engine: &mut E) {
        match self.call.mode {
            Coalesce::Row => l1_row::gather::<W, P, E>(self, engine),
            Coalesce::Elem => l1_elem::gather::<W, P, E>(self, engine),
        }
    }
}

/// Bytes from one index to the next in GM (reading of MGATHERL1-GAP-03).
pub(crate) struct IndexPitch {
    /// From one index of a row to the next, or from row to row in Row mode.
    next: i64,
    /// From the first index of a row to that of the next row.
    row: i64,
}

impl IndexPitch {
    fn new(call: &MgatherL1, reading: L1IndexPitch) -> Self {
        let (next, row) = match reading {
            L1IndexPitch::Linear => (1, call.dst.valid_col.get()),
            L1IndexPitch::Strided => (call.idx.stride[4].get(), call.idx.stride[3].get()),
        };
        Self {
            next: byte_pitch::<INDEX_BYTES>(next),
            row: byte_pitch::<INDEX_BYTES>(row),
        }
    }

    /// Byte offset of the index of logical row `row` in Row mode.
    #[inline]
    pub(crate) fn of_row(&self, row: u64) -> i64 {
        (row as i64).saturating_mul(self.next)
    }

    /// Byte offset of the index of logical position (`row`, `col`) in Elem mode.
    #[inline]
    pub(crate) fn of_element(&self, row: u64, col: u64) -> i64 {
        let row = (row as i64).saturating_mul(self.row);
        row.saturating_add((col as i64).saturating_mul(self.next))
    }

    /// The indices of `len` positions of a row from column `col` on, if they
    /// lie side by side and in the operand.
    #[inline]
    pub(crate) fn line<'m>(
        &self,
        index: &View<'m>,
        row: u64,
        col: u64,
        len: usize,
    ) -> Option<&'m [[u8; INDEX_BYTES]]> {
        if self.next != INDEX_BYTES as i64 {
            return None;
        }
        index.line(self.of_element(row, col), len)
    }
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::Role;

    use super::*;
    use crate::testing::{memory, numbers};

    /// MGATHERL1-GAP-03: rows of eight indices, side by side or two apart.
    #[test]
    fn indices_side_by_side_are_a_line() {
        let memory = memory(Role::Destination, [vec![], vec![], numbers(0, 16)]);
        let index = View::new(&memory.regions[2]);
        let line = |next, row, len| IndexPitch { next, row: 32 }.line(&index, row, 2, len);
        let want = [10_u32, 11, 12].map(u32::to_le_bytes);
        assert_eq!(line(4, 1, 3), Some(&want[..]));
        assert_eq!(line(4, 1, 7), None, "past the operand");
        assert_eq!(line(8, 1, 3), None);
    }
}
