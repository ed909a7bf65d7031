//! Plain copies of rows between a tile and a table, of which neither has gaps in a row.
//!
//! Bytes have no type, so all types share these loops. A row of a length that is
//! known when they are compiled is a few moves in the widest registers that the
//! machine has; one of any other length is a call that has to look at it first.

use std::marker::PhantomData;

use pulp::{Arch, Simd, WithSimd};

use crate::bounds::{Plain, Policy};
use crate::order::Turns;
use crate::plan::Plan;
use crate::view::{View, ViewMut, subscript};

/// Copies the tile's rows, each over the table's that its index selects; none, with
/// some of them copied, where one of the table lies outside, with nothing done, where
/// one of the tile does or has gaps.
#[inline(always)]
pub(crate) fn scatter<P: Policy, const W: usize>(
    (table, data): (&mut ViewMut<'_, W>, &View<'_, W>),
    plan: &Plan,
    indices: (&[[u8; 4]], Plain),
    turns: Turns,
) -> Option<()> {
    let (to, from) = (table.cells.as_flattened_mut(), data.cells.as_flattened());
    let pairs = Pairs::<P>::new::<W>(plan, indices, from.len())?;
    let rows = Scatter { to, from, turns };
    of_length(pairs.len, rows, pairs)
}

/// Copies to the tile's rows, to each the table's that its index selects, zero where
/// it selects none; none, with some of them copied, where one of the table lies outside,
/// with nothing done, where one of the tile does or has gaps.
#[inline(always)]
pub(crate) fn gather<P: Policy, const W: usize>(
    (table, data): (&View<'_, W>, &mut ViewMut<'_, W>),
    plan: &Plan,
    indices: (&[[u8; 4]], Plain),
) -> Option<()> {
    let (to, from) = (data.cells.as_flattened_mut(), table.cells.as_flattened());
    let pairs = Pairs::<P>::new::<W>(plan, indices, to.len())?;
    of_length(pairs.len, Gather { to, from }, pairs)
}

/// Where each row of a tile stands, and the table's that goes with it.
#[derive(Clone, Copy)]
struct Pairs<'i, P> {
    indices: &'i [[u8; 4]],
    bounds: Plain,
    /// Bytes of a row, which are those from row to row of the table too.
    len: usize,
    /// Bytes from row to row of the tile.
    pitch: usize,
    policy: PhantomData<P>,
}

impl<'i, P: Policy> Pairs<'i, P> {
    /// Of a tile of so many bytes; none where it has not all rows or these have gaps.
    #[inline(always)]
    fn new<const W: usize>(
        plan: &Plan,
        (indices, bounds): (&'i [[u8; 4]], Plain),
        tile: usize,
    ) -> Option<Self> {
        let len = plan.valid.cols as usize * W;
        let (last, _) = plan.valid.last();
        let last = subscript(plan.data.at(last, 0)).checked_mul(W)?;
        if plan.data.col != 1 || last.checked_add(len)? > tile {
            return None;
        }
        Some(Self {
            indices,
            bounds,
            len,
            // No more than to the last row.
            pitch: subscript(plan.data.at(1, 0)) * W,
            policy: PhantomData,
        })
    }

    /// Those of the first `rows`, so that their number is known to be the same.
    #[inline(always)]
    fn first(self, rows: u32) -> Option<Self> {
        let indices = self.indices.get(..rows as usize)?;
        Some(Self { indices, ..self })
    }

    /// First byte of one of its rows.
    #[inline(always)]
    fn in_tile(&self, row: u32) -> usize {
        row as usize * self.pitch
    }

    /// First byte of the table's row of `len` bytes that goes with it, if one does;
    /// none where no memory reaches so far.
    #[inline(always)]
    fn in_table(&self, row: u32, len: usize) -> Option<Option<usize>> {
        // There is one for each row.
        let bits = self.indices.get(row as usize)?;
        match self.bounds.slot::<P>(*bits) {
            Some(slot) => subscript(slot).checked_mul(len).map(Some),
            None => Some(None),
        }
    }
}

/// A copy of many rows.
trait Rows {
    /// Copies rows of `len` bytes.
    fn copy<P: Policy>(self, pairs: Pairs<'_, P>, len: impl Length) -> Option<()>;
}

struct Scatter<'m> {
    to: &'m mut [u8],
    from: &'m [u8],
    turns: Turns,
}

impl Rows for Scatter<'_> {
    #[inline(always)]
    fn copy<P: Policy>(self, pairs: Pairs<'_, P>, len: impl Length) -> Option<()> {
        let Self { to, from, turns } = self;
        let len = len.bytes();
        let pairs = pairs.first(turns.rows)?;
        turns.visit(|row| {
            if let Some(slot) = pairs.in_table(row, len)? {
                let at = pairs.in_tile(row);
                to.get_mut(slot..slot.checked_add(len)?)?
                    .copy_from_slice(from.get(at..at + len)?);
            }
            Some(())
        })
    }
}

struct Gather<'m> {
    to: &'m mut [u8],
    from: &'m [u8],
}

impl Rows for Gather<'_> {
    #[inline(always)]
    fn copy<P: Policy>(self, pairs: Pairs<'_, P>, len: impl Length) -> Option<()> {
        let Self { to, from } = self;
        let len = len.bytes();
        for row in 0..pairs.indices.len() as u32 {
            let at = pairs.in_tile(row);
            let to = to.get_mut(at..at + len)?;
            match pairs.in_table(row, len)? {
                Some(slot) => to.copy_from_slice(from.get(slot..slot.checked_add(len)?)?),
                None => to.fill(0),
            }
        }
        Some(())
    }
}

/// Bytes of a row.
trait Length: Copy {
    fn bytes(self) -> usize;
}

impl Length for usize {
    #[inline(always)]
    fn bytes(self) -> usize {
        self
    }
}

/// Known at compile time.
#[derive(Clone, Copy)]
struct Fixed<const N: usize>;

impl<const N: usize> Length for Fixed<N> {
    #[inline(always)]
    fn bytes(self) -> usize {
        N
    }
}

/// Copies `rows`, as rows of a known length where it is one that is natural for tiles.
#[inline(always)]
fn of_length<P: Policy>(len: usize, rows: impl Rows, pairs: Pairs<'_, P>) -> Option<()> {
    match len {
        32 => widest(rows, &pairs, Fixed::<32>),
        64 => widest(rows, &pairs, Fixed::<64>),
        128 => widest(rows, &pairs, Fixed::<128>),
        256 => widest(rows, &pairs, Fixed::<256>),
        _ => rows.copy(pairs, len),
    }
}

/// Copies in the widest registers of the machine.
#[inline(always)]
fn widest<P: Policy>(rows: impl Rows, pairs: &Pairs<'_, P>, len: impl Length) -> Option<()> {
    Arch::new().dispatch(Widest { rows, pairs, len })
}

struct Widest<'p, R, P, L> {
    rows: R,
    pairs: &'p Pairs<'p, P>,
    len: L,
}

impl<R: Rows, P: Policy, L: Length> WithSimd for Widest<'_, R, P, L> {
    type Output = Option<()>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Option<()> {
        // A copy of its own, lest every store seem to change it.
        self.rows.copy(*self.pairs, self.len)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::bounds::{Drop, Pass};
    use crate::extent::tests::tile;
    use ptodiff_isa::{
        BLayout, Coalesce, DType, Dim, GlobalTensor, How, Launch, Layout, Region, Role, Space,
    };

    /// A call on three rows and a table of three.
    pub(crate) fn plan(blayout: BLayout, cols: u64) -> Plan {
        let table = GlobalTensor {
            dtype: DType::Int32,
            shape: [1, 1, 1, 3, cols].map(Dim::Static),
            stride: [3 * cols, 3 * cols, 3 * cols, cols, 1].map(Dim::Static),
            layout: Layout::ND,
        };
        let (data, idx) = (tile(blayout, 3, cols), tile(BLayout::RowMajor, 1, 3));
        let (launch, how) = (Launch::default(), How::default());
        let plan = Plan::new(&data, &idx, &table, Coalesce::Row, &launch, &how);
        plan.unwrap().expect("it is not empty")
    }

    /// Copies to an operand of `to` bytes from one of `from` bytes, each of which tells
    /// where it stands; the former, as an error where not all rows are copied.
    fn copied<P: Policy>(
        gathers: bool,
        plan: &Plan,
        rows: [u8; 3],
        [to, from]: [usize; 2],
    ) -> Result<Vec<u8>, Vec<u8>> {
        let mut target = Region::new(Role::Table, vec![0xAA; to], 0..to);
        let numbers = (0..from).map(|at| (at % 251) as u8).collect();
        let source = Region::new(Role::Source, numbers, 0..from);
        let mut to = ViewMut::<4>::new(&mut target, Space::Gm);
        let from = View::<4>::new(&source, Space::Ub);
        let indices = rows.map(|row| [row, 0, 0, 0]);
        let bounds = plan.bounds.plain(&indices).expect("none is negative");
        let all = match gathers {
            true => gather::<P, 4>((&from, &mut to), plan, (&indices, bounds)),
            false => {
                let turns = Turns::of_one_warp(3);
                scatter::<P, 4>((&mut to, &from), plan, (&indices, bounds), turns)
            }
        };
        let bytes = target.bytes().to_vec();
        all.map(|()| bytes.clone()).ok_or(bytes)
    }

    #[test]
    fn rows_of_any_length_are_copied_if_none_lies_outside() {
        for cols in [5, 8, 16, 32, 64, 66] {
            let (plan, row) = (plan(BLayout::RowMajor, cols), 4 * cols as usize);
            let all = 3 * row;
            let numbers: Vec<u8> = (0..all).map(|at| (at % 251) as u8).collect();
            let [first, second, third] = [0, 1, 2].map(|at| &numbers[at * row..][..row]);
            for gathers in [false, true] {
                let passed = |rows, bytes| copied::<Pass>(gathers, &plan, rows, bytes);
                let expected = match gathers {
                    true => [third, first, second],
                    false => [second, third, first],
                };
                assert_eq!(passed([2, 0, 1], [all; 2]), Ok(expected.concat()));
                // An element less, and a row that the table has not.
                let (short_to, short_from) = ([all - 4, all], [all, all - 4]);
                assert!(passed([2, 0, 1], short_to).is_err());
                assert!(passed([0, 1, 2], short_from).is_err());
                assert!(passed([2, 3, 1], [all; 2]).is_err());
                // Nothing is done where it is the tile.
                let short = if gathers { short_to } else { short_from };
                assert_eq!(passed([2, 0, 1], short), Err(vec![0xAA; short[0]]));
                let (zeros, kept) = (vec![0; row], vec![0xAA; row]);
                let expected = match gathers {
                    true => [third, &zeros, second],
                    false => [&kept, third, first],
                };
                let dropped = copied::<Drop>(gathers, &plan, [2, 3, 1], [all; 2]);
                assert_eq!(dropped, Ok(expected.concat()));
            }
        }
    }

    #[test]
    fn rows_with_gaps_are_not_copied() {
        let plan = plan(BLayout::ColMajor, 8);
        let kept = vec![0xAA; 96];
        assert_eq!(copied::<Pass>(false, &plan, [2, 0, 1], [96; 2]), Err(kept));
    }
}
