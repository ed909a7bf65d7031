//! Many elements at once: fills, contiguous copies, cache flushes.

use ptodiff_isa::{Event, Role};

use crate::access::{Port, Sink};
use crate::view::{View, ViewMut};

/// Bytes of a cache line (MGATHERL1-CACHE-01 gives no number; reading of MGATHERL1-GAP-34).
pub(crate) const LINE: u64 = 64;

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
