//! Plain scatters: the surviving writer of every slot.

use std::ops::Range;

use ptodiff_isa::{BLayout, Clause, NzRowColumns};

use crate::{
    runs::{Runs, Why},
    scatter_operands::{Footprint, ScatterOperands},
    writers::{Write, Writers},
};

/// Table columns past ValidCol in NZ Row mode.
pub(crate) const NZ_PADDING: Why = Why::open(Clause("MSCATTER-GAP-22"));

/// The same where the burst brings them.
const NZ_MOVED: Why = Why::by("MSCATTER-GAP-22");

/// Which writers of a slot may survive, and by which clauses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survival {
    /// Any writer of the last call that addresses the slot, else the last one.
    pub(crate) any: bool,
    /// The layout by which another one may be the last, too, where tiles differ in it.
    pub(crate) other: Option<BLayout>,
    /// For a slot with one writer.
    pub(crate) single: Why,
    /// For a slot with several.
    pub(crate) contested: Why,
}

/// Settles every slot that is written.
pub(crate) fn replace(
    runs: &mut Runs,
    operands: &ScatterOperands<'_>,
    writers: &Writers,
    survival: &Survival,
) {
    let size = operands.dtype.size();
    for columns in operands.pieces() {
        for writes in writers.by_slot() {
            let Some(last) = writes.last() else { continue };
            // Of several calls the last one that addresses the slot.
            let first = if survival.any {
                writes.partition_point(|write| write.step < last.step)
            } else {
                writes.len() - 1
            };
            let of_step = writes.iter().filter(|write| write.step == last.step);
            let other = survival.other.and_then(|by| match by {
                BLayout::RowMajor => of_step.max_by_key(|write| (write.r, write.c)),
                BLayout::ColMajor => of_step.max_by_key(|write| (write.c, write.r)),
            });
            let survivors: Vec<&Write> = match other {
                Some(other) if other != last => vec![other, last],
                _ => writes[first..].iter().collect(),
            };
            let offset = operands.offset(last.to, columns.start);
            // What is past ValidCol comes with the blocks of an NZ row.
            let end = match operands.footprint {
                Footprint::NzRow { .. } => operands.plane.cols.clamp(columns.start, columns.end),
                Footprint::Element | Footprint::Row { .. } => columns.end,
            };
            let valid = columns.start..end;
            if let [only] = survivors[..] {
                let why = match !survival.any && first > 0 {
                    true => survival.contested,
                    false => survival.single.rather(only.by),
                };
                runs.exactly(offset, &operands.brought(only, valid), why);
            } else {
                let each = survivors
                    .iter()
                    .map(|write| operands.brought(write, valid.clone()));
                let images = each.collect::<Vec<_>>().concat();
                runs.one_of(offset, valid.len() * size, &images, survival.contested);
            }
            if end < columns.end {
                past_valid(runs, operands, last, end..columns.end);
            }
        }
    }
}

/// Columns from ValidCol on of an NZ row that `last` is written to.
fn past_valid(
    runs: &mut Runs,
    operands: &ScatterOperands<'_>,
    last: &Write,
    padding: Range<usize>,
) {
    let Footprint::NzRow { columns, .. } = operands.footprint else {
        return;
    };
    let offset = operands.offset(last.to, padding.start);
    let len = padding.len() * operands.dtype.size();
    let brought = operands.brought(last, padding);
    match columns {
        NzRowColumns::Moved => runs.exactly(offset, &brought, NZ_MOVED),
        NzRowColumns::Kept => {}
        NzRowColumns::Either | NzRowColumns::Precondition => {
            let held = &operands.table[offset..offset + len];
            runs.one_of(offset, len, &[held, &brought].concat(), NZ_PADDING);
        }
    }
}
