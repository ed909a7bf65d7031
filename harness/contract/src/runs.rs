//! Building the runs of one operand, merged as far as they go.

use std::{mem, ptr};

use ptodiff_isa::Clause;

use crate::permit::{Permit, Run};

mod stretch;

pub(crate) use stretch::{Stretch, Told};

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

    /// Whether both are the same texts in memory: then they cite the same clauses.
    #[inline]
    pub(crate) fn is(self, other: Self) -> bool {
        ptr::eq(self.clause.0, other.clause.0)
            && match (self.freedom, other.freedom) {
                (Some(a), Some(b)) => ptr::eq(a.0, b.0),
                (None, None) => true,
                _ => false,
            }
    }

    /// Whether both cite the same clauses.
    #[inline]
    fn says(self, other: Self) -> bool {
        same(self.clause, other.clause)
            && match (self.freedom, other.freedom) {
                (Some(a), Some(b)) => same(a, b),
                (None, None) => true,
                _ => false,
            }
    }

    /// Whether these are the clauses of `run`.
    #[inline]
    fn governs(self, run: &Run) -> bool {
        self.says(Self {
            clause: run.clause,
            freedom: run.freedom,
        })
    }
}

/// Whether two clauses are one: mostly they are the same text in memory, and
/// most others that are as long end otherwise.
#[inline]
fn same(a: Clause, b: Clause) -> bool {
    let alike = || a.0.len() == b.0.len() && a.0.bytes().rev().eq(b.0.bytes().rev());
    ptr::eq(a.0, b.0) || alike()
}

/// Runs to make room for where their number is not known.
pub(crate) const RUNS: usize = 11;

/// Slots with several candidates whose run may still grow. They end the pool:
/// the candidates of one slot are adjacent, images of the whole run are not yet.
#[derive(Clone, Copy, Debug)]
struct Open {
    offset: usize,
    /// Where the next slot would begin.
    end: usize,
    size: usize,
    count: usize,
    why: Why,
    /// Start in the pool.
    at: usize,
}

/// Collects runs and the bytes they point to.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<Run>,
    pool: Vec<u8>,
    open: Option<Open>,
    /// Where the run ends that was given last.
    end: usize,
    /// Whether one began before the end of the one given before it.
    jumbled: bool,
}

impl Runs {
    /// Without any yet, in memory that was used before.
    pub(crate) fn over(mut runs: Vec<Run>, mut pool: Vec<u8>) -> Self {
        runs.clear();
        pool.clear();
        Self {
            runs,
            pool,
            ..Self::default()
        }
    }

    /// Room for so many runs and so many `bytes` of images.
    pub(crate) fn reserve(&mut self, runs: usize, bytes: usize) {
        make_room(&mut self.runs, runs);
        make_room(&mut self.pool, bytes);
    }

    /// Exactly `bytes` at `offset`.
    #[inline]
    pub(crate) fn exactly(&mut self, offset: usize, bytes: &[u8], why: Why) {
        self.exactly_filled(offset, bytes.len(), why, |pool| {
            pool.extend_from_slice(bytes);
        });
    }

    /// Exactly the `len` bytes at `offset` that `fill` appends to the pool.
    #[inline]
    pub(crate) fn exactly_filled(
        &mut self,
        offset: usize,
        len: usize,
        why: Why,
        fill: impl FnOnce(&mut Vec<u8>),
    ) {
        if len == 0 {
            return;
        }
        self.close();
        let at = self.pool.len();
        fill(&mut self.pool);
        self.extend_exact(offset, len, at, why);
    }

    /// Exactly `len` zero bytes at `offset`.
    #[inline]
    pub(crate) fn zeros(&mut self, offset: usize, len: usize, why: Why) {
        self.exactly_filled(offset, len, why, |pool| pool.resize(pool.len() + len, 0));
    }

    /// Adds `len` zero bytes to the pool, to become what runs point to: where
    /// they begin.
    pub(crate) fn image(&mut self, len: usize) -> usize {
        self.close();
        let at = self.pool.len();
        self.pool.resize(at + len, 0);
        at
    }

    /// The image that begins at `at`.
    pub(crate) fn image_mut(&mut self, at: usize) -> &mut [u8] {
        &mut self.pool[at..]
    }

    /// Exactly the `len` bytes at `offset` that stand at `at` in an image.
    pub(crate) fn exactly_there(&mut self, offset: usize, len: usize, at: usize, why: Why) {
        if len > 0 {
            self.extend_exact(offset, len, at, why);
        }
    }

    /// Exactly the `len` bytes at `offset` that stand at `at` in the pool.
    fn extend_exact(&mut self, offset: usize, len: usize, at: usize, why: Why) {
        self.extend_exact_here(offset, len, at, why);
    }

    /// The same, for the place where most come from.
    #[inline(always)]
    fn extend_exact_here(&mut self, offset: usize, len: usize, at: usize, why: Why) {
        if self.end == offset
            && let Some(last) = self.runs.last_mut()
            && let Permit::Exactly { at: start } = last.permit
            && start + last.len == at
            && why.governs(last)
        {
            last.len += len;
            self.end += len;
            return;
        }
        self.push(offset, len, Permit::Exactly { at }, why);
    }

    /// One of `count` images of `len` bytes, each slot on its own; `fill`
    /// appends them to the pool.
    pub(crate) fn one_of(
        &mut self,
        offset: usize,
        len: usize,
        count: usize,
        why: Why,
        fill: impl FnOnce(&mut Vec<u8>),
    ) {
        self.close();
        if len == 0 {
            return;
        }
        let at = self.pool.len();
        fill(&mut self.pool);
        self.push(offset, len, Permit::OneOf { at, count }, why);
    }

    /// One slot of `size` bytes that holds one of `count` candidates, which
    /// `fill` appends to the pool. Neighbours with as many candidates share a run.
    #[inline]
    pub(crate) fn candidates(
        &mut self,
        offset: usize,
        size: usize,
        count: usize,
        why: Why,
        fill: impl FnOnce(&mut Vec<u8>),
    ) {
        if let Some(open) = &mut self.open
            && open.end == offset
            && open.count == count
            && open.why.says(why)
        {
            open.end += size;
        } else {
            self.close();
            self.open = Some(Open {
                offset,
                end: offset + size,
                size,
                count,
                why,
                at: self.pool.len(),
            });
        }
        fill(&mut self.pool);
    }

    /// One slot between the first two of `elements`, or one of the others.
    pub(crate) fn between(
        &mut self,
        offset: usize,
        size: usize,
        elements: &[u8],
        why: Why,
        wide: bool,
    ) {
        self.close();
        let low = self.pool.len();
        self.pool.extend_from_slice(elements);
        let permit = Permit::Between {
            low,
            high: low + size,
            more: elements.len() / size - 2,
            wide,
        };
        self.push(offset, size, permit, why);
    }

    /// The slots given last may also be kept, by `clause`.
    pub(crate) fn or_kept(&mut self, clause: Clause) {
        if let Some(last) = self.runs.last_mut() {
            last.or_kept = Some(clause);
        }
    }

    /// Anything in `len` bytes.
    #[inline]
    pub(crate) fn anything(&mut self, offset: usize, len: usize, why: Why) {
        self.close();
        if len == 0 {
            return;
        }
        if let Some(last) = self.runs.last_mut()
            && last.permit == Permit::Anything
            && self.end == offset
            && why.governs(last)
        {
            last.len += len;
            self.end += len;
            return;
        }
        self.push(offset, len, Permit::Anything, why);
    }

    /// Bytes that the lists have room for.
    pub(crate) fn held(&self) -> usize {
        self.runs.capacity() * size_of::<Run>() + self.pool.capacity()
    }

    /// Drops all that was collected.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        self.pool.clear();
        self.open = None;
        (self.end, self.jumbled) = (0, false);
    }

    /// The runs by increasing offset; their bytes go to `pool`.
    #[inline]
    pub(crate) fn finish(&mut self, pool: &mut Vec<u8>) -> Vec<Run> {
        self.close();
        if self.jumbled {
            self.runs.sort_unstable_by_key(|r| r.offset);
        }
        *pool = mem::take(&mut self.pool);
        mem::take(&mut self.runs)
    }

    /// Ends the run that may still grow.
    #[inline]
    fn close(&mut self) {
        if self.open.is_some() {
            self.push_open();
        }
    }

    #[inline(never)]
    fn push_open(&mut self) {
        let Some(open) = self.open.take() else { return };
        let Open {
            at, count, size, ..
        } = open;
        let len = open.end - open.offset;
        // The candidates of one slot are the images of a run of one slot.
        if len > size {
            let held = self.pool.len() - at;
            self.pool.resize(at + 2 * held, 0);
            let (by_slot, images) = self.pool[at..].split_at_mut(held);
            match size {
                1 => turn_round::<1>(by_slot, images, count),
                2 => turn_round::<2>(by_slot, images, count),
                4 => turn_round::<4>(by_slot, images, count),
                _ => turn_round::<8>(by_slot, images, count),
            }
            self.pool.drain(at..at + held);
        }
        self.push(open.offset, len, Permit::OneOf { at, count }, open.why);
    }

    #[inline]
    fn push(&mut self, offset: usize, len: usize, permit: Permit, why: Why) {
        self.jumbled |= offset < self.end;
        self.end = offset + len;
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

/// Makes images of the `count` candidates of each slot, of `N` bytes.
fn turn_round<const N: usize>(by_slot: &[u8], images: &mut [u8], count: usize) {
    let (by_slot, images) = (by_slot.as_chunks::<N>().0, images.as_chunks_mut::<N>().0);
    let slots = by_slot.len() / count;
    for (slot, candidates) in by_slot.chunks_exact(count).enumerate() {
        for (image, candidate) in images.chunks_exact_mut(slots).zip(candidates) {
            image[slot] = *candidate;
        }
    }
}

fn make_room<T>(list: &mut Vec<T>, items: usize) {
    if list.capacity() == 0 {
        *list = Vec::with_capacity(items);
    } else {
        list.reserve(items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Why = Why::by("A-01");
    const OTHER: Why = Why::by("A-02");

    fn choice(runs: &mut Runs, offset: usize, candidates: &[u8], why: Why) {
        runs.candidates(offset, 1, candidates.len(), why, |pool| {
            pool.extend_from_slice(candidates);
        });
    }

    fn images(run: &Run, pool: &[u8]) -> Vec<Vec<u8>> {
        let Permit::OneOf { at, count } = run.permit else {
            panic!("{run:?}");
        };
        let images = pool[at..at + count * run.len].chunks(run.len);
        images.map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn neighbours_with_candidates_share_a_run_of_images() {
        let mut runs = Runs::default();
        choice(&mut runs, 4, &[1, 2], ONE);
        choice(&mut runs, 5, &[3, 4], ONE);
        choice(&mut runs, 6, &[5, 6], ONE);
        // Apart, of another number, by another clause.
        choice(&mut runs, 8, &[7, 8], ONE);
        choice(&mut runs, 9, &[9, 10, 11], ONE);
        choice(&mut runs, 10, &[12, 13, 14], OTHER);
        let mut pool = Vec::new();
        let runs = runs.finish(&mut pool);
        let found: Vec<_> = runs
            .iter()
            .map(|run| (run.offset, run.len, images(run, &pool)))
            .collect();
        let single = |of: &[u8]| of.iter().map(|&b| vec![b]).collect::<Vec<_>>();
        let expected = vec![
            (4, 3, vec![vec![1, 3, 5], vec![2, 4, 6]]),
            (8, 1, single(&[7, 8])),
            (9, 1, single(&[9, 10, 11])),
            (10, 1, single(&[12, 13, 14])),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_comes_after_candidates_stands_behind_them() {
        let mut runs = Runs::default();
        choice(&mut runs, 0, &[1, 2], ONE);
        choice(&mut runs, 1, &[3, 4], ONE);
        runs.exactly(2, &[5, 6], ONE);
        runs.exactly(4, &[7], ONE);
        let mut pool = Vec::new();
        let runs = runs.finish(&mut pool);
        assert_eq!(images(&runs[0], &pool), [[1, 3], [2, 4]]);
        assert_eq!(runs[1].len, 3);
        let Permit::Exactly { at } = runs[1].permit else {
            panic!("{runs:?}");
        };
        assert_eq!(pool[at..], [5, 6, 7]);
    }

    #[test]
    fn used_memory_is_used_again_and_nothing_of_it_is_left() {
        let mut runs = Runs::default();
        runs.reserve(8, 64);
        runs.exactly(0, &[1, 2, 3], ONE);
        let mut pool = Vec::new();
        let list = runs.finish(&mut pool);
        let places = (list.as_ptr(), pool.as_ptr());
        let mut runs = Runs::over(list, pool);
        runs.exactly(7, &[9], OTHER);
        let mut pool = Vec::new();
        let list = runs.finish(&mut pool);
        assert_eq!((list.as_ptr(), pool.as_ptr()), places);
        assert_eq!((list.len(), list[0].offset, pool), (1, 7, vec![9]));
    }
}
