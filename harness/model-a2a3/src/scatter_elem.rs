//! MSCATTER Elem: scalar stores to GM, or read, add, write.

use ptodiff_isa::{Role, Space};

use crate::{
    combine::Combine,
    inside,
    operands::Operands,
    port::Port,
    remap::{INDEX_BYTES, Indices, Policy},
    scribe::Scribe,
    slots::Slots,
    walk::Segment,
};

/// Scatters the positions of one segment, in increasing column, from number
/// `done` on.
#[inline]
pub(crate) fn segment<const W: usize, C, P, S, L>(
    (operands, log): (&mut Operands<'_>, &mut L),
    indices: &Indices,
    slots: &S,
    segment: Segment,
    done: usize,
) where
    C: Combine<W>,
    P: Policy,
    S: Slots<W>,
    L: Scribe,
{
    let done = if L::TRACES || !S::FLAT || done != 0 {
        done
    } else {
        inside::scatter::<W, C, P>(operands, indices, &segment).unwrap_or(0)
    };
    if done != segment.len {
        rest::<W, C, P, S, L>((operands, log), indices, slots, &segment, done);
    }
}

/// The positions from number `done` on, wherever they lie.
// Not inlined: it would take room on the stack, and there caches are full.
#[inline(never)]
fn rest<const W: usize, C, P, S, L>(
    (operands, log): (&mut Operands<'_>, &mut L),
    indices: &Indices,
    slots: &S,
    segment: &Segment,
    done: usize,
) where
    C: Combine<W>,
    P: Policy,
    S: Slots<W>,
    L: Scribe,
{
    let (source, index) = (operands.data.view(), operands.index.view());
    let mut lane = Lane {
        indices: *indices,
        table: operands.gm.again(),
        slots,
    };
    let Segment {
        data_at,
        index_at,
        len,
    } = *segment;
    let at = |start: i64, k: usize, width: usize| start.saturating_add((k * width) as i64);

    // Tiles are seldom left; their bounds are checked once a segment then.
    let index_line = index.line(index_at, len);
    let values = source.line(data_at, len);
    if let (Some(index_line), Some(values)) = (index_line, values) {
        let elements = index_line.iter().zip(values).enumerate();
        for (k, (&bits, &value)) in elements.skip(done) {
            log.load(
                Space::Ub,
                Role::Index,
                at(index_at, k, INDEX_BYTES),
                INDEX_BYTES,
            );
            lane.put::<W, C, P, L>(bits, log, |log| {
                log.load(Space::Ub, Role::Source, at(data_at, k, W), W);
                value
            });
        }
    } else {
        for k in done..len {
            let index_at = at(index_at, k, INDEX_BYTES);
            log.load(Space::Ub, Role::Index, index_at, INDEX_BYTES);
            let bits = index.load(index_at, log);
            lane.put::<W, C, P, L>(bits, log, |log| {
                let data_at = at(data_at, k, W);
                log.load(Space::Ub, Role::Source, data_at, W);
                source.load(data_at, log)
            });
        }
    }
}

/// The part of an element's work that follows the index load.
struct Lane<'t, S> {
    indices: Indices,
    table: Port<'t>,
    slots: &'t S,
}

impl<S> Lane<'_, S> {
    /// A dropped element reads no source and stores nothing (MSCATTER-OOB-06,
    /// MSCATTER-PERF-03).
    #[inline(always)]
    fn put<const W: usize, C: Combine<W>, P: Policy, L: Scribe>(
        &mut self,
        index: [u8; INDEX_BYTES],
        log: &mut L,
        value: impl FnOnce(&mut L) -> [u8; W],
    ) where
        S: Slots<W>,
    {
        let Some(slot) = P::pick(self.indices, self.indices.decode(index)) else {
            return;
        };
        let value = value(log);
        let table = &mut self.table;
        if C::READS {
            log.load(Space::Gm, Role::Table, self.slots.offset(slot), W);
            log.store(Space::Gm, Role::Table, self.slots.offset(slot), W);
            let change = |old| C::combine(old, value);
            self.slots.update(table, slot, change, log);
        } else {
            log.store(Space::Gm, Role::Table, self.slots.offset(slot), W);
            self.slots.store(table, slot, value, log);
        }
    }
}
