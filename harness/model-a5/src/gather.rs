//! MGATHER from GM to UB (001, A5 Form).
//!
//! No slot has two writers, so the schedule shows in the trace only.

use ptodiff_isa::{Coalesce, End, Fault, GatherOob, How, Memory, Mgather, Region, Role, Serves};

use crate::access::{Port, Sink, operands};
use crate::bounds::{Clamp, Drop, Pass, Policy, Wrap};
use crate::grid::{FlatGrid, IndexLoads, RowGrid};
use crate::plan::Plan;
use crate::scatter::Operands;
use crate::{order, scalar};

/// Runs one call in place.
///
/// # Errors
/// If an operand is missing or the index dtype is one that the check refuses.
pub(crate) fn run<S: Sink>(
    call: &Mgather,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let regions = operands(memory, [Role::Table, Role::Destination, Role::Index])?;
    let Mgather {
        table, dst, idx, ..
    } = call;
    let Some(plan) = Plan::new(dst, idx, table, call.mode, &call.launch, how)? else {
        return Ok(End::Finished);
    };
    let width = dst.dtype.size();
    Ok(match call.oob {
        GatherOob::Undefined => sized::<S, Pass>(width, &plan, regions, port),
        GatherOob::Clamp => sized::<S, Clamp>(width, &plan, regions, port),
        GatherOob::Wrap => sized::<S, Wrap>(width, &plan, regions, port),
        GatherOob::Zero => sized::<S, Drop>(width, &plan, regions, port),
    })
}

fn sized<S: Sink, P: Policy>(
    width: usize,
    plan: &Plan,
    regions: [&mut Region; 3],
    port: Port<'_, S>,
) -> End {
    match width {
        1 => kernel::<S, P, 1>(plan, regions, port),
        2 => kernel::<S, P, 2>(plan, regions, port),
        4 => kernel::<S, P, 4>(plan, regions, port),
        _ => kernel::<S, P, 8>(plan, regions, port),
    }
}

fn kernel<S: Sink, P: Policy, const W: usize>(
    plan: &Plan,
    regions: [&mut Region; 3],
    mut port: Port<'_, S>,
) -> End {
    let mut operands = Operands::<W>::new(regions);
    let (port, operands) = (&mut port, &mut operands);
    if plan.is_scalar() {
        scalar::gather::<S, P, W>(port, operands, plan);
        End::Finished
    } else {
        match plan.mode {
            Coalesce::Row => rows::<S, P, W>(port, operands, plan),
            Coalesce::Elem => elements::<S, P, W>(port, operands, plan),
        }
    }
}

fn elements<S: Sink, P: Policy, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
) -> End {
    let count = plan.valid.count();
    let grid = FlatGrid::new(count.into(), plan.sizing);
    let launch = || grid.event("simt_mgather_elem_kernel", Coalesce::Elem, Serves::Element);
    let end = port.launch(plan.dispatch, launch);
    if end == End::Hung || plan.bounds.gives_nothing::<P>() {
        return end;
    }
    let Operands { table, data, index } = operands;
    let bounds = plan.bounds;
    order::elem(plan.schedule, count, grid, |start, len| {
        if !S::ON
            && plan.is_dense()
            && let Some(indices) = index.strip(start.into(), len as usize)
            && let Some(cells) = data.strip_mut(start.into(), len as usize)
        {
            let slots = indices.iter().map(|bits| bounds.slot::<P>(*bits));
            return port.read_all(table, slots.zip(cells));
        }
        let mut at = plan.cursor(start);
        for _ in 0..len {
            let bits = port.load(index, at.index);
            let cell = match bounds.slot::<P>(bits) {
                Some(slot) => port.load(table, slot),
                None => [0; W],
            };
            port.store(data, at.data, cell);
            at.forward();
        }
    });
    end
}

fn rows<S: Sink, P: Policy, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
) -> End {
    let grid = RowGrid::new(plan.valid, plan.sizing);
    let end = port.launch(plan.dispatch, || grid.event("simt_mgather_row_kernel"));
    if end == End::Hung || plan.bounds.gives_nothing::<P>() {
        return end;
    }
    let mut loads = IndexLoads::new();
    order::row(plan.schedule, plan.valid, grid, |row, col, len| {
        let bits = if loads.first(grid.warp_of(row, col), row) {
            port.load(&operands.index, plan.row_index(row))
        } else {
            operands.index.peek(plan.row_index(row))
        };
        match plan.bounds.slot::<P>(bits) {
            Some(slot) => load_strip(port, operands, plan, slot, (row, col, len)),
            None => zero_strip(port, operands, plan, (row, col, len)),
        }
    });
    end
}

/// Copies columns of table row `slot` to `(row, col, len)` of the destination.
#[inline(always)]
fn load_strip<S: Sink, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
    slot: i64,
    (row, col, len): (u32, u32, u32),
) {
    let from = plan.table_row(slot) + i64::from(col);
    let to = plan.data.at(row, col);
    if !S::ON
        && plan.data.col == 1
        && let Some(values) = operands.table.strip(from, len as usize)
        && let Some(slots) = operands.data.strip_mut(to, len as usize)
    {
        return slots.copy_from_slice(values);
    }
    for lane in 0..i64::from(len) {
        let cell = port.load(&operands.table, from + lane);
        port.store(&mut operands.data, to + lane * plan.data.col, cell);
    }
}

/// Stores zero to `(row, col, len)` of the destination, lane by lane (MGATHER-OOB-15).
fn zero_strip<S: Sink, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
    (row, col, len): (u32, u32, u32),
) {
    let to = plan.data.at(row, col);
    for lane in 0..i64::from(len) {
        port.store(&mut operands.data, to + lane * plan.data.col, [0; W]);
    }
}
