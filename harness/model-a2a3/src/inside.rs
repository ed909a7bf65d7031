//! Loops over elements that all lie in their operands, with nobody to tell of
//! them: as much as a core's own loop would do, several elements a turn.

use crate::{
    combine::Combine,
    operands::Operands,
    port::View,
    remap::{Indices, Policy},
    walk::Segment,
};

/// Elements of one turn.
const GROUP: usize = 8;

/// Hands pairs to `step`, in order, until it declines one, and gives how many
/// it took. A last group that is not full is left to the caller.
#[inline(always)]
pub(crate) fn pairs<A: Copy, B: Copy>(
    left: &[A],
    right: &[B],
    mut step: impl FnMut(A, B) -> Option<()>,
) -> usize {
    let (left, _) = left.as_chunks::<GROUP>();
    let (right, _) = right.as_chunks::<GROUP>();
    let mut done = 0;
    for (left, right) in left.iter().zip(right) {
        for k in 0..GROUP {
            if step(left[k], right[k]).is_none() {
                return done + k;
            }
        }
        done += GROUP;
    }
    done
}

/// [`pairs`], the second of which are to be written.
#[inline(always)]
pub(crate) fn pairs_mut<A: Copy, B>(
    left: &[A],
    right: &mut [B],
    mut step: impl FnMut(A, &mut B) -> Option<()>,
) -> usize {
    let (left, _) = left.as_chunks::<GROUP>();
    let (right, _) = right.as_chunks_mut::<GROUP>();
    let mut done = 0;
    for (left, right) in left.iter().zip(right) {
        for k in 0..GROUP {
            if step(left[k], &mut right[k]).is_none() {
                return done + k;
            }
        }
        done += GROUP;
    }
    done
}

/// How many of a table's `cells` the policy may pick, or that there are where
/// it keeps no bounds. Slices of this length need no second look at a slot.
#[inline(always)]
fn reach<P: Policy>(indices: Indices, cells: usize) -> usize {
    if P::BOUNDED {
        indices.capacity()
    } else {
        cells
    }
}

/// The elements of a flat table that `P` may pick, and the indices to pick
/// them by, if the table has all of them and no index is negative.
#[inline(always)]
pub(crate) fn cells<'m, const W: usize, P: Policy>(
    table: &View<'m>,
    indices: Indices,
) -> Option<(&'m [[u8; W]], Indices)> {
    let indices = indices.unsigned()?;
    let cells = table.elements();
    let cells = cells.get(..reach::<P>(indices, cells.len()))?;
    Some((cells, indices))
}

/// Scatters positions of a segment into a flat table, in order, until one
/// leaves it, and gives how many came before. Fewer may be done, as [`pairs`]
/// says, and none where a tile is left or an index may be negative.
#[inline(never)]
pub(crate) fn scatter<const W: usize, C: Combine<W>, P: Policy>(
    operands: &mut Operands<'_>,
    indices: Indices,
    segment: &Segment,
) -> Option<usize> {
    let bits = operands.index.view().line(segment.index_at, segment.len)?;
    let values = operands
        .data
        .view()
        .line::<W>(segment.data_at, segment.len)?;
    let indices = indices.unsigned()?;
    let (cells, _) = operands.table.body().as_chunks_mut();
    let reach = reach::<P>(indices, cells.len());
    let cells = cells.get_mut(..reach)?;
    Some(pairs(bits, values, |bits, value| {
        if let Some(slot) = P::pick(indices, indices.decode(bits)) {
            let cell = cells.get_mut(slot as usize)?;
            *cell = C::combine(*cell, value);
        }
        Some(())
    }))
}

/// Gathers positions of a segment from a flat table, as [`scatter`] does it
/// the other way.
#[inline(never)]
pub(crate) fn gather<const W: usize, P: Policy>(
    operands: &mut Operands<'_>,
    indices: Indices,
    segment: &Segment,
) -> Option<usize> {
    let bits = operands.index.view().line(segment.index_at, segment.len)?;
    let to = operands.data.line_mut(segment.data_at, segment.len)?;
    let (cells, indices) = cells::<W, P>(&operands.table.view(), indices)?;
    let zero = &[0; W];
    Some(pairs_mut(bits, to, |bits, to| {
        *to = *match P::pick(indices, indices.decode(bits)) {
            Some(slot) => cells.get(slot as usize)?,
            None => zero,
        };
        Some(())
    }))
}
