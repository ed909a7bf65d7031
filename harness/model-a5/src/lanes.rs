//! MSCATTER's Elem kernel of `Conflict::Default` and of atomics: each lane stores or
//! combines what it has.

use ptodiff_isa::{Coalesce, End, Schedule, Serves};

use crate::access::{Port, Sink};
use crate::bounds::{Plain, Policy};
use crate::combine::Combine;
use crate::grid::FlatGrid;
use crate::group::WARP;
use crate::order;
use crate::pack::Packed;
use crate::plan::Plan;
use crate::scatter::Operands;
use crate::shuffle::Room;
use crate::view::ViewMut;

/// A lane has elements, all of a launch apart.
///
/// A call of its own, as is that of Row mode, lest the ways of a call share registers.
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

/// All elements, a warp's lanes together where they run in order; none, with nothing
/// done, where an index or element lies outside, an index is negative or tiles have
/// padding and many elements.
#[inline(always)]
fn elements_together<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    operands: &mut Operands<'_, W>,
    plan: &Plan,
    grid: FlatGrid,
) -> Option<()> {
    if !plan.is_dense() {
        return packed::<S, P, C, W>(port, operands, plan, grid);
    }
    let Operands { table, data, index } = operands;
    let count = plan.valid.count();
    let (indices, cells) = (
        index.strip(0, count as usize)?,
        data.strip(0, count as usize)?,
    );
    let bounds = plan.bounds.plain(indices)?;
    if plan.schedule != Schedule::InOrder {
        lane_by_lane::<S, P, C, W>((port, table), (indices, cells), bounds, plan, grid);
        return Some(());
    }
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

/// The same of tiles with padding, whose elements are packed first. A call of its
/// own, lest the others pay for the room.
#[inline(never)]
fn packed<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    port: &mut Port<'_, S>,
    Operands { table, data, index }: &mut Operands<'_, W>,
    plan: &Plan,
    grid: FlatGrid,
) -> Option<()> {
    let (mut indices, mut cells) = (Packed::new(), Packed::new());
    let indices = index.pack((plan.index, plan.valid), &mut indices)?;
    let cells = data.pack((plan.data, plan.valid), &mut cells)?;
    let bounds = plan.bounds.plain(indices)?;
    lane_by_lane::<S, P, C, W>((port, table), (indices, cells), bounds, plan, grid);
    Some(())
}

/// Elements in the order of the schedule.
#[inline(never)]
fn lane_by_lane<S: Sink, P: Policy, C: Combine<W>, const W: usize>(
    (port, table): (&mut Port<'_, S>, &mut ViewMut<'_, W>),
    elements: (&[[u8; 4]], &[[u8; W]]),
    bounds: Plain,
    plan: &Plan,
    grid: FlatGrid,
) {
    let mut room = Room::new();
    let order = order::elem_order(plan.schedule, plan.valid.count(), grid, &mut room);
    port.update_in::<C, 4, W>(order, table, elements, |bits| bounds.slot::<P>(bits));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Silent;
    use crate::bounds::Pass;
    use crate::combine::Replace;
    use crate::plan::tests::{plan, tile};
    use crate::view::View;
    use ptodiff_isa::{Region, Role, Space, Strays, Tile};

    /// The first slots of a table to which the bytes 1, 2 and so on are scattered
    /// together, both tiles being of one shape.
    fn scattered(tile: Tile, schedule: Schedule, indices: &[u8]) -> Option<[u8; 6]> {
        let end = indices.len();
        let indices: Vec<u8> = indices.iter().flat_map(|at| [*at, 0, 0, 0]).collect();
        let mut table = Region::new(Role::Table, vec![0; 32], 0..32);
        let data = Region::new(Role::Source, (1..=end as u8).collect(), 0..end);
        let index = Region::new(Role::Index, indices, 0..4 * end);
        let mut operands = Operands::<1> {
            table: ViewMut::new(&mut table, Space::Gm),
            data: View::new(&data, Space::Ub),
            index: View::new(&index, Space::Ub),
        };
        let plan = Plan {
            schedule,
            ..plan(tile, tile)
        };
        let grid = FlatGrid::new(plan.valid.count().into(), plan.sizing);
        let mut strays = Strays::default();
        let port = &mut Port::new(&mut strays, Silent);
        elements_together::<_, Pass, Replace, 1>(port, &mut operands, &plan, grid)?;
        table.bytes().first_chunk().copied()
    }

    #[test]
    fn elements_are_scattered_together_with_padding_and_without() {
        use Schedule::{InOrder, Reversed};
        // Slot 5 has three writers. Index 3 is padding where there is some.
        let indices = [5, 5, 4, 3, 5, 2, 1, 3];
        let (packed, padded) = (tile(2, 4, 4), tile(2, 4, 3));
        let together = |tile, schedule| scattered(tile, schedule, &indices);
        assert_eq!(together(packed, InOrder), Some([0, 7, 6, 8, 3, 5]));
        assert_eq!(together(packed, Reversed), Some([0, 7, 6, 4, 3, 1]));
        assert_eq!(together(padded, InOrder), Some([0, 7, 6, 0, 3, 5]));
        assert_eq!(together(padded, Reversed), Some([0, 7, 6, 0, 3, 1]));
        // An element less than the tile has, and more than are packed.
        assert_eq!(scattered(padded, InOrder, &indices[..6]), None);
        assert_eq!(scattered(tile(2, 34, 33), InOrder, &[0; 68]), None);
    }
}
