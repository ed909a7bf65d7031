//! `Conflict::Last`: the slot-centric kernels; they serve the first revision
//! too where a reading has its last writer win.
//!
//! Slots are independent of one another, so without a trace an owner stores as
//! soon as it is found. With a trace the stores follow the lanes that own the
//! slots, each after the one index load that found its owner: the loads of the
//! rest of the scans would be capacity times index count.

use std::cmp::Reverse;

use ptodiff_isa::{
    BLayout, Coalesce, End, LastBy, Mscatter, ScatterAtomicOp, ScatterConflict, Schedule, Serves,
};

use crate::access::{Port, Sink};
use crate::bounds::Policy;
use crate::combine::Replace;
use crate::grid::{FlatGrid, LANES, Sizing};
use crate::owners;
use crate::plan::Plan;
use crate::rows::store_strip;
use crate::scatter::Operands;
use crate::shuffle::interleave;

/// Has the plan of a call of the current revision walked in the order that has
/// the last element of the Last kernels at its end (MSCATTER-GAP-72). Rows have
/// one order only.
#[inline(always)]
pub(crate) fn order(plan: &mut Plan, call: &Mscatter, reading: LastBy) {
    let last = call.conflict == ScatterConflict::Last && call.atomic == ScatterAtomicOp::None;
    if last
        && let (LastBy::Storage, BLayout::ColMajor, Coalesce::Elem) =
            (reading, call.src.blayout, call.mode)
    {
        *plan = plan.by_column();
    }
}

/// Stores to every slot that has an owner (MSCATTER-CONF-03, -04, -11, -12).
#[inline(never)]
pub(crate) fn scatter<S: Sink, P: Policy, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
) -> End {
    let capacity = plan.bounds.capacity;
    let grid = FlatGrid::new(capacity.unsigned_abs(), plan.sizing);
    if grid.warps == 0 {
        return End::Finished;
    }
    // The first revision has one kernel a mode.
    let kernel = match (plan.mode, plan.sizing) {
        (Coalesce::Row, Sizing::Fitted) => "simt_mscatter_row_last_kernel",
        (Coalesce::Row, Sizing::Full) => "simt_mscatter_row_kernel",
        (Coalesce::Elem, Sizing::Fitted) => "simt_mscatter_elem_last_kernel",
        (Coalesce::Elem, Sizing::Full) => "simt_mscatter_elem_kernel",
    };
    let serves = match plan.mode {
        Coalesce::Row => Serves::TableRow,
        Coalesce::Elem => Serves::Slot,
    };
    let launch = || grid.event(kernel, plan.mode, serves);
    let end = port.launch(plan.dispatch, launch);
    if end == End::Hung {
        return end;
    }
    note_stray_indices(port, operands, plan);
    let mut found = Vec::new();
    match plan.mode {
        Coalesce::Row => rows::<S, P, W>(port, operands, plan, &mut found),
        Coalesce::Elem => elements::<S, P, W>(port, operands, plan, &mut found),
    }
    for owner in in_lane_order(found, grid, plan.schedule) {
        port.note_load(&operands.index, owner.index);
        store(port, operands, plan, owner);
    }
    end
}

/// Who stores to a slot.
#[derive(Clone, Copy)]
struct Owner {
    slot: i64,
    /// Source row in Row mode, element of the source tile in Elem mode.
    source: i64,
    /// Element of the index tile.
    index: i64,
}

fn rows<S: Sink, P: Policy, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
    found: &mut Vec<Owner>,
) {
    let Operands { table, data, index } = operands;
    let bounds = plan.bounds;
    let sources = (0..plan.valid.rows).rev().map(|row| {
        let slot = bounds.slot::<P>(index.peek(plan.row_index(row)));
        (row, slot.filter(|slot| bounds.holds(*slot)))
    });
    owners::find(bounds.capacity, sources, |slot, row| {
        if S::ON {
            let (source, index) = (row.into(), plan.row_index(row));
            found.push(Owner {
                slot,
                source,
                index,
            });
        } else {
            let strip = (row, 0, plan.valid.cols);
            store_strip::<S, Replace, W>(port, table, data, plan, slot, strip);
        }
    });
}

fn elements<S: Sink, P: Policy, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
    found: &mut Vec<Owner>,
) {
    let Operands { table, data, index } = operands;
    let count = plan.valid.count();
    let bounds = plan.bounds;
    let slot = |bits| bounds.slot::<P>(bits).filter(|slot| bounds.holds(*slot));
    let mut at = plan.cursor(count);
    let sources = (0..count).map(|_| {
        at.back();
        ((at.data, at.index), slot(index.peek(at.index)))
    });
    owners::find(bounds.capacity, sources, |slot, (source, index)| {
        if S::ON {
            found.push(Owner {
                slot,
                source,
                index,
            });
        } else {
            let cell = port.load(data, source);
            port.store(table, slot, cell);
        }
    });
}

/// Notes the indices that lie outside their tile once each, before the scan reads them.
fn note_stray_indices<S: Sink, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &Operands<'_, W>,
    plan: &Plan,
) {
    let (row, col) = plan.valid.last();
    let farthest = match plan.mode {
        Coalesce::Row => plan.row_index(row),
        Coalesce::Elem => plan.index.at(row, col),
    };
    if operands.index.strip(farthest, 1).is_some() {
        return;
    }
    match plan.mode {
        Coalesce::Row => {
            for row in 0..plan.valid.rows {
                port.read(&operands.index, plan.row_index(row));
            }
        }
        Coalesce::Elem => {
            let mut at = plan.cursor(0);
            for _ in 0..plan.valid.count() {
                port.read(&operands.index, at.index);
                at.forward();
            }
        }
    }
}

fn store<S: Sink, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
    owner: Owner,
) {
    let Operands { table, data, .. } = operands;
    match plan.mode {
        Coalesce::Row => {
            // A row number made this `source`.
            let strip = (owner.source as u32, 0, plan.valid.cols);
            store_strip::<S, Replace, W>(port, table, data, plan, owner.slot, strip);
        }
        Coalesce::Elem => {
            let cell = port.load(data, owner.source);
            port.store(table, owner.slot, cell);
        }
    }
}

/// Owners in the order in which the lanes of their slots run.
fn in_lane_order(mut owners: Vec<Owner>, grid: FlatGrid, schedule: Schedule) -> Vec<Owner> {
    let lanes = i64::from(grid.lanes());
    let warp = |owner: &Owner| owner.slot % lanes / i64::from(LANES);
    owners.sort_unstable_by_key(|owner| owner.slot);
    match schedule {
        Schedule::InOrder => owners.sort_by_key(warp),
        Schedule::Reversed => owners.sort_by_key(|owner| {
            let trip = owner.slot / lanes;
            (Reverse(warp(owner)), trip, Reverse(owner.slot))
        }),
        Schedule::Shuffled(seed) => {
            let lane = |owner: &Owner| (owner.slot % lanes) as u32;
            let order = interleave(seed, owners.iter().map(lane));
            owners = order.iter().map(|op| owners[*op as usize]).collect();
        }
    }
    owners
}
