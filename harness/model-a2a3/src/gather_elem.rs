//! MGATHER Elem: scalar copies from GM.

use ptodiff_isa::{Role, Space};

use crate::{
    inside,
    operands::Operands,
    port::View,
    remap::{INDEX_BYTES, Indices, Policy},
    scribe::Scribe,
    slots::Slots,
    walk::Segment,
};

/// Gathers the positions of one segment, in increasing column, from number
/// `done` on.
#[inline]
pub(crate) fn segment<const W: usize, P, S, L>(
    (operands, log): (&mut Operands<'_>, &mut L),
    indices: &Indices,
    slots: &S,
    segment: Segment,
    done: usize,
) where
    P: Policy,
    S: Slots<W>,
    L: Scribe,
{
    let done = if L::TRACES || !S::FLAT || done != 0 {
        done
    } else {
        inside::gather::<W, P>(operands, indices, &segment).unwrap_or(0)
    };
    if done != segment.len {
        rest::<W, P, S, L>((operands, log), indices, slots, &segment, done);
    }
}

/// The positions from number `done` on, wherever they lie.
// Not inlined: it would take room on the stack, and there caches are full.
#[inline(never)]
fn rest<const W: usize, P, S, L>(
    (operands, log): (&mut Operands<'_>, &mut L),
    indices: &Indices,
    slots: &S,
    segment: &Segment,
    done: usize,
) where
    P: Policy,
    S: Slots<W>,
    L: Scribe,
{
    let index = operands.index.view();
    let mut tile = operands.data.again();
    let lane = Lane {
        indices: *indices,
        table: operands.table.again(),
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
    let values = tile.line_mut(data_at, len);
    if let (Some(index_line), Some(values)) = (index_line, values) {
        let elements = index_line.iter().zip(values).enumerate();
        for (k, (&bits, value)) in elements.skip(done) {
            log.load(
                Space::Ub,
                Role::Index,
                at(index_at, k, INDEX_BYTES),
                INDEX_BYTES,
            );
            lane.get::<W, P, L>(bits, value, log);
            log.store(Space::Ub, Role::Destination, at(data_at, k, W), W);
        }
    } else {
        for k in done..len {
            let index_at = at(index_at, k, INDEX_BYTES);
            log.load(Space::Ub, Role::Index, index_at, INDEX_BYTES);
            let mut value = [0; W];
            lane.get::<W, P, L>(index.load(index_at, log), &mut value, log);
            let data_at = at(data_at, k, W);
            log.store(Space::Ub, Role::Destination, data_at, W);
            tile.store(data_at, value, log);
        }
    }
}

/// The part of an element's work between the index load and the store.
struct Lane<'t, S> {
    indices: Indices,
    table: View<'t>,
    slots: &'t S,
}

impl<S> Lane<'_, S> {
    /// Only Zero selects nothing, and gives a zero through the same store
    /// (MGATHER-OOB-16).
    #[inline(always)]
    fn get<const W: usize, P: Policy, L: Scribe>(
        &self,
        index: [u8; INDEX_BYTES],
        value: &mut [u8; W],
        log: &mut L,
    ) where
        S: Slots<W>,
    {
        let Some(slot) = P::pick(self.indices, self.indices.decode(index)) else {
            *value = [0; W];
            return;
        };
        log.load(Space::Gm, Role::Table, self.slots.offset(slot), W);
        self.slots.fetch(&self.table, slot, value, log);
    }
}
