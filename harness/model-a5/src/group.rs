//! Elements in groups: many reads, or many combinations, one after the other.

use crate::access::{Port, Sink};
use crate::combine::Combine;
use crate::grid::LANES;
use crate::view::{View, ViewMut, subscript};

/// Elements that are taken together, so that what a loop costs by itself is
/// little beside them.
pub(crate) const GROUP: usize = 8;
/// Elements that a warp takes in one trip, whole groups.
pub(crate) const WARP: usize = LANES as usize;
/// Such elements, or their indices, each of `N` bytes.
type Trip<const N: usize> = [[u8; N]; WARP];

/// Gives each lane the one of `slots` that its index selects; says which is the
/// first whose slot is none of them, after which nothing is done.
#[inline(always)]
pub(crate) fn visit_inside<'i, T, const I: usize, const W: usize>(
    slots: &mut [[u8; W]],
    mut lanes: impl Iterator<Item = (&'i [u8; I], T)>,
    slot: impl Fn([u8; I]) -> Option<i64>,
    visit: impl Fn(&mut [u8; W], T),
) -> Option<usize> {
    lanes.position(|(bits, lane)| {
        let Some(at) = slot(*bits) else {
            return false;
        };
        match slots.get_mut(subscript(at)) {
            Some(slot) => {
                visit(slot, lane);
                false
            }
            None => true,
        }
    })
}

impl<const W: usize> View<'_, W> {
    /// Reads elements one by one to `to`, zero where an index selects no slot;
    /// none where one lies outside, and what comes after it is not read.
    #[inline(always)]
    pub(crate) fn read_all(
        &self,
        (indices, to): (&[[u8; 4]], &mut [[u8; W]]),
        slot: impl Fn([u8; 4]) -> Option<i64> + Copy,
    ) -> Option<()> {
        let (groups, indices) = indices.as_chunks::<GROUP>();
        let (groups_to, to) = to.as_chunks_mut::<GROUP>();
        for (indices, to) in groups.iter().zip(groups_to) {
            self.read_group((indices, to), slot)?;
        }
        self.read_group((indices, to), slot)
    }

    #[inline(always)]
    fn read_group(
        &self,
        (indices, to): (&[[u8; 4]], &mut [[u8; W]]),
        slot: impl Fn([u8; 4]) -> Option<i64>,
    ) -> Option<()> {
        for (bits, to) in indices.iter().zip(to) {
            *to = match slot(*bits) {
                Some(at) => *self.get(at)?,
                None => [0; W],
            };
        }
        Some(())
    }
}

/// Combines a group into those of `slots` that its indices select; says how many
/// are combined where the others are not, or where these are to be settled.
#[inline(always)]
fn combine_group<C: Combine<W>, const I: usize, const W: usize>(
    slots: &mut [[u8; W]],
    (indices, cells): (&[[u8; I]; GROUP], &[[u8; W]; GROUP]),
    slot: impl Fn([u8; I]) -> Option<i64>,
) -> Option<usize> {
    let mut drafts = [[0; W]; GROUP];
    let lanes = indices.iter().zip(cells.iter().zip(&mut drafts));
    let stray = visit_inside(slots, lanes, slot, |slot, (cell, draft)| {
        *draft = C::draft(*slot, *cell);
        *slot = *draft;
    });
    if stray.is_some() || C::unsettled(&drafts) {
        return Some(stray.unwrap_or(GROUP));
    }
    None
}

/// The same for a warp's trip.
#[inline(always)]
fn combine_trip<C: Combine<W>, const I: usize, const W: usize>(
    slots: &mut [[u8; W]],
    (indices, cells): (&Trip<I>, &Trip<W>),
    slot: impl Fn([u8; I]) -> Option<i64> + Copy,
) -> Option<usize> {
    let groups = indices.as_chunks().0.iter().zip(cells.as_chunks().0);
    for (group, before) in groups.zip((0..).step_by(GROUP)) {
        if let Some(done) = combine_group::<C, I, W>(slots, group, slot) {
            return Some(before + done);
        }
    }
    None
}

impl<S: Sink> Port<'_, S> {
    /// Combines elements one by one into the slots that their indices select,
    /// without a note.
    #[inline(always)]
    pub(crate) fn update_all<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[[u8; I]], &[[u8; W]]),
        slot: impl Fn([u8; I]) -> Option<i64> + Copy,
    ) {
        let (trips, indices) = indices.as_chunks::<WARP>();
        let (trips_of_cells, cells) = cells.as_chunks::<WARP>();
        self.update_trips::<C, I, W>(view, (trips, trips_of_cells), (0, 1), slot);
        let (groups, indices) = indices.as_chunks::<GROUP>();
        let (groups_of_cells, cells) = cells.as_chunks::<GROUP>();
        for (indices, cells) in groups.iter().zip(groups_of_cells) {
            self.update_group::<C, I, W>(view, (indices, cells), slot);
        }
        self.update_few::<C, I, W>(view, (indices, cells), slot);
    }

    /// The same in the order of `lanes`, the elements' numbers.
    #[inline(always)]
    pub(crate) fn update_in<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        lanes: &[u32],
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[[u8; I]], &[[u8; W]]),
        slot: impl Fn([u8; I]) -> Option<i64>,
    ) {
        for lane in lanes {
            let lane = *lane as usize;
            if let (Some(bits), Some(cell)) = (indices.get(lane), cells.get(lane))
                && let Some(at) = slot(*bits)
            {
                self.update::<C, W>(view, at, *cell);
            }
        }
    }

    /// The same for a group, whose combinations are settled together.
    #[inline(always)]
    fn update_group<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[[u8; I]; GROUP], &[[u8; W]; GROUP]),
        slot: impl Fn([u8; I]) -> Option<i64> + Copy,
    ) {
        // A slice of its own, lest every store seem to move it.
        if let Some(done) = combine_group::<C, I, W>(&mut *view.cells, (indices, cells), slot) {
            self.update_after::<C, I, W>(view, (indices, cells), done, slot);
        }
    }

    /// The same for whole trips of warps: every `step`th from `first` on.
    #[inline(always)]
    pub(crate) fn update_trips<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[Trip<I>], &[Trip<W>]),
        (first, step): (usize, usize),
        slot: impl Fn([u8; I]) -> Option<i64> + Copy,
    ) {
        let mut next = first;
        loop {
            // The inner loop calls nothing, lest its values leave the registers.
            let slots = &mut *view.cells;
            let mut left = None;
            while let (Some(indices), Some(cells)) = (indices.get(next), cells.get(next)) {
                next += step;
                if let Some(done) = combine_trip::<C, I, W>(slots, (indices, cells), slot) {
                    left = Some((indices, cells, done));
                    break;
                }
            }
            let Some((indices, cells, done)) = left else {
                return;
            };
            self.update_after::<C, I, W>(view, (indices, cells), done, slot);
        }
    }

    /// The same for fewer, each of which is settled at once.
    #[inline(always)]
    fn update_few<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[[u8; I]], &[[u8; W]]),
        slot: impl Fn([u8; I]) -> Option<i64> + Copy,
    ) {
        let lanes = indices.iter().zip(cells);
        let stray = visit_inside(&mut *view.cells, lanes, slot, |slot, cell| {
            *slot = C::combine(*slot, *cell);
        });
        if let Some(done) = stray {
            self.update_after::<C, I, W>(view, (indices, cells), done, slot);
        }
    }

    /// The same where the first `done` elements are settled at most, and the
    /// others are still to be combined.
    #[cold]
    #[inline(never)]
    fn update_after<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[[u8; I]], &[[u8; W]]),
        done: usize,
        slot: impl Fn([u8; I]) -> Option<i64>,
    ) {
        for at in indices.iter().take(done).filter_map(|bits| slot(*bits)) {
            if let Some(slot) = view.cells.get_mut(subscript(at)) {
                *slot = C::settle(*slot);
            }
        }
        for (bits, cell) in indices.iter().zip(cells).skip(done) {
            if let Some(at) = slot(*bits) {
                self.update::<C, W>(view, at, *cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptodiff_isa::{Region, Role, Space};

    /// The number of a slot; 9 selects none.
    fn slot(bits: [u8; 4]) -> Option<i64> {
        Some(u32::from_le_bytes(bits).into()).filter(|at| *at != 9)
    }

    #[test]
    fn lanes_are_visited_up_to_one_whose_slot_is_none() {
        let visit = |indices: &[u32]| {
            let indices: Vec<[u8; 4]> = indices.iter().map(|at| at.to_le_bytes()).collect();
            let mut slots = [[0], [10], [20]];
            let lanes = indices.iter().zip(1..);
            let end = visit_inside(&mut slots, lanes, slot, |slot, lane| slot[0] += lane);
            (end, slots.map(|[slot]| slot))
        };
        // A lane without a slot is none that is left over.
        assert_eq!(visit(&[2, 9, 1, 2, 9]), (None, [0, 13, 25]));
        assert_eq!(visit(&[9, 0, 3, 1]), (Some(2), [2, 10, 20]));
    }

    #[test]
    fn elements_are_read_together_up_to_one_that_lies_outside() {
        // Eight guard bytes, twelve bytes, eight guard bytes; each byte is its number.
        let region = Region::new(Role::Table, (0..28).collect(), 8..20);
        let view = View::<4>::new(&region, Space::Gm);
        let read = |indices: &[u32]| {
            let indices: Vec<[u8; 4]> = indices.iter().map(|at| at.to_le_bytes()).collect();
            let mut to = vec![[1; 4]; indices.len()];
            let all = view.read_all((&indices, &mut to), slot);
            (all, to.iter().map(|cell| cell[0]).collect::<Vec<u8>>())
        };
        // More than one group; 9 selects nothing.
        let (all, first) = read(&[0, 1, 2, 9, 0, 1, 2, 9, 2, 1]);
        assert_eq!(all, Some(()));
        assert_eq!(first, [8, 12, 16, 0, 8, 12, 16, 0, 16, 12]);
        let (all, first) = read(&[0, 1, 3, 2]);
        assert_eq!(all, None);
        assert_eq!(first, [8, 12, 1, 1]);
        assert_eq!(read(&[0, 1, 2, 9, 0, 1, 2, 3, 0]).0, None);
    }
}
