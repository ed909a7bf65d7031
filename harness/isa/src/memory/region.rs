//! One operand's bytes.

use std::ops::Range;

use super::Role;
use super::written::{Backdrop, Written};

/// Least bytes of a region that is worth noting what is written of it.
const LARGE: usize = 1 << 17;

/// What is written part by part is at most this part of a region.
const FEW: usize = 16;

/// One operand's bytes with a guard zone before and after them.
///
/// The body of a tile is its whole padded image in its own layout
/// (`rows * cols` elements); the body of a tensor runs from its first element
/// to the last one that its shape and strides reach. An access that leaves the
/// body is an out-of-bounds access; guard zones let a write that out-of-bounds accesses be seen.
///
/// A large one can note what is written of it ([`Region::note_writes`]), so that
/// copies of it are made and compared at the cost of what they do not share.
#[derive(Debug)]
pub struct Region {
    /// The part it plays.
    pub role: Role,
    bytes: Vec<u8>,
    body: Range<usize>,
    /// What was written since its backdrop stood; none where that is not known.
    written: Option<Box<Written>>,
}

impl Clone for Region {
    fn clone(&self) -> Self {
        Self {
            role: self.role,
            bytes: self.bytes.clone(),
            body: self.body.clone(),
            written: self.written.clone(),
        }
    }

    /// In the memory that it has.
    #[inline]
    fn clone_from(&mut self, of: &Self) {
        self.role = of.role;
        self.body = of.body.clone();
        match (&self.written, &of.written) {
            (None, None) => self.bytes.clone_from(&of.bytes),
            _ => self.copy_what_differs(of),
        }
    }
}

impl PartialEq for Region {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.role == other.role && self.body == other.body && self.has_bytes_of(other)
    }
}

impl Eq for Region {}

impl Region {
    /// A region over `bytes`, of which `body` is the operand and the rest guard zone.
    ///
    /// # Panics
    /// If `body` does not lie inside `bytes`.
    #[inline]
    #[must_use]
    pub fn new(role: Role, bytes: Vec<u8>, body: Range<usize>) -> Self {
        assert!(
            body.start <= body.end && body.end <= bytes.len(),
            "the operand must lie inside its bytes"
        );
        Self {
            role,
            bytes,
            body,
            written: None,
        }
    }

    /// The operand's own bytes.
    #[inline]
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.bytes[self.body.clone()]
    }

    /// The operand's own bytes, to be written.
    #[inline]
    pub fn body_mut(&mut self) -> &mut [u8] {
        self.forget();
        &mut self.bytes[self.body.clone()]
    }

    /// Guard zone, operand, guard zone in one piece.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Guard zone, operand, guard zone in one piece, to be written.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.forget();
        &mut self.bytes
    }

    /// Guard zone, operand, guard zone: memory to make another region of.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Where in [`Region::bytes`] the operand lies.
    #[inline]
    #[must_use]
    pub fn body_range(&self) -> Range<usize> {
        self.body.clone()
    }

    /// Takes what it holds for its backdrop, from which copies of it differ
    /// where they are written, and notes what is written from now on. A small
    /// region does not: its bytes are copied and compared as quickly.
    #[inline]
    pub fn note_writes(&mut self) {
        if self.bytes.len() >= LARGE {
            self.written = Some(Written::nothing(self.bytes.len()));
        }
    }

    /// Now anything may be written of it.
    #[inline]
    fn forget(&mut self) {
        // Small regions have nothing to forget, and should not pay for it.
        if self.written.is_some() {
            self.drop_written();
        }
    }

    #[cold]
    #[inline(never)]
    fn drop_written(&mut self) {
        self.written = None;
    }

    /// Whether its bytes are those of `other`, guard zones included.
    #[inline]
    #[must_use]
    pub fn has_bytes_of(&self, other: &Self) -> bool {
        match (&self.written, &other.written) {
            (None, None) => self.bytes == other.bytes,
            _ => self.differs_nowhere(other),
        }
    }

    #[cold]
    #[inline(never)]
    fn differs_nowhere(&self, other: &Self) -> bool {
        match self.may_differ(other) {
            Some(mut pages) => pages.all(|page| self.bytes[page.clone()] == other.bytes[page]),
            None => self.bytes == other.bytes,
        }
    }

    /// Takes over bytes and what is noted of them.
    #[cold]
    #[inline(never)]
    fn copy_what_differs(&mut self, of: &Self) {
        match beside(&self.written, &of.written) {
            Some(pages) => {
                for page in pages {
                    self.bytes[page.clone()].copy_from_slice(&of.bytes[page]);
                }
            }
            None => self.bytes.clone_from(&of.bytes),
        }
        self.written.clone_from(&of.written);
    }

    /// Its backdrop, if it notes what is written and nothing was.
    #[inline]
    #[must_use]
    pub fn backdrop(&self) -> Option<Backdrop> {
        self.written.as_ref()?.backdrop()
    }

    /// Those of [`Region::bytes`] at `range`, to be written; none where it leaves
    /// them. Only that part may be written: what is noted of the rest stays.
    #[inline]
    pub fn part_mut(&mut self, range: Range<usize>) -> Option<&mut [u8]> {
        let part = self.bytes.get_mut(range.clone())?;
        if let Some(written) = &mut self.written
            && !part.is_empty()
        {
            written.note(&range);
        }
        Some(part)
    }

    /// The operand to be written part by part by one who writes no more than
    /// `bytes` of it; none where it does not note what is written, or where that
    /// is so much of it that its bytes in one piece are as good.
    ///
    /// What is written in one piece ([`Region::bytes_mut`], [`Region::body_mut`])
    /// may be written anywhere.
    #[inline]
    pub fn parts_mut(&mut self, bytes: usize) -> Option<Parts<'_>> {
        let few = self.bytes.len() / FEW;
        let written = self.written.as_deref_mut().filter(|_| bytes <= few)?;
        Some(Parts {
            start: self.body.start,
            body: &mut self.bytes[self.body.clone()],
            written,
        })
    }

    /// The only parts of [`Region::bytes`] where a region that shares its backdrop
    /// with `other` may differ from it, in no order. None where they share none.
    #[inline]
    pub fn may_differ<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
        beside(&self.written, &other.written)
    }
}

/// An operand that is written part by part, while its region notes which.
pub struct Parts<'a> {
    body: &'a mut [u8],
    /// Bytes of the region before it.
    start: usize,
    written: &'a mut Written,
}

impl Parts<'_> {
    /// The operand's own bytes.
    #[inline]
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.body
    }

    /// Those of [`Parts::body`] at `range`, to be written; none where it leaves the body.
    #[inline]
    pub fn get_mut(&mut self, range: Range<usize>) -> Option<&mut [u8]> {
        let part = self.body.get_mut(range.clone())?;
        if !part.is_empty() {
            let in_region = |at: usize| self.start.saturating_add(at);
            self.written
                .note(&(in_region(range.start)..in_region(range.end)));
        }
        Some(part)
    }
}

/// Where two regions may differ; none where they share no backdrop.
#[inline]
fn beside<'a>(
    one: &'a Option<Box<Written>>,
    other: &'a Option<Box<Written>>,
) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
    one.as_ref()?.beside(other.as_ref()?)
}
