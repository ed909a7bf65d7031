//! Building the runs of one operand, merged as far as they go.

use ptodiff_isa::Clause;

use crate::permit::{Permit, Run};

/// The clauses of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Why {
    /// Says what stands there.
    pub(crate) clause: Clause,
    /// Gives freedom there, or names a difference between targets.
    pub(crate) freedom: Option<Clause>,
}

impl Why {
    /// Plainly so by `clause`.
    pub(crate) const fn by(clause: &'static str) -> Self {
        Self {
            clause: Clause(clause),
            freedom: None,
        }
    }

    /// Open by `clause`.
    pub(crate) const fn open(clause: Clause) -> Self {
        Self {
            clause,
            freedom: Some(clause),
        }
    }

    /// The same, with a freedom unless it has one.
    pub(crate) const fn or(self, freedom: Option<Clause>) -> Self {
        Self {
            freedom: match self.freedom {
                Some(c) => Some(c),
                None => freedom,
            },
            ..self
        }
    }
}

/// Slots with several candidates, not yet written out: candidates of one slot
/// are adjacent here, in the pool images of the whole run are.
#[derive(Debug)]
struct Pending {
    offset: usize,
    size: usize,
    count: usize,
    why: Why,
    bytes: Vec<u8>,
}

/// Collects runs and the bytes they point to.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<Run>,
    pool: Vec<u8>,
    pending: Option<Pending>,
}

impl Runs {
    /// Room for `bytes` of images.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.pool.reserve(bytes);
    }

    /// Exactly `bytes` at `offset`.
    #[inline]
    pub(crate) fn exactly(&mut self, offset: usize, bytes: &[u8], why: Why) {
        self.extend_exact(offset, bytes.len(), why);
        self.pool.extend_from_slice(bytes);
    }

    /// Exactly `len` zero bytes at `offset`.
    pub(crate) fn zeros(&mut self, offset: usize, len: usize, why: Why) {
        self.extend_exact(offset, len, why);
        self.pool.resize(self.pool.len() + len, 0);
    }

    #[inline]
    fn extend_exact(&mut self, offset: usize, len: usize, why: Why) {
        if len == 0 {
            return;
        }
        self.flush();
        let at = self.pool.len();
        if let Some(last) = self.runs.last_mut()
            && let Permit::Exactly { at: start } = last.permit
            && last.offset + last.len == offset
            && start + last.len == at
            && last.clause == why.clause
            && last.freedom == why.freedom
        {
            last.len += len;
            return;
        }
        self.push(offset, len, Permit::Exactly { at }, why);
    }

    /// One of several images of `len` bytes, each slot on its own.
    pub(crate) fn one_of<'a>(
        &mut self,
        offset: usize,
        len: usize,
        images: impl Iterator<Item = &'a [u8]>,
        why: Why,
    ) {
        self.flush();
        let at = self.pool.len();
        let mut count = 0;
        for image in images {
            self.pool.extend_from_slice(image);
            count += 1;
        }
        self.push(offset, len, Permit::OneOf { at, count }, why);
    }

    /// One slot of `size` bytes that holds one of the `candidates`, which stand
    /// one after the other. Neighbours with as many candidates share a run.
    pub(crate) fn candidates(&mut self, offset: usize, size: usize, candidates: &[u8], why: Why) {
        let count = candidates.len() / size;
        if let Some(open) = &mut self.pending
            && open.why == why
            && open.count == count
            && open.offset + open.bytes.len() / count == offset
        {
            open.bytes.extend_from_slice(candidates);
            return;
        }
        self.flush();
        self.pending = Some(Pending {
            offset,
            size,
            count,
            why,
            bytes: candidates.to_vec(),
        });
    }

    /// One slot between two bounds, which stand one after the other.
    pub(crate) fn between(&mut self, offset: usize, size: usize, bounds: &[u8], why: Why) {
        self.flush();
        let low = self.pool.len();
        self.pool.extend_from_slice(bounds);
        let high = low + size;
        self.push(offset, size, Permit::Between { low, high }, why);
    }

    /// The slots given last may also be kept, by `clause`.
    pub(crate) fn or_kept(&mut self, clause: Clause) {
        if let Some(last) = self.runs.last_mut() {
            last.or_kept = Some(clause);
        }
    }

    /// Anything in `len` bytes.
    pub(crate) fn anything(&mut self, offset: usize, len: usize, why: Why) {
        self.flush();
        if len == 0 {
            return;
        }
        if let Some(last) = self.runs.last_mut()
            && last.permit == Permit::Anything
            && last.offset + last.len == offset
            && last.clause == why.clause
            && last.freedom == why.freedom
        {
            last.len += len;
            return;
        }
        self.push(offset, len, Permit::Anything, why);
    }

    /// Drops all that was collected.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        self.pool.clear();
        self.pending = None;
    }

    /// The runs by increasing offset, and the pool.
    pub(crate) fn finish(mut self) -> (Vec<Run>, Vec<u8>) {
        self.flush();
        if !self.runs.is_sorted_by_key(|r| r.offset) {
            self.runs.sort_unstable_by_key(|r| r.offset);
        }
        (self.runs, self.pool)
    }

    #[inline]
    fn flush(&mut self) {
        if let Some(open) = self.pending.take() {
            self.flush_pending(&open);
        }
    }

    fn flush_pending(&mut self, open: &Pending) {
        let at = self.pool.len();
        let slot = open.size * open.count;
        for image in 0..open.count {
            for candidates in open.bytes.chunks_exact(slot) {
                let from = image * open.size;
                self.pool
                    .extend_from_slice(&candidates[from..from + open.size]);
            }
        }
        let permit = Permit::OneOf {
            at,
            count: open.count,
        };
        self.push(open.offset, open.bytes.len() / open.count, permit, open.why);
    }

    #[inline]
    fn push(&mut self, offset: usize, len: usize, permit: Permit, why: Why) {
        if len > 0 {
            self.runs.push(Run {
                offset,
                len,
                permit,
                clause: why.clause,
                freedom: why.freedom,
                or_kept: None,
            });
        }
    }
}
