//! A tile's elements, by coordinate.

use std::ops::{Deref, DerefMut};

use ptodiff_isa::Tile;

use crate::layout::{Place, Steps};
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

    /// Whether `cols` columns a row make one sequence, row after row.
    pub(crate) fn packed(&self, cols: u64) -> bool {
        self.place.packed(cols)
    }

    /// Where `cols` elements of row `r` that touch each other lie.
    #[inline]
    fn run(&self, r: u64, cols: u64) -> Option<(i64, usize)> {
        let len = usize::try_from(cols).ok()?.checked_mul(self.width)?;
        self.place
            .contiguous(self.width)
            .then(|| (self.place.at(r, 0), len))
    }
}

impl<B: Deref<Target = [u8]>, P: Place> Elements<B, P> {
    /// The first `cols` elements of row `r` in one piece, if the tile has them so.
    #[inline]
    pub(crate) fn row(&self, r: u64, cols: u64) -> Option<&[u8]> {
        let (at, len) = self.run(r, cols)?;
        self.bytes.span(at, len)
    }

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

    /// The first `cols` elements of row `r` in one piece to be written, if the tile has them so.
    #[inline]
    pub(crate) fn row_mut(&mut self, r: u64, cols: u64) -> Option<&mut [u8]> {
        let (at, len) = self.run(r, cols)?;
        self.bytes.span_mut(at, len)
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
