//! What one party did with a case and what it was promised, before it is judged.

mod models;

use std::{sync::Arc, time::Duration};

use ptodiff_case::Case;
use ptodiff_contract::{Broken, Permit, Promise, Run};
use ptodiff_impl::Implementation;
use ptodiff_isa::{Call, Clause, Party};
use ptodiff_judge::{Answer, Expect, Finding, Outcome, PartyInput, Value};
use ptodiff_record::{self as record, Reason, Wide};

/// What the contract says of a call on a target.
#[derive(Clone, Default)]
pub(crate) struct Promised {
    said: Promise,
    /// Whether it was asked about more than the legality of the call.
    whole: bool,
}

impl Promised {
    /// What it says of the call, and of its data if it was asked about them:
    /// what stands there otherwise is of no use.
    pub(crate) const fn said(&self) -> &Promise {
        &self.said
    }

    /// To ask about another call.
    pub(crate) const fn said_mut(&mut self) -> &mut Promise {
        &mut self.said
    }
}

/// What the contract says of one party, and what the party did.
pub(crate) struct PartyRun {
    pub(crate) party: Party,
    /// The call that this party ran, if it is not the case's own.
    further: Option<Box<Call>>,
    /// One for all that ran the same call on the same target.
    promised: Arc<Promised>,
    answers: Vec<Answer>,
    rejected: Vec<Clause>,
    undefined: Vec<Clause>,
    expected_hangs: Vec<Clause>,
    own_suite: bool,
    outcomes: Vec<Outcome>,
    unmet: Vec<Finding>,
    deviates_from: Vec<Reason>,
    last_words: Vec<String>,
    /// Clauses that the model of its target rejects by.
    accepted: Vec<Clause>,
    flaky: Vec<record::Finding>,
    /// How long its answers took.
    pub(crate) took: Duration,
}

impl PartyRun {
    /// Of nothing so far.
    #[inline]
    fn empty(party: Party, promised: Arc<Promised>) -> Self {
        Self {
            party,
            further: None,
            promised,
            answers: Vec::new(),
            rejected: Vec::new(),
            undefined: Vec::new(),
            expected_hangs: Vec::new(),
            own_suite: false,
            outcomes: Vec::new(),
            unmet: Vec::new(),
            deviates_from: Vec::new(),
            last_words: Vec::new(),
            accepted: Vec::new(),
            flaky: Vec::new(),
            took: Duration::ZERO,
        }
    }

    /// The call that this party ran, of `case`.
    pub(crate) fn call<'a>(&'a self, case: &'a Case) -> &'a Call {
        self.further.as_deref().unwrap_or(&case.call)
    }

    /// What of it another party run can be made of.
    pub(crate) fn into_parts(self) -> (Vec<Answer>, Arc<Promised>) {
        (self.answers, self.promised)
    }

    /// What the contract says about it, where it was asked about the data too.
    pub(crate) fn promise(&self) -> Option<&Promise> {
        self.promised.whole.then_some(&self.promised.said)
    }

    pub(crate) fn input(&self) -> PartyInput<'_> {
        let said = &self.promised.said;
        PartyInput {
            party: &self.party,
            legality: said.legality(),
            preconditions: said.preconditions(),
            hangs: said.hangs(),
            permits: said.permits(),
            answers: &self.answers,
            expect: Expect {
                rejected: &self.rejected,
                undefined: &self.undefined,
                hangs: &self.expected_hangs,
                own_suite: self.own_suite,
                outcomes: &self.outcomes,
                unmet: &self.unmet,
            },
        }
    }

    /// Takes in what came of one more schedule.
    pub(crate) fn take(&mut self, (mut answer, last_words): (Answer, Vec<String>)) {
        // Clauses overlap, and model and contract need not cite the same: one that
        // an implementation names and the model of its target too is as good as none.
        if let Answer::Declined { clause, .. } = &mut answer {
            let broken = self.promised.said.legality();
            let owed = |c: &Clause| broken.iter().any(|b| b.clause == *c);
            *clause = clause.filter(|c| owed(c) || !self.accepted.contains(c));
        }
        self.answers.push(answer);
        if !last_words.is_empty() {
            self.last_words = last_words;
        }
    }

    /// Forgets all answers, to be asked again.
    pub(crate) fn forget(&mut self) {
        self.answers.clear();
        self.last_words.clear();
    }

    /// Whether no further schedule is worth asking for.
    pub(crate) fn has_ended(&self) -> bool {
        let last = self.answers.last();
        last.is_some_and(|a| matches!(a, Answer::Failed { .. } | Answer::Unsupported(_)))
    }

    /// Whether nothing is promised of the call: it may do anything, to its process too.
    pub(crate) fn is_open(&self) -> bool {
        self.broken().next().is_some() || self.hangs_by().is_some()
    }

    /// What it did wrong once and not when it was asked again.
    pub(crate) fn flaky(&self) -> &[record::Finding] {
        &self.flaky
    }

    /// Notes what it did wrong once.
    pub(crate) fn note_flaky(&mut self, found: Vec<record::Finding>) {
        self.flaky = found;
    }

    /// Preconditions and constraints that the call or its data breaks.
    pub(crate) fn broken(&self) -> impl Iterator<Item = &Broken> {
        let said = &self.promised.said;
        said.legality().iter().chain(said.preconditions())
    }

    /// Everything that speaks against a result here, with its reason.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (Clause, &str)> {
        let rejections = self.answers.iter().take(1).flat_map(Answer::rejections);
        rejections
            .map(|r| (r.clause, r.why.as_str()))
            .chain(self.broken().map(|b| (b.clause, b.why.as_str())))
    }

    /// What it did, under the first schedule.
    pub(crate) fn answer(&self) -> Option<&Answer> {
        self.answers.first()
    }

    /// Whether the case itself has one result here, and no clause lets it be
    /// another than elsewhere.
    pub(crate) fn is_exact(&self) -> bool {
        let exact = |run: &Run| {
            matches!(run.permit, Permit::Exactly { .. })
                && run.freedom.is_none()
                && run.or_kept.is_none()
        };
        let permits = self.promised.said.permits();
        self.party.form.is_none()
            && permits.is_some_and(|p| p.operands.iter().flat_map(|o| &o.runs).all(exact))
    }

    /// The slots whose permits are wide, if any is.
    pub(crate) fn wide(&self) -> Option<Wide> {
        let permits = self.promise()?.permits()?;
        let operands = permits.operands.iter();
        let runs = operands.flat_map(|o| o.runs.iter().map(|run| (o.dtype, run.permit)));
        let width = |(dtype, permit)| match permit {
            Permit::Between {
                low,
                high,
                wide: true,
                ..
            } => {
                let [low, high] = [low, high].map(|at| Value::read(dtype, &permits.pool[at..]));
                low.values_to(high)
            }
            _ => None,
        };
        let widths: Vec<u64> = runs.filter_map(width).collect();
        Some(Wide {
            slots: widths.len() as u64,
            values: *widths.iter().max()?,
        })
    }

    /// The clause that excuses out-of-bounds accesses, if one does.
    pub(crate) fn oob_accesses_by(&self) -> Option<Clause> {
        self.promised.said.permits()?.oob_accesses
    }

    /// The clause by which the call never returns, if one says so.
    pub(crate) fn hangs_by(&self) -> Option<Clause> {
        self.promised.said.hangs()
    }

    /// Notes something that the case expects and that is not so.
    pub(crate) fn miss(&mut self, finding: Finding) {
        self.unmet.push(finding);
    }

    /// What its readings let pass that the documents do not; nothing where the context is brief.
    pub(crate) fn deviates_from(&self) -> Vec<Reason> {
        self.deviates_from.clone()
    }

    /// What an implementation said of the call that it rejected.
    pub(crate) fn said(&self) -> Option<String> {
        self.answers.iter().find_map(|answer| match answer {
            Answer::Declined { why, .. } => Some(why.clone()),
            _ => None,
        })
    }

    /// The last lines of standard error of an implementation that gave no answer.
    pub(crate) fn last_words(&self) -> &[String] {
        &self.last_words
    }

    /// Out-of-bounds accesses, under the first schedule.
    pub(crate) fn oob_accesses(&self) -> u64 {
        let ran = self.answers.first().and_then(Answer::ran);
        ran.map_or(0, |ran| ran.oob_accesses.count)
    }
}

/// The column of `implementation`.
pub(crate) fn party_of(implementation: &Implementation) -> Party {
    Party::form(implementation.target(), implementation.name())
}
