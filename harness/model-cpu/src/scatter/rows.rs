//! MSCATTER by row, from rows in one piece each.

use ptodiff_isa::Strays;

use super::lanes::put;
use crate::bounds::{Bounds, Remap};
use crate::combine::Combine;
use crate::layout::{span, times};
use crate::operand::Output;
use crate::row_copies::{self, Copies};
use crate::table_rows::{Apart, own_mut, row_mut, until_other};
use crate::watch::Quiet;

/// Rows whose index is their slot, up to the first other, or to the last if what
/// would follow it in its tile is missing: how many are left.
#[inline]
pub(super) fn own<const W: usize, C: Combine<W>>(
    table: &mut [u8],
    src: &[u8],
    words: &[[u8; 4]],
    apart: &Apart,
) -> usize {
    if C::READS {
        combined::<W, C>(table, src, words, apart)
    } else {
        copied(table, src, words, apart)
    }
}

/// The same, each element combined with the table's.
#[inline(never)]
fn combined<const W: usize, C: Combine<W>>(
    table: &mut [u8],
    mut src: &[u8],
    words: &[[u8; 4]],
    apart: &Apart,
) -> usize {
    let &Apart { pitch, step, .. } = apart;
    let len = apart.len.min(step);
    let table = own_mut(table, apart.own, pitch, len);
    // What is more than a copy takes so long that a step is no part of it.
    until_other::<1>(words, |index| {
        let Some(old) = row_mut(table, index, pitch, len) else {
            return false;
        };
        let Some(new) = src.split_off(..step) else {
            return false;
        };
        C::combine_row(old, &new[..len]);
        true
    })
}

/// The same by copies, whatever the elements are.
#[inline(never)]
fn copied(table: &mut [u8], src: &[u8], words: &[[u8; 4]], apart: &Apart) -> usize {
    let len = apart.len.min(apart.step);
    let table = own_mut(table, apart.own, apart.pitch, len);
    row_copies::copy(
        Own {
            table,
            src,
            words,
            apart,
        },
        len,
    )
}

/// Rows of a tile that go to a table's own.
struct Own<'a> {
    table: &'a mut [u8],
    src: &'a [u8],
    words: &'a [[u8; 4]],
    apart: &'a Apart,
}

impl Copies for Own<'_> {
    #[inline(always)]
    fn copy(self, len: usize) -> usize {
        let Self {
            table,
            mut src,
            words,
            apart,
        } = self;
        let &Apart { pitch, step, .. } = apart;
        until_other::<8>(words, |index| {
            let Some(old) = row_mut(table, index, pitch, len) else {
                return false;
            };
            let Some(new) = src.split_off(..step) else {
                return false;
            };
            old.copy_from_slice(&new[..len]);
            true
        })
    }
}

/// A scatter by row from rows in one piece each.
pub(super) struct Rows<'a> {
    pub(super) table: Output<'a>,
    pub(super) apart: Apart,
    pub(super) bounds: Bounds,
    pub(super) strays: &'a mut Strays,
}

impl Rows<'_> {
    /// Scatters the rows of `src`, one an index.
    pub(super) fn scatter<const W: usize, C: Combine<W>>(
        &mut self,
        mut words: &[[u8; 4]],
        mut src: &[u8],
    ) {
        let Apart { len, step, .. } = self.apart;
        // A row that is not the table's own is handled here, then the others go on.
        loop {
            let left = own::<W, C>(self.table.body, src, words, &self.apart);
            let row = words.len() - left;
            let Some(&word) = words.get(row) else {
                return;
            };
            src = &src[row * step..];
            self.other::<W, C>(u32::from_le_bytes(word), &src[..len]);
            (words, src) = (&words[row + 1..], src.get(step..).unwrap_or_default());
        }
    }

    /// A row of an index that selects another, none, or what is not the table's own.
    #[cold]
    #[inline(never)]
    fn other<const W: usize, C: Combine<W>>(&mut self, index: u32, new: &[u8]) {
        let Some(row) = self.bounds.slot(index) else {
            return;
        };
        let base = times(u64::from(row), self.apart.pitch.into());
        if let Some(old) = self.table.span_mut(base, new.len()) {
            C::combine_row(old, new);
            return;
        }
        for (c, &new) in (0..).zip(new.as_chunks().0) {
            let at = base.saturating_add(span(c, W));
            let strays = &mut *self.strays;
            put::<W, C>(&mut self.table, at, new, &mut Quiet { strays });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combine::{Add, Fold, Replace};
    use crate::row_copies::tests::LENGTHS;

    /// Rows of `len` bytes, one more apart in the source, in a table of 20 of them.
    fn apart(len: usize) -> Apart {
        Apart {
            own: 20,
            pitch: len as u32,
            len,
            step: len + 1,
        }
    }

    /// What scattering rows of `len` bytes of `src` to zeros by `words` leaves undone,
    /// and does.
    fn scattered<C: Combine<1>>(len: usize, src: &[u8], words: &[u32]) -> (usize, Vec<u8>) {
        let words: Vec<_> = words.iter().map(|word| word.to_le_bytes()).collect();
        let mut table = vec![0; 25 * len];
        let left = own::<1, C>(&mut table, src, &words, &apart(len));
        (left, table)
    }

    // Row k of 20 goes to 19 - k; the indices 20 and above are not among the own.
    #[test]
    fn rows_up_to_the_first_other_are_scattered() {
        for len in LENGTHS {
            let src: Vec<u8> = (0..20 * (len + 1)).map(|k| (k % 251) as u8).collect();
            for count in 0..=20 {
                for other in 0..=count {
                    let mut words: Vec<u32> = (0..count as u32).map(|k| 19 - k).collect();
                    if let Some(word) = words.get_mut(other) {
                        *word += 20;
                    }
                    let mut wanted = vec![0; 25 * len];
                    for k in 0..other {
                        wanted[len * (19 - k)..][..len]
                            .copy_from_slice(&src[(len + 1) * k..][..len]);
                    }
                    let wanted = (count - other, wanted);
                    let case = format!("{other} {count} of {len}");
                    assert_eq!(scattered::<Replace>(len, &src, &words), wanted, "{case}");
                    let added = scattered::<Fold<Add, u8>>(len, &src, &words);
                    assert_eq!(added, wanted, "{case}");
                }
            }
        }
    }

    #[test]
    fn a_row_whose_padding_is_missing_is_left() {
        let words: Vec<u32> = (0..10).collect();
        for len in LENGTHS {
            let step = len + 1;
            let sources = [(0, 0), (1, 1), (step, 1), (step + 1, 2), (10 * step, 10)];
            for (missing, left) in sources {
                let src = vec![1; 10 * step - missing];
                let scattered = scattered::<Replace>(len, &src, &words);
                assert_eq!(scattered.0, left, "{missing} of {len}");
            }
        }
    }

    // The last row begins in the table, but its last byte is missing.
    #[test]
    fn a_row_that_leaves_the_table_is_left() {
        for len in LENGTHS {
            let src = vec![1; 3 * (len + 1)];
            let words = [0_u32, 1, 2].map(u32::to_le_bytes);
            let mut table = vec![0; 3 * len - 1];
            let left = own::<1, Replace>(&mut table, &src, &words, &apart(len));
            assert_eq!(left, 1, "{len}");
            let wanted = [vec![1; 2 * len], vec![0; len - 1]].concat();
            assert_eq!(table, wanted, "{len}");
        }
    }
}
