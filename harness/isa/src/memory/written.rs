//! What has been written of a large region.

use std::{
    collections::BTreeSet,
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// Bytes of a page, of which it is noted whether any was written, as a power of two.
const PAGE: u32 = 10;

/// What a region held at one moment: two of the same backdrop held the same
/// bytes, in the same place and number.
type Backdrop = u64;

/// What the backdrop of so many zeros is more than their number.
const ZEROS: Backdrop = 1 << 63;

/// The pages of a region that may no longer hold what its backdrop has there.
#[derive(Clone, Debug)]
pub(super) struct Written {
    backdrop: Backdrop,
    pages: BTreeSet<usize>,
    /// Bytes of the region.
    len: usize,
}

impl Written {
    /// Nothing, of a region of `len` bytes: what it holds is a backdrop of its own.
    #[cold]
    #[inline(never)]
    pub(super) fn nothing(len: usize) -> Box<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self::since(NEXT.fetch_add(1, Ordering::Relaxed), len)
    }

    /// Nothing, of a sparse region of `len` zeros: all of these share a backdrop.
    pub(super) fn of_zeros(len: usize) -> Box<Self> {
        Self::since(ZEROS | len as u64, len)
    }

    fn since(backdrop: Backdrop, len: usize) -> Box<Self> {
        let pages = BTreeSet::new();
        Box::new(Self {
            backdrop,
            pages,
            len,
        })
    }

    /// Notes that `bytes` of the region, at least one, may be written.
    #[inline]
    pub(super) fn note(&mut self, bytes: &Range<usize>) {
        let first = bytes.start >> PAGE;
        let end = bytes.end.div_ceil(1 << PAGE);
        self.pages.extend(first..end);
    }

    /// Where a region and another of the same backdrop may differ, each page
    /// once, in order; none where the backdrops are two.
    pub(super) fn beside<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
        let len = self.len;
        let bytes = move |page: &usize| page << PAGE..len.min(page.saturating_add(1) << PAGE);
        let pages = self.pages.union(&other.pages);
        (self.backdrop == other.backdrop).then(|| pages.map(bytes))
    }
}
