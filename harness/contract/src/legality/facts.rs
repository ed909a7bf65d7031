//! What the rules look at, and how they answer.

use ptodiff_isa::{
    Clause, Coalesce, Dim, GlobalTensor, Launch, Mgather, Mscatter, Readings, ScatterAtomicOp, Tile,
};

use super::{Broken, Enforced, Verbosity};
use crate::launch::idle;

/// The descriptors of a call between GM and UB, the same way for both directions.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    /// Source of a scatter, destination of a gather.
    pub(super) data: &'a Tile,
    pub(super) idx: &'a Tile,
    pub(super) table: &'a GlobalTensor,
    pub(super) mode: Coalesce,
    /// None for a gather.
    pub(super) atomic: ScatterAtomicOp,
    pub(super) launch: Launch,
    pub(super) scatter: bool,
}

impl<'a> Facts<'a> {
    pub(super) const fn scatter(call: &'a Mscatter) -> Self {
        Self {
            data: &call.src,
            idx: &call.idx,
            table: &call.table,
            mode: call.mode,
            atomic: call.atomic,
            launch: call.launch,
            scatter: true,
        }
    }

    pub(super) const fn gather(call: &'a Mgather) -> Self {
        Self {
            data: &call.dst,
            idx: &call.idx,
            table: &call.table,
            mode: call.mode,
            atomic: ScatterAtomicOp::None,
            launch: call.launch,
            scatter: false,
        }
    }

    /// The clause of the instruction at hand: MSCATTER's number, MGATHER's number.
    pub(super) const fn either(&self, scatter: &'static str, gather: &'static str) -> &'static str {
        if self.scatter { scatter } else { gather }
    }

    pub(super) fn row(&self) -> bool {
        self.mode == Coalesce::Row
    }

    /// Whether a run-time extent of 0 lets the call do nothing.
    pub(super) fn idle(&self, readings: &Readings) -> bool {
        idle(self.data, readings)
    }

    /// Bytes of an element of the data tile.
    pub(super) const fn size(&self) -> u64 {
        self.data.dtype.size() as u64
    }
}

/// Collects what is broken.
pub(super) struct Findings {
    pub(super) broken: Vec<Broken>,
    /// How much is said of it.
    pub(super) verbosity: Verbosity,
}

impl Findings {
    /// A static check that looks at template arguments only.
    pub(super) fn check(
        &mut self,
        holds: bool,
        clause: &'static str,
        why: impl FnOnce() -> String,
    ) {
        self.check_also(holds, (clause, &[]), why);
    }

    /// A static check that other clauses state as well.
    pub(super) fn check_also(
        &mut self,
        holds: bool,
        (clause, also): (&'static str, &[&'static str]),
        why: impl FnOnce() -> String,
    ) {
        if !holds {
            self.note(Enforced::ByCheck, clause, also, why);
        }
    }

    /// A precondition.
    pub(super) fn precondition(
        &mut self,
        holds: bool,
        clause: &'static str,
        why: impl FnOnce() -> String,
    ) {
        if !holds {
            self.note(Enforced::ByCaller, clause, &[], why);
        }
    }

    /// A check if all `dims` that it looks at are known, else a precondition.
    pub(super) fn gated(
        &mut self,
        holds: bool,
        dims: &[Dim],
        clause: &'static str,
        why: impl FnOnce() -> String,
    ) {
        match dims.iter().all(|d| d.known().is_some()) {
            true => self.check(holds, clause, why),
            false => self.precondition(holds, clause, why),
        }
    }

    /// Out of the way of calls that break nothing.
    fn note(
        &mut self,
        enforced: Enforced,
        clause: &'static str,
        also: &[&'static str],
        why: impl FnOnce() -> String,
    ) {
        self.broken.push(Broken {
            clause: Clause(clause),
            also: also.iter().copied().map(Clause).collect(),
            enforced,
            why: self.verbosity.words(why),
        });
    }

    /// Takes all that `rules` check for preconditions.
    pub(super) fn by_caller(&mut self, rules: impl FnOnce(&mut Self)) {
        let from = self.broken.len();
        rules(self);
        for broken in self.broken.iter_mut().skip(from) {
            broken.enforced = Enforced::ByCaller;
        }
    }
}
