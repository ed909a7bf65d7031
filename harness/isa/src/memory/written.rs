//! What has been written of a large region.

use std::{
    collections::BTreeSet,
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

/// What the backdrop of so many zeros is more than their number.
const ZEROS: u64 = 1 << 63;

/// The pages of a region that may no longer hold what its backdrop has there.
#[derive(Debug)]
pub(super) struct Written {
    backdrop: Backdrop,
    /// Whether there are any.
    any: bool,
    pages: Pages,
    /// Bytes of the region.
    len: usize,
}

#[derive(Clone, Debug)]
enum Pages {
    /// One bit each.
    Each(FixedBitSet),
    /// Of a sparse region, which may have more pages than there is memory for bits.
    Few(BTreeSet<usize>),
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
        match (&mut self.pages, &of.pages) {
            (Pages::Each(pages), Pages::Each(of)) => pages.clone_from(of),
            (pages, of) => *pages = of.clone(),
        }
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
            pages: Pages::Each(FixedBitSet::with_capacity(len.div_ceil(1 << PAGE))),
            len,
        })
    }

    /// Nothing, of a sparse region of `len` zeros: all of these share a backdrop.
    pub(super) fn of_zeros(len: usize) -> Box<Self> {
        Box::new(Self {
            backdrop: Backdrop(ZEROS | len as u64),
            any: false,
            pages: Pages::Few(BTreeSet::new()),
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
        match &mut self.pages {
            Pages::Each(pages) => {
                // Most lie in one page.
                pages.insert(first);
                if end > first.saturating_add(1) {
                    pages.insert_range(first..end);
                }
            }
            Pages::Few(pages) => pages.extend(first..end),
        }
    }

    /// Where a region and another of the same backdrop may differ, each page
    /// once, of sparse regions in order; none where the backdrops are two.
    pub(super) fn beside<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
        let len = self.len;
        let bytes = move |page: usize| page << PAGE..len.min(page.saturating_add(1) << PAGE);
        if self.backdrop != other.backdrop {
            return None;
        }
        let (mut each, mut few) = (None, None);
        match (&self.pages, &other.pages) {
            (Pages::Each(own), Pages::Each(theirs)) => each = Some(own.union(theirs)),
            (Pages::Few(own), Pages::Few(theirs)) => few = Some(own.union(theirs)),
            // No region of one kind has the backdrop of the other.
            _ => return None,
        }
        let few = few.into_iter().flatten().copied();
        Some(each.into_iter().flatten().chain(few).map(bytes))
    }
}
