//! Loops over elements that all lie in their operands, with nobody to tell of
//! them: as much as a core's own loop would do.

use crate::{
    combine::Combine,
    groups::{GROUP, fill, nth},
    operands::Operands,
    port::View,
    remap::{INDEX_BYTES, Indices, Policy},
    walk::Segment,
};

/// How many of a table's `cells` the policy may pick, or that there are where
/// it keeps no bounds. Slices of this length need no second look at a slot.
#[inline(always)]
pub(crate) fn reach<P: Policy>(capacity: usize, cells: usize) -> usize {
    if P::BOUNDED { capacity } else { cells }
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
    let cells = cells.get(..reach::<P>(indices.capacity(), cells.len()))?;
    Some((cells, indices))
}

/// Scatters positions of a segment into a flat table, in order, until one
/// leaves it, and gives how many came before. Fewer may be done, as [`fill`]
/// says, and none where a tile is left or an index may be negative.
#[inline]
pub(crate) fn scatter<const W: usize, C: Combine<W>, P: Policy>(
    operands: &mut Operands<'_>,
    indices: &Indices,
    segment: &Segment,
) -> Option<usize> {
    let bits = operands.index.view().line(segment.index_at, segment.len)?;
    let values = operands
        .data
        .view()
        .line::<W>(segment.data_at, segment.len)?;
    let indices = indices.unsigned()?;
    let (cells, _) = operands.gm.body().as_chunks_mut();
    let reach = reach::<P>(indices.capacity(), cells.len());
    Some(scatter_to::<W, C, P>(cells.get_mut(..reach)?, bits, values))
}

/// Scatters `values` to those of `cells` that `bits` select, which are as many
/// as [`reach`] says. The rest is as with [`scatter`].
#[inline(never)]
pub(crate) fn scatter_to<const W: usize, C: Combine<W>, P: Policy>(
    cells: &mut [[u8; W]],
    bits: &[[u8; INDEX_BYTES]],
    values: &[[u8; W]],
) -> usize {
    // By this the compiler sees that what Clamp picks is there.
    if P::FOLDS && cells.is_empty() {
        return 0;
    }
    let indices = Indices::within(cells.len());
    let (bits, _) = bits.as_chunks::<GROUP>();
    let (values, _) = values.as_chunks::<GROUP>();
    let mut done = 0;
    for (bits, values) in bits.iter().zip(values) {
        let mut rough = [[0; W]; GROUP];
        for k in 0..GROUP {
            // Copies have room for the loads of indices, sums have none.
            let index = if C::READS { nth(bits, k) } else { bits[k] };
            if let Some(slot) = P::pick(indices, indices.decode(index)) {
                let Some(cell) = cells.get_mut(slot as usize) else {
                    settle::<W, C, P>(cells, &bits[..k]);
                    return done + k;
                };
                rough[k] = C::rough(*cell, C::value(values, k));
                *cell = rough[k];
            }
        }
        if C::unsettled(&rough) {
            settle::<W, C, P>(cells, bits);
        }
        done += GROUP;
    }
    done
}

/// Settles what was scattered by `bits`, all of which are inside.
#[cold]
#[inline(never)]
fn settle<const W: usize, C: Combine<W>, P: Policy>(
    cells: &mut [[u8; W]],
    bits: &[[u8; INDEX_BYTES]],
) {
    let indices = Indices::within(cells.len());
    for &bits in bits {
        let slot = P::pick(indices, indices.decode(bits));
        if let Some(cell) = slot.and_then(|slot| cells.get_mut(slot as usize)) {
            *cell = C::settled(*cell);
        }
    }
}

/// Gathers positions of a segment from a flat table, as [`scatter`] does it
/// the other way.
#[inline]
pub(crate) fn gather<const W: usize, P: Policy>(
    operands: &mut Operands<'_>,
    indices: &Indices,
    segment: &Segment,
) -> Option<usize> {
    let bits = operands.index.view().line(segment.index_at, segment.len)?;
    let to = operands.data.line_mut(segment.data_at, segment.len)?;
    let (cells, _) = cells::<W, P>(&operands.table, *indices)?;
    Some(gather_from::<W, P>(cells, bits, to))
}

/// Gathers to `to` those of `cells` that `bits` select, as [`scatter_to`] does
/// it the other way.
#[inline(never)]
pub(crate) fn gather_from<const W: usize, P: Policy>(
    cells: &[[u8; W]],
    bits: &[[u8; INDEX_BYTES]],
    to: &mut [[u8; W]],
) -> usize {
    // As in [`scatter_to`].
    if P::FOLDS && cells.is_empty() {
        return 0;
    }
    let indices = Indices::within(cells.len());
    fill(bits, to, |bits| {
        match P::pick(indices, indices.decode(bits)) {
            Some(slot) => cells.get(slot as usize).copied(),
            None => Some([0; W]),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        combine::Replace,
        remap::{Clamp, Undefined, Wrap},
    };

    /// Neither the last cell nor a remainder is asked for where there is none.
    #[test]
    fn of_no_cells_none_is_done() {
        fn done<P: Policy>() -> [usize; 2] {
            let (bits, mut values) = ([[0; INDEX_BYTES]; GROUP], [[7; 4]; GROUP]);
            let scattered = scatter_to::<4, Replace, P>(&mut [], &bits, &values);
            [scattered, gather_from::<4, P>(&[], &bits, &mut values)]
        }
        assert_eq!(done::<Undefined>(), [0, 0]);
        assert_eq!(done::<Clamp>(), [0, 0]);
        assert_eq!(done::<Wrap>(), [0, 0]);
    }
}
