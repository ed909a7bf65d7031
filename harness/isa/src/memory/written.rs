//! What has been written of a large region.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use fixedbitset::FixedBitSet;

/// Bytes of which one bit tells whether any was written, as a power of two.
const PAGE: u32 = 10;

/// What a region held at one moment: two of the same backdrop held the same
/// bytes, in the same place and number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backdrop(u64);

/// The pages of a region that may no longer hold what its backdrop has there.
#[derive(Debug)]
pub(super) struct Written {
    backdrop: Backdrop,
    /// Whether there are any.
    any: bool,
    pages: FixedBitSet,
    /// Bytes of the region.
    len: usize,
}

impl Clone for Written {
    fn clone(&self) -> Self {
        Self {
            backdrop: self.backdrop,
            any: self.any,
            pages: self.pages.clone(),
            len: self.len,
        }
    }

    /// In the memory that it has.
    fn clone_from(&mut self, of: &Self) {
        self.backdrop = of.backdrop;
        self.any = of.any;
        self.pages.clone_from(&of.pages);
        self.len = of.len;
    }
}

impl Written {
    /// Nothing, of a region of `len` bytes: what it holds is a backdrop of its own.
    #[cold]
    #[inline(never)]
    pub(super) fn nothing(len: usize) -> Box<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Box::new(Self {
            backdrop: Backdrop(NEXT.fetch_add(1, Ordering::Relaxed)),
            any: false,
            pages: FixedBitSet::with_capacity(len.div_ceil(1 << PAGE)),
            len,
        })
    }

    /// The backdrop, if it is all there.
    #[inline]
    pub(super) fn backdrop(&self) -> Option<Backdrop> {
        (!self.any).then_some(self.backdrop)
    }

    /// Notes that `bytes` of the region, at least one, may be written.
    #[inline]
    pub(super) fn note(&mut self, bytes: &Range<usize>) {
        let first = bytes.start >> PAGE;
        let end = bytes.end.div_ceil(1 << PAGE);
        self.any = true;
        // Most lie in one page.
        self.pages.insert(first);
        if end > first.saturating_add(1) {
            self.pages.insert_range(first..end);
        }
    }

    /// Where a region and another of the same backdrop may differ, each page
    /// once; none where the backdrops are two.
    pub(super) fn beside<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
        let len = self.len;
        let bytes = move |page: usize| page << PAGE..len.min(page.saturating_add(1) << PAGE);
        (self.backdrop == other.backdrop).then(|| self.pages.union(&other.pages).map(bytes))
    }
}
