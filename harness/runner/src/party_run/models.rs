//! A case run on models, and asked of implementations.

use std::sync::Arc;

use ptodiff_contract::{Broken, Enforced, Verbosity, data_preconditions};
use ptodiff_impl::Implementation;
use ptodiff_isa::{Call, Clause, How, Model, Party, Readings, Target};
use ptodiff_judge::Answer;
use ptodiff_record::Reason;

use super::{PartyRun, Promised, party_of};
use crate::{
    buffer_pool::BufferPool, context::RunContext, counterpart::further_forms, execute, expectation,
};

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

    /// Asks the contract about all but the legality of the call.
    fn promise(&self, call: &Call, party_run: &mut PartyRun) {
        let question = self.question(call, party_run.party.target);
        // Copied only where a model's checks reject what no clause lets them.
        let promised = Arc::make_mut(&mut party_run.promised);
        promised.said.of_data(&question, self.steps);
        promised.whole = true;
    }

    /// Fills an empty party run, whose promise has one owner, with what `model`
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
                for schedule in self.orders(target) {
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
