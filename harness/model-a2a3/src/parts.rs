//! MSCATTER into a large table of which a call writes little: the cost of the
//! call follows what it writes.

use std::ops::Range;

use ptodiff_isa::{Coalesce, Layout, Mscatter, Region};

use crate::{
    combine::Combine,
    dma::byte_pitch,
    operands::Operands,
    port::{Port, slot_offset},
    remap::Indices,
    scatter::{Task, last_row_first},
    scatter_row::len_burst,
    strided::{self, Pitched, Rows},
    walk::{self, Segment},
};

/// [`Policy::pick`](crate::remap::Policy::pick) of one policy.
type Pick = fn(Indices, i64) -> Option<i64>;

/// Runs the body of one scatter into `table` part by part. Where that would
/// gain nothing or a lane leaves its operands, opens `table` whole instead,
/// with nothing written yet, and gives false.
// Not generic over the policy: what a lane notes costs more than a call
// through a pointer.
#[cold]
#[inline(never)]
pub(crate) fn scatter<'m, const W: usize, C: Combine<W>>(
    task: &Task<'_>,
    operands: &mut Operands<'m>,
    table: &'m mut Region,
    pick: Pick,
) -> bool {
    let lanes = Lanes::<W> {
        task,
        operands,
        pick,
    };
    // No lane is written before all are known to be inside: an Add that came
    // again the other way would count twice.
    let mut bytes = 0_usize;
    let inside = lanes.visit(|to, values| {
        bytes = bytes.checked_add(values.len())?;
        table.parts_mut(bytes)?.body().get(to).map(drop)
    });
    let parts = inside.and_then(|()| table.parts_mut(bytes));
    let Some(mut parts) = parts else {
        operands.gm = Port::new(table);
        return false;
    };
    let written = lanes.visit(|to, values| {
        C::combine_all(parts.get_mut(to)?, values);
        Some(())
    });
    debug_assert!(written.is_some(), "all lanes were inside");
    true
}

/// The lanes of one call: rows in Row mode, elements of `W` bytes in Elem mode.
struct Lanes<'t, 'm, const W: usize> {
    task: &'t Task<'t>,
    operands: &'t Operands<'m>,
    pick: Pick,
}

impl<const W: usize> Lanes<'_, '_, W> {
    /// Visits the lanes for which an index selects a place, in the kernel's
    /// order, with the bytes of the table that each goes to and its values. None
    /// if one is not in source and index, if `visit` declines one, or if the
    /// table is not ND.
    #[inline(always)]
    fn visit(&self, mut visit: impl FnMut(Range<usize>, &[u8]) -> Option<()>) -> Option<()> {
        let Mscatter {
            table, src, idx, ..
        } = self.task.call;
        let readings = self.task.readings;
        match (self.task.call.mode, table.layout) {
            (Coalesce::Row, Layout::ND) if !last_row_first(self.task.call, readings) => {
                let segment = Segment {
                    data_at: 0,
                    index_at: 0,
                    len: usize::try_from(src.valid_row.get()).ok()?,
                };
                let burst = len_burst::<W>(src.valid_col.get(), readings.burst_tail);
                let from = (byte_pitch::<W>(src.cols), usize::try_from(burst).ok()?);
                let pitched = Pitched::new::<W>(table);
                let split = strided::split_rows::<W>(table, readings.outer_strides);
                let place = |row| match &split {
                    Some(rows) => rows.offset(row),
                    None => pitched.offset(row),
                };
                self.strip(&segment, from, place, &mut visit)
            }
            (Coalesce::Elem, Layout::ND) => {
                let split = strided::split_slots::<W>(table, readings.padded_elem);
                let place = |slot| match &split {
                    Some(slots) => slots.place(slot),
                    None => slot_offset::<W>(slot),
                };
                let mut all = Some(());
                walk::nd_rows::<W>(src, idx, |segment| {
                    all = all.and_then(|()| self.strip(&segment, (W as i64, W), place, &mut visit));
                });
                all
            }
            (Coalesce::Row, _) | (Coalesce::Elem, Layout::NZ | Layout::DN) => None,
        }
    }

    /// Visits lanes of `len` bytes that lie `pitch` apart in the source; `place`
    /// says where in the table what is selected begins.
    #[inline(always)]
    fn strip(
        &self,
        segment: &Segment,
        (pitch, len): (i64, usize),
        place: impl Fn(i64) -> i64,
        visit: &mut impl FnMut(Range<usize>, &[u8]) -> Option<()>,
    ) -> Option<()> {
        let (source, index) = (self.operands.data.view(), self.operands.index.view());
        let indices = self.task.indices;
        let mut at = segment.data_at;
        for &bits in index.line(segment.index_at, segment.len)? {
            if let Some(selected) = (self.pick)(indices, indices.decode(bits)) {
                let to = usize::try_from(place(selected)).ok()?;
                visit(to..to.checked_add(len)?, source.span(at, len)?)?;
            }
            at = at.saturating_add(pitch);
        }
        Some(())
    }
}
