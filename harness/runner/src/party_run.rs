//! What one party did with a case and what it was promised, before it is judged.

use std::{sync::Arc, time::Duration};

use ptodiff_case::Case;
use ptodiff_contract::{
    Broken, Enforced, Feeder, Permit, Promise, Question, Run, Verbosity, data_preconditions,
    feeders,
};
use ptodiff_isa::{
    Call, Clause, How, Memory, Model, Party, Readings, Role, Schedule, Target, TargetReadings,
    reading::GAPS,
};
use ptodiff_judge::{Answer, Expect, Finding, Lane, Outcome, PartyInput, Value};
use ptodiff_record::{self as record, Reason, Wide};

use ptodiff_impl::{Ask, Implementation};

use crate::{
    BufferPool, counterpart::further_forms, execute, expectation, lane_indices::LaneIndices,
};

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

/// A case made concrete, and how it is run.
#[derive(Clone, Copy)]
pub(crate) struct RunContext<'a> {
    pub(crate) case: &'a Case,
    pub(crate) steps: &'a [Memory],
    pub(crate) readings: &'a TargetReadings,
    /// Those that a concurrent target runs under.
    pub(crate) schedules: &'a [Schedule],
    /// In how many words contract and judge say what they find.
    pub(crate) verbosity: Verbosity,
}

impl RunContext<'_> {
    /// The party runs of the case itself on each of `models`, then of its further
    /// forms, held in `buffers`.
    pub(crate) fn party_runs(
        &self,
        buffers: &mut BufferPool,
        models: &[&dyn Model],
    ) -> Vec<PartyRun> {
        let mut party_runs = buffers.party_runs();
        for model in models {
            party_runs.push(self.itself(buffers, *model));
        }
        for model in models {
            let target = model.target();
            for (form, call) in further_forms(&self.case.call, target, &self.readings[target]) {
                let mut party_run = PartyRun::empty(Party::form(target, form), buffers.promised());
                self.fill(buffers, *model, &call, &mut party_run);
                party_run.further = Some(Box::new(call));
                party_runs.push(party_run);
            }
        }
        party_runs
    }

    /// The party runs of the case itself on each of `models` that it runs on,
    /// without anything that it expects, held in `buffers`.
    pub(crate) fn bare(&self, buffers: &mut BufferPool, models: &[&dyn Model]) -> Vec<PartyRun> {
        let mut party_runs = buffers.party_runs();
        for model in models {
            let target = model.target();
            if self.case.targets.contains(&target) {
                // Filled where it stands: it is large, and moving it takes long.
                party_runs.push(PartyRun::empty(Party::of(target), buffers.promised()));
                if let Some(party_run) = party_runs.last_mut() {
                    self.fill(buffers, *model, &self.case.call, party_run);
                }
            }
        }
        party_runs
    }

    /// Calls `f` with the memory of every step; no list is made for one.
    fn with_steps<T>(&self, f: impl FnOnce(&[&Memory]) -> T) -> T {
        match self.steps {
            [only] => f(&[only]),
            steps => f(&steps.iter().collect::<Vec<_>>()),
        }
    }

    fn itself(&self, buffers: &mut BufferPool, model: &dyn Model) -> PartyRun {
        let (case, target) = (self.case, model.target());
        // What a case expects holds for its own readings.
        let expects = self.readings[target] == case.readings[target];
        let clauses = |of: &[(Target, Clause)]| {
            let those = of.iter().filter(|(t, _)| expects && *t == target);
            those.map(|(_, clause)| *clause).collect()
        };
        let mut party_run = PartyRun::empty(Party::of(target), buffers.promised());
        self.fill(buffers, model, &case.call, &mut party_run);
        let writers = |role, element| self.writers(&case.call, target, role, element);
        let wanted = expectation::wanted(self, model, &party_run.answers, &writers);
        PartyRun {
            rejected: clauses(&case.rejected),
            undefined: clauses(&case.undefined),
            expected_hangs: clauses(&case.hangs),
            own_suite: expects && case.suite == Some(target),
            outcomes: wanted.outcomes,
            unmet: wanted.unmet,
            ..party_run
        }
    }

    /// The lanes that by the contract wrote element `element` of an operand, each
    /// with its index.
    pub(crate) fn writers(
        &self,
        call: &Call,
        target: Target,
        role: Role,
        element: usize,
    ) -> Vec<Lane> {
        self.with_steps(|steps| {
            let indices = LaneIndices::of(call, steps, &self.readings[target]);
            let lane = |Feeder { step, r, c }| {
                let index = indices.as_ref().and_then(|all| all.index(step, r, c));
                Lane { step, r, c, index }
            };
            let feeders = feeders(call, steps, target, &self.readings[target], role, element);
            feeders.into_iter().map(lane).collect()
        })
    }

    /// The party run of `implementation` on the case as it stands, which was not asked yet. What
    /// a case expects it expects of models; what the contract said of the same call is taken
    /// from `known`.
    pub(crate) fn of_implementation(
        &self,
        implementation: &Implementation,
        known: &[PartyRun],
    ) -> PartyRun {
        self.of_party(party_of(implementation), known)
    }

    fn of_party(&self, party: Party, known: &[PartyRun]) -> PartyRun {
        let (target, call) = (party.target, &self.case.call);
        let itself = Party::of(target);
        let known = known.iter().find(|party_run| party_run.party == itself);
        let promised = match known {
            Some(known) => Arc::clone(&known.promised),
            None => {
                let mut promised = Promised::default();
                promised.said.of_call(&self.question(call, target));
                Arc::new(promised)
            }
        };
        let mut party_run = PartyRun::empty(party, promised);
        let checked = |b: &Broken| b.enforced == Enforced::ByCheck;
        // What a check must reject is owed nothing more.
        if !party_run.promised.whole && !party_run.promised.said.legality().iter().any(checked) {
            self.promise(call, &mut party_run);
        }
        party_run.deviates_from = known.map(PartyRun::deviates_from).unwrap_or_default();
        if let Some(known) = known {
            let rejections = known.answers.iter().flat_map(Answer::rejections);
            party_run.accepted = rejections.map(|rejection| rejection.clause).collect();
        }
        if let Some(why) = self.read_otherwise(target) {
            party_run.answers.push(Answer::Unsupported(why));
        }
        party_run
    }

    /// What `asked` of another context of it did, as it is to be held against this one:
    /// whoever does not know of its readings leaves the same bytes.
    pub(crate) fn again(&self, asked: &PartyRun, known: &[PartyRun]) -> PartyRun {
        let mut party_run = self.of_party(asked.party.clone(), known);
        if party_run.answers.is_empty() {
            for answer in &asked.answers {
                party_run.take((answer.clone(), Vec::new()));
            }
        }
        party_run
    }

    /// Which reading the case is about and is not in force here, in words: what comes of it
    /// says nothing of the case. The case answers a gap otherwise than by default.
    fn read_otherwise(&self, target: Target) -> Option<String> {
        let (own, here) = (&self.case.readings[target], &self.readings[target]);
        if own == here {
            return None;
        }
        let default = Readings::default();
        let mut pinned = GAPS.iter().filter_map(|gap| {
            let [own, here, default] = [own, here, &default].map(|r| r.choice(gap.name));
            (own != default && own != here).then_some((gap.name, own, here))
        });
        let (gap, own, here) = pinned.next()?;
        let (own, here) = (own.unwrap_or_default(), here.unwrap_or_default());
        Some(format!(
            "the case is about {gap}={own}, and the run reads {gap}={here}"
        ))
    }

    /// Bytes of all operands of all steps that have memory.
    pub(crate) fn bytes(&self) -> usize {
        let regions = self.steps.iter().flat_map(|step| &step.regions);
        let parts = regions.flat_map(|region| region.touched());
        parts.map(|part| part.len()).sum()
    }

    fn question<'q>(&'q self, call: &'q Call, target: Target) -> Question<'q> {
        Question {
            call,
            target,
            readings: &self.readings[target],
            verbosity: self.verbosity,
        }
    }

    /// Asks the contract about all but the legality of the call.
    fn promise(&self, call: &Call, party_run: &mut PartyRun) {
        let question = self.question(call, party_run.party.target);
        // Copied only where a model's checks reject what no clause lets them.
        let promised = Arc::make_mut(&mut party_run.promised);
        promised.said.of_data(&question, self.steps);
        promised.whole = true;
    }

    /// Fills an empty party run, whose promise nobody else holds, with what `model`
    /// does on `call` and what it may do.
    fn fill(
        &self,
        buffers: &mut BufferPool,
        model: &dyn Model,
        call: &Call,
        party_run: &mut PartyRun,
    ) {
        let target = party_run.party.target;
        party_run.answers = buffers.answers();
        let promised = Arc::make_mut(&mut party_run.promised);
        promised.said.of_call(&self.question(call, target));
        promised.whole = false;
        match execute::check(model, call, &self.readings[target]) {
            Err(why) => party_run.answers.push(Answer::Fault(why)),
            Ok(rejections) if !rejections.is_empty() => {
                party_run.answers.push(Answer::Rejected(rejections));
            }
            Ok(_) => {
                for schedule in orders(target, self.schedules) {
                    let how = How {
                        schedule: *schedule,
                        readings: self.readings[target],
                    };
                    let answer = execute::execute(buffers, model, call, self.steps, &how);
                    party_run.answers.push(answer);
                }
                self.promise(call, party_run);
                party_run.deviates_from = self.deviations(call, party_run);
            }
        }
    }

    /// What would keep this party from a result under the default readings and
    /// does not under those in force. These are words for people.
    fn deviations(&self, call: &Call, party_run: &PartyRun) -> Vec<Reason> {
        let default = Readings::default();
        let target = party_run.party.target;
        if self.verbosity == Verbosity::Brief || self.readings[target] == default {
            return Vec::new();
        }
        let mut broken = ptodiff_contract::legality(call, target, &default);
        broken.extend(self.with_steps(|all| data_preconditions(call, all, target, &default)));
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

impl<'a> RunContext<'a> {
    /// The question of this case.
    pub(crate) fn ask(&self, target: Target, schedule: Schedule) -> Ask<'a> {
        Ask {
            of: &self.case.id,
            call: &self.case.call,
            readings: &self.readings[target],
            schedule,
        }
    }

    /// The schedules that `target` runs under.
    pub(crate) const fn orders(&self, target: Target) -> &'a [Schedule] {
        orders(target, self.schedules)
    }
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

/// Only A5's lanes are concurrent; the other targets have one order.
const fn orders(target: Target, schedules: &[Schedule]) -> &[Schedule] {
    match target {
        Target::A5 => schedules,
        Target::Cpu | Target::A2a3 => &[Schedule::InOrder],
    }
}
