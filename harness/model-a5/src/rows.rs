//! MSCATTER's Row kernel of `Conflict::Default` and of atomics: each lane stores or
//! combines what it has.

use ptodiff_isa::{End, Schedule};

use crate::access::{Port, Sink};
use crate::bounds::{Plain, Policy};
use crate::combine::Combine;
use crate::copy;
use crate::grid::{IndexLoads, RowGrid};
use crate::order::{self, Turns};
use crate::plan::Plan;
use crate::scatter::Operands;
use crate::shuffle::Room;
use crate::view::{View, ViewMut};

/// A warp has rows, or shares one.
#[inline(never)]
pub(crate) fn rows<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
) -> End {
    let grid = RowGrid::new(plan.valid, plan.sizing);
    let end = port.launch(plan.dispatch, || grid.event("simt_mscatter_row_kernel"));
    if end == End::Hung || plan.bounds.capacity == 0 {
        return end;
    }
    if !S::ON && rows_together::<S, P, C, W>(port, operands, plan, grid).is_some() {
        return end;
    }
    let Operands { table, data, index } = operands;
    let mut loads = IndexLoads::new();
    order::row(plan.schedule, plan.valid, grid, |row, col, len| {
        let bits = if loads.first(grid.warp_of(row, col), row) {
            port.load(index, plan.row_index(row))
        } else {
            index.peek(plan.row_index(row))
        };
        if let Some(slot) = plan.bounds.slot::<P>(bits) {
            store_strip::<S, C, W>(port, table, data, plan, slot, (row, col, len));
        }
    });
    end
}

/// All rows, each at once where its warp has it whole and lanes do not interleave or
/// where the order shows nowhere; none, with nothing done, where warps in order share
/// rows, indices are no neighbours or end early or one is negative.
#[inline(always)]
fn rows_together<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    Operands { table, data, index }: &mut Operands<'_, W>,
    plan: &Plan,
    grid: RowGrid,
) -> Option<()> {
    let whole = grid.warps_per_row == 1;
    if plan.schedule == Schedule::InOrder && !whole {
        return None;
    }
    // A copy of its own, lest every store seem to change it.
    let plan = *plan;
    let (indices, bounds) = plan.plain_rows(index)?;
    let in_turn = whole && !matches!(plan.schedule, Schedule::Shuffled(_));
    if in_turn || are_apart::<P, W>((table, data), &plan, (indices, bounds)) {
        let turns = Turns::new(plan.schedule, plan.valid, grid);
        if C::INTRINSIC.is_none()
            && copy::scatter::<P, W>((table, data), &plan, (indices, bounds), turns).is_some()
        {
            return Some(());
        }
        return turns.visit(|row| {
            // There is one for each row.
            let bits = indices.get(row as usize).copied().unwrap_or_default();
            if let Some(slot) = bounds.slot::<P>(bits)
                && combine_strip::<C, W>(table, data, &plan, slot, (row, 0, plan.valid.cols))
                    .is_none()
            {
                store_row::<S, C, W>((port, table, data), &plan, slot, row);
            }
            Some(())
        });
    }
    rows_one_by_one::<S, P, C, W>((port, table, data), &plan, grid, (indices, bounds));
    Some(())
}

/// Whether no two rows select one row of the table and no lane lies outside, so that
/// the order of lanes shows nowhere; it may say no where they are.
#[inline(never)]
fn are_apart<P: Policy, const W: usize>(
    (table, data): (&ViewMut<'_, W>, &View<'_, W>),
    plan: &Plan,
    (indices, bounds): (&[[u8; 4]], Plain),
) -> bool {
    let (row, col) = plan.valid.last();
    if data.get(plan.data.at(row, col)).is_none() {
        return false;
    }
    // A bit for every 64th row of the table.
    let mut taken = 0_u64;
    let mut slots = indices.iter().filter_map(|bits| bounds.slot::<P>(*bits));
    slots.all(|slot| {
        let bit = 1 << (slot % 64);
        let is_free = taken & bit == 0;
        taken |= bit;
        let strip = plan.table_strip(slot, 0, plan.valid.cols);
        is_free && strip.is_some_and(|strip| strip.end <= table.cells.len())
    })
}

/// All lanes in the order of the schedule. A call of its own, lest whole rows pay for it.
#[inline(never)]
fn rows_one_by_one<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    (port, table, data): (&mut Port<'_, S>, &mut ViewMut<'_, W>, &View<'_, W>),
    plan: &Plan,
    grid: RowGrid,
    (indices, bounds): (&[[u8; 4]], Plain),
) {
    let plan = *plan;
    let mut room = Room::new();
    for position in order::row_order(plan.schedule, plan.valid, grid, &mut room) {
        let (row, col) = plan.valid.position(*position);
        let bits = indices.get(row as usize).copied().unwrap_or_default();
        if let Some(slot) = bounds.slot::<P>(bits) {
            let cell = port.load(data, plan.data.at(row, col));
            port.update::<C, W>(table, plan.table_row(slot) + i64::from(col), cell);
        }
    }
}

/// Combines a row of the source into table row `slot`, in the order of its warp,
/// column by column.
#[cold]
#[inline(never)]
fn store_row<S: Sink, C: Combine<W>, const W: usize>(
    (port, table, data): (&mut Port<'_, S>, &mut ViewMut<'_, W>, &View<'_, W>),
    plan: &Plan,
    slot: i64,
    row: u32,
) {
    let (from, to) = (plan.data.at(row, 0), plan.table_row(slot));
    order::warp_columns(plan.schedule, plan.valid.cols, |col, len| {
        let (from, to) = (from + i64::from(col) * plan.data.col, to + i64::from(col));
        store_lanes::<S, C, W>((port, table, data), from, plan.data.col, to, len);
    });
}

/// Combines `(row, col, len)` of the source into table row `slot`, column by column.
#[inline(always)]
pub(crate) fn store_strip<S: Sink, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    table: &mut ViewMut<'_, W>,
    data: &View<'_, W>,
    plan: &Plan,
    slot: i64,
    (row, col, len): (u32, u32, u32),
) {
    if !S::ON && combine_strip::<C, W>(table, data, plan, slot, (row, col, len)).is_some() {
        return;
    }
    let (from, to) = (
        plan.data.at(row, col),
        plan.table_row(slot) + i64::from(col),
    );
    store_lanes::<S, C, W>((port, table, data), from, plan.data.col, to, len);
}

/// The same at once; none, with nothing done, where one lies outside.
#[inline(always)]
fn combine_strip<C: Combine<W>, const W: usize>(
    table: &mut ViewMut<'_, W>,
    data: &View<'_, W>,
    plan: &Plan,
    slot: i64,
    (row, col, len): (u32, u32, u32),
) -> Option<()> {
    let slots = table.cells.get_mut(plan.table_strip(slot, col, len)?)?;
    let (from, step) = (plan.data.at(row, col), plan.data.col);
    if step != 1 {
        return combine_apart::<C, W>(slots, data, from, step);
    }
    C::combine_all(slots, data.strip(from, len as usize)?);
    Some(())
}

/// The same of elements that are no neighbours, `step` apart.
#[inline(never)]
fn combine_apart<C: Combine<W>, const W: usize>(
    slots: &mut [[u8; W]],
    data: &View<'_, W>,
    from: i64,
    step: i64,
) -> Option<()> {
    // What is between lies inside where both ends do.
    data.get(from)?;
    data.get(from + (slots.len() as i64 - 1) * step)?;
    for (slot, lane) in slots.iter_mut().zip(0..) {
        *slot = C::combine(*slot, data.peek(from + lane * step));
    }
    Some(())
}

/// The same one by one, `step` apart in the source.
#[inline(never)]
fn store_lanes<S: Sink, C: Combine<W>, const W: usize>(
    (port, table, data): (&mut Port<'_, S>, &mut ViewMut<'_, W>, &View<'_, W>),
    from: i64,
    step: i64,
    to: i64,
    len: u32,
) {
    for lane in 0..i64::from(len) {
        let cell = port.load(data, from + lane * step);
        port.update::<C, W>(table, to + lane, cell);
    }
}

#[cfg(test)]
mod tests;
