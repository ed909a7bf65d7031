//! Asking again: what an implementation did wrong counts only where it is seen again.

use std::{collections::BTreeMap, mem};

use ptodiff_contract::Enforced;
use ptodiff_isa::Party;
use ptodiff_judge::{Answer, PairVerdict, Place, TargetVerdict};
use ptodiff_record::Finding;

use crate::{
    Implementation, Trial, convert,
    implementation::{Asked, ask_again, ask_in_turn},
    party_run::{PartyRun, party_of},
};

/// What an implementation did wrong in a case.
struct Wrong {
    /// Where it stands among the party runs.
    at: usize,
    first: Vec<Finding>,
    answers: Vec<Answer>,
    last_words: Vec<String>,
    /// Whether it has to reject the call.
    must_reject: bool,
}

impl Wrong {
    /// Whether it gave no answer: then it is asked again in a process for itself.
    fn has_failed(&self) -> bool {
        let mut answers = self.answers.iter();
        answers.any(|answer| matches!(answer, Answer::Failed { .. }))
    }

    /// The number of a schedule in which it did something wrong.
    fn schedule(&self) -> usize {
        let said = self
            .first
            .iter()
            .find_map(|finding| finding.schedule.as_ref());
        let is_said = |answer: &Answer| match answer {
            Answer::Ran(ran) => Some(ran.schedule.to_string()) == said.cloned(),
            Answer::Failed { schedule, .. } => Some(schedule.to_string()) == said.cloned(),
            _ => false,
        };
        let is_wrong = |answer: &Answer| matches!(answer, Answer::Ran(_)) == self.must_reject;
        let mut answers = self.answers.iter();
        let found = answers.clone().position(is_said);
        found.or_else(|| answers.position(is_wrong)).unwrap_or(0)
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
                let checks = runs[at].broken();
                let must_reject = checks.map(|b| b.enforced).any(|by| by == Enforced::ByCheck);
                let answers = mem::take(&mut runs[at].answers);
                let last_words = mem::take(&mut runs[at].last_words);
                let own = Wrong {
                    at,
                    first,
                    answers,
                    last_words,
                    must_reject,
                };
                wrong.insert(n, own);
            }
        }
        for _ in 0..implementation.retries() {
            let [mut seen, mut unseen] = asked_again(implementation, trials, &party, wrong);
            // The first that was asked stood behind no other. If it is right then, those behind
            // it may be wrong by what it left.
            let mut left = first_asked(&seen, &unseen);
            while left.is_some_and(|first| unseen.contains_key(&first)) && !seen.is_empty() {
                seen.retain(|_, one| !one.has_failed());
                left = first_asked(&seen, &BTreeMap::new());
                let [again, right] = asked_again(implementation, trials, &party, seen);
                seen = again;
                unseen.extend(right);
            }
            wrong = unseen;
        }
        judge_behind_others(implementation, trials, &mut wrong);
        for (n, Wrong { at, first, .. }) in wrong {
            let run = &mut trials[n].party_runs[at];
            // A call of which nothing is promised ran where others of its kind had: what it
            // did there says nothing of the implementation.
            if !run.is_apart() {
                run.flaky = first;
            }
        }
    }
}

/// Which of the calls that are asked for in one process comes first there.
fn first_asked(seen: &BTreeMap<usize, Wrong>, unseen: &BTreeMap<usize, Wrong>) -> Option<usize> {
    let all = seen.iter().chain(unseen);
    let together = all.filter(|(_, one)| !one.has_failed());
    together.map(|(n, _)| *n).max()
}

/// Asks again for those that are `wrong`: those that are then, and those that are not.
fn asked_again(
    implementation: &Implementation,
    trials: &mut [&mut Trial<'_>],
    party: &Party,
    wrong: BTreeMap<usize, Wrong>,
) -> [BTreeMap<usize, Wrong>; 2] {
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
    let (seen, unseen) = wrong.into_iter().partition(|(n, one)| {
        let run = &mut trials[*n].party_runs[one.at];
        // Where no process starts any more, what was seen before stands.
        if run.answers.iter().any(is_no_start) {
            run.answers.clone_from(&one.answers);
            run.last_words.clone_from(&one.last_words);
        }
        trials[*n].judge();
        !found(trials[*n], party).is_empty()
    });
    [seen, unseen]
}

/// Asks for all calls once more, one behind the other in one process, and takes out of `wrong`
/// what is wrong there again: what a call does to those behind it is no accident.
fn judge_behind_others(
    implementation: &Implementation,
    trials: &mut [&mut Trial<'_>],
    wrong: &mut BTreeMap<usize, Wrong>,
) {
    let party = party_of(implementation);
    // What a call does that is wrong alone is told of that.
    let of = |(n, trial): (usize, &&mut Trial<'_>)| {
        let mut runs = trial.party_runs.iter();
        let at = runs.position(|run| run.party == party && !run.is_apart())?;
        (wrong.contains_key(&n) || found(trial, &party).is_empty()).then_some((n, at))
    };
    let last = wrong.last_key_value().map_or(0, |(last, _)| *last);
    let asked_of = trials.iter().enumerate().take(last + 1);
    let asked_of: Vec<(usize, usize)> = asked_of.filter_map(of).collect();
    if asked_of.len() < 2 {
        return;
    }
    let runs = asked_of.iter().map(|(n, _)| {
        let trial = &trials[*n];
        let context = &trial.context;
        context.of_implementation(party.clone(), &trial.party_runs)
    });
    let mut runs: Vec<PartyRun> = runs.collect();
    let asked = asked_of.iter().zip(&mut runs).map(|((n, at), party_run)| {
        let (before, first) = match wrong.get(n) {
            Some(one) => (&one.answers, one.schedule()),
            None => (&trials[*n].party_runs[*at].answers, 0),
        };
        Asked {
            context: trials[*n].context,
            party_run,
            before,
            first,
        }
    });
    ask_in_turn(implementation, asked);
    // The last one that was right before, where any was.
    let (mut before, mut right) = (None, None);
    for ((n, at), again) in asked_of.into_iter().zip(runs) {
        let behind = right.or(before.replace(n));
        let mut answers = trials[n].party_runs[at].answers.iter();
        if !wrong.contains_key(&n) && !answers.all(|own| matches!(own, Answer::Unsupported(_))) {
            right = Some(n);
        }
        let Some((_, behind)) = wrong.get(&n).zip(behind) else {
            continue;
        };
        let behind = trials[behind].context.case.id.clone();
        let run = &mut trials[n].party_runs[at];
        let alone = mem::replace(&mut run.answers, again.answers);
        let last_words = mem::replace(&mut run.last_words, again.last_words);
        let started = !run.answers.iter().any(is_no_start);
        trials[n].judge();
        if found(trials[n], &party).is_empty() || !started {
            let run = &mut trials[n].party_runs[at];
            (run.answers, run.last_words) = (alone, last_words);
            trials[n].judge();
        } else {
            trials[n].party_runs[at].behind = Some(behind);
            wrong.remove(&n);
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
