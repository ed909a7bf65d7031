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

/// Collects runs and the bytes they point to.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<Run>,
    pool: Vec<u8>,
}

impl Runs {
    /// Exactly `bytes` at `offset`.
    pub(crate) fn exactly(&mut self, offset: usize, bytes: &[u8], why: Why) {
        self.exactly_filled(offset, why, |pool| append(pool, bytes));
    }

    /// Exactly `len` zero bytes at `offset`.
    pub(crate) fn zeros(&mut self, offset: usize, len: usize, why: Why) {
        self.exactly_filled(offset, why, |pool| pool.resize(pool.len() + len, 0));
    }

    /// Exactly the bytes at `offset` that `fill` appends to the pool.
    pub(crate) fn exactly_filled(
        &mut self,
        offset: usize,
        why: Why,
        fill: impl FnOnce(&mut Vec<u8>),
    ) {
        let at = self.pool.len();
        fill(&mut self.pool);
        self.push(offset, self.pool.len() - at, Permit::Exactly { at }, why);
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
        let at = self.pool.len();
        fill(&mut self.pool);
        self.push(offset, len, Permit::OneOf { at, count }, why);
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

    /// Anything in `len` bytes.
    pub(crate) fn anything(&mut self, offset: usize, len: usize, why: Why) {
        self.push(offset, len, Permit::Anything, why);
    }

    /// The slots given last may also be kept, by `clause`.
    pub(crate) fn or_kept(&mut self, clause: Clause) {
        if let Some(last) = self.runs.last_mut() {
            last.or_kept = Some(clause);
        }
    }

    /// Drops all that was collected.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        self.pool.clear();
    }

    /// The runs by increasing offset, and the bytes that they point to.
    pub(crate) fn finish(mut self) -> (Vec<Run>, Vec<u8>) {
        self.runs.sort_by_key(|run| run.offset);
        (self.runs, self.pool)
    }

    /// Adds a run, to the last one where it continues that one.
    fn push(&mut self, offset: usize, len: usize, permit: Permit, why: Why) {
        if len == 0 {
            return;
        }
        if let Some(last) = self.runs.last_mut()
            && last.offset + last.len == offset
            && continues(last, permit)
            && last.or_kept.is_none()
            && (last.clause, last.freedom) == (why.clause, why.freedom)
        {
            last.len += len;
            return;
        }
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

/// Appends `bytes`. Mostly it is one element: a copy of unknown length takes longer
/// than all the rest.
pub(crate) fn append(pool: &mut Vec<u8>, bytes: &[u8]) {
    match bytes.len() {
        1 => pool.extend_from_slice(&bytes[..1]),
        2 => pool.extend_from_slice(&bytes[..2]),
        4 => pool.extend_from_slice(&bytes[..4]),
        _ => pool.extend_from_slice(bytes),
    }
}

/// Whether `permit` says of the slots after `run` what is said of its own.
fn continues(run: &Run, permit: Permit) -> bool {
    match (run.permit, permit) {
        (Permit::Exactly { at: start }, Permit::Exactly { at }) => start + run.len == at,
        (Permit::Anything, Permit::Anything) => true,
        _ => false,
    }
}

/// What is said of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Promised {
    /// It holds exactly what it is given.
    Exactly(Why),
    /// It may hold anything.
    Anything(Why),
}

/// Takes slots one by one, mostly many side by side of one kind, which are a run.
pub(crate) struct SlotRuns<'r, K, P> {
    runs: &'r mut Runs,
    /// What is said of slots of a kind.
    promised: P,
    /// The kind of the slots from `start` to `end`, whose bytes end the pool from `at` on.
    kind: Option<K>,
    start: usize,
    end: usize,
    at: usize,
    /// By which the last slots are open that are.
    open: Option<Clause>,
}

impl<'r, K: Copy + PartialEq, P: Fn(K) -> Promised> SlotRuns<'r, K, P> {
    /// Into `runs`.
    pub(crate) fn new(runs: &'r mut Runs, promised: P) -> Self {
        Self {
            runs,
            promised,
            kind: None,
            start: 0,
            end: 0,
            at: 0,
            open: None,
        }
    }

    /// `len` bytes at `offset`: those that `fill` appends to the pool, if slots of that
    /// kind are to hold them exactly.
    pub(crate) fn put(
        &mut self,
        offset: usize,
        len: usize,
        kind: K,
        fill: impl FnOnce(&mut Vec<u8>),
    ) {
        if self.end != offset || self.kind != Some(kind) {
            self.end_run();
            (self.kind, self.start, self.at) = (Some(kind), offset, self.runs.pool.len());
        }
        self.end = offset + len;
        fill(&mut self.runs.pool);
    }

    /// Ends the slots so far: where to say something else.
    pub(crate) fn runs(&mut self) -> &mut Runs {
        self.end_run();
        self.kind = None;
        self.runs
    }

    /// Ends with the slots given so far: the clause by which the last open ones
    /// are, if there are such.
    pub(crate) fn finish(mut self) -> Option<Clause> {
        self.end_run();
        self.open
    }

    fn end_run(&mut self) {
        let Some(kind) = self.kind else { return };
        let (offset, len, at) = (self.start, self.end - self.start, self.at);
        match (self.promised)(kind) {
            Promised::Exactly(why) => self.runs.push(offset, len, Permit::Exactly { at }, why),
            Promised::Anything(why) => {
                self.runs.anything(offset, len, why);
                self.open = Some(why.clause);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Why = Why::by("A-01");
    const OTHER: Why = Why::by("A-02");

    /// Offset, length and clause of each run, and its bytes if they are exact.
    fn listed(runs: Runs) -> Vec<(usize, usize, &'static str, Option<Vec<u8>>)> {
        let (runs, pool) = runs.finish();
        let bytes = |permit, len| match permit {
            Permit::Exactly { at } => Some(pool[at..at + len].to_vec()),
            _ => None,
        };
        runs.iter()
            .map(|r| (r.offset, r.len, r.clause.0, bytes(r.permit, r.len)))
            .collect()
    }

    #[test]
    fn what_continues_a_run_is_part_of_it() {
        let mut runs = Runs::default();
        runs.exactly(0, &[1, 2], ONE);
        runs.exactly(2, &[3], ONE);
        runs.exactly(3, &[], OTHER);
        runs.exactly(3, &[4], OTHER);
        runs.anything(4, 1, OTHER);
        runs.anything(5, 2, OTHER);
        runs.one_of(7, 1, 2, OTHER, |pool| pool.extend([5, 6]));
        runs.one_of(8, 1, 2, OTHER, |pool| pool.extend([7, 8]));
        runs.exactly(9, &[9], ONE);
        runs.or_kept(Clause("B-01"));
        runs.exactly(10, &[10], ONE);
        let expected = vec![
            (0, 3, "A-01", Some(vec![1, 2, 3])),
            (3, 1, "A-02", Some(vec![4])),
            (4, 3, "A-02", None),
            (7, 1, "A-02", None),
            (8, 1, "A-02", None),
            (9, 1, "A-01", Some(vec![9])),
            (10, 1, "A-01", Some(vec![10])),
        ];
        assert_eq!(listed(runs), expected);
    }
}
