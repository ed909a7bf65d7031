//! MSCATTER (000, A5 Form; 003).

use ptodiff_isa::{
    Coalesce, Dispatch, End, Fault, How, Memory, Mscatter, MscatterFirst, Region, Role,
    ScatterConflict, ScatterOob, Schedule, Serves, Space,
};

use crate::access::{Port, Sink, operands};
use crate::bounds::{Clamp, Drop, Pass, Policy, Wrap};
use crate::combine::{Combine, Kernel, choose};
use crate::grid::{FlatGrid, IndexLoads, RowGrid};
use crate::plan::Plan;
use crate::view::{View, ViewMut};
use crate::{everyone, first, last, order, parts, scalar};

/// A call's operands as elements.
pub(crate) struct Operands<'m, const W: usize> {
    pub(crate) table: ViewMut<'m, W>,
    pub(crate) data: View<'m, W>,
    pub(crate) index: View<'m, 4>,
}

impl<'m, const W: usize> Operands<'m, W> {
    #[inline(always)]
    fn new([table, data, index]: &'m mut [&mut Region; 3]) -> Self {
        Self {
            table: ViewMut::new(table, Space::Gm),
            data: View::new(data, Space::Ub),
            index: View::new(index, Space::Ub),
        }
    }
}

/// A scatter whose combination is to be chosen.
struct Job<'j, 'm, 'l, S> {
    plan: &'j Plan,
    regions: &'j mut [&'m mut Region; 3],
    oob: ScatterOob,
    conflict: ScatterConflict,
    port: Port<'l, S>,
}

/// Runs one call of the current revision in place.
///
/// # Errors
/// If an operand is missing or the call has a dtype that the check refuses.
pub(crate) fn run<S: Sink>(
    call: &Mscatter,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let mut regions = operands(memory, [Role::Table, Role::Source, Role::Index])?;
    let Mscatter {
        table, src, idx, ..
    } = call;
    let Some(mut plan) = Plan::new(src, idx, table, call.mode, &call.launch, how)? else {
        return Ok(End::Finished);
    };
    last::order(&mut plan, call, how.readings.last_by);
    let mut job = Job {
        plan: &plan,
        regions: &mut regions,
        oob: call.oob,
        conflict: call.conflict,
        port,
    };
    choose(call.atomic, src.dtype, &how.readings, &mut job)
}

/// Runs one call of the first revision in place.
///
/// # Errors
/// If an operand is missing or the call has a dtype or an index shape that the
/// check refuses.
pub(crate) fn run_first<S: Sink>(
    call: &MscatterFirst,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let mut regions = operands(memory, [Role::Table, Role::Source, Role::Index])?;
    let Some(plan) = first::plan(call, how)? else {
        return Ok(End::Finished);
    };
    let mut job = Job {
        plan: &plan,
        regions: &mut regions,
        oob: call.oob,
        conflict: first::conflict(how.readings.first_conflict),
        port,
    };
    choose(call.atomic, call.src.dtype, &how.readings, &mut job)
}

impl<S: Sink> Kernel for &mut Job<'_, '_, '_, S> {
    fn run<C: Combine<W>, const W: usize>(self) -> End {
        match self.oob {
            ScatterOob::Undefined => kernel::<S, Pass, C, W>(self),
            ScatterOob::Skip => kernel::<S, Drop, C, W>(self),
            ScatterOob::Clamp => kernel::<S, Clamp, C, W>(self),
            ScatterOob::Wrap => kernel::<S, Wrap, C, W>(self),
        }
    }
}

fn kernel<S: Sink, P: Policy, C: Combine<W>, const W: usize>(job: &mut Job<'_, '_, '_, S>) -> End {
    let Job {
        plan,
        regions,
        conflict,
        port,
        ..
    } = job;
    let (plan, conflict) = (*plan, *conflict);
    let last = C::INTRINSIC.is_none() && conflict == ScatterConflict::Last && !plan.is_scalar();
    if !S::ON && plan.dispatch == Dispatch::Standard {
        if parts::scatter::<P, C, W>(regions, plan, last).is_some() {
            return End::Finished;
        }
        if last && everyone::scatter::<P, W>(regions, plan).is_some() {
            return End::Finished;
        }
    }
    let operands = &mut Operands::new(regions);
    if plan.is_scalar() {
        scalar::scatter::<S, P, C, W>(port, operands, plan);
        End::Finished
    } else if last {
        last::scatter::<S, P, W>(port, operands, plan)
    } else {
        match plan.mode {
            Coalesce::Row => rows::<S, P, C, W>(port, operands, plan),
            Coalesce::Elem => elements::<S, P, C, W>(port, operands, plan),
        }
    }
}

fn elements<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
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
    order::elem_in_order(count, grid, |start, len| {
        let run = start as usize..(start + len) as usize;
        let pairs = (&indices[run.clone()], &cells[run]);
        port.update_all::<C, 4, W>(table, pairs, move |bits| bounds.slot::<P>(bits));
    });
    Some(())
}

fn rows<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
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
