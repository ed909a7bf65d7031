//! One operand's bytes.

use std::{io, ops::Range};

use memmap2::{MmapMut, MmapOptions};

use super::Role;
use super::written::Written;

/// Least bytes of a region that is worth noting what is written of it.
const LARGE: usize = 1 << 17;

/// One operand's bytes with a guard zone before and after them.
///
/// The body of a tile is its whole padded image in its own layout
/// (`rows * cols` elements); the body of a tensor runs from its first element
/// to the last one that its shape and strides reach. An access that leaves the
/// body is an out-of-bounds access; guard zones let a write that out-of-bounds accesses be seen.
///
/// A large one can note what is written of it ([`Region::note_writes`]), so that
/// copies of it are made and compared at the cost of what they do not share.
/// A sparse one ([`Region::sparse`]) does from the start: only what is written of
/// it has memory.
#[derive(Debug)]
pub struct Region {
    /// The part it plays.
    pub role: Role,
    bytes: Bytes,
    body: Range<usize>,
    /// What was written since its backdrop stood; none where that is not known.
    written: Option<Box<Written>>,
}

#[derive(Debug)]
enum Bytes {
    Whole(Vec<u8>),
    /// Zeros that have no memory until they are written.
    Sparse(MmapMut),
}

impl Bytes {
    /// So many zeros without memory.
    fn zeros(len: usize) -> io::Result<Self> {
        // A range of no bytes is none that a machine has.
        let map = MmapOptions::new()
            .len(len.max(1))
            .no_reserve_swap()
            .map_anon()?;
        // Else the machine may give 2 MiB of memory for a byte.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::NoHugePage);
        Ok(Self::Sparse(map))
    }

    #[inline]
    fn all(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Sparse(bytes) => bytes,
        }
    }

    #[inline]
    fn all_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Sparse(bytes) => bytes,
        }
    }

    /// A copy; of a sparse one of these parts only.
    ///
    /// # Panics
    /// If the machine has no more addresses: [`Region::room_for`] asks before.
    fn copy(&self, parts: impl Iterator<Item = Range<usize>>) -> Self {
        match self {
            Self::Whole(bytes) => Self::Whole(bytes.clone()),
            Self::Sparse(bytes) => {
                let mut copy = match Self::zeros(bytes.len()) {
                    Ok(copy) => copy,
                    Err(why) => panic!("{}", refused(bytes.len(), &why)),
                };
                let to = copy.all_mut();
                for part in parts {
                    if bytes[part.clone()].iter().any(|byte| *byte != 0) {
                        to[part.clone()].copy_from_slice(&bytes[part]);
                    }
                }
                copy
            }
        }
    }
}

/// That the machine does not give so many addresses.
fn refused(bytes: usize, why: &io::Error) -> String {
    let mib = bytes.div_ceil(1 << 20);
    format!("the machine has no {mib} MiB of addresses left for a sparse operand: {why}")
}

impl Clone for Region {
    fn clone(&self) -> Self {
        Self {
            role: self.role,
            bytes: self.bytes.copy(self.touched()),
            body: self.body.clone(),
            written: self.written.clone(),
        }
    }

    /// In the memory that it has.
    #[inline]
    fn clone_from(&mut self, of: &Self) {
        self.role = of.role;
        self.body = of.body.clone();
        match (&mut self.bytes, &of.bytes) {
            (Bytes::Whole(bytes), Bytes::Whole(of_bytes))
                if self.written.is_none() && of.written.is_none() =>
            {
                bytes.clone_from(of_bytes);
            }
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
            bytes: Bytes::Whole(bytes),
            body,
            written: None,
        }
    }

    /// A region of `len` zeros, of which `body` is the operand and the rest guard
    /// zone. Only what is written of it has memory, and it notes what that is.
    ///
    /// # Errors
    /// If the machine does not give so many addresses, in one line.
    ///
    /// # Panics
    /// If `body` does not lie inside them.
    pub fn sparse(role: Role, len: usize, body: Range<usize>) -> Result<Self, String> {
        assert!(
            body.start <= body.end && body.end <= len,
            "the operand must lie inside its bytes"
        );
        let bytes = Bytes::zeros(len).map_err(|why| refused(len, &why))?;
        Ok(Self {
            role,
            bytes,
            body,
            written: Some(Written::of_zeros(len)),
        })
    }

    /// Whether the machine has addresses for sparse regions of so many bytes
    /// together: whoever copies one cannot be told that it has not.
    ///
    /// # Errors
    /// If it has not, in one line.
    pub fn room_for(bytes: usize) -> Result<(), String> {
        let room = Bytes::zeros(bytes);
        room.map(|_| ()).map_err(|why| refused(bytes, &why))
    }

    /// Whether only what is written of it has memory.
    #[inline]
    #[must_use]
    pub const fn is_sparse(&self) -> bool {
        matches!(self.bytes, Bytes::Sparse(_))
    }

    /// The parts of [`Region::bytes`] that may hold something else than zeros, in
    /// order: of a sparse region what was written of it, of any other all.
    pub fn touched(&self) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let noted = self.written.as_deref().filter(|_| self.is_sparse());
        let pages = noted.and_then(|written| written.beside(written));
        let all = pages.is_none().then(|| self.pieces());
        pages.into_iter().flatten().chain(all.into_iter().flatten())
    }

    /// All of [`Region::bytes`], in one piece, or where few of them have memory in small ones.
    fn pieces(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let len = self.bytes().len();
        let piece = match self.bytes {
            Bytes::Whole(_) => len,
            Bytes::Sparse(_) => 1 << 12,
        };
        let starts = (0..len).step_by(piece.max(1));
        starts.map(move |start| start..len.min(start.saturating_add(piece)))
    }

    /// The operand's own bytes.
    #[inline]
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.bytes.all()[self.body.clone()]
    }

    /// The operand's own bytes, to be written.
    #[inline]
    pub fn body_mut(&mut self) -> &mut [u8] {
        self.forget();
        &mut self.bytes.all_mut()[self.body.clone()]
    }

    /// Guard zone, operand, guard zone in one piece.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.all()
    }

    /// Guard zone, operand, guard zone in one piece, to be written.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.forget();
        self.bytes.all_mut()
    }

    /// Where in [`Region::bytes`] the operand lies.
    #[inline]
    #[must_use]
    pub fn body_range(&self) -> Range<usize> {
        self.body.clone()
    }

    /// Takes what it holds for its backdrop, from which copies of it differ
    /// where they are written, and notes what is written from now on. A small
    /// region does not: its bytes are copied and compared as quickly. A sparse one
    /// has a backdrop of zeros, and keeps it.
    #[inline]
    pub fn note_writes(&mut self) {
        if let Bytes::Whole(bytes) = &self.bytes
            && bytes.len() >= LARGE
        {
            self.written = Some(Written::nothing(bytes.len()));
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
            (None, None) => self.bytes() == other.bytes(),
            _ => self.differs_nowhere(other),
        }
    }

    #[cold]
    #[inline(never)]
    fn differs_nowhere(&self, other: &Self) -> bool {
        match self.may_differ(other) {
            Some(mut pages) => pages.all(|page| self.bytes()[page.clone()] == other.bytes()[page]),
            None => self.bytes() == other.bytes(),
        }
    }

    /// Takes over bytes and what is noted of them.
    #[cold]
    #[inline(never)]
    fn copy_what_differs(&mut self, of: &Self) {
        match beside(&self.written, &of.written) {
            Some(pages) => {
                let bytes = self.bytes.all_mut();
                for page in pages {
                    bytes[page.clone()].copy_from_slice(&of.bytes()[page]);
                }
            }
            None => match (&mut self.bytes, &of.bytes) {
                (Bytes::Whole(bytes), Bytes::Whole(of_bytes)) => bytes.clone_from(of_bytes),
                _ => self.bytes = of.bytes.copy(of.touched()),
            },
        }
        self.written.clone_from(&of.written);
    }

    /// Those of [`Region::bytes`] at `range`, to be written; none where it leaves
    /// them. Only that part may be written: what is noted of the rest stays.
    #[inline]
    pub fn part_mut(&mut self, range: Range<usize>) -> Option<&mut [u8]> {
        let part = self.bytes.all_mut().get_mut(range.clone())?;
        if let Some(written) = &mut self.written
            && !part.is_empty()
        {
            written.note(&range);
        }
        Some(part)
    }

    /// The parts of the body, whole slots of `size` bytes in order, outside of which
    /// it holds what that of `other` does, which is as long: all of it where that is
    /// not known.
    #[must_use]
    pub fn apart(&self, other: &Self, size: usize) -> Vec<Range<usize>> {
        let len = self.body.len();
        let Some(pages) = self.may_differ(other) else {
            return std::iter::once(0..len).collect();
        };
        let in_body = |page: Range<usize>| {
            let [start, end] = [page.start, page.end].map(|at| at.saturating_sub(self.body.start));
            let within = start.checked_rem(size).unwrap_or(0);
            start.saturating_sub(within)..end.next_multiple_of(size).min(len)
        };
        let mut apart: Vec<Range<usize>> = Vec::new();
        for part in pages.map(in_body).filter(|part| !part.is_empty()) {
            match apart.last_mut() {
                Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
                _ => apart.push(part),
            }
        }
        apart
    }

    /// The only parts of [`Region::bytes`] where a region that shares its backdrop
    /// with `other` may differ from it, in order. None where they share none.
    #[inline]
    pub fn may_differ<'a>(
        &'a self,
        other: &'a Self,
    ) -> Option<impl Iterator<Item = Range<usize>> + use<'a>> {
        beside(&self.written, &other.written)
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
