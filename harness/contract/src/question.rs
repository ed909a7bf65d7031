//! Everything that is said of a call, one question after the other.

use ptodiff_isa::{Call, Clause, Memory, Readings, Target};

use crate::{
    launch::hangs,
    legality::{Broken, Verbosity, legality_with},
    permit::Permits,
    precondition::preconditions_with,
    promise::permits_unless,
};

/// What is asked about, and how much is to be said.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The call.
    pub call: &'a Call,
    /// The target that it is for.
    pub target: Target,
    /// The readings in force.
    pub readings: &'a Readings,
    /// In how many words to say what is broken.
    pub verbosity: Verbosity,
}

/// All that the contract says of one call on one target: first of the call,
/// then of its data.
///
/// It says what [`crate::legality()`], [`crate::data_preconditions`], [`crate::hangs`]
/// and [`crate::permits`] say, but looks at the call once.
#[derive(Clone, Debug)]
pub struct Promise {
    legality: Vec<Broken>,
    preconditions: Vec<Broken>,
    hangs: Option<Clause>,
    permits: Option<Permits>,
}

impl Promise {
    /// What is said of the call and of its data.
    #[must_use]
    pub fn of(q: &Question<'_>, steps: &[Memory]) -> Self {
        let mut promise = Self::of_call(q);
        promise.of_data(q, steps);
        promise
    }

    /// Says which constraints the call breaks, and nothing of its data yet.
    #[must_use]
    pub fn of_call(q: &Question<'_>) -> Self {
        Self {
            legality: legality_with(q.call, q.target, q.readings, q.verbosity),
            preconditions: Vec::new(),
            hangs: None,
            permits: None,
        }
    }

    /// Says what holds beside the constraints of the call, after [`Promise::of_call`]
    /// was asked the same: which preconditions the data of `steps` breaks, whether the
    /// call returns, and, where it breaks neither constraint nor precondition, its
    /// permits. There are none where the operands do not fit the call.
    pub fn of_data(&mut self, q: &Question<'_>, steps: &[Memory]) {
        let steps: Vec<&Memory> = steps.iter().collect();
        self.hangs = hangs(q.call, q.target, q.readings);
        let legal = self.legality.is_empty();
        let permits = || permits_unless(self.hangs, q.call, &steps, q.target, q.readings);
        let permits = legal.then(permits).flatten();
        // Of data that breaks a precondition accesses outside operands are excused.
        let inside = |permits: &Permits| permits.oob_accesses.is_none();
        let placed = steps.len() == 1 && permits.as_ref().is_some_and(inside);
        self.preconditions = match placed {
            true => Vec::new(),
            false => preconditions_with(q.call, &steps, q.target, q.readings, q.verbosity),
        };
        self.permits = permits.filter(|_| self.preconditions.is_empty());
    }

    /// The constraints that the call breaks.
    #[must_use]
    pub fn legality(&self) -> &[Broken] {
        &self.legality
    }

    /// The preconditions that the data breaks.
    #[must_use]
    pub fn preconditions(&self) -> &[Broken] {
        &self.preconditions
    }

    /// The clause by which the call never returns, if it does not.
    #[must_use]
    pub const fn hangs(&self) -> Option<Clause> {
        self.hangs
    }

    /// What may stand in every slot afterwards, if that was asked and can be said.
    #[must_use]
    pub const fn permits(&self) -> Option<&Permits> {
        self.permits.as_ref()
    }
}
