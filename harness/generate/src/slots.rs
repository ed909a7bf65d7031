//! What the indices of a call select among.

use ptodiff_isa::{
    Call, Coalesce, DType, FirstMode, GlobalTensor, IndexUnit, Layout, MscatterFirst,
    OffsetGranularity, Readings, ScatterIndex, TscatterIndex,
};

/// Bytes that one offset of TGATHERB serves where it serves a block.
pub(crate) const BLOCK: u64 = 32;

/// The slots that indices select among.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slots {
    /// How many the index type reaches, from 0 on.
    pub capacity: u64,
    /// What an index grows by from one slot to the next.
    pub unit: u64,
    /// Slots from one row to the next.
    pub row: u64,
    /// How many numbers of slots the index type distinguishes, from 0 on.
    pub reach: u64,
}

impl Slots {
    /// Those of `call`, whose indices, if it has any, are of `dtype`: the table's rows or
    /// elements, the elements or rows of TSCATTER's destination, the elements or
    /// blocks of TGATHERB's source.
    #[must_use]
    pub fn of(call: &Call, dtype: Option<DType>, readings: &Readings) -> Self {
        let (count, unit, row) = match call {
            Call::Mscatter(c) => of_table(c.mode, &c.table, readings),
            Call::Mgather(c) => of_table(c.mode, &c.table, readings),
            Call::MgatherL1(c) => of_table(c.mode, &c.table, readings),
            Call::MscatterFirst(c) => of_first(c, readings),
            Call::TscatterIndex(TscatterIndex { dst, .. }) => match readings.tscatter_index {
                ScatterIndex::Flat => (dst.rows.saturating_mul(dst.cols), 1, dst.cols),
                ScatterIndex::Row => (dst.rows, 1, 1),
            },
            // No indices.
            Call::TscatterMask(_) => (0, 1, 1),
            Call::Tgatherb(c) => {
                let size = c.src.dtype.size() as u64;
                let unit = match readings.tgatherb_granularity {
                    OffsetGranularity::Element => size,
                    OffsetGranularity::Block => BLOCK,
                };
                let row = c.src.cols.saturating_mul(size);
                (c.src.rows.saturating_mul(row) / unit, unit, row / unit)
            }
        };
        let reach = dtype.map_or(u64::MAX, largest) / unit;
        // One more than the largest, which a 64-bit type cannot count.
        let reach = reach.saturating_add(1);
        Self {
            capacity: count.min(reach),
            unit,
            row,
            reach,
        }
    }
}

/// The largest index that `dtype` holds without a sign.
fn largest(dtype: DType) -> u64 {
    let bits = dtype.size() as u32 * 8 - u32::from(dtype.is_signed_integer());
    u64::MAX >> (64 - bits)
}

/// Row mode: the rows, `Shape[0] * .. * Shape[3]`, for NZ `gShape2 * 16`; Elem
/// mode: the elements, or their bytes (MSCATTER-GAP-87 and its kin).
fn of_table(mode: Coalesce, table: &GlobalTensor, readings: &Readings) -> (u64, u64, u64) {
    let shape = table.shape.map(|d| d.get());
    let unit = match readings.index_unit {
        IndexUnit::Element => 1,
        IndexUnit::Byte => table.dtype.size() as u64,
    };
    match (mode, table.layout) {
        (Coalesce::Elem, _) => (product(&shape), unit, shape[4]),
        (Coalesce::Row, Layout::NZ) => (shape[2].saturating_mul(16), 1, 1),
        (Coalesce::Row, Layout::ND | Layout::DN) => (product(&shape[..4]), 1, 1),
    }
}

/// `Shape[3]` rows under either reading of MSCATTER0-GAP-03, since no others
/// exist, or `Shape[3] * Shape[4]` elements (MSCATTER0-CAP-01, -02); which of
/// them, the index tile's padded columns say (MSCATTER0-MODE-01).
fn of_first(call: &MscatterFirst, readings: &Readings) -> (u64, u64, u64) {
    let [.., rows, width] = call.table.shape.map(|d| d.get());
    let either = call.src.cols == 1 && readings.first_mode == FirstMode::Elem;
    if call.idx.cols == 1 && !either {
        (rows, 1, 1)
    } else {
        (rows.saturating_mul(width), 1, width)
    }
}

fn product(extents: &[u64]) -> u64 {
    extents.iter().fold(1, |p: u64, &e| p.saturating_mul(e))
}
