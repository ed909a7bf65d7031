//! `Conflict::Last` without a trace: everyone stores one after the other, and the
//! owner of a slot comes last.

use std::hint::black_box;

use ptodiff_isa::{Coalesce, Region, Space};

use crate::bounds::{Pass, Plain, Policy};
use crate::copy;
use crate::group::{GROUP, visit_inside};
use crate::order::Turns;
use crate::plan::Plan;
use crate::view::{View, ViewMut, subscript};

/// Runs a launch that does not hang, without a trace; none, with some of it done,
/// where rows or tiles have gaps, an index is negative or an access would be a
/// stray, the owner's alone.
#[inline(always)]
pub(crate) fn scatter<P: Policy, const W: usize>(
    [table, data, index]: &mut [&mut Region; 3],
    plan: &Plan,
) -> Option<()> {
    let mut table = ViewMut::<W>::new(table, Space::Gm);
    let (data, index) = (View::<W>::new(data, Space::Ub), View::new(index, Space::Ub));
    // A copy of its own, lest every store seem to change it.
    let plan = *plan;
    match plan.mode {
        Coalesce::Row => {
            let turns = Turns::of_one_warp(plan.valid.rows);
            copy::scatter::<P::Held, W>(
                (&mut table, &data),
                &plan,
                plan.plain_rows(&index)?,
                turns,
            )?;
        }
        Coalesce::Elem if plan.is_dense() => {
            let count = plan.valid.count() as usize;
            let (indices, cells) = (index.strip(0, count)?, data.strip(0, count)?);
            let bounds = plan.bounds.plain(indices)?;
            // What is beyond them is none of the table's.
            let slots = table.strip_mut(0, subscript(bounds.capacity))?;
            store_all::<P, W>(slots, (indices, cells), bounds);
        }
        _ => return None,
    }
    Some(())
}

/// Stores elements one by one to those of `slots` that their indices select.
#[inline(always)]
fn store_all<P: Policy, const W: usize>(
    slots: &mut [[u8; W]],
    (indices, cells): (&[[u8; 4]], &[[u8; W]]),
    bounds: Plain,
) {
    if P::DROPS {
        return store_or_drop(slots, (indices, cells), bounds);
    }
    let (groups, indices) = indices.as_chunks::<GROUP>();
    let (groups_of_cells, cells) = cells.as_chunks::<GROUP>();
    for (indices, cells) in groups.iter().zip(groups_of_cells) {
        store_group::<P, W>(slots, (indices, cells), bounds);
    }
    store_group::<P, W>(slots, (indices, cells), bounds);
}

/// The same where an index past the end selects nothing. What has no slot is stored
/// beside the table, for nobody foresees a branch that tells which has one.
#[inline(always)]
fn store_or_drop<const W: usize>(
    slots: &mut [[u8; W]],
    (indices, cells): (&[[u8; 4]], &[[u8; W]]),
    bounds: Plain,
) {
    let mut beside = [0; W];
    let mut store = |indices: &[[u8; 4]], cells: &[[u8; W]]| {
        for (bits, cell) in indices.iter().zip(cells) {
            // The table ends where `slots` do.
            let slot = bounds.slot::<Pass>(*bits);
            let slot = slot.and_then(|slot| slots.get_mut(subscript(slot)));
            *slot.unwrap_or(&mut beside) = *cell;
        }
    };
    let (groups, indices) = indices.as_chunks::<GROUP>();
    let (groups_of_cells, cells) = cells.as_chunks::<GROUP>();
    for (indices, cells) in groups.iter().zip(groups_of_cells) {
        store(indices, cells);
    }
    store(indices, cells);
    // If nobody could read it, what is stored there would become a branch.
    black_box(&mut beside);
}

#[inline(always)]
fn store_group<P: Policy, const W: usize>(
    slots: &mut [[u8; W]],
    (indices, cells): (&[[u8; 4]], &[[u8; W]]),
    bounds: Plain,
) {
    let slot = move |bits| bounds.slot::<P>(bits);
    let lanes = indices.iter().zip(cells);
    if visit_inside(slots, lanes, slot, |slot, cell| *slot = *cell).is_some() {
        store_again::<P, W>(slots, indices, cells, bounds);
    }
}

/// The same from the first on, where one selects none of them.
#[cold]
#[inline(never)]
fn store_again<P: Policy, const W: usize>(
    slots: &mut [[u8; W]],
    indices: &[[u8; 4]],
    cells: &[[u8; W]],
    bounds: Plain,
) {
    store_each::<P, W>(slots, indices, cells, bounds);
}

#[inline(always)]
fn store_each<P: Policy, const W: usize>(
    slots: &mut [[u8; W]],
    indices: &[[u8; 4]],
    cells: &[[u8; W]],
    bounds: Plain,
) {
    for (bits, cell) in indices.iter().zip(cells) {
        let slot = bounds.slot::<P>(*bits);
        if let Some(slot) = slot.and_then(|slot| slots.get_mut(subscript(slot))) {
            *slot = *cell;
        }
    }
}
