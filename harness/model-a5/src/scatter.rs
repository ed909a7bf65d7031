//! MSCATTER (000, A5 Form).

use ptodiff_isa::{
    Coalesce, DType, Fault, How, Memory, Mscatter, Region, Role, ScatterAtomicOp, ScatterConflict,
    ScatterOob,
};
use rustc_apfloat::ieee::{BFloat, Half};

use crate::access::{Port, Sink, View, operands};
use crate::bounds::{Clamp, Drop, Pass, Policy, Wrap};
use crate::combine::{Add, Combine, Max, Min, Replace};
use crate::grid::{FlatGrid, IndexLoads, RowGrid};
use crate::plan::Plan;
use crate::{last, order, scalar};

/// A call's operands as elements.
pub(crate) struct Operands<'m, const W: usize> {
    pub(crate) table: View<'m, W>,
    pub(crate) data: View<'m, W>,
    pub(crate) index: View<'m, 4>,
}

impl<'m, const W: usize> Operands<'m, W> {
    pub(crate) fn new([table, data, index]: [&'m mut Region; 3]) -> Self {
        Self {
            table: View::new(table),
            data: View::new(data),
            index: View::new(index),
        }
    }
}

/// What a scatter's kernel is chosen by.
struct Job<'m, 'l, S> {
    plan: Plan,
    regions: [&'m mut Region; 3],
    conflict: ScatterConflict,
    port: Port<'l, S>,
}

/// Runs one call in place.
///
/// # Errors
/// If an operand is missing or the call has a dtype that the check refuses.
pub(crate) fn run<S: Sink>(
    call: &Mscatter,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<(), Fault> {
    let regions = operands(memory, [Role::Table, Role::Source, Role::Index])?;
    let Some(plan) = Plan::new(&call.src, &call.idx, &call.table, call.mode, how)? else {
        return Ok(());
    };
    let job = Job {
        plan,
        regions,
        conflict: call.conflict,
        port,
    };
    match call.oob {
        ScatterOob::Undefined => combined::<S, Pass>(call, job),
        ScatterOob::Skip => combined::<S, Drop>(call, job),
        ScatterOob::Clamp => combined::<S, Clamp>(call, job),
        ScatterOob::Wrap => combined::<S, Wrap>(call, job),
    }
}

fn combined<S: Sink, P: Policy>(call: &Mscatter, job: Job<'_, '_, S>) -> Result<(), Fault> {
    match (call.atomic, call.src.dtype) {
        (ScatterAtomicOp::None, dtype) => match dtype.size() {
            1 => kernel::<S, P, Replace, 1>(job),
            2 => kernel::<S, P, Replace, 2>(job),
            4 => kernel::<S, P, Replace, 4>(job),
            _ => kernel::<S, P, Replace, 8>(job),
        },
        (ScatterAtomicOp::Add, DType::Int32 | DType::Uint32) => kernel::<S, P, Add<u32>, 4>(job),
        (ScatterAtomicOp::Add, DType::Float) => kernel::<S, P, Add<f32>, 4>(job),
        (ScatterAtomicOp::Add, DType::Half) => kernel::<S, P, Add<Half>, 2>(job),
        (ScatterAtomicOp::Add, DType::Bfloat16) => kernel::<S, P, Add<BFloat>, 2>(job),
        (ScatterAtomicOp::Max, DType::Int32) => kernel::<S, P, Max<i32>, 4>(job),
        (ScatterAtomicOp::Max, DType::Uint32) => kernel::<S, P, Max<u32>, 4>(job),
        (ScatterAtomicOp::Max, DType::Float) => kernel::<S, P, Max<f32>, 4>(job),
        (ScatterAtomicOp::Min, DType::Int32) => kernel::<S, P, Min<i32>, 4>(job),
        (ScatterAtomicOp::Min, DType::Uint32) => kernel::<S, P, Min<u32>, 4>(job),
        (ScatterAtomicOp::Min, DType::Float) => kernel::<S, P, Min<f32>, 4>(job),
        (atomic, dtype) => return Err(Fault(format!("{atomic} with {dtype}"))),
    }
    Ok(())
}

fn kernel<S: Sink, P: Policy, C: Combine<W>, const W: usize>(job: Job<'_, '_, S>) {
    let Job {
        plan,
        regions,
        conflict,
        mut port,
    } = job;
    let mut operands = Operands::new(regions);
    let (port, operands) = (&mut port, &mut operands);
    if plan.is_scalar() {
        scalar::scatter::<S, P, C, W>(port, operands, &plan);
    } else if C::INTRINSIC.is_none() && conflict == ScatterConflict::Last {
        last::scatter::<S, P, W>(port, operands, &plan);
    } else {
        match plan.mode {
            Coalesce::Row => rows::<S, P, C, W>(port, operands, &plan),
            Coalesce::Elem => elements::<S, P, C, W>(port, operands, &plan),
        }
    }
}

fn elements<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
) {
    let count = plan.valid.count();
    let grid = FlatGrid::new(count.into());
    port.note(|| grid.event("simt_mscatter_elem_kernel", Coalesce::Elem));
    if plan.bounds.capacity == 0 {
        return;
    }
    let Operands { table, data, index } = operands;
    let bounds = plan.bounds;
    order::elem(plan.schedule, count, grid, |start, len| {
        if !S::ON
            && plan.is_dense()
            && let Some(indices) = index.strip(start.into(), len as usize)
            && let Some(cells) = data.strip(start.into(), len as usize)
        {
            for (bits, cell) in indices.iter().zip(cells) {
                if let Some(slot) = bounds.slot::<P>(*bits) {
                    port.update::<C, W>(table, slot, *cell);
                }
            }
            return;
        }
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

fn rows<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
) {
    let grid = RowGrid::new(plan.valid);
    port.note(|| grid.event("simt_mscatter_row_kernel"));
    if plan.bounds.capacity == 0 {
        return;
    }
    let Operands { table, data, index } = operands;
    let mut loads = IndexLoads::new();
    order::row(plan.schedule, plan.valid, grid, |row, col, len| {
        let bits = if loads.first(grid.warp_of(row, col), row) {
            port.load(index, row.into())
        } else {
            index.peek(row.into())
        };
        if let Some(slot) = plan.bounds.slot::<P>(bits) {
            store_strip::<S, C, W>(port, table, data, plan, slot, (row, col, len));
        }
    });
}

/// Combines `(row, col, len)` of the source into table row `slot`, column by column.
#[inline(always)]
pub(crate) fn store_strip<S: Sink, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    table: &mut View<'_, W>,
    data: &View<'_, W>,
    plan: &Plan,
    slot: i64,
    (row, col, len): (u32, u32, u32),
) {
    let to = plan.table_row(slot) + i64::from(col);
    let from = plan.data.at(row, col);
    if !S::ON
        && plan.data.col == 1
        && let Some(slots) = table.strip_mut(to, len as usize)
        && let Some(values) = data.strip(from, len as usize)
    {
        return C::combine_all(slots, values);
    }
    for lane in 0..i64::from(len) {
        let cell = port.load(data, from + lane * plan.data.col);
        port.update::<C, W>(table, to + lane, cell);
    }
}
