//! What may stand in each slot after a call, and by which clause.
//!
//! Permits are sparse: every byte of every operand and guard zone that no run
//! covers must hold what it held before.

use ptodiff_isa::{Clause, DType, Role};

/// What a target promises about the state after a sequence of calls.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Permits {
    /// Per operand, in the order of the stimulus' regions.
    pub operands: Vec<OperandPermits>,
    /// The bytes that [`Permit`]s point into.
    pub pool: Vec<u8>,
    /// Whether accesses outside operands are excused, and by which clause.
    pub oob_accesses: Option<Clause>,
}

impl Permits {
    /// The promises about the operand that plays `role`.
    #[must_use]
    pub fn of(&self, role: Role) -> Option<&OperandPermits> {
        self.operands.iter().find(|operand| operand.role == role)
    }
}

/// The promises about one operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperandPermits {
    /// Which operand.
    pub role: Role,
    /// Its element type: the size of one slot.
    pub dtype: DType,
    /// Runs in increasing offset, not overlapping, each whole slots.
    pub runs: Vec<Run>,
    /// Everything not covered by a run is kept by this clause.
    pub kept: Clause,
    /// The guard zones are kept by this clause.
    pub around: Clause,
    /// Set when the guard zones may hold anything, and by which clause.
    pub guards_free: Option<Clause>,
}

impl OperandPermits {
    /// The run that covers byte `offset`; none where it is kept.
    #[must_use]
    pub fn run_at(&self, offset: usize) -> Option<&Run> {
        let behind = self.runs.partition_point(|run| run.offset <= offset);
        let run = self.runs[..behind].last()?;
        (offset - run.offset < run.len).then_some(run)
    }

    /// The runs that say nothing.
    pub fn open(&self) -> impl Iterator<Item = &Run> {
        self.runs
            .iter()
            .filter(|run| run.permit == Permit::Anything)
    }
}

/// Adjacent slots under one permit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Byte offset in the operand's body.
    pub offset: usize,
    /// Bytes: a whole number of slots, at least one.
    pub len: usize,
    /// What may stand there.
    pub permit: Permit,
    /// The clause that says so.
    pub clause: Clause,
    /// A clause that gives freedom or names a difference between targets in
    /// these slots (no atomics on this target, say), if one does.
    pub freedom: Option<Clause>,
    /// Set where each slot may also hold what it held before the call, and by
    /// which clause.
    pub or_kept: Option<Clause>,
}

/// What may stand in the slots of a run. Offsets point into [`Permits::pool`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Permit {
    /// Exactly these `len` bytes.
    Exactly {
        /// Start in the pool.
        at: usize,
    },
    /// In each slot on its own, the bytes that one of `count` candidates has
    /// there. Candidates are consecutive images of `len` bytes each.
    OneOf {
        /// Start of the first candidate in the pool.
        at: usize,
        /// Number of candidates, at least one.
        count: usize,
    },
    /// A sum that may be NaN, or whose results are too many to list: any value
    /// between two bounds, inclusive, -0.0 below +0.0, in the slot's dtype, or one
    /// of `more` single ones, of which a NaN is every NaN (MSCATTER-GAP-81); one
    /// slot a run. Some order reaches each bound and each single value unless the
    /// permit is `wide`. Two NaNs as bounds: some NaN, whichever, and nothing else.
    Between {
        /// Lower bound (one element) in the pool.
        low: usize,
        /// Upper bound (one element) in the pool.
        high: usize,
        /// How many single values stand in the pool, after the upper bound.
        more: usize,
        /// Whether the bounds, or the single values, are only known to hold all
        /// that is reached.
        wide: bool,
    },
    /// Anything.
    Anything,
}
