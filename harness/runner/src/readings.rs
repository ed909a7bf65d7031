//! Which readings matter for a case: under which other choice a target
//! answers differently.

use std::collections::BTreeMap;

use ptodiff_case::HolePlace;
use ptodiff_isa::{
    Call, Memory, Model, Party, Target, TargetReadings,
    reading::{GAPS, Gap},
};
use ptodiff_record::ReadingUse;

use crate::{
    BufferPool,
    context::RunContext,
    party_run::PartyRun,
    reading_outcome::{CurrentOutcome, outcome_of_run, outcome_under},
    relevance::may_matter,
};

/// The parameters that matter for the case of `context` on `models`, which did
/// what `party_runs` tell.
pub(crate) fn that_matter(
    context: &RunContext<'_>,
    models: &[&dyn Model],
    party_runs: &[PartyRun],
    buffers: &mut BufferPool,
) -> Vec<ReadingUse> {
    let mut asked = Asked::new(context, models, party_runs, buffers);
    GAPS.iter().filter_map(|gap| asked.use_of(gap)).collect()
}

/// A call whose readings are asked about.
pub(crate) struct Asked<'a> {
    call: &'a Call,
    steps: &'a [Memory],
    readings: &'a TargetReadings,
    /// Each model with what it makes of the call under the readings in force.
    models: Vec<(&'a dyn Model, Option<CurrentOutcome<'a>>)>,
    buffers: &'a mut BufferPool,
}

impl<'a> Asked<'a> {
    /// About `call` on `models`, with `readings` in force, of which `party_runs`
    /// tell.
    pub(crate) fn new(
        context: &RunContext<'a>,
        models: &[&'a dyn Model],
        party_runs: &'a [PartyRun],
        buffers: &'a mut BufferPool,
    ) -> Self {
        let own = |model: &&'a dyn Model| {
            let itself = Party::of(model.target());
            let party_run = party_runs.iter().find(|a| a.party == itself);
            let outcome_of_run = party_run.and_then(|a| outcome_of_run(&context.case.call, a));
            (*model, outcome_of_run.map(CurrentOutcome::OfRun))
        };
        Self {
            call: &context.case.call,
            steps: context.steps,
            readings: context.readings,
            models: models.iter().map(own).collect(),
            buffers,
        }
    }

    /// The choice for `gap`, with their targets where there are several.
    fn in_force(&self, gap: &Gap) -> String {
        let models = self.models.iter().map(|(model, _)| model.target());
        let of = |target: Target| self.readings[target].choice(gap.name).unwrap_or_default();
        let mut all: Vec<_> = models.map(|target| (target, of(target))).collect();
        all.dedup_by_key(|(_, choice)| *choice);
        match &all[..] {
            [(_, choice)] => (*choice).to_owned(),
            _ => {
                let models = self.models.iter().map(|(model, _)| model.target());
                let each: Vec<_> = models.map(|t| format!("{} on {t}", of(t))).collect();
                each.join(", ")
            }
        }
    }

    fn use_of(&mut self, gap: &Gap) -> Option<ReadingUse> {
        let mut differs_under: BTreeMap<String, Vec<Target>> = BTreeMap::new();
        self.differences(gap, |target, choice, _| {
            let targets = differs_under.entry(choice.to_owned()).or_default();
            targets.push(target);
        });
        (!differs_under.is_empty()).then(|| ReadingUse {
            gap: gap.name.to_owned(),
            clauses: gap.clauses.iter().map(ToString::to_string).collect(),
            choice: self.in_force(gap),
            differs_under,
            verdict_under: BTreeMap::new(),
        })
    }

    /// Calls `found` with each target and other choice for `gap` under which
    /// something else comes of the call, and what is different.
    pub(crate) fn differences(
        &mut self,
        gap: &Gap,
        mut found: impl FnMut(Target, &str, HolePlace),
    ) {
        let (call, steps, readings, buffers) =
            (self.call, self.steps, self.readings, &mut *self.buffers);
        let matters = |target| may_matter(gap, call, steps, target);
        let models = self.models.iter_mut();
        let concerned = models.filter(|(m, _)| matters(m.target()));
        for (model, own) in concerned {
            let target = model.target();
            let in_force = &readings[target];
            for other in gap.choices {
                let mut changed = *in_force;
                if in_force.choice(gap.name) == Some(other) || changed.set(gap.name, other).is_err()
                {
                    continue;
                }
                let own = own.get_or_insert_with(|| {
                    CurrentOutcome::Computed(outcome_under(buffers, *model, call, steps, in_force))
                });
                let theirs = outcome_under(buffers, *model, call, steps, &changed);
                let difference = own.view(call).difference(&theirs.view(call));
                theirs.give_back(buffers);
                if let Some(place) = difference {
                    found(target, other, place);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use ptodiff_contract::Verbosity;
    use ptodiff_isa::{Readings, Schedule};
    use ptodiff_judge::Answer;

    use super::*;
    use crate::{
        models,
        reading_outcome::{OwnedResult, ReadingOutcome},
        relevance::OF_EDITIONS,
    };

    /// Every so many cases of the corpus: all of them would take minutes.
    const STEP: usize = 7;

    #[test]
    fn a_gap_that_is_passed_over_changes_nothing() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        let cases = ptodiff_case::load(&[root]).expect("the cases read").cases;
        let (mut asked, mut buffers) = (0, BufferPool::default());
        for case in cases.iter().step_by(STEP) {
            let steps = ptodiff_generate::stimulus(case, 0).steps;
            for model in models() {
                let call = &case.call;
                let mut of = |readings: &Readings| {
                    outcome_under(&mut buffers, model, call, &steps, readings)
                };
                let readings = case.readings[model.target()];
                let own = of(&readings);
                let differs = |other: &ReadingOutcome<OwnedResult>| {
                    own.view(call).difference(&other.view(call))
                };
                for gap in GAPS {
                    let asked_about = may_matter(gap, &case.call, &steps, model.target());
                    if asked_about || OF_EDITIONS.contains(&gap.name) {
                        continue;
                    }
                    for choice in gap.choices {
                        let mut other = readings;
                        other.set(gap.name, choice).expect("a choice of the gap");
                        let same = other == readings || differs(&of(&other)).is_none();
                        assert!(same, "{} {} {}", case.id, model.target(), gap.name);
                        asked += 1;
                    }
                }
            }
        }
        assert!(asked > 10_000, "{asked}");
    }

    /// A party run is asked only about what it knows, and then it knows the same.
    #[test]
    fn what_an_account_tells_is_what_asking_again_gives() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        let cases = ptodiff_case::load(&[root]).expect("the cases read").cases;
        let mut buffers = BufferPool::default();
        let mut seen = [0_usize; 4];
        for case in cases.iter().step_by(2 * STEP) {
            let steps = ptodiff_generate::stimulus(case, 0).steps;
            let context = |schedules| RunContext {
                case,
                steps: &steps,
                readings: &case.readings,
                schedules,
                verbosity: Verbosity::Full,
            };
            let ordered = [Schedule::InOrder, Schedule::Reversed];
            for party_run in context(&ordered).bare(&mut BufferPool::default(), &models()) {
                let mut all = models().into_iter();
                let model = all.find(|m| m.target() == party_run.party.target);
                let model = model.expect("a model");
                let known = outcome_of_run(&case.call, &party_run).expect("it ran in order");
                let asked = outcome_under(
                    &mut buffers,
                    model,
                    &case.call,
                    &steps,
                    &case.readings[model.target()],
                );
                let differs = known.difference(&asked.view(&case.call));
                assert_eq!(differs, None, "{} {}", case.id, party_run.party);
                seen[match known {
                    ReadingOutcome::Rejected => 0,
                    ReadingOutcome::Undefined => 1,
                    ReadingOutcome::Ran(_) => 2,
                    ReadingOutcome::Hung | ReadingOutcome::Fault => 3,
                }] += 1;
            }
            let reversed = [Schedule::Reversed];
            for party_run in context(&reversed).bare(&mut BufferPool::default(), &[models()[2]]) {
                let rejects = matches!(party_run.answer(), Some(Answer::Rejected(_)));
                assert_eq!(
                    outcome_of_run(&case.call, &party_run).is_some(),
                    rejects,
                    "{}",
                    case.id
                );
            }
        }
        assert!(seen[..3].iter().all(|n| *n > 3), "{seen:?}");
    }
}
