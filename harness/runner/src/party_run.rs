//! What one party did with a case and what it was promised, before it is judged.

use std::{sync::Arc, time::Duration};

use ptodiff_case::Case;
use ptodiff_contract::{
    Broken, Enforced, Permit, Promise, Run, Verbosity, data_preconditions, legality,
};
use ptodiff_impl::Implementation;
use ptodiff_isa::{Call, Clause, How, Model, Party, Readings, Schedule, Target};
use ptodiff_judge::{Answer, Expect, PartyInput, Value};
use ptodiff_record::{self as record, Reason, Wide};

use crate::{context::RunContext, counterpart::further_forms, execute, expectation::expected};

/// What the contract says of one party, and what the party did.
pub(crate) struct PartyRun {
    pub(crate) party: Party,
    /// The call that this party ran, if it is not the case's own.
    further: Option<Box<Call>>,
    /// One for all that ran the same call on the same target.
    pub(crate) promise: Arc<Promise>,
    /// Whether the contract was asked about more than the legality of the call.
    asked_of_data: bool,
    pub(crate) answers: Vec<Answer>,
    pub(crate) expected: Expect,
    /// What its readings let pass that the documents do not; nothing where the context is brief.
    pub(crate) deviates_from: Vec<Reason>,
    /// The last lines of standard error of an implementation that gave no answer.
    pub(crate) last_words: Vec<String>,
    /// Whether it gave no answer twice, the second time alone in a new process.
    pub(crate) failed_twice: bool,
    /// The call behind which it did wrong twice, and not alone.
    pub(crate) behind: Option<String>,
    /// What it did wrong once and not when it was asked again.
    pub(crate) flaky: Vec<record::Finding>,
    /// How long its answers took.
    pub(crate) took: Duration,
}

impl PartyRun {
    /// Not asked yet.
    fn new(party: Party, promise: Arc<Promise>) -> Self {
        Self {
            party,
            further: None,
            promise,
            asked_of_data: false,
            answers: Vec::new(),
            expected: Expect::default(),
            deviates_from: Vec::new(),
            last_words: Vec::new(),
            failed_twice: false,
            behind: None,
            flaky: Vec::new(),
            took: Duration::ZERO,
        }
    }

    /// The call that this party ran, of `case`.
    pub(crate) fn call<'a>(&'a self, case: &'a Case) -> &'a Call {
        self.further.as_deref().unwrap_or(&case.call)
    }

    pub(crate) fn input(&self) -> PartyInput<'_> {
        PartyInput::of(&self.party, &self.promise, &self.answers, &self.expected)
    }

    /// Takes in what came of one more schedule.
    pub(crate) fn take(&mut self, (answer, last_words): (Answer, Vec<String>)) {
        self.answers.push(answer);
        if !last_words.is_empty() {
            self.last_words = last_words;
        }
    }

    /// Whether no further schedule is worth asking for.
    pub(crate) fn has_ended(&self) -> bool {
        let last = self.answers.last();
        last.is_some_and(|a| matches!(a, Answer::Failed { .. } | Answer::Unsupported(_)))
    }

    /// Whether nothing is promised of the call: it may do anything, to its process too.
    pub(crate) fn is_open(&self) -> bool {
        self.broken().next().is_some() || self.promise.hangs().is_some()
    }

    /// Whether the call may do to its process what harms others there.
    pub(crate) fn is_apart(&self) -> bool {
        self.is_open() || self.input().strays().is_some()
    }

    /// Preconditions and constraints that the call or its data breaks.
    pub(crate) fn broken(&self) -> impl Iterator<Item = &Broken> {
        let legality = self.promise.legality().iter();
        legality.chain(self.promise.preconditions())
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
        let permits = self.promise.permits();
        self.party.form.is_none()
            && permits.is_some_and(|p| p.operands.iter().flat_map(|o| &o.runs).all(exact))
    }

    /// The slots whose permits are wide, if any is.
    pub(crate) fn wide(&self) -> Option<Wide> {
        let permits = self.promise.permits()?;
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

    /// What an implementation said of the call that it rejected.
    pub(crate) fn said(&self) -> Option<String> {
        self.answers.iter().find_map(|answer| match answer {
            Answer::Declined { why, .. } => Some(why.clone()),
            _ => None,
        })
    }

    /// Out-of-bounds accesses, under the first schedule.
    pub(crate) fn oob_accesses(&self) -> u64 {
        let ran = self.answer().and_then(Answer::ran);
        ran.map_or(0, |ran| ran.oob_accesses.count)
    }
}

/// The column of `implementation`.
pub(crate) fn party_of(implementation: &Implementation) -> Party {
    Party::form(implementation.target(), implementation.name())
}

impl RunContext<'_> {
    /// The party runs of the case itself on each of `models`, then of its further
    /// forms.
    pub(crate) fn party_runs(&self, models: &[&dyn Model]) -> Vec<PartyRun> {
        let itself = |model: &&dyn Model| {
            let mut party_run = self.run(Party::of(model.target()), *model, &self.case.call);
            party_run.expected = expected(
                self,
                *model,
                &party_run.answers,
                party_run.promise.permits(),
            );
            party_run
        };
        let mut party_runs: Vec<PartyRun> = models.iter().map(itself).collect();
        for model in models {
            let target = model.target();
            for (form, call) in further_forms(&self.case.call, target, &self.readings[target]) {
                let mut party_run = self.run(Party::form(target, form), *model, &call);
                party_run.further = Some(Box::new(call));
                party_runs.push(party_run);
            }
        }
        party_runs
    }

    /// The party runs of the case itself on each of `models` that it runs on,
    /// without anything that it expects.
    pub(crate) fn bare(&self, models: &[&dyn Model]) -> Vec<PartyRun> {
        let models = models.iter();
        let taking_part = models.filter(|m| self.case.targets.contains(&m.target()));
        let run = |model: &&dyn Model| self.run(Party::of(model.target()), *model, &self.case.call);
        taking_part.map(run).collect()
    }

    /// The party run of `party`, an implementation, on the case as it stands, which was not
    /// asked yet. What a case expects it expects of models; what the contract said of the
    /// same call is taken from `known`.
    pub(crate) fn of_implementation(&self, party: Party, known: &[PartyRun]) -> PartyRun {
        let (target, call) = (party.target, &self.case.call);
        let itself = Party::of(target);
        let known = known.iter().find(|party_run| party_run.party == itself);
        let promise = known.map(|known| Arc::clone(&known.promise));
        let mut party_run = PartyRun::new(
            party,
            promise.unwrap_or_else(|| self.promise_of_call(call, target)),
        );
        if let Some(known) = known {
            party_run.asked_of_data = known.asked_of_data;
            party_run.deviates_from.clone_from(&known.deviates_from);
        }
        let mut legality = party_run.promise.legality().iter();
        let checked = legality.any(|b| b.enforced == Enforced::ByCheck);
        // What a check must reject is owed nothing more.
        if !party_run.asked_of_data && !checked {
            self.ask_of_data(call, &mut party_run);
        }
        if let Some(why) = self.read_otherwise(target) {
            party_run.answers.push(Answer::Unsupported(why));
        }
        party_run
    }

    /// What `asked` of another context of it did, as it is to be held against this one:
    /// whoever does not know of its readings leaves the same bytes.
    pub(crate) fn rejudged(&self, asked: &PartyRun, known: &[PartyRun]) -> PartyRun {
        let mut party_run = self.of_implementation(asked.party.clone(), known);
        if party_run.answers.is_empty() {
            for answer in &asked.answers {
                party_run.take((answer.clone(), Vec::new()));
            }
        }
        party_run
    }

    fn promise_of_call(&self, call: &Call, target: Target) -> Arc<Promise> {
        Arc::new(Promise::of_call(&self.question(call, target)))
    }

    /// Asks the contract about all but the legality of the call.
    fn ask_of_data(&self, call: &Call, party_run: &mut PartyRun) {
        let question = self.question(call, party_run.party.target);
        // Copied only where a model's checks reject what no clause lets them.
        Arc::make_mut(&mut party_run.promise).of_data(&question, self.steps);
        party_run.asked_of_data = true;
    }

    /// What `model` does on the case under `readings`, in order, and what it may do.
    pub(crate) fn under(&self, model: &dyn Model, readings: Readings) -> PartyRun {
        let other = RunContext {
            readings: &readings.into(),
            schedules: &[Schedule::InOrder],
            verbosity: Verbosity::Brief,
            ..*self
        };
        other.run(Party::of(model.target()), model, &self.case.call)
    }

    /// What `model` does on `call` as `party`, and what it may do.
    pub(crate) fn run(&self, party: Party, model: &dyn Model, call: &Call) -> PartyRun {
        let target = party.target;
        let mut party_run = PartyRun::new(party, self.promise_of_call(call, target));
        match self.answers(model, call) {
            Err(ends) => party_run.answers.push(ends),
            Ok(answers) => {
                party_run.answers = answers;
                self.ask_of_data(call, &mut party_run);
                party_run.deviates_from = self.deviations(call, &party_run);
            }
        }
        party_run
    }

    /// What `model` answers to `call` under each schedule of its target.
    ///
    /// # Errors
    /// The answer of its checks, where they end it.
    pub(crate) fn answers(&self, model: &dyn Model, call: &Call) -> Result<Vec<Answer>, Answer> {
        let target = model.target();
        let readings = self.readings[target];
        let rejections = execute::check(model, call, &readings).map_err(Answer::Fault)?;
        if !rejections.is_empty() {
            return Err(Answer::Rejected(rejections));
        }
        let under = |schedule: &Schedule| {
            let how = How {
                schedule: *schedule,
                readings,
            };
            execute::execute(model, call, self.steps, &how)
        };
        Ok(self.orders(target).iter().map(under).collect())
    }

    /// What would keep this party from a result under the default readings and
    /// does not under those in force. These are words for people.
    fn deviations(&self, call: &Call, party_run: &PartyRun) -> Vec<Reason> {
        let default = Readings::default();
        let target = party_run.party.target;
        if self.verbosity == Verbosity::Brief || self.readings[target] == default {
            return Vec::new();
        }
        let mut broken = legality(call, target, &default);
        let steps: Vec<_> = self.steps.iter().collect();
        broken.extend(data_preconditions(call, &steps, target, &default));
        let mut reasons: Vec<Reason> = Vec::new();
        for b in broken {
            let known = reasons.iter().any(|r| r.clause == b.clause.0);
            if !known && party_run.broken().all(|now| now.clause != b.clause) {
                reasons.push(Reason {
                    clause: b.clause.to_string(),
                    why: b.why,
                });
            }
        }
        reasons
    }
}
