//! The DMA engine: bursts between GM and UB.

use std::marker::PhantomData;

use ptodiff_isa::{Event, Pipe, Role, Space};

use crate::{
    combine::{Combine, Replace},
    engine::Job,
    operands::Operands,
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
    /// To GM, in the atomic mode that `C` stands for.
    #[inline(always)]
    pub(crate) fn into_gm<const W: usize, C: Combine<W>>(self) -> ToGm<W, C> {
        ToGm(self, PhantomData)
    }

    /// To UB.
    #[inline(always)]
    pub(crate) fn into_ub<const W: usize>(self) -> ToUb<W> {
        ToUb(self)
    }

    /// Moves the bursts; the gaps are those of the two sides.
    ///
    /// A burst that leaves an operand's body is one stray access; the add unit
    /// reads and writes a slot in one access, which counts as a write.
    // Inlined down to the burst, or each row of a loop would pay for a call.
    #[inline(always)]
    fn bursts<const W: usize, C: Combine<W>>(
        &self,
        (from, from_gap): (&View<'_>, i64),
        (to, to_gap): (&mut Port<'_>, i64),
        log: &mut impl Scribe,
    ) {
        // No operand is longer than the address space, so no real burst is cut.
        let len = usize::try_from(self.len_burst).unwrap_or(usize::MAX);
        let step = i64::try_from(self.len_burst).unwrap_or(i64::MAX);
        let (from_step, to_step) = (step.saturating_add(from_gap), step.saturating_add(to_gap));
        let (mut read_at, mut write_at) = (self.from, self.to);
        for _ in 0..self.n_burst {
            burst::<W, C>(from, read_at, to, write_at, len, log);
            read_at = read_at.saturating_add(from_step);
            write_at = write_at.saturating_add(to_step);
        }
    }

    fn event(&self, name: String, from: Role, to: Role) -> Event {
        Event::Dma {
            name,
            from: (from, self.from),
            to: (to, self.to),
            n_burst: self.n_burst,
            len_burst: self.len_burst,
            gm_gap: self.gm_gap,
            ub_gap: self.ub_gap,
        }
    }
}

/// Bits in the name of an aligned copy: it comes in three widths, and
/// eight-byte elements have none of their own.
fn bits(width: usize) -> usize {
    8 * width.min(4)
}

/// `copy_ubuf_to_gm_align_b*`.
pub(crate) struct ToGm<const W: usize, C>(Transfer, PhantomData<C>);

impl<const W: usize, C: Combine<W>> ToGm<W, C> {
    #[inline(always)]
    fn combined<D: Combine<W>>(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        let (from, to) = (&operands.data.view(), &mut operands.gm);
        self.0
            .bursts::<W, D>((from, self.0.ub_gap), (to, self.0.gm_gap), log);
    }
}

impl<const W: usize, C: Combine<W>> Job for ToGm<W, C> {
    const PIPE: Pipe = Pipe::MTE3;

    fn event(&self) -> Event {
        let name = format!("copy_ubuf_to_gm_align_b{}", bits(W));
        self.0.event(name, Role::Source, Role::Table)
    }

    #[inline(always)]
    fn run(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        self.combined::<C>(operands, log);
    }

    fn run_plain(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        self.combined::<Replace>(operands, log);
    }
}

/// `copy_gm_to_ubuf_align_b*`.
pub(crate) struct ToUb<const W: usize>(Transfer);

impl<const W: usize> Job for ToUb<W> {
    const PIPE: Pipe = Pipe::MTE2;

    fn event(&self) -> Event {
        let name = format!("copy_gm_to_ubuf_align_b{}", bits(W));
        self.0.event(name, Role::Table, Role::Destination)
    }

    #[inline(always)]
    fn run(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        let (from, to) = (&operands.table, &mut operands.data);
        self.0
            .bursts::<W, Replace>((from, self.0.gm_gap), (to, self.0.ub_gap), log);
    }
}

/// Zeroes the first bytes of the destination tile.
pub(crate) struct Clear {
    /// The intrinsic, where the documents name one.
    pub(crate) name: Option<&'static str>,
    /// Where the tile stands.
    pub(crate) space: Space,
    /// How many bytes.
    pub(crate) bytes: usize,
}

impl Job for Clear {
    // Into L1 by MGATHERL1-SYNC-02. For UB the documents name no pipe
    // (MGATHER-GAP-24): on any other nothing they list would order it before
    // the transfers.
    const PIPE: Pipe = Pipe::MTE2;

    fn event(&self) -> Event {
        Event::Fill {
            name: self.name.map(str::to_owned),
            space: self.space,
            role: Role::Destination,
            offset: 0,
            len: self.bytes as u64,
        }
    }

    fn run(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        operands.data.clear(self.bytes, log);
    }
}

/// `copy_gm_to_cbuf` of the whole NZ image (MGATHERL1-PERF-03).
pub(crate) struct StagedToL1 {
    /// How many bytes.
    pub(crate) bytes: usize,
}

impl Job for StagedToL1 {
    const PIPE: Pipe = Pipe::MTE2;

    fn event(&self) -> Event {
        Event::Dma {
            name: "copy_gm_to_cbuf".to_owned(),
            from: (Role::Scratch, 0),
            to: (Role::Destination, 0),
            n_burst: 1,
            len_burst: self.bytes as u64,
            gm_gap: 0,
            ub_gap: 0,
        }
    }

    fn run(&self, operands: &mut Operands<'_>, log: &mut impl Scribe) {
        let (from, to) = (&operands.gm.view(), &mut operands.data);
        burst::<1, Replace>(from, 0, to, 0, self.bytes, log);
    }
}

#[inline(always)]
fn burst<const W: usize, C: Combine<W>>(
    from: &View<'_>,
    read_at: i64,
    to: &mut Port<'_>,
    write_at: i64,
    len: usize,
    log: &mut impl Scribe,
) {
    let values = from.span(read_at, len);
    let slots = to.span_mut(write_at, len);
    match (values, slots) {
        (Some(values), Some(slots)) => C::combine_all(slots, values),
        _ => stray_burst::<W, C>(from, read_at, to, write_at, len, log),
    }
}

#[cold]
fn stray_burst<const W: usize, C: Combine<W>>(
    from: &View<'_>,
    read_at: i64,
    to: &mut Port<'_>,
    write_at: i64,
    len: usize,
    log: &mut impl Scribe,
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
