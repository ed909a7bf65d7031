//! Many elements at once: fills, contiguous copies, cache flushes.

use ptodiff_isa::{Event, Role};

use crate::access::{Port, Sink};
use crate::combine::Combine;
use crate::view::{View, ViewMut, subscript};

/// Elements that are taken together, so that what a loop costs by itself is
/// little beside them.
pub(crate) const GROUP: usize = 8;

/// Bytes of a cache line (MGATHERL1-CACHE-01 gives no number; reading of MGATHERL1-GAP-34).
pub(crate) const LINE: u64 = 64;

/// Combines elements one by one into those of `slots` that their indices select;
/// says which is the first whose slot is none of them, after which nothing is done.
#[inline(always)]
pub(crate) fn combine_inside<C: Combine<W>, const I: usize, const W: usize>(
    slots: &mut [[u8; W]],
    (indices, cells): (&[[u8; I]], &[[u8; W]]),
    slot: impl Fn([u8; I]) -> Option<i64>,
) -> Option<usize> {
    indices.iter().zip(cells).position(|(bits, cell)| {
        let Some(at) = slot(*bits) else {
            return false;
        };
        match slots.get_mut(subscript(at)) {
            Some(slot) => {
                *slot = C::combine(*slot, *cell);
                false
            }
            None => true,
        }
    })
}

impl<S: Sink> Port<'_, S> {
    /// Sets the first `count` elements of an operand to zero.
    pub(crate) fn fill<const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        count: u32,
        intrinsic: Option<&str>,
    ) {
        let (space, role) = (view.space, view.role);
        self.note(|| Event::Fill {
            name: intrinsic.map(Into::into),
            space,
            role,
            offset: 0,
            len: u64::from(count) * W as u64,
        });
        self.zero(view, 0, count);
    }

    /// Sets `len` elements from `at` on to zero, without a note.
    pub(crate) fn zero<const W: usize>(&mut self, view: &mut ViewMut<'_, W>, at: i64, len: u32) {
        if let Some(cells) = view.strip_mut(at, len as usize) {
            return cells.as_flattened_mut().fill(0);
        }
        for lane in 0..i64::from(len) {
            self.write(view, at.saturating_add(lane), [0; W]);
        }
    }

    /// Combines elements one by one into the slots that their indices select,
    /// without a note.
    #[inline(always)]
    pub(crate) fn update_all<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[[u8; I]], &[[u8; W]]),
        slot: impl Fn([u8; I]) -> Option<i64> + Copy,
    ) {
        let (groups, indices) = indices.as_chunks::<GROUP>();
        let (groups_of_cells, cells) = cells.as_chunks::<GROUP>();
        for (indices, cells) in groups.iter().zip(groups_of_cells) {
            if C::DRAFTS {
                self.update_drafts::<C, I, W>(view, (indices, cells), slot);
            } else {
                self.update_group::<C, I, W>(view, (indices, cells), slot);
            }
        }
        self.update_group::<C, I, W>(view, (indices, cells), slot);
    }

    #[inline(always)]
    fn update_group<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[[u8; I]], &[[u8; W]]),
        slot: impl Fn([u8; I]) -> Option<i64> + Copy,
    ) {
        // A slice of its own, lest every store seem to move it.
        let stray = combine_inside::<C, I, W>(&mut *view.cells, (indices, cells), slot);
        if let Some(stray) = stray {
            let rest = indices.iter().zip(cells).skip(stray);
            self.update_each::<C, I, W>(view, rest, slot);
        }
    }

    /// The same where one is a stray.
    #[cold]
    fn update_each<'c, C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        pairs: impl Iterator<Item = (&'c [u8; I], &'c [u8; W])>,
        slot: impl Fn([u8; I]) -> Option<i64>,
    ) {
        for (bits, cell) in pairs {
            if let Some(at) = slot(*bits) {
                self.update::<C, W>(view, at, *cell);
            }
        }
    }

    /// The same for a group, whose combinations are settled together.
    #[inline(always)]
    fn update_drafts<C: Combine<W>, const I: usize, const W: usize>(
        &mut self,
        view: &mut ViewMut<'_, W>,
        (indices, cells): (&[[u8; I]; GROUP], &[[u8; W]; GROUP]),
        slot: impl Fn([u8; I]) -> Option<i64> + Copy,
    ) {
        let slots = &mut *view.cells;
        let mut drafts = [[0; W]; GROUP];
        let mut lanes = indices.iter().zip(cells).zip(&mut drafts);
        let stray = lanes.position(|((bits, cell), draft)| {
            let Some(at) = slot(*bits) else {
                return false;
            };
            match slots.get_mut(subscript(at)) {
                Some(slot) => {
                    *draft = C::draft(*slot, *cell);
                    *slot = *draft;
                    false
                }
                None => true,
            }
        });
        if stray.is_some() || C::unsettled(&drafts) {
            let done = stray.unwrap_or(GROUP);
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

    /// Copies `len` elements, without a note.
    #[inline(always)]
    pub(crate) fn copy<const W: usize>(
        &mut self,
        (from, at): (&View<'_, W>, i64),
        (to, slot): (&mut ViewMut<'_, W>, i64),
        len: u32,
    ) {
        if let Some(cells) = from.strip(at, len as usize)
            && let Some(slots) = to.strip_mut(slot, len as usize)
        {
            return slots.copy_from_slice(cells);
        }
        for lane in 0..i64::from(len) {
            let cell = self.read(from, at.saturating_add(lane));
            self.write(to, slot.saturating_add(lane), cell);
        }
    }

    /// One burst of `count` elements from the start of one operand to that of another.
    pub(crate) fn burst<const W: usize>(
        &mut self,
        from: &View<'_, W>,
        to: &mut ViewMut<'_, W>,
        count: u32,
        intrinsic: &str,
    ) {
        let (source, target) = (from.role, to.role);
        self.note(|| Event::Dma {
            name: intrinsic.into(),
            from: (source, 0),
            to: (target, 0),
            n_burst: 1,
            len_burst: u64::from(count) * W as u64,
            gm_gap: 0,
            ub_gap: 0,
        });
        self.copy((from, 0), (to, 0), count);
    }

    /// `dcci` on each whole line that an operand's first `bytes` bytes touch, then
    /// `dsb(DSB_DDR)`.
    pub(crate) fn flush(&mut self, role: Role, bytes: u64) {
        if S::ON {
            for offset in (0..bytes).step_by(LINE as usize) {
                self.note(|| Event::Dcci {
                    role,
                    offset: offset.cast_signed(),
                    len: LINE,
                });
            }
        }
        self.note(|| Event::Dsb);
    }
}
