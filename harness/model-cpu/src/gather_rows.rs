//! MGATHER to UB by row, untraced, where the rows of the destination are pieces.
//!
//! Rows that are the table's own are copied whatever their elements are. What
//! happens to others is made ready again, so that those need not keep it.

use ptodiff_isa::{CpuPaddedTable, Fault, GatherOob, Memory, Mgather, Role, Strays};

use crate::bodies::bodies;
use crate::bounds::{Bounds, Remap};
use crate::index;
use crate::layout::{Place, Steps, gather_pitch, span, table_rows, times};
use crate::operand::{Input, body_mut, operands};
use crate::row_copies::{self, Copies};
use crate::table_rows::{Apart, own, row, until_other};
use crate::watch::Quiet;

/// Indices as they stand in their tile.
type Words = [[u8; 4]];

/// Runs the call if it is such a one; whether it is.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
#[inline]
pub(crate) fn whole(
    call: &Mgather,
    memory: &mut Memory,
    padded: CpuPaddedTable,
    strays: &mut Strays,
) -> Result<bool, Fault> {
    let (dst, [table, idx]) = bodies(memory, &Role::Destination, [&Role::Table, &Role::Index])?;
    let dst = body_mut(dst);
    let Some((words, apart)) = rows(call, padded, dst, idx) else {
        return Ok(false);
    };
    match copy(dst, table, words, &apart) {
        0 => Ok(true),
        left => rest(call, memory, padded, strays, left),
    }
}

/// Runs the last `left` rows of such a call; whether it is one.
///
/// # Errors
/// If `memory` lacks the destination, the table or the index tile.
#[cold]
#[inline(never)]
fn rest(
    call: &Mgather,
    memory: &mut Memory,
    padded: CpuPaddedTable,
    strays: &mut Strays,
    left: usize,
) -> Result<bool, Fault> {
    let (dst, inputs) = operands(memory, &Role::Destination)?;
    let (table, idx) = (inputs.get(&Role::Table)?, inputs.get(&Role::Index)?);
    let Some((words, apart)) = rows(call, padded, dst.body, idx.body) else {
        return Ok(false);
    };
    let first = words.len() - left;
    let (words, dst) = (&words[first..], &mut dst.body[first * apart.step..]);
    let mut rows = Rows {
        table,
        apart,
        bounds: Bounds::gather(call.oob, || table_rows(&call.table)),
        zero: call.oob == GatherOob::Zero,
        strays,
    };
    match call.dst.dtype.size() {
        1 => rows.gather::<1>(words, dst),
        2 => rows.gather::<2>(words, dst),
        4 => rows.gather::<4>(words, dst),
        _ => rows.gather::<8>(words, dst),
    }
    Ok(true)
}

/// The indices of the rows, and how these lie, if they are in one piece each.
// Inlined, it need not write down what it gives.
#[inline(always)]
fn rows<'a>(
    call: &Mgather,
    padded: CpuPaddedTable,
    dst: &[u8],
    idx: &'a [u8],
) -> Option<(&'a Words, Apart)> {
    let [rows, cols] = [call.dst.valid_row, call.dst.valid_col].map(|n| n.get());
    let width = call.dst.dtype.size();
    let words = index::of_rows(&call.idx, idx, rows)?;
    let pieces = Steps::in_tile(&call.dst, width).rows(width, rows, cols)?;
    let own = match call.oob {
        GatherOob::Undefined => u64::MAX,
        GatherOob::Clamp | GatherOob::Wrap | GatherOob::Zero => table_rows(&call.table),
    };
    let apart = Apart::new(own, gather_pitch(&call.table, width, padded), pieces)?;
    match pieces.reach {
        // Of rows without columns none does anything.
        0 => Some((&[], apart)),
        reach => (reach <= dst.len()).then_some((words, apart)),
    }
}

/// Rows whose index is their slot, up to the first other, or to the last if what
/// would follow it in its tile is missing: how many are left.
#[inline(never)]
fn copy(dst: &mut [u8], table: &[u8], words: &Words, apart: &Apart) -> usize {
    let len = apart.len.min(apart.step);
    let table = own(table, apart.own, apart.pitch, len);
    row_copies::copy(
        Own {
            dst,
            table,
            words,
            apart,
        },
        len,
    )
}

/// Rows of a tile that come from a table's own.
struct Own<'a> {
    dst: &'a mut [u8],
    table: &'a [u8],
    words: &'a Words,
    apart: &'a Apart,
}

impl Copies for Own<'_> {
    #[inline(always)]
    fn copy(self, len: usize) -> usize {
        let Self {
            mut dst,
            table,
            words,
            apart,
        } = self;
        let &Apart { pitch, step, .. } = apart;
        until_other::<8>(words, |index| {
            let Some(from) = row(table, index, pitch, len) else {
                return false;
            };
            let Some(to) = dst.split_off_mut(..step) else {
                return false;
            };
            to[..len].copy_from_slice(from);
            true
        })
    }
}

/// A gather by row to rows in one piece each.
struct Rows<'a> {
    table: Input<'a>,
    apart: Apart,
    bounds: Bounds,
    /// Whether an index that selects nothing delivers zero.
    zero: bool,
    strays: &'a mut Strays,
}

impl Rows<'_> {
    /// Gathers the rows of `dst`, one an index.
    fn gather<const W: usize>(&mut self, mut words: &Words, mut dst: &mut [u8]) {
        let Apart { len, step, .. } = self.apart;
        // A row that is not the table's own is handled here, then the others go on.
        loop {
            let left = copy(dst, self.table.body, words, &self.apart);
            let row = words.len() - left;
            let Some(&word) = words.get(row) else {
                return;
            };
            dst = &mut dst[row * step..];
            self.other::<W>(u32::from_le_bytes(word), &mut dst[..len]);
            (words, dst) = (&words[row + 1..], dst.get_mut(step..).unwrap_or_default());
        }
    }

    /// The row of an index that selects another, none, or what is not the
    /// table's own.
    #[cold]
    #[inline(never)]
    fn other<const W: usize>(&mut self, index: u32, dst: &mut [u8]) {
        match self.bounds.slot(index) {
            Some(row) => {
                let base = times(u64::from(row), self.apart.pitch.into());
                if let Some(row) = self.table.span(base, dst.len()) {
                    dst.copy_from_slice(row);
                    return;
                }
                for (c, dst) in (0..).zip(dst.as_chunks_mut::<W>().0) {
                    let at = base.saturating_add(span(c, W));
                    let strays = &mut *self.strays;
                    *dst = self.table.load(at, &mut Quiet { strays });
                }
            }
            None if self.zero => dst.fill(0),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_copies::tests::LENGTHS;

    /// Rows of `len` bytes, one more apart in the destination, of a table of 20 of them.
    fn apart(len: usize) -> Apart {
        Apart {
            own: 20,
            pitch: len as u32,
            len,
            step: len + 1,
        }
    }

    /// What gathering rows of `len` bytes of `table` by `words` to `all` zeros leaves
    /// undone, and does.
    fn gathered(len: usize, all: usize, table: &[u8], words: &[u32]) -> (usize, Vec<u8>) {
        let words: Vec<_> = words.iter().map(|word| word.to_le_bytes()).collect();
        let mut dst = vec![0; all];
        let left = copy(&mut dst, table, &words, &apart(len));
        (left, dst)
    }

    // Row k of 20 is row 19 - k; the indices 20 and above are not among the own.
    #[test]
    fn rows_up_to_the_first_other_are_gathered() {
        for len in LENGTHS {
            let (step, all) = (len + 1, 20 * (len + 1));
            let table: Vec<u8> = (0..25 * len).map(|k| (k % 251) as u8).collect();
            for count in 0..=20 {
                for other in 0..=count {
                    let mut words: Vec<u32> = (0..count as u32).map(|k| 19 - k).collect();
                    if let Some(word) = words.get_mut(other) {
                        *word += 20;
                    }
                    let mut wanted = vec![0; all];
                    for k in 0..other {
                        wanted[step * k..][..len].copy_from_slice(&table[len * (19 - k)..][..len]);
                    }
                    let gathered = gathered(len, all, &table, &words);
                    let wanted = (count - other, wanted);
                    assert_eq!(gathered, wanted, "{other} {count} of {len}");
                }
            }
        }
    }

    #[test]
    fn a_row_whose_padding_is_missing_is_left() {
        let words: Vec<u32> = (0..10).collect();
        for len in LENGTHS {
            let (step, table) = (len + 1, vec![1; 25 * len]);
            let missing = [(0, 0), (1, 1), (step, 1), (step + 1, 2), (10 * step, 10)];
            for (missing, left) in missing {
                let gathered = gathered(len, 10 * step - missing, &table, &words);
                assert_eq!(gathered.0, left, "{missing} of {len}");
            }
        }
    }

    // The last row begins in the table, but its last byte is missing.
    #[test]
    fn a_row_that_leaves_the_table_is_left() {
        for len in LENGTHS {
            let table = vec![1; 3 * len - 1];
            let (left, dst) = gathered(len, 3 * (len + 1), &table, &[0, 1, 2]);
            assert_eq!(left, 1, "{len}");
            assert_eq!(&dst[2 * (len + 1)..], vec![0; len + 1], "{len}");
        }
    }
}
