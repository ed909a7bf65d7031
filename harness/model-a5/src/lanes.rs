//! MSCATTER's kernels of `Conflict::Default` and of atomics: each lane stores or
//! combines what it has.

use ptodiff_isa::{Coalesce, End, Schedule, Serves};

use crate::access::{Port, Sink};
use crate::bounds::Policy;
use crate::combine::Combine;
use crate::grid::{FlatGrid, IndexLoads, RowGrid};
use crate::group::WARP;
use crate::order;
use crate::plan::Plan;
use crate::scatter::Operands;
use crate::view::{View, ViewMut};

/// Elem mode: a lane has elements, all of a launch apart.
///
/// A call of its own, as is the other, lest the ways of a call share registers.
#[inline(never)]
pub(crate) fn elements<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
) -> End {
    let count = plan.valid.count();
    let grid = FlatGrid::new(count.into(), plan.sizing);
    let launch = || grid.event("simt_mscatter_elem_kernel", Coalesce::Elem, Serves::Element);
    let end = port.launch(plan.dispatch, launch);
    if end == End::Hung || plan.bounds.capacity == 0 {
        return end;
    }
    if !S::ON && elements_together::<S, P, C, W>(port, operands, plan, grid).is_some() {
        return end;
    }
    elements_one_by_one::<S, P, C, W>(port, operands, plan, grid);
    end
}

/// All elements in the order of the schedule.
#[inline(never)]
fn elements_one_by_one<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    Operands { table, data, index }: &mut Operands<'_, W>,
    plan: &Plan,
    grid: FlatGrid,
) {
    let bounds = plan.bounds;
    order::elem(plan.schedule, plan.valid.count(), grid, |start, len| {
        let mut at = plan.cursor(start);
        for _ in 0..len {
            let bits = port.load(index, at.index);
            if let Some(slot) = bounds.slot::<P>(bits) {
                let cell = port.load(data, at.data);
                port.update::<C, W>(table, slot, cell);
            }
            at.forward();
        }
    });
}

/// All elements in order, a warp's lanes together; none, with nothing done, where
/// tiles have padding or end early, an index is negative or the order is another.
#[inline(always)]
fn elements_together<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    Operands { table, data, index }: &mut Operands<'_, W>,
    plan: &Plan,
    grid: FlatGrid,
) -> Option<()> {
    if plan.schedule != Schedule::InOrder || !plan.is_dense() {
        return None;
    }
    let count = plan.valid.count();
    let (indices, cells) = (
        index.strip(0, count as usize)?,
        data.strip(0, count as usize)?,
    );
    let bounds = plan.bounds.plain(indices)?;
    let slot = move |bits| bounds.slot::<P>(bits);
    let (indices, last_indices) = indices.as_chunks::<WARP>();
    let (cells, last_cells) = cells.as_chunks::<WARP>();
    // One trip: warps in order are positions in order, as of a single warp.
    let warps = match count <= grid.lanes() {
        true => 1,
        false => grid.warps as usize,
    };
    for warp in 0..warps {
        port.update_trips::<C, 4, W>(table, (indices, cells), (warp, warps), slot);
        // What is left over falls to the warp after that of the last whole one.
        if warp == indices.len() % warps {
            port.update_all::<C, 4, W>(table, (last_indices, last_cells), slot);
        }
    }
    Some(())
}

/// Row mode: a warp has rows, or shares one.
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
    let Operands { table, data, index } = operands;
    if !S::ON && plan.schedule == Schedule::InOrder && grid.warps_per_row == 1 {
        // Each row has one warp, which loads its index.
        let plan = *plan;
        if let Some((indices, bounds)) = plan.plain_rows(index) {
            order::rows_in_order(plan.valid, grid, |row| {
                // There is one for each row.
                let bits = indices.get(row as usize).copied().unwrap_or_default();
                if let Some(slot) = bounds.slot::<P>(bits) {
                    let strip = (row, 0, plan.valid.cols);
                    store_strip::<S, C, W>(port, table, data, &plan, slot, strip);
                }
            });
            return end;
        }
        order::rows_in_order(plan.valid, grid, |row| {
            let bits = port.read(index, plan.row_index(row));
            if let Some(slot) = plan.bounds.slot::<P>(bits) {
                let strip = (row, 0, plan.valid.cols);
                store_strip::<S, C, W>(port, table, data, &plan, slot, strip);
            }
        });
        return end;
    }
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
    let from = plan.data.at(row, col);
    if !S::ON
        && plan.data.col == 1
        && let Some(slots) = plan.table_strip(slot, col, len)
        && let Some(slots) = table.cells.get_mut(slots)
        && let Some(values) = data.strip(from, len as usize)
    {
        return C::combine_all(slots, values);
    }
    let to = plan.table_row(slot) + i64::from(col);
    store_lanes::<S, C, W>((port, table, data), from, plan.data.col, to, len);
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
