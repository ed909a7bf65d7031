//! Rows of a table by their index.

use crate::layout::Pieces;

/// How the rows of a tile, in one piece each, and those of a table lie.
#[derive(Clone, Copy)]
pub(crate) struct Apart {
    /// Indices below this one select the row of their own number.
    pub(crate) own: u64,
    /// Bytes from one table row to the next.
    pub(crate) pitch: u32,
    /// Bytes of a row of the tile, at least 1.
    pub(crate) len: usize,
    /// Bytes from one row of the tile to the next, at least `len`.
    pub(crate) step: usize,
}

impl Apart {
    /// Where the rows of the tile are `pieces`; none if the table's are too far apart.
    #[inline]
    pub(crate) fn new(own: u64, pitch: i64, pieces: Pieces) -> Option<Self> {
        let Pieces { len, step, .. } = pieces;
        let pitch = u32::try_from(pitch).ok()?;
        Some(Self {
            own,
            pitch,
            len,
            step,
        })
    }
}

/// Of a table's own bytes, those in which the first `len`, at least 1, of a row lie
/// if and only if its index is below `own` and all of them are the table's own.
#[inline]
pub(crate) fn own(table: &[u8], own: u64, pitch: u32, len: usize) -> &[u8] {
    &table[..own_end(table.len(), own, pitch, len)]
}

/// The same to be written.
#[inline]
pub(crate) fn own_mut(table: &mut [u8], own: u64, pitch: u32, len: usize) -> &mut [u8] {
    let end = own_end(table.len(), own, pitch, len);
    &mut table[..end]
}

/// Where they end.
#[inline]
fn own_end(all: usize, own: u64, pitch: u32, len: usize) -> usize {
    // Rows of no distance are all in one place, whatever their index.
    let Some(last) = own.checked_sub(1).filter(|_| pitch > 0) else {
        return 0;
    };
    let end = last.saturating_mul(pitch.into()).saturating_add(len as u64);
    usize::try_from(end).map_or(all, |end| end.min(all))
}

/// The first `len` bytes of row `index`, if all of them are in `table`.
#[inline]
pub(crate) fn row(table: &[u8], index: u32, pitch: u32, len: usize) -> Option<&[u8]> {
    table.get(start(index, pitch)?..)?.get(..len)
}

/// The same to be written.
#[inline]
pub(crate) fn row_mut(table: &mut [u8], index: u32, pitch: u32, len: usize) -> Option<&mut [u8]> {
    table.get_mut(start(index, pitch)?..)?.get_mut(..len)
}

/// Where row `index` begins. Of two factors so small the product needs no check.
#[inline]
fn start(index: u32, pitch: u32) -> Option<usize> {
    usize::try_from(u64::from(index) * u64::from(pitch)).ok()
}

/// Hands each of the indices to `take`, up to the first that it does not take: how
/// many are left. `N` at a time, where a step from each to the next would be a good
/// part.
// Inlined, it is made for the registers that its caller may use.
#[inline(always)]
pub(crate) fn until_other<const N: usize>(
    words: &[[u8; 4]],
    mut take: impl FnMut(u32) -> bool,
) -> usize {
    let mut left = words.len();
    let (many, rest) = words.as_chunks::<N>();
    for words in many {
        for (k, &word) in words.iter().enumerate() {
            if !take(u32::from_le_bytes(word)) {
                return left - k;
            }
        }
        left -= N;
    }
    for &word in rest {
        if !take(u32::from_le_bytes(word)) {
            return left;
        }
        left -= 1;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

    // Rows 3 apart: row 2 begins at byte 6, and four bytes of it are there.
    #[test]
    fn a_row_is_all_in_the_table() {
        let mut ten = TEN;
        assert_eq!(row(&TEN, 2, 3, 4), Some(&[6, 7, 8, 9][..]));
        assert_eq!(row_mut(&mut ten, 2, 3, 4), Some(&mut [6, 7, 8, 9][..]));
        for (index, pitch, len) in [(2, 3, 5), (4, 3, 0), (u32::MAX, u32::MAX, 0)] {
            assert_eq!(row(&TEN, index, pitch, len), None, "{index} {pitch}");
            assert_eq!(
                row_mut(&mut ten, index, pitch, len),
                None,
                "{index} {pitch}"
            );
        }
    }

    // Rows shorter than their distance, as long, and longer.
    #[test]
    fn rows_at_or_past_the_bound_are_not_among_the_own() {
        let mut ten = TEN;
        for pitch in 0..5 {
            for len in 1..8 {
                for bound in (0..6).chain([u64::MAX / 2, u64::MAX]) {
                    let own = own(&TEN, bound, pitch, len);
                    assert_eq!(own, own_mut(&mut ten, bound, pitch, len));
                    for index in 0..8 {
                        let below = row(&TEN, index, pitch, len)
                            .filter(|_| pitch > 0 && u64::from(index) < bound);
                        let found = row(own, index, pitch, len);
                        assert_eq!(found, below, "{index} of {bound}, {pitch} {len}");
                    }
                }
            }
        }
    }
}
