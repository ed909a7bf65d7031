//! Slots of Elem mode: from a number over the flat table to a place in GM.

use ptodiff_isa::GlobalTensor;

use crate::{
    extent::product,
    nz::NzTable,
    port::{Port, View, narrow, slot_offset},
    scribe::Scribe,
    strided::Split,
};

/// Where slots of `W` bytes lie in GM, and how to reach them.
pub(crate) trait Slots<const W: usize> {
    /// Whether slots follow each other like the elements of an array.
    const FLAT: bool = false;

    /// Byte offset from the start of the table.
    fn offset(&self, slot: i64) -> i64;

    /// Copies a slot to `to`.
    #[inline(always)]
    fn fetch(&self, table: &View<'_>, slot: i64, to: &mut [u8; W], log: &mut impl Scribe) {
        *to = table.load(self.offset(slot), log);
    }

    /// Writes a slot.
    #[inline(always)]
    fn store(&self, table: &mut Port<'_>, slot: i64, value: [u8; W], log: &mut impl Scribe) {
        table.store(self.offset(slot), value, log);
    }

    /// Reads a slot and writes it back changed.
    #[inline(always)]
    fn update(
        &self,
        table: &mut Port<'_>,
        slot: i64,
        change: impl Fn([u8; W]) -> [u8; W],
        log: &mut impl Scribe,
    ) {
        let at = self.offset(slot);
        let old = table.view().load(at, log);
        table.store(at, change(old), log);
    }
}

/// An ND table whose slots follow each other, whatever its strides (reading of
/// MSCATTER-GAP-18 and MGATHER-GAP-07).
pub(crate) struct NdSlots;

impl<const W: usize> Slots<W> for NdSlots {
    const FLAT: bool = true;

    #[inline(always)]
    fn offset(&self, slot: i64) -> i64 {
        slot_offset::<W>(slot)
    }

    #[inline(always)]
    fn fetch(&self, table: &View<'_>, slot: i64, to: &mut [u8; W], log: &mut impl Scribe) {
        table.fetch_slot(slot, to, log);
    }

    #[inline(always)]
    fn store(&self, table: &mut Port<'_>, slot: i64, value: [u8; W], log: &mut impl Scribe) {
        table.store_slot(slot, value, log);
    }

    #[inline(always)]
    fn update(
        &self,
        table: &mut Port<'_>,
        slot: i64,
        change: impl Fn([u8; W]) -> [u8; W],
        log: &mut impl Scribe,
    ) {
        table.update_slot(slot, change, log);
    }
}

/// An ND table whose strides count.
impl<const W: usize> Slots<W> for Split<5> {
    #[inline]
    fn offset(&self, slot: i64) -> i64 {
        self.place(slot)
    }
}

/// An NZ table, whose slots count along logical rows (MSCATTER-INDEX-04,
/// MGATHER-INDEX-04).
pub(crate) struct NzSlots<const W: usize> {
    columns: i64,
    blocks: i64,
    table: NzTable<W>,
}

impl<const W: usize> NzSlots<W> {
    /// The slots of a table that has some.
    pub(crate) fn new(table: &GlobalTensor) -> Self {
        let table = NzTable::<W>::new(table);
        Self {
            columns: product([table.batches, table.blocks, NzTable::<W>::C0]),
            blocks: product([table.blocks]),
            table,
        }
    }
}

impl<const W: usize> Slots<W> for NzSlots<W> {
    #[inline]
    fn offset(&self, slot: i64) -> i64 {
        let c0 = NzTable::<W>::C0 as i64;
        let (row, column) = (slot / self.columns, slot % self.columns);
        let block = column / c0;
        let (batch, block) = (block / self.blocks, block % self.blocks);
        let row_start = self.table.offset(batch.into(), block.into(), row);
        narrow(row_start + i128::from(column % c0) * W as i128)
    }
}
