//! MSCATTER by row, from rows in one piece each.

use ptodiff_isa::Strays;

use super::lanes::put;
use crate::bounds::{Bounds, Remap};
use crate::combine::Combine;
use crate::layout::{span, times};
use crate::operand::Output;
use crate::table_rows::{Apart, own_mut, row_mut, until_other};
use crate::watch::Quiet;

/// Rows whose index is their slot, up to the first other, or to the last if what
/// would follow it in its tile is missing: how many are left.
#[inline(never)]
pub(super) fn own<const W: usize, C: Combine<W>>(
    table: &mut [u8],
    mut src: &[u8],
    words: &[[u8; 4]],
    apart: &Apart,
) -> usize {
    let &Apart { pitch, step, .. } = apart;
    let len = apart.len.min(step);
    let table = own_mut(table, apart.own, pitch, len);
    let put = |index| {
        let Some(old) = row_mut(table, index, pitch, len) else {
            return false;
        };
        let Some(new) = src.split_off(..step) else {
            return false;
        };
        C::combine_row(old, &new[..len]);
        true
    };
    // What is more than a copy takes so long that a step is no part of it.
    if C::READS {
        until_other::<1>(words, put)
    } else {
        until_other::<8>(words, put)
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

    /// Rows of two bytes, three apart in the source, in a table of 20 of them.
    const APART: Apart = Apart {
        own: 20,
        pitch: 2,
        len: 2,
        step: 3,
    };

    /// What scattering `src` to zeros by `words` leaves undone, and does.
    fn scattered<C: Combine<1>>(src: &[u8], words: &[u32]) -> (usize, Vec<u8>) {
        let words: Vec<_> = words.iter().map(|word| word.to_le_bytes()).collect();
        let mut table = vec![0; 50];
        let left = own::<1, C>(&mut table, src, &words, &APART);
        (left, table)
    }

    // Row k of 20 goes to 19 - k; the indices 20 and above are not among the own.
    #[test]
    fn rows_up_to_the_first_other_are_scattered() {
        let src: Vec<u8> = (1..61).collect();
        for count in 0..=20 {
            for other in 0..=count {
                let mut words: Vec<u32> = (0..count as u32).map(|k| 19 - k).collect();
                if let Some(word) = words.get_mut(other) {
                    *word += 20;
                }
                let mut wanted = vec![0; 50];
                for k in 0..other {
                    wanted[2 * (19 - k)..][..2].copy_from_slice(&src[3 * k..][..2]);
                }
                let wanted = (count - other, wanted);
                assert_eq!(
                    scattered::<Replace>(&src, &words),
                    wanted,
                    "{other} {count}"
                );
                let added = scattered::<Fold<Add, u8>>(&src, &words);
                assert_eq!(added, wanted, "{other} {count}");
            }
        }
    }

    #[test]
    fn a_row_whose_padding_is_missing_is_left() {
        let words: Vec<u32> = (0..10).collect();
        for (len, left) in [(30, 0), (29, 1), (24, 2), (23, 3), (0, 10)] {
            let src = vec![1; len];
            assert_eq!(scattered::<Replace>(&src, &words).0, left, "{len}");
        }
    }
}
