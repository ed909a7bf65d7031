//! How the rules answer.

use ptodiff_isa::{Clause, Dim};

use super::{Broken, Enforced, Verbosity};

/// The number of a clause; of one that MSCATTER and MGATHER both have, the numbers of both.
pub(super) trait Cited: Copy {
    fn of(self, scatter: bool) -> Clause;
}

impl Cited for &'static str {
    fn of(self, _: bool) -> Clause {
        Clause(self)
    }
}

impl Cited for [&'static str; 2] {
    fn of(self, scatter: bool) -> Clause {
        let [of_scatter, of_gather] = self;
        Clause(if scatter { of_scatter } else { of_gather })
    }
}

/// Collects what is broken.
pub(super) struct Findings {
    pub(super) broken: Vec<Broken>,
    /// How much is said of it.
    pub(super) verbosity: Verbosity,
    /// Whether the call is one of MSCATTER.
    pub(super) scatter: bool,
}

impl Findings {
    /// A static check that looks at template arguments only.
    pub(super) fn check(&mut self, holds: bool, clause: impl Cited, why: impl FnOnce() -> String) {
        if !holds {
            self.note(Enforced::ByCheck, clause, why);
        }
    }

    /// A precondition.
    pub(super) fn precondition(
        &mut self,
        holds: bool,
        clause: impl Cited,
        why: impl FnOnce() -> String,
    ) {
        if !holds {
            self.note(Enforced::ByCaller, clause, why);
        }
    }

    /// A check if all `dims` that it looks at are known, else a precondition.
    pub(super) fn gated(
        &mut self,
        holds: bool,
        dims: &[Dim],
        clause: impl Cited,
        why: impl FnOnce() -> String,
    ) {
        match dims.iter().all(|d| d.known().is_some()) {
            true => self.check(holds, clause, why),
            false => self.precondition(holds, clause, why),
        }
    }

    fn note(&mut self, enforced: Enforced, clause: impl Cited, why: impl FnOnce() -> String) {
        self.broken.push(Broken {
            clause: clause.of(self.scatter),
            also: Vec::new(),
            enforced,
            why: self.verbosity.words(why),
        });
    }

    /// What `rules` find; where nothing is checked, all of it for preconditions.
    pub(super) fn by_caller(&mut self, unchecked: bool, rules: impl FnOnce(&mut Self)) {
        let from = self.broken.len();
        rules(self);
        for broken in self.broken.iter_mut().skip(from).filter(|_| unchecked) {
            broken.enforced = Enforced::ByCaller;
        }
    }
}
