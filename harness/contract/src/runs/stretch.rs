//! Slots that come one by one, mostly many of one kind.

use std::mem;

use ptodiff_isa::Clause;

use super::{Runs, Why};

/// What is said of some slots.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told {
    /// They hold exactly what they are given.
    Exactly(Why),
    /// They may hold anything.
    Anything(Why),
}

/// Slots side by side from so many on are worth a place for all at once.
const LONG: usize = 8;

/// Takes slots one by one, and turns neighbours of one kind into a run at once.
pub(crate) struct Stretch<'r, K, T> {
    runs: &'r mut Runs,
    /// What is said of slots of a kind.
    told: T,
    /// The kind of the slots from `start` to `end`, whose bytes begin at `at`
    /// in the pool.
    kind: Option<K>,
    start: usize,
    end: usize,
    at: usize,
    /// By which the last slots are open that are.
    open: Option<Clause>,
}

impl<'r, K: Copy + PartialEq, T: Fn(K) -> Told> Stretch<'r, K, T> {
    /// Into `runs`; `told` says what is said of slots of a kind.
    pub(crate) fn new(runs: &'r mut Runs, told: T) -> Self {
        Self {
            runs,
            told,
            kind: None,
            start: 0,
            end: 0,
            at: 0,
            open: None,
        }
    }

    /// So many slots of `N` bytes, `step` slots from one to the next, from slot
    /// `at` on. `next` tells the kind of each in turn, with its bytes where that
    /// kind is to hold them exactly.
    #[inline]
    pub(crate) fn slots<'b, const N: usize>(
        &mut self,
        [at, step, len]: [usize; 3],
        mut next: impl FnMut() -> (K, Option<&'b [u8; N]>),
    ) {
        if step == 1 && len >= LONG {
            return self.side_by_side(at * N, len, next);
        }
        let mut offset = at * N;
        for _ in 0..len {
            let (kind, bytes) = next();
            self.slot(offset, kind, bytes);
            offset += step * N;
        }
    }

    #[inline]
    fn side_by_side<'b, const N: usize>(
        &mut self,
        offset: usize,
        len: usize,
        mut next: impl FnMut() -> (K, Option<&'b [u8; N]>),
    ) {
        if self.end != offset || self.kind.is_none() {
            self.pause();
            self.runs.close();
        }
        let mut pool = mem::take(&mut self.runs.pool);
        let from = pool.len();
        pool.resize(from + len * N, 0);
        for (i, slot) in pool[from..].as_chunks_mut::<N>().0.iter_mut().enumerate() {
            let (kind, bytes) = next();
            if self.kind != Some(kind) {
                self.end = offset + i * N;
                self.turn(self.end, from + i * N, Some(kind));
            }
            if let Some(bytes) = bytes {
                *slot = *bytes;
            }
        }
        self.end = offset + len * N;
        self.runs.pool = pool;
    }

    /// A slot at `offset`, with its bytes where its kind is to hold them exactly.
    #[inline]
    pub(crate) fn slot<const N: usize>(&mut self, offset: usize, kind: K, bytes: Option<&[u8; N]>) {
        if self.end != offset || self.kind != Some(kind) {
            self.begin(offset, kind);
        }
        self.end += N;
        if let Some(bytes) = bytes {
            self.runs.pool.extend_from_slice(bytes);
        }
    }

    /// A slot at `offset` that holds these bytes, by a kind that says so.
    #[inline]
    pub(crate) fn bytes(&mut self, offset: usize, kind: K, bytes: &[u8]) {
        if self.end != offset || self.kind != Some(kind) {
            self.begin(offset, kind);
        }
        self.end += bytes.len();
        self.runs.pool.extend_from_slice(bytes);
    }

    /// Ends the slots so far: where to say something else.
    #[inline]
    pub(crate) fn pause(&mut self) -> &mut Runs {
        if self.kind.is_some() {
            self.turn(self.end, 0, None);
        }
        self.runs
    }

    /// A slot with several candidates, as [`Runs::candidates`] takes it.
    #[inline]
    pub(crate) fn candidates(
        &mut self,
        offset: usize,
        size: usize,
        count: usize,
        why: Why,
        fill: impl FnOnce(&mut Vec<u8>),
    ) {
        self.pause().candidates(offset, size, count, why, fill);
    }

    /// Ends with the slots given so far: the clause by which the last open ones
    /// are, if there are such.
    pub(crate) fn finish(mut self) -> Option<Clause> {
        self.turn(self.end, 0, None);
        self.open
    }

    /// Slots of `kind` follow from `offset` on, their bytes at the end of the pool.
    #[inline]
    fn begin(&mut self, offset: usize, kind: K) {
        if self.kind.is_none() {
            self.runs.close();
        }
        self.turn(offset, self.runs.pool.len(), Some(kind));
    }

    /// Puts the slots so far into a run; others of `kind` follow from `offset`
    /// on, their bytes from `at` on.
    #[inline(never)]
    fn turn(&mut self, offset: usize, at: usize, kind: Option<K>) {
        if let Some(kind) = self.kind {
            let len = self.end - self.start;
            match (self.told)(kind) {
                Told::Exactly(why) => self.runs.extend_exact_here(self.start, len, self.at, why),
                Told::Anything(why) => {
                    self.runs.anything(self.start, len, why);
                    self.open = Some(why.clause);
                }
            }
        }
        (self.kind, self.at) = (kind, at);
        (self.start, self.end) = (offset, offset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permit::Permit;

    const ONE: Why = Why::by("A-01");
    const OTHER: Why = Why::by("A-02");

    /// Kinds 0 and 1 are by one clause, 2 is by another, 3 is open.
    fn told(kind: u8) -> Told {
        match kind {
            0 | 1 => Told::Exactly(ONE),
            2 => Told::Exactly(OTHER),
            _ => Told::Anything(OTHER),
        }
    }

    /// Offset, length and clause of each run, and its bytes if they are exact.
    fn listed(mut runs: Runs) -> Vec<(usize, usize, &'static str, Option<Vec<u8>>)> {
        let mut pool = Vec::new();
        let runs = runs.finish(&mut pool);
        let bytes = |permit, len| match permit {
            Permit::Exactly { at } => Some(pool[at..at + len].to_vec()),
            _ => None,
        };
        runs.iter()
            .map(|r| (r.offset, r.len, r.clause.0, bytes(r.permit, r.len)))
            .collect()
    }

    #[test]
    fn neighbours_by_the_same_clause_share_a_run() {
        let mut runs = Runs::default();
        let mut stretch = Stretch::new(&mut runs, told);
        for (offset, kind) in [
            (0, 0),
            (1, 0),
            (2, 1),
            (3, 2),
            (4, 3),
            (5, 3),
            (6, 0),
            (9, 0),
        ] {
            let byte = [10 + offset as u8];
            stretch.slot(offset, kind, Some(&byte).filter(|_| kind < 3));
        }
        stretch.finish();
        let expected = vec![
            (0, 3, "A-01", Some(vec![10, 11, 12])),
            (3, 1, "A-02", Some(vec![13])),
            (4, 2, "A-02", None),
            (6, 1, "A-01", Some(vec![16])),
            (9, 1, "A-01", Some(vec![19])),
        ];
        assert_eq!(listed(runs), expected);
    }

    #[test]
    fn many_slots_at_once_are_what_they_are_one_by_one() {
        let kinds = [0, 1, 2, 2, 3, 3, 0, 3, 1, 1, 1, 2, 0, 3, 3, 0];
        let bytes: Vec<[u8; 1]> = (0..16).map(|i| [10 + i]).collect();
        for (at, step, len) in [(4, 1, 16), (4, 1, LONG), (4, 1, 3), (4, 3, 16), (4, 1, 0)] {
            let slot = |i: usize| (kinds[i], Some(&bytes[i]).filter(|_| kinds[i] < 3));
            let (mut singly, mut together) = (Runs::default(), Runs::default());
            let mut one = Stretch::new(&mut singly, told);
            let mut all = Stretch::new(&mut together, told);
            // After others, next to them.
            one.slot(3, 0, Some(&[9]));
            all.slot(3, 0, Some(&[9]));
            for i in 0..len {
                let (kind, bytes) = slot(i);
                one.slot(at + i * step, kind, bytes);
            }
            let mut next = 0..len;
            all.slots([at, step, len], || slot(next.next().unwrap()));
            let open = kinds[..len].contains(&3).then_some(OTHER.clause);
            assert_eq!((one.finish(), all.finish()), (open, open));
            assert_eq!(listed(singly), listed(together), "{at} {step} {len}");
        }
    }

    #[test]
    fn candidates_come_between() {
        let mut runs = Runs::default();
        let mut stretch = Stretch::new(&mut runs, told);
        stretch.slot(0, 0, Some(&[1]));
        for (offset, candidates) in [(1, [2, 3]), (2, [4, 5])] {
            stretch.candidates(offset, 1, 2, OTHER, |pool| {
                pool.extend_from_slice(&candidates);
            });
        }
        stretch.slot(3, 0, Some(&[6]));
        stretch.finish();
        let mut pool = Vec::new();
        let all = runs.finish(&mut pool);
        let places: Vec<_> = all.iter().map(|run| (run.offset, run.len)).collect();
        assert_eq!(places, [(0, 1), (1, 2), (3, 1)]);
        assert_eq!(all[1].permit, Permit::OneOf { at: 1, count: 2 });
        assert_eq!(pool, [1, 2, 4, 3, 5, 6]);
    }

    #[test]
    fn a_stretch_goes_on_where_the_one_before_ended() {
        let mut runs = Runs::default();
        for offset in [0, 1] {
            let mut stretch = Stretch::new(&mut runs, told);
            stretch.slot(offset, 0, Some(&[7]));
            stretch.finish();
        }
        assert_eq!(listed(runs), vec![(0, 2, "A-01", Some(vec![7, 7]))]);
    }
}
