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

    /// The same, but by another clause where there is one.
    pub(crate) fn rather(self, clause: Option<Clause>) -> Self {
        Self {
            clause: clause.unwrap_or(self.clause),
            ..self
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
        let at = self.pool.len();
        self.pool.extend_from_slice(bytes);
        self.push(offset, bytes.len(), Permit::Exactly { at }, why);
    }

    /// One of some `images` of `len` bytes, one after the other, each slot on its own.
    pub(crate) fn one_of(&mut self, offset: usize, len: usize, images: &[u8], why: Why) {
        let at = self.pool.len();
        self.pool.extend_from_slice(images);
        let count = images.len().checked_div(len).unwrap_or(0);
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
            && continues(last.permit, permit)
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

/// Whether two permits make one for neighbours: their bytes stand side by side in the pool.
const fn continues(before: Permit, after: Permit) -> bool {
    use Permit::{Anything, Exactly};
    matches!(
        (before, after),
        (Exactly { .. }, Exactly { .. }) | (Anything, Anything)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_continues_a_run_is_part_of_it() {
        const WHY: Why = Why::by("A-01");
        let mut runs = Runs::default();
        runs.anything(0, 1, WHY);
        runs.anything(1, 2, WHY);
        runs.exactly(3, &[9], WHY);
        runs.or_kept(Clause("B-01"));
        runs.exactly(4, &[10], WHY);
        let (runs, _) = runs.finish();
        let places: Vec<_> = runs.iter().map(|run| (run.offset, run.len)).collect();
        assert_eq!(places, [(0, 3), (3, 1), (4, 1)]);
    }
}
