//! Everything that is said of a call, one question after the other.

use ptodiff_isa::{Call, Clause, Memory, Readings, Target};

use crate::{
    launch::hangs,
    legality::{Broken, Verbosity, legality_with},
    permit::Permits,
    precondition::preconditions_with,
    promise::PermitRequest,
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
/// then of its data. The next answer is written over it.
///
/// It says what [`crate::legality()`], [`crate::data_preconditions`], [`crate::hangs`]
/// and [`crate::permits`] say, but looks at the call once.
#[derive(Clone, Debug, Default)]
pub struct Promise {
    legality: Vec<Broken>,
    preconditions: Vec<Broken>,
    hangs: Option<Clause>,
    permits: Permits,
    /// Whether `permits` is an answer.
    given: bool,
}

impl Promise {
    /// Says which constraints the call breaks; of its data nothing is said any more.
    pub fn of_call(&mut self, question: &Question<'_>) {
        let Question {
            call,
            target,
            readings,
            verbosity,
        } = *question;
        self.legality = legality_with(call, target, readings, verbosity);
        self.preconditions.clear();
        self.hangs = None;
        self.given = false;
    }

    /// Says what holds beside the constraints of the call, after [`Promise::of_call`]
    /// was asked the same: which preconditions the data of `steps` breaks, whether the
    /// call returns, and, where it breaks neither constraint nor precondition, its
    /// permits. There are none where the operands do not fit the call.
    pub fn of_data(&mut self, question: &Question<'_>, steps: &[Memory]) {
        match steps {
            [one] => self.of_steps(question, &[one]),
            many => self.of_steps(question, &many.iter().collect::<Vec<_>>()),
        }
    }

    fn of_steps(&mut self, question: &Question<'_>, steps: &[&Memory]) {
        let Question {
            call,
            target,
            readings,
            verbosity,
        } = *question;
        self.hangs = hangs(call, target, readings);
        let request = PermitRequest {
            call,
            target,
            readings,
            impediment: self.hangs,
        };
        self.given = self.legality.is_empty() && request.answer(&mut self.permits, steps).is_ok();
        // Of data that breaks a precondition accesses outside operands are excused.
        let placed = self.given && steps.len() == 1 && self.permits.oob_accesses.is_none();
        self.preconditions.clear();
        if !placed {
            self.preconditions = preconditions_with(call, steps, target, readings, verbosity);
            self.given &= self.preconditions.is_empty();
        }
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
    pub fn permits(&self) -> Option<&Permits> {
        self.given.then_some(&self.permits)
    }
}
