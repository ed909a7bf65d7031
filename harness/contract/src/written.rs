//! What is said of the written operands beside the runs of the output.

use ptodiff_isa::Clause;

use crate::runs::{Runs, Why};

/// What is said of a call, if its operands fit.
pub(crate) type Said = Option<Written>;

/// What is said of the written operands beside the runs of the output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    /// The output's guard zones may hold anything.
    pub(crate) guards_free: Option<Clause>,
    /// Accesses outside operands are excused.
    pub(crate) oob_accesses: Option<Clause>,
    /// Why what is around the output, and what no run covers of it, is kept, where an
    /// index was dropped.
    pub(crate) untouched: Option<Clause>,
    /// The staging area.
    pub(crate) scratch: Scratch,
}

/// What the staging area of a gather to L1 may hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Scratch {
    /// What it held before.
    #[default]
    Kept,
    /// What the output holds, from its first byte on.
    Image,
    /// Anything in its body.
    Open(Clause),
}

impl Written {
    /// All `len` bytes of the output are open, what surrounds it, and the staging area.
    pub(crate) fn nothing_promised(runs: &mut Runs, len: usize, clause: Clause) -> Self {
        runs.clear();
        runs.anything(0, len, Why::open(clause));
        Self::broken(clause)
    }

    /// The same without the runs of the output.
    pub(crate) const fn broken(clause: Clause) -> Self {
        Self {
            guards_free: Some(clause),
            oob_accesses: Some(clause),
            untouched: None,
            scratch: Scratch::Open(clause),
        }
    }
}
