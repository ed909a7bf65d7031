//! One case and what all parties did with it, judged; and one alone on every model with
//! nothing written: what a hunt does hundreds of thousands of times a second.

use ptodiff_case::{Case, Hole};
use ptodiff_contract::Verbosity;
use ptodiff_impl::Implementation;
use ptodiff_isa::{Clause, Memory, Model, Party, Schedule};
use ptodiff_judge::{
    CaseContext, CaseVerdict, PairVerdict, PartyInput, TargetVerdict, judge_case,
    pair_failure_groups, target_failure_groups,
};
use ptodiff_record::{CaseRecord, ReadingUse, SlotValue, Verdict, joined};

use crate::{
    confirm::judge_again, context::RunContext, convert, hole, implementation::ask_all, models,
    party_run::PartyRun, value_source, writers,
};

/// What came of one case.
pub struct Trial<'a> {
    pub(crate) context: RunContext<'a>,
    pub(crate) party_runs: Vec<PartyRun>,
    pub(crate) verdict: CaseVerdict,
}

/// Tries `case` on the models of its targets. `steps` is its stimulus, lanes
/// of a concurrent target take effect in the order of `schedule`.
///
/// Nothing that the case expects is looked at, and no further form of it is run.
#[must_use]
pub fn trial<'a>(case: &'a Case, steps: &'a [Memory], schedule: &'a Schedule) -> Trial<'a> {
    trial_on(&models(), case, steps, schedule)
}

/// As [`trial`], on those of `models` whose targets the case has, at most one
/// a target: tests of the tester bring wrong ones. What runs the case again
/// for holes and open readings takes the right models.
#[must_use]
pub fn trial_on<'a>(
    models: &[&dyn Model],
    case: &'a Case,
    steps: &'a [Memory],
    schedule: &'a Schedule,
) -> Trial<'a> {
    begun(models, case, steps, schedule).judged()
}

/// As [`trial_on`], of several cases, with those of `implementations` whose targets they
/// have: each is asked once, for all of them together. What it does wrong counts after
/// [`Trial::confirm`].
#[must_use]
pub fn trials_beside<'a>(
    models: &[&dyn Model],
    implementations: &[Implementation],
    cases: impl Iterator<Item = (&'a Case, &'a [Memory], &'a Schedule)>,
) -> Vec<Trial<'a>> {
    let begin = |(case, steps, schedule)| begun(models, case, steps, schedule);
    let mut trials: Vec<Trial<'_>> = cases.map(begin).collect();
    for implementation in implementations {
        let target = implementation.target();
        let all = trials.iter_mut();
        let those = all.filter(|trial| trial.context.case.targets.contains(&target));
        ask_all(implementation, those);
    }
    trials.into_iter().map(Trial::judged).collect()
}

/// What the models did, not judged yet.
fn begun<'a>(
    models: &[&dyn Model],
    case: &'a Case,
    steps: &'a [Memory],
    schedule: &'a Schedule,
) -> Trial<'a> {
    let context = RunContext {
        case,
        steps,
        readings: &case.readings,
        schedules: std::slice::from_ref(schedule),
        verbosity: Verbosity::Brief,
    };
    Trial::new(context, context.bare(models))
}

impl<'a> Trial<'a> {
    /// Not judged yet.
    pub(crate) fn new(context: RunContext<'a>, party_runs: Vec<PartyRun>) -> Self {
        Self {
            context,
            party_runs,
            verdict: CaseVerdict::default(),
        }
    }

    pub(crate) fn judged(mut self) -> Self {
        self.judge();
        self
    }

    /// Comes to the verdict; where the context is brief few slots are described.
    pub(crate) fn judge(&mut self) {
        let context = &self.context;
        let before = context.before();
        let case_context = CaseContext {
            brief: context.verbosity == Verbosity::Brief,
            ..context.judged(&context.case.call, &before)
        };
        let inputs: Vec<PartyInput<'_>> = self.party_runs.iter().map(PartyRun::input).collect();
        self.verdict = judge_case(&case_context, &inputs);
    }

    /// Its line in a record, with the lanes and values behind what is wrong.
    pub(crate) fn record(&self, readings: Vec<ReadingUse>) -> CaseRecord {
        let mut record = convert::record(self, readings);
        writers::note(self, &mut record);
        value_source::note(self, &mut record);
        record
    }
}

impl Trial<'_> {
    /// Asks those of `implementations` again that did wrong in any of `trials`.
    pub fn confirm(trials: &mut [Self], implementations: &[Implementation]) {
        judge_again(implementations, &mut trials.iter_mut().collect::<Vec<_>>());
    }

    /// What implementations did wrong once and not when they were asked again: failure
    /// groups, in order, each once.
    #[must_use]
    pub fn flaky(&self) -> Vec<String> {
        let found = self
            .party_runs
            .iter()
            .flat_map(|party_run| &party_run.flaky);
        let mut all: Vec<String> = found.map(|f| f.failure_group.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What came of it as a whole.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        convert::overall(&self.verdict)
    }

    /// What no clause explains: failure groups of what a model did against the
    /// contract, or of two models that differ. In order, each once; mostly none.
    #[must_use]
    pub fn unexplained(&self) -> Vec<String> {
        self.failure_groups(is_model)
    }

    /// Failure groups of what an implementation did against the contract, or of one that
    /// differs from a model and no clause lets it. In order, each once.
    #[must_use]
    pub fn of_implementations(&self) -> Vec<String> {
        self.failure_groups(|party| !is_model(party))
    }

    /// What was found of `failure group`, in words; none for that of two parties.
    #[must_use]
    pub fn found(&self, failure_group: &str) -> Option<String> {
        let targets = convert::targets(self);
        let mut findings = targets.into_values().flat_map(|target| target.findings);
        let found = findings.find(|finding| finding.failure_group == failure_group)?;
        let Some(slot) = found.slot else {
            return Some(found.what);
        };
        let value = |v: &SlotValue| format!("{} ({})", v.value, v.bits);
        let permitted = slot.permitted.map(|p| format!("; permitted {p}"));
        Some(format!(
            "{}: {} {} at byte {}: initial {}, got {}{}",
            found.what,
            slot.role,
            slot.at,
            slot.offset,
            value(&slot.initial),
            joined(slot.got.values().map(value), " and "),
            permitted.unwrap_or_default()
        ))
    }

    /// The implementations that took part, and what came of each.
    pub fn implementations(&self) -> impl Iterator<Item = (&Party, &TargetVerdict)> {
        let parties = self.verdict.parties.iter();
        let implementations = parties.filter(|(party, _)| !is_model(party));
        implementations.map(|(party, verdict)| (party, verdict))
    }

    /// Those about parties of which `which` holds; of two the second decides,
    /// since an implementation stands behind the models.
    fn failure_groups(&self, which: fn(&Party) -> bool) -> Vec<String> {
        if !self.verdict.fails() {
            return Vec::new();
        }
        let instruction = self.context.case.call.instruction();
        let parties = self.verdict.parties.iter();
        let parties = parties.filter(|(party, _)| which(party));
        let by_party = parties.flat_map(|(party, v)| target_failure_groups(instruction, party, v));
        let permitted = |v: &PairVerdict| matches!(v, PairVerdict::Permitted { .. });
        let pairs = self.verdict.pairs.iter();
        let pairs = pairs.filter(|(two, v)| which(&two[1]) && !permitted(v));
        let by_pair = pairs.flat_map(|(two, v)| pair_failure_groups(instruction, two, v));
        let mut all: Vec<String> = by_party.chain(by_pair).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The holes that show, but for those of open readings: in order, each once.
    #[must_use]
    pub fn holes(&self) -> Vec<Hole> {
        // Without a run of a model it has no part in them.
        hole::holes(&self.context, &models(), &self.party_runs)
    }

    /// The gaps on whose reading it depends what comes of the case, as holes.
    /// Runs the case again under every other choice that may matter; only for
    /// the gaps of `only`, where that is not empty.
    #[must_use]
    pub fn open_readings(&self, only: &[Clause]) -> Vec<Hole> {
        let runs = |m: &&'static dyn Model| self.context.case.targets.contains(&m.target());
        let models: Vec<&dyn Model> = models().into_iter().filter(runs).collect();
        hole::open_readings(&self.context, &models, only)
    }
}

/// In a trial no further form of a case is run: all that have a form are implementations.
const fn is_model(party: &Party) -> bool {
    party.form.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told to people takes long to put in words: a trial goes without,
    /// and comes to the same.
    #[test]
    fn a_trial_is_brief_and_comes_to_the_same() {
        use ptodiff_generate::random::{Rules, Series, Wish, draw};

        let (mut broken, mut deviations) = (0, 0);
        let series = Series::new(7);
        let wishes = [Rules::Legal, Rules::Broken(1), Rules::Wild].map(|rules| Wish {
            rules,
            ..Wish::default()
        });
        for number in 0..300 {
            let wish = &wishes[number as usize % wishes.len()];
            let case = draw(&mut series.number(number), wish).case;
            let steps = ptodiff_generate::stimulus(&case, number).steps;
            let schedule = Schedule::Shuffled(number);
            let brief = trial(&case, &steps, &schedule);
            let context = RunContext {
                verbosity: Verbosity::Full,
                ..brief.context
            };
            let full = Trial::new(context, context.bare(&models())).judged();
            assert_eq!(brief.verdict(), full.verdict(), "{number}");
            assert_eq!(brief.holes(), full.holes());
            for (brief, full) in brief.party_runs.iter().zip(&full.party_runs) {
                let clauses = |party_run: &PartyRun| -> Vec<Clause> {
                    party_run.broken().map(|b| b.clause).collect()
                };
                assert_eq!(clauses(brief), clauses(full), "{number}");
                assert!(brief.broken().all(|b| b.why.is_empty()), "{number}");
                assert!(full.broken().all(|b| !b.why.is_empty()), "{number}");
                assert_eq!(brief.deviates_from, [], "{number}");
                broken += full.broken().count();
                deviations += full.deviates_from.len();
            }
        }
        assert!(broken > 50 && deviations > 5, "{broken} {deviations}");
    }
}
