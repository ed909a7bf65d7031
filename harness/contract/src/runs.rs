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
        runs.one_of(7, 1, &[5, 6], OTHER);
        runs.one_of(8, 1, &[7, 8], OTHER);
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
