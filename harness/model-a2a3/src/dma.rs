//! The DMA engine: bursts between GM and UB.

use ptodiff_isa::{Event, Role};

use crate::{
    combine::Combine,
    port::{Port, View, narrow, report},
    scribe::Scribe,
};

/// One DMA call. Addresses and lengths in bytes from the start of an operand's
/// body; what does not fit in 64 bits is cut, for no memory reaches that far.
pub(crate) struct Transfer {
    /// First byte read.
    pub(crate) from: i64,
    /// First byte written.
    pub(crate) to: i64,
    /// Number of bursts.
    pub(crate) n_burst: u64,
    /// Bytes of one burst.
    pub(crate) len_burst: u64,
    /// Bytes between two bursts on the side of GM.
    pub(crate) gm_gap: i64,
    /// Bytes between two bursts on the side of UB.
    pub(crate) ub_gap: i64,
}

/// Bytes from one row to the next where rows are `pitch` elements of `W` bytes apart.
pub(crate) fn byte_pitch<const W: usize>(pitch: u64) -> i64 {
    narrow(i128::from(pitch) * W as i128)
}

impl Transfer {
    /// Issues the call. The engine's atomic mode is `C`: replace, or add in a dtype.
    ///
    /// A burst that leaves an operand's body is one stray access; the add unit
    /// reads and writes a slot in one access, which counts as a write.
    #[inline]
    pub(crate) fn issue<const W: usize, C: Combine<W>, L: Scribe>(
        &self,
        from: &View<'_>,
        to: &mut Port<'_>,
        log: &mut L,
    ) {
        log.note(|| self.event(from.role(), to.role(), W));
        let (from_gap, to_gap) = if from.role() == Role::Table {
            (self.gm_gap, self.ub_gap)
        } else {
            (self.ub_gap, self.gm_gap)
        };
        // No operand is longer than the address space, so no real burst is cut.
        let len = usize::try_from(self.len_burst).unwrap_or(usize::MAX);
        let step = i64::try_from(self.len_burst).unwrap_or(i64::MAX);
        let (from_step, to_step) = (step.saturating_add(from_gap), step.saturating_add(to_gap));
        let (mut read_at, mut write_at) = (self.from, self.to);
        for _ in 0..self.n_burst {
            burst::<W, C, L>(from, read_at, to, write_at, len, log);
            read_at = read_at.saturating_add(from_step);
            write_at = write_at.saturating_add(to_step);
        }
    }

    fn event(&self, from: Role, to: Role, width: usize) -> Event {
        let way = if from == Role::Table {
            "gm_to_ubuf"
        } else {
            "ubuf_to_gm"
        };
        // The intrinsic comes in three widths; eight-byte elements have none of their own.
        let bits = 8 * width.min(4);
        Event::Dma {
            name: format!("copy_{way}_align_b{bits}"),
            from: (from, self.from),
            to: (to, self.to),
            n_burst: self.n_burst,
            len_burst: self.len_burst,
            gm_gap: self.gm_gap,
            ub_gap: self.ub_gap,
        }
    }
}

#[inline]
fn burst<const W: usize, C: Combine<W>, L: Scribe>(
    from: &View<'_>,
    read_at: i64,
    to: &mut Port<'_>,
    write_at: i64,
    len: usize,
    log: &mut L,
) {
    let values = from.span(read_at, len);
    let slots = to.span_mut(write_at, len);
    match (values, slots) {
        (Some(values), Some(slots)) => C::combine_all(slots, values),
        _ => stray_burst::<W, C, L>(from, read_at, to, write_at, len, log),
    }
}

#[cold]
fn stray_burst<const W: usize, C: Combine<W>, L: Scribe>(
    from: &View<'_>,
    read_at: i64,
    to: &mut Port<'_>,
    write_at: i64,
    len: usize,
    log: &mut L,
) {
    if from.span(read_at, len).is_none() {
        report(from.role(), read_at, len, false, log);
    }
    if to.view().span(write_at, len).is_none() {
        report(to.role(), write_at, len, true, log);
    }
    for k in (0..len).step_by(W) {
        let value = from.peek(i128::from(read_at) + k as i128);
        let slot = i128::from(write_at) + k as i128;
        to.poke(slot, C::combine(to.view().peek(slot), value));
    }
}
