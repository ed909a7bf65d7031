//! Plain scatters: the surviving writer of every slot.

use std::ops::Range;

use ptodiff_isa::{Clause, NzRowColumns};

use crate::{
    runs::{Promised, Runs, SlotRuns, Why},
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
    let mut slots = SlotRuns::new(runs, |contested| {
        Promised::Exactly(if contested {
            survival.contested
        } else {
            survival.single
        })
    });
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
            let survivors = &writes[first..];
            let contested = survivors.len() > 1 || (!survival.any && first > 0);
            let offset = operands.offset(last.to, columns.start);
            // What is past ValidCol comes with the blocks of an NZ row.
            let end = match operands.footprint {
                Footprint::NzRow { .. } => operands.plane.cols.clamp(columns.start, columns.end),
                Footprint::Element | Footprint::Row { .. } => columns.end,
            };
            let valid = columns.start..end;
            let len = valid.len() * size;
            if let [only] = survivors {
                slots.put(offset, len, contested, |pool| {
                    operands.append(only, valid, pool)
                });
            } else {
                let (count, why) = (survivors.len(), survival.contested);
                slots.runs().one_of(offset, len, count, why, |pool| {
                    for write in survivors {
                        operands.append(write, valid.clone(), pool);
                    }
                });
            }
            let padding = end..columns.end;
            if !padding.is_empty() {
                past_valid(slots.runs(), operands, last, padding);
            }
        }
    }
    slots.finish();
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
    match columns {
        NzRowColumns::Moved => runs.exactly_filled(offset, NZ_MOVED, |pool| {
            operands.append(last, padding, pool);
        }),
        NzRowColumns::Kept => {}
        NzRowColumns::Either | NzRowColumns::Precondition => {
            runs.one_of(offset, len, 2, NZ_PADDING, |pool| {
                pool.extend_from_slice(&operands.table[offset..offset + len]);
                operands.append(last, padding, pool);
            });
        }
    }
}
