//! MGATHER from GM to UB (001, A5 Form).
//!
//! Where no slot has two writers the schedule shows in the trace and in the order
//! of strays only. Without these, elements or rows are read one after the other;
//! that way is given up as soon as an access would be a stray, and what it stored
//! is stored again.

use ptodiff_isa::{
    Coalesce, Dispatch, End, Fault, GatherOob, How, Memory, Mgather, Region, Role, Serves, Space,
};

use crate::access::{Port, Sink, operands};
use crate::bounds::{Clamp, Drop, Pass, Policy, Wrap};
use crate::copy;
use crate::grid::{FlatGrid, IndexLoads, RowGrid};
use crate::plan::Plan;
use crate::view::{View, ViewMut};
use crate::{order, scalar};

/// A call's operands as elements.
pub(crate) struct Operands<'m, const W: usize> {
    pub(crate) table: View<'m, W>,
    pub(crate) data: ViewMut<'m, W>,
    pub(crate) index: View<'m, 4>,
}

impl<'m, const W: usize> Operands<'m, W> {
    #[inline(always)]
    fn new([table, data, index]: &'m mut [&mut Region; 3]) -> Self {
        Self {
            table: View::new(table, Space::Gm),
            data: ViewMut::new(data, Space::Ub),
            index: View::new(index, Space::Ub),
        }
    }
}

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
    mut regions: [&mut Region; 3],
    mut port: Port<'_, S>,
) -> End {
    if !S::ON && at_once::<P, W>(&mut regions, plan).is_some() {
        return End::Finished;
    }
    let mut operands = Operands::<W>::new(&mut regions);
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

/// Runs a call without a trace; none, with some of it done, where it may hang, has
/// nothing to give, or where its elements or rows are not read one after the other.
///
/// A call of its own, lest the other ways take its registers.
#[inline(never)]
fn at_once<P: Policy, const W: usize>(
    [table, data, index]: &mut [&mut Region; 3],
    plan: &Plan,
) -> Option<()> {
    if plan.dispatch == Dispatch::Direct || plan.bounds.gives_nothing::<P>() {
        return None;
    }
    let (table, data) = (View::new(table, Space::Gm), ViewMut::new(data, Space::Ub));
    let operands = (table, data, View::new(index, Space::Ub));
    match plan.mode {
        Coalesce::Row => rows_at_once::<P, W>(operands, plan),
        Coalesce::Elem => elements_at_once::<P, W>(operands, plan),
    }
}

#[inline(never)]
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
    order::elem(plan.schedule, count, grid, |start, len| {
        let mut at = plan.cursor(start);
        for _ in 0..len {
            let bits = port.load(index, at.index);
            let cell = match plan.bounds.slot::<P>(bits) {
                Some(slot) => port.load(table, slot),
                None => [0; W],
            };
            port.store(data, at.data, cell);
            at.forward();
        }
    });
    end
}

/// All elements one after the other; none, with some of them read, where two of
/// them share a place or an access would be a stray.
#[inline(always)]
fn elements_at_once<P: Policy, const W: usize>(
    (table, mut data, index): (View<'_, W>, ViewMut<'_, W>, View<'_, 4>),
    plan: &Plan,
) -> Option<()> {
    if !plan.is_dense() {
        return padded_at_once::<P, W>((table, data, index), plan);
    }
    let count = plan.valid.count() as usize;
    let (indices, cells) = (index.strip(0, count)?, data.strip_mut(0, count)?);
    let bounds = plan.bounds.plain(indices)?;
    table.read_all((indices, cells), |bits| bounds.slot::<P>(bits))
}

/// The same of tiles with padding.
#[inline(always)]
fn padded_at_once<P: Policy, const W: usize>(
    (table, mut data, index): (View<'_, W>, ViewMut<'_, W>, View<'_, 4>),
    plan: &Plan,
) -> Option<()> {
    if !plan.data.is_apart(plan.valid) {
        return None;
    }
    let mut at = plan.cursor(0);
    for _ in 0..plan.valid.count() {
        let slot = plan.bounds.slot::<P>(*index.get(at.index)?);
        *data.get_mut(at.data)? = match slot {
            Some(slot) => *table.get(slot)?,
            None => [0; W],
        };
        at.forward();
    }
    Some(())
}

#[inline(never)]
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
    let Operands { table, data, index } = operands;
    let mut loads = IndexLoads::new();
    order::row(plan.schedule, plan.valid, grid, |row, col, len| {
        let bits = if loads.first(grid.warp_of(row, col), row) {
            port.load(index, plan.row_index(row))
        } else {
            index.peek(plan.row_index(row))
        };
        let to = plan.data.at(row, col);
        let slot = plan.bounds.slot::<P>(bits);
        let from = slot.map(|slot| plan.table_row(slot) + i64::from(col));
        if let Some(from) = from.filter(|_| !S::ON && plan.data.col == 1) {
            return port.copy((table, from), (data, to), len);
        }
        for lane in 0..i64::from(len) {
            let cell = match from {
                Some(from) => port.load(table, from + lane),
                // MGATHER-OOB-15.
                None => [0; W],
            };
            port.store(data, to + lane * plan.data.col, cell);
        }
    });
    end
}

/// All rows one after the other; none, with some of them read, where a row of
/// the destination is no neighbours, rows overlap, an index is negative or an
/// access would be a stray.
#[inline(always)]
fn rows_at_once<P: Policy, const W: usize>(
    (table, mut data, index): (View<'_, W>, ViewMut<'_, W>, View<'_, 4>),
    plan: &Plan,
) -> Option<()> {
    if !plan.data.has_whole_rows(plan.valid) {
        return None;
    }
    copy::gather::<P, W>((&table, &mut data), plan, plan.plain_rows(&index)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::tests::plan as row_plan;
    use crate::plan::tests::{plan, tile};
    use ptodiff_isa::BLayout;

    /// Gathers at once, to an operand of `to` bytes, from one of 32 that are their numbers.
    fn gathered(plan: &Plan, indices: &[u8], to: usize) -> Option<Vec<u8>> {
        let indices: Vec<u8> = indices.iter().flat_map(|at| [*at, 0, 0, 0]).collect();
        let end = indices.len();
        let mut table = Region::new(Role::Table, (0..32).collect(), 0..32);
        let mut data = Region::new(Role::Destination, vec![99; to], 0..to);
        let mut index = Region::new(Role::Index, indices, 0..end);
        at_once::<Drop, 1>(&mut [&mut table, &mut data, &mut index], plan)?;
        Some(data.into_bytes())
    }

    #[test]
    fn elements_are_gathered_at_once_with_padding_and_without() {
        // The table has 32 slots: the first index of the second row selects none.
        let indices = [5, 0, 31, 9, 32, 5, 7, 9];
        let (packed, padded) = (tile(2, 4, 4), tile(2, 4, 3));
        let all = gathered(&plan(packed, packed), &indices, 8);
        assert_eq!(all, Some(vec![5, 0, 31, 9, 0, 5, 7, 9]));
        let all = gathered(&plan(padded, padded), &indices, 8);
        assert_eq!(all, Some(vec![5, 0, 31, 99, 0, 5, 7, 99]));
        let all = gathered(&plan(tile(2, 3, 3), padded), &indices, 6);
        assert_eq!(all, Some(vec![5, 0, 31, 0, 5, 7]));
        // The last element lies outside; a row ends where the next one begins.
        assert_eq!(gathered(&plan(padded, padded), &indices, 6), None);
        let shared = plan(tile(2, 4, 5), tile(2, 4, 4));
        assert_eq!(gathered(&shared, &[0; 9], 9), None);
    }

    #[test]
    fn rows_are_gathered_at_once_unless_they_have_gaps() {
        let (by_row, by_col) = (BLayout::RowMajor, BLayout::ColMajor);
        let all: Vec<u8> = (16..24).chain([0; 8]).chain(8..16).collect();
        assert_eq!(gathered(&row_plan(by_row, 8), &[2, 3, 1], 24), Some(all));
        assert_eq!(gathered(&row_plan(by_col, 8), &[2, 3, 1], 24), None);
    }
}
