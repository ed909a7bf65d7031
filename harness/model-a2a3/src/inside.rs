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
    use ptodiff_isa::{DType, NegativeIndex, Role};

    use super::*;
    use crate::{
        combine::Replace,
        remap::{Clamp, Undefined, Within, Wrap},
        testing::{bytes, memory, numbers, scrambled},
    };

    /// Two groups of positions.
    const POSITIONS: Segment = Segment {
        data_at: 0,
        index_at: 0,
        len: 2 * GROUP,
    };

    /// Indices of a dtype into 32 slots.
    fn indices(dtype: DType) -> Indices {
        Indices::new(dtype, NegativeIndex::Signed, 32).expect("an index dtype")
    }

    /// A segment that stays inside is over in its loop.
    #[test]
    fn positions_inside_are_done_at_once() {
        fn all<P: Policy>() {
            let slots = scrambled(16, 32);
            let indices = indices(DType::Uint32);

            let operands = [vec![0; 32], numbers(1, 16), slots.clone()];
            let mut scattered = memory(Role::Source, operands);
            let mut operands = Operands::open_scatter(&mut scattered, true).expect("all are there");
            let done = scatter::<4, Replace, P>(&mut operands, &indices, &POSITIONS);
            assert_eq!(done, Some(16));
            let mut want = vec![0; 32];
            for (slot, value) in slots.iter().zip(1..) {
                want[*slot as usize] = value;
            }
            assert_eq!(scattered.regions[0].body(), bytes(want));

            let operands = [numbers(100, 32), vec![0; 16], slots.clone()];
            let mut gathered = memory(Role::Destination, operands);
            let mut operands = Operands::open_gather(&mut gathered).expect("all are there");
            let done = gather::<4, P>(&mut operands, &indices, &POSITIONS);
            assert_eq!(done, Some(16));
            let want = slots.iter().map(|slot| 100 + slot);
            assert_eq!(gathered.regions[1].body(), bytes(want));
        }
        all::<Undefined>();
        all::<Within>();
        all::<Clamp>();
        all::<Wrap>();
    }

    /// Indices that may be negative and positions past a tile are not its business.
    #[test]
    fn positions_that_may_lie_elsewhere_are_left() {
        let mut before = memory(Role::Source, [vec![0; 32], vec![7; 16], numbers(0, 16)]);
        let mut operands = Operands::open_scatter(&mut before, true).expect("all are there");
        let signed = indices(DType::Int32);
        let done = scatter::<4, Replace, Undefined>(&mut operands, &signed, &POSITIONS);
        assert_eq!(done, None);
        for (data_at, index_at) in [(4, 0), (0, 4), (-4, 0), (0, -4)] {
            let segment = Segment {
                data_at,
                index_at,
                ..POSITIONS
            };
            let unsigned = indices(DType::Uint32);
            let done = scatter::<4, Replace, Undefined>(&mut operands, &unsigned, &segment);
            assert_eq!(done, None);
        }
        assert_eq!(before.regions[0].body(), [0; 128]);
    }

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
