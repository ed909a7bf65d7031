//! Asking again: what an implementation did wrong counts only where it is seen again.

use std::{collections::BTreeMap, mem};

use ptodiff_isa::Party;
use ptodiff_judge::{Answer, PairVerdict, Place, TargetVerdict};
use ptodiff_record::Finding;

use crate::{
    Implementation, Trial, convert,
    implementation::{Asked, ask_again},
    party_run::{PartyRun, party_of},
};

/// What an implementation did wrong in a case.
struct Wrong {
    /// Where it stands among the party runs.
    at: usize,
    first: Vec<Finding>,
    answers: Vec<Answer>,
    last_words: Vec<String>,
}

impl Wrong {
    /// The number of a schedule in which it did something wrong.
    fn schedule(&self) -> usize {
        let said = self
            .first
            .iter()
            .find_map(|finding| finding.schedule.as_ref());
        let is_said = |answer: &Answer| match answer {
            Answer::Ran(ran) => Some(ran.schedule.to_string()) == said.cloned(),
            _ => false,
        };
        let gave_none = |answer: &Answer| !matches!(answer, Answer::Ran(_));
        let mut answers = self.answers.iter();
        let found = answers.clone().position(is_said);
        found.or_else(|| answers.position(gave_none)).unwrap_or(0)
    }
}

/// Judges `trials`. Each of `implementations` is asked again for those that it did wrong, under
/// one schedule if it leaves the same: what is never seen again is flaky, and the verdict is on
/// what was seen then.
pub(crate) fn judge_again(implementations: &[Implementation], trials: &mut [&mut Trial<'_>]) {
    trials.iter_mut().for_each(|trial| trial.judge());
    for implementation in implementations.iter().filter(|i| i.retries() > 0) {
        let party = party_of(implementation);
        let mut wrong = BTreeMap::new();
        for (n, trial) in trials.iter_mut().enumerate() {
            let first = found(trial, &party);
            let runs = &mut trial.party_runs;
            let at = runs.iter().position(|run| run.party == party);
            // What gave no answer under the first schedule, and none again, is seen twice.
            let is_sure = |run: &PartyRun| run.failed_twice && run.answers.len() == 1;
            let to_ask = |at: &usize| !first.is_empty() && !is_sure(&runs[*at]);
            if let Some(at) = at.filter(to_ask) {
                let answers = mem::take(&mut runs[at].answers);
                let last_words = mem::take(&mut runs[at].last_words);
                let own = Wrong {
                    at,
                    first,
                    answers,
                    last_words,
                };
                wrong.insert(n, own);
            }
        }
        for _ in 0..implementation.retries() {
            let again = trials.iter_mut().enumerate().filter_map(|(n, trial)| {
                let one = wrong.get(&n)?;
                Some(Asked {
                    context: trial.context,
                    party_run: &mut trial.party_runs[one.at],
                    before: &one.answers,
                    first: one.schedule(),
                })
            });
            ask_again(implementation, again);
            wrong.retain(|&n, one| {
                let run = &mut trials[n].party_runs[one.at];
                // Where no process starts any more, what was seen before stands.
                if run.answers.iter().any(is_no_start) {
                    run.answers.clone_from(&one.answers);
                    run.last_words.clone_from(&one.last_words);
                }
                trials[n].judge();
                found(trials[n], &party).is_empty()
            });
        }
        for (n, Wrong { at, first, .. }) in wrong {
            let run = &mut trials[n].party_runs[at];
            // A call of which nothing is promised ran where others of its kind had: what it
            // did there says nothing of the implementation.
            if !run.is_open() {
                run.flaky = first;
            }
        }
    }
}

const fn is_no_start(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Failed {
            place: Place::Start,
            ..
        }
    )
}

/// What `party` did wrong.
fn found(trial: &Trial<'_>, party: &Party) -> Vec<Finding> {
    let verdict = &trial.verdict;
    let judged = verdict.parties.iter().find(|(of, _)| of == party);
    let violates = |v: &TargetVerdict| {
        matches!(
            v,
            TargetVerdict::Violates { .. } | TargetVerdict::Unjudged(_)
        )
    };
    if judged.is_some_and(|(_, v)| violates(v)) {
        let own = convert::targets(trial).remove(party);
        return own.map(|t| t.findings).unwrap_or_default();
    }
    let instruction = trial.context.case.call.instruction();
    let differ = verdict
        .pairs
        .iter()
        .filter(|(two, v)| two.contains(party) && matches!(v, PairVerdict::Violation { .. }));
    differ
        .flat_map(|(two, v)| {
            let groups = ptodiff_judge::pair_failure_groups(instruction, two, v);
            let what = format!("{} and {} differ, and no clause lets them", two[0], two[1]);
            let groups = groups.into_iter();
            groups.map(move |group| convert::bare_finding(group, what.clone()))
        })
        .collect()
}
