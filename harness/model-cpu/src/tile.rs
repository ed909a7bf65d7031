//! A tile's elements, by coordinate.

use std::ops::{Deref, DerefMut};

use ptodiff_isa::Tile;

use crate::layout::Steps;
use crate::operand::Operand;
use crate::watch::Watch;

/// An operand read or written through a tile's layout.
pub(crate) struct Elements<B> {
    bytes: Operand<B>,
    steps: Steps,
    width: usize,
}

impl<B> Elements<B> {
    /// The elements of `tile`, whose image is `bytes`.
    pub(crate) fn new(tile: &Tile, bytes: Operand<B>) -> Self {
        Self {
            bytes,
            steps: Steps::of(tile),
            width: tile.dtype.size(),
        }
    }

    /// Whether `cols` columns a row make one sequence, row after row.
    pub(crate) fn packed(&self, cols: u64) -> bool {
        self.steps.packed(cols)
    }

    /// Where `cols` elements of row `r` that touch each other lie.
    #[inline]
    fn run(&self, r: u64, cols: u64) -> Option<(i64, usize)> {
        let len = usize::try_from(cols).ok()?.checked_mul(self.width)?;
        self.steps
            .contiguous(self.width)
            .then(|| (self.steps.at(r, 0), len))
    }
}

impl<B: Deref<Target = [u8]>> Elements<B> {
    /// The first `cols` elements of row `r` in one piece, if the tile has them so.
    #[inline]
    pub(crate) fn row(&self, r: u64, cols: u64) -> Option<&[u8]> {
        let (at, len) = self.run(r, cols)?;
        self.bytes.span(at, len)
    }

    /// Element `(r, c)`.
    #[inline]
    pub(crate) fn load<const W: usize>(&self, r: u64, c: u64, watch: &mut impl Watch) -> [u8; W] {
        self.bytes.load(self.steps.at(r, c), watch)
    }
}

impl<B: DerefMut<Target = [u8]>> Elements<B> {
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
        self.bytes.store(self.steps.at(r, c), element, watch);
    }
}
