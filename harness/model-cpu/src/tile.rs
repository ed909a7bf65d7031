//! A tile's elements, by coordinate.

use std::iter;
use std::ops::{Deref, DerefMut};

use ptodiff_isa::Tile;

use crate::layout::{Pieces, Place, Steps, gapless};
use crate::operand::Operand;
use crate::watch::Watch;

/// An operand read or written by coordinate.
pub(crate) struct Elements<B, P = Steps> {
    bytes: Operand<B>,
    place: P,
    width: usize,
}

impl<B> Elements<B> {
    /// The elements of `tile`, whose image is `bytes` in its own layout.
    pub(crate) fn new(tile: &Tile, bytes: Operand<B>) -> Self {
        Self::placed(Steps::of(tile), tile.dtype.size(), bytes)
    }

    /// Whether `cols` columns a row make one sequence, row after row.
    pub(crate) fn packed(&self, cols: u64) -> bool {
        self.place.packed(cols)
    }
}

impl<B, P: Place> Elements<B, P> {
    /// Elements of `width` bytes that lie in `bytes` where `place` says.
    pub(crate) fn placed(place: P, width: usize, bytes: Operand<B>) -> Self {
        Self {
            bytes,
            place,
            width,
        }
    }

    /// How the first `rows` rows of `cols` elements lie, if they are `W` bytes
    /// wide and a row is one piece.
    #[inline]
    fn whole<const W: usize>(&self, rows: u64, cols: u64) -> Option<Pieces> {
        let rows = self.place.rows(W, rows, cols)?;
        (self.width == W).then_some(rows)
    }

    /// Where the first `cols` elements of row `r` lie.
    #[inline]
    fn run(&self, r: u64, cols: u64) -> Option<(i64, Pieces)> {
        let len = usize::try_from(cols).ok()?.checked_mul(self.width)?;
        let pieces = self.place.pieces(self.width, len)?;
        Some((self.place.at(r, 0), pieces))
    }
}

impl<'a> Elements<&'a [u8]> {
    /// The first `rows` rows, of `cols` elements of `W` bytes each, if a row
    /// is one piece and all of them are the operand's own.
    #[inline]
    pub(crate) fn rows<const W: usize>(
        &self,
        rows: u64,
        cols: u64,
    ) -> Option<impl Iterator<Item = &'a [[u8; W]]> + use<'a, W>> {
        let Pieces { len, step, reach } = self.whole::<W>(rows, cols)?;
        let mut bytes = self.bytes.body.get(..reach)?;
        // Chunks would be counted before they are zipped: a division a call.
        Some(iter::from_fn(move || {
            let row = bytes.split_off(..step.min(bytes.len()))?;
            Some(row.get(..len)?.as_chunks().0)
        }))
    }
}

impl<B: Deref<Target = [u8]>, P: Place> Elements<B, P> {
    /// Element `(r, c)`.
    #[inline]
    pub(crate) fn load<const W: usize>(&self, r: u64, c: u64, watch: &mut impl Watch) -> [u8; W] {
        self.bytes.load(self.place.at(r, c), watch)
    }
}

impl<B: DerefMut<Target = [u8]>, P: Place> Elements<B, P> {
    /// Sets the whole allocation to zero.
    pub(crate) fn zero(&mut self, watch: &mut impl Watch) {
        self.bytes.zero(watch);
    }

    /// The first `rows` rows, of `cols` elements of `W` bytes each, to be
    /// written, if a row is one piece and all of them are the operand's own.
    #[inline]
    pub(crate) fn rows_mut<const W: usize>(
        &mut self,
        rows: u64,
        cols: u64,
    ) -> Option<impl Iterator<Item = &mut [[u8; W]]>> {
        let Pieces { len, step, reach } = self.whole::<W>(rows, cols)?;
        let mut bytes = self.bytes.body.get_mut(..reach)?;
        Some(iter::from_fn(move || {
            let row = bytes.split_off_mut(..step.min(bytes.len()))?;
            Some(row.get_mut(..len)?.as_chunks_mut().0)
        }))
    }

    /// The whole body to be written, in strips that each begin with a row of
    /// `cols` elements, and the bytes of that row, under the same conditions.
    #[inline]
    pub(crate) fn strips_mut<const W: usize>(
        &mut self,
        rows: u64,
        cols: u64,
    ) -> Option<(impl Iterator<Item = &mut [u8]>, usize)> {
        let Pieces { len, step, reach } = self.whole::<W>(rows, cols)?;
        let bytes = &mut self.bytes.body;
        (reach <= bytes.len()).then(|| (bytes.chunks_mut(step), len))
    }

    /// The first `cols` elements of row `r` to be written, piece by piece, if
    /// neighbours touch in pieces and all of them are the operand's own.
    #[inline]
    pub(crate) fn pieces_mut(
        &mut self,
        r: u64,
        cols: u64,
    ) -> Option<impl Iterator<Item = &mut [u8]>> {
        let (at, Pieces { len, step, reach }) = self.run(r, cols)?;
        let row = self.bytes.span_mut(at, reach)?;
        // Only the last may be shorter, and there the row ends.
        Some(row.chunks_mut(step).map(move |piece| {
            let len = piece.len().min(len);
            &mut piece[..len]
        }))
    }

    /// Sets element `(r, c)`.
    #[inline]
    pub(crate) fn store<const W: usize>(
        &mut self,
        r: u64,
        c: u64,
        element: [u8; W],
        watch: &mut impl Watch,
    ) {
        self.bytes.store(self.place.at(r, c), element, watch);
    }
}

/// The first `rows` rows of `cols` elements of `W` bytes each of `tile`, if
/// nothing lies between any of them and all are the operand's own.
#[inline]
pub(crate) fn sequence<'a, const W: usize>(
    tile: &Tile,
    bytes: &'a [u8],
    rows: u64,
    cols: u64,
) -> Option<&'a [[u8; W]]> {
    let len = gapless(tile, rows, cols)?;
    bytes.as_chunks().0.get(..len)
}

/// The bytes of the same elements, as wide as those of `tile` are.
#[inline]
pub(crate) fn bytes<'a>(tile: &Tile, bytes: &'a [u8], rows: u64, cols: u64) -> Option<&'a [u8]> {
    let len = gapless(tile, rows, cols)?.checked_mul(tile.dtype.size())?;
    bytes.get(..len)
}

/// The same elements to be written.
#[inline]
pub(crate) fn sequence_mut<'a, const W: usize>(
    tile: &Tile,
    bytes: &'a mut [u8],
    rows: u64,
    cols: u64,
) -> Option<&'a mut [[u8; W]]> {
    let len = gapless(tile, rows, cols)?;
    bytes.as_chunks_mut().0.get_mut(..len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptodiff_isa::{BLayout, DType, Dim, Role, SLayout, TileType};

    /// Elements of two bytes, six to a row.
    fn halves<B: Default>(bytes: B) -> Elements<B> {
        let bytes = Operand::bare(Role::Source, bytes);
        Elements::placed(Steps::apart(6, 1, 2), 2, bytes)
    }

    /// Three such rows, each byte its own number.
    fn counted() -> [u8; 36] {
        std::array::from_fn(|k| k as u8)
    }

    /// The first two elements of each row.
    const FIRST_TWO: [[[u8; 2]; 2]; 3] =
        [[[0, 1], [2, 3]], [[12, 13], [14, 15]], [[24, 25], [26, 27]]];

    #[test]
    fn rows_of_six_are_one_sequence_of_all_six_columns_only() {
        let halves = halves(());
        assert!(halves.packed(6));
        assert!(!halves.packed(2) && !halves.packed(12));
    }

    #[test]
    fn rows_leave_out_what_lies_between_them() {
        let mut bytes = counted();
        let read = halves(&bytes[..]).rows::<2>(3, 2);
        assert_eq!(read.expect("pieces").collect::<Vec<_>>(), FIRST_TWO);
        let mut written = halves(&mut bytes[..]);
        let rows = written.rows_mut::<2>(3, 2).expect("pieces");
        assert_eq!(rows.collect::<Vec<_>>(), FIRST_TWO);
    }

    // All six columns of two rows; two or twelve leave a gap or overlap, and a
    // fourth row is none of theirs.
    #[test]
    fn rows_without_a_gap_are_one_sequence() {
        let of = Tile {
            location: TileType::Vec,
            dtype: DType::Half,
            rows: 3,
            cols: 6,
            valid_row: Dim::Static(3),
            valid_col: Dim::Static(6),
            blayout: BLayout::RowMajor,
            slayout: SLayout::NoneBox,
            fractal: 512,
        };
        let mut bytes = counted();
        let read = |rows, cols| sequence::<2>(&of, &counted(), rows, cols).map(<[_]>::to_vec);
        let twelve = read(2, 6).expect("one piece");
        assert_eq!((twelve.len(), twelve[11]), (12, [22, 23]));
        assert_eq!(read(3, 6).map(|all| all.len()), Some(18));
        let others = [(2, 2), (1, 12), (4, 6), (2, u64::MAX), (u64::MAX, 6)];
        for (rows, cols) in others {
            assert!(read(rows, cols).is_none(), "{rows} {cols}");
        }
        let mut written = |rows, cols| {
            sequence_mut::<2>(&of, &mut bytes, rows, cols).map(|all| (all.len(), all[11]))
        };
        assert_eq!(written(2, 6), Some((12, [22, 23])));
        assert_eq!(written(4, 6), None);
        assert_eq!(written(2, 2), None);
    }

    // A fourth row, or elements of four bytes, are none of theirs.
    #[test]
    fn only_own_elements_of_their_width_are_rows() {
        let mut bytes = counted();
        let read = halves(&bytes[..]);
        assert!(read.rows::<2>(4, 2).is_none());
        assert!(read.rows::<4>(3, 2).is_none());
        let mut written = halves(&mut bytes[..]);
        assert!(written.rows_mut::<2>(4, 2).is_none());
        assert!(written.rows_mut::<4>(3, 2).is_none());
        assert!(written.strips_mut::<2>(4, 2).is_none());
        assert!(written.strips_mut::<4>(3, 2).is_none());
        assert!(written.pieces_mut(3, 2).is_none());
    }

    #[test]
    fn strips_are_rows_and_what_follows_them() {
        let mut bytes = counted();
        let mut halves = halves(&mut bytes[..]);
        let (strips, len) = halves.strips_mut::<2>(3, 2).expect("pieces");
        assert_eq!(len, 4);
        let strips: Vec<_> = strips.map(|strip| strip.to_vec()).collect();
        assert_eq!(strips.concat(), counted());
        assert!(strips.iter().all(|strip| strip.len() == 12));
    }

    #[test]
    fn a_row_to_be_written_is_one_piece() {
        let mut bytes = counted();
        let mut halves = halves(&mut bytes[..]);
        let pieces = halves.pieces_mut(2, 2).expect("pieces");
        assert_eq!(pieces.collect::<Vec<_>>(), [[24, 25, 26, 27]]);
    }
}
