//! A scatter of few elements into a large table, written part by part: the
//! region notes which parts these are, so that the table is copied and compared
//! at the cost of what the call touches.
//!
//! All lanes are held against their operands before the first of them writes.
//! Where one leaves its operand nothing has been done, and the call runs as it
//! would into any table.

use std::ops::Range;

use ptodiff_isa::{Coalesce, Parts, Region, Space};

use crate::bounds::Policy;
use crate::combine::Combine;
use crate::grid::{FlatGrid, RowGrid};
use crate::order;
use crate::plan::Plan;
use crate::view::{View, subscript};

/// Neighbouring slots of the table and the first element that goes there.
struct Strip {
    to: Range<usize>,
    from: i64,
}

/// Runs a launch that does not hang, without a trace, where `last` says so the Last
/// kernel's; none, with nothing done, where the table is none that is written part
/// by part or an access would be a stray.
#[inline]
pub(crate) fn scatter<P: Policy, C: Combine<W>, const W: usize>(
    [table, data, index]: &mut [&mut Region; 3],
    plan: &Plan,
    last: bool,
) -> Option<()> {
    let table = table.parts_mut(plan.valid.count() as usize * W)?;
    let (data, index) = (View::new(data, Space::Ub), View::new(index, Space::Ub));
    let strips = strips::<P>(plan, &index, last)?;
    write::<C, W>(table, &data, plan.data.col, &strips)
}

/// What is written, in the order in which it takes effect; none where an index
/// lies outside or selects what no memory has.
///
/// Where the last element wins, everyone writes one after the other and the
/// owner comes last.
#[inline(never)]
fn strips<P: Policy>(plan: &Plan, index: &View<'_, 4>, last: bool) -> Option<Vec<Strip>> {
    let Plan { valid, bounds, .. } = *plan;
    // The Last kernels have lanes for the table's slots only; an empty table has none.
    let served = |slot: &i64| bounds.capacity > 0 && (!last || bounds.holds(*slot));
    let slot = |at| {
        let bits = index.get(at)?;
        Some(bounds.slot::<P>(*bits).filter(served))
    };
    let mut strips = Vec::new();
    // None as soon as one has none.
    let mut all = Some(());
    match plan.mode {
        Coalesce::Row => {
            let mut row = |row, col, len| {
                if let Some(slot) = slot(plan.row_index(row))? {
                    let (to, from) = (plan.table_strip(slot, col, len)?, plan.data.at(row, col));
                    strips.push(Strip { to, from });
                }
                Some(())
            };
            if last {
                for at in 0..valid.rows {
                    row(at, 0, valid.cols)?;
                }
                return Some(strips);
            }
            let grid = RowGrid::new(valid, plan.sizing);
            order::row(plan.schedule, valid, grid, |at, col, len| {
                all = all.and_then(|()| row(at, col, len));
            });
        }
        Coalesce::Elem => {
            let mut elements = |start, len| {
                let mut at = plan.cursor(start);
                for _ in 0..len {
                    if let Some(slot) = slot(at.index)? {
                        let first = subscript(slot);
                        let (to, from) = (first..first.checked_add(1)?, at.data);
                        strips.push(Strip { to, from });
                    }
                    at.forward();
                }
                Some(())
            };
            let count = valid.count();
            if last {
                elements(0, count)?;
                return Some(strips);
            }
            let grid = FlatGrid::new(count.into(), plan.sizing);
            order::elem(plan.schedule, count, grid, |start, len| {
                all = all.and_then(|()| elements(start, len));
            });
        }
    }
    all.map(|()| strips)
}

/// Combines the source's elements, `step` apart, into their slots; none, with
/// nothing done, where an operand ends before.
#[inline(never)]
fn write<C: Combine<W>, const W: usize>(
    mut table: Parts<'_>,
    data: &View<'_, W>,
    step: i64,
    strips: &[Strip],
) -> Option<()> {
    let (cells, _) = table.body().as_chunks::<W>();
    for Strip { to, from } in strips {
        let lanes = cells.get(to.clone())?.len() as i64;
        data.get(*from)?;
        data.get(from + (lanes - 1) * step)?;
    }
    for Strip { to, from } in strips {
        // All lie inside, so that the default is never taken.
        let slots = table.get_mut(to.start * W..to.end * W).unwrap_or_default();
        let (slots, _) = slots.as_chunks_mut();
        for (slot, lane) in slots.iter_mut().zip(0..) {
            *slot = C::combine(*slot, data.peek(from + lane * step));
        }
    }
    Some(())
}
