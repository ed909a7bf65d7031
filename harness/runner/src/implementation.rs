//! What an implementation answers to a case.

use std::time::Instant;

use ptodiff_impl::{Answered, Implementation, Trouble, Whom};
use ptodiff_isa::{Clause, Party, Schedule};
use ptodiff_judge::{Answer, Place, Ran, finding, finding_group};
use ptodiff_record::{CaseRecord, ImplementationRecord, PairVerdict, TargetVerdict, Verdict};

use crate::{
    Trial,
    context::RunContext,
    convert::bare_finding,
    execute::each_step,
    party_run::{PartyRun, party_of},
};

/// What a record says of implementations that take part in a run.
#[must_use]
pub fn listed(implementations: &[Implementation]) -> Vec<ImplementationRecord> {
    let record = |implementation: &Implementation| ImplementationRecord {
        party: party_of(implementation),
        introduced: implementation.introduced().to_owned(),
        command: None,
    };
    implementations.iter().map(record).collect()
}

/// Says in `record` that `party` answered the case once more than it was asked, which came
/// behind what was judged: `said`.
pub fn answered_twice(record: &mut CaseRecord, party: &Party, said: &str) {
    let Some(own) = record.targets.get_mut(party) else {
        return;
    };
    let what = "answers twice, against the protocol".to_owned();
    let found = finding(Place::Protocol, None, what.clone());
    let group = finding_group(record.instruction, party, &found);
    let what = format!("{what}: behind its answer came `{said}`");
    own.findings.push(bare_finding(group, what));
    own.verdict = TargetVerdict::Violates;
    let pairs = record.pairs.iter_mut();
    for pair in pairs.filter(|pair| [&pair.targets.0, &pair.targets.1].contains(&party)) {
        pair.verdict = PairVerdict::Violation;
        pair.why = Some(format!("{party} breaks its contract"));
    }
    record.verdict = Verdict::Violation;
}

/// Bytes of all memories that are asked about at once.
const AT_ONCE: usize = 4 << 20;

/// A case that an implementation is asked.
pub(crate) struct Asked<'a, 'r> {
    pub(crate) context: RunContext<'a>,
    pub(crate) party_run: &'r mut PartyRun,
    /// What it left before under each schedule, where it was asked before. Where it has left
    /// one of them again, it is not asked under another in which it left the same: that stands.
    pub(crate) before: &'r [Answer],
    /// The schedule that comes first: one in which it did something wrong before. Where that is
    /// left again, all that was before stands.
    pub(crate) first: usize,
}

impl Asked<'_, '_> {
    /// The schedule that is asked after so many others.
    const fn schedule(&self, round: usize) -> usize {
        match round {
            0 => self.first,
            round if round == self.first => 0,
            round => round,
        }
    }

    /// Whether `answer` is what an answer under the schedule with this number was before.
    fn is_known(&self, schedule: usize, answer: &Answer) -> bool {
        let before = self.before.get(schedule);
        before.is_some_and(|before| is_same(answer, before))
    }
}

/// Adds to the party runs of each of `trials` that of `implementation`, asked under each of the
/// schedules of its target. A case ends with the first that has no answer: a hang costs its
/// time once. Cases of which something is promised are asked of a process that is asked
/// nothing else.
pub(crate) fn ask_all<'a, 'r>(
    implementation: &Implementation,
    trials: impl Iterator<Item = &'r mut Trial<'a>>,
) where
    'a: 'r,
{
    let mut all: Vec<Asked<'_, '_>> = Vec::new();
    for trial in trials {
        let (context, party_runs) = (trial.context, &mut trial.party_runs);
        let mut party_run = context.of_implementation(party_of(implementation), party_runs);
        let mut regions = context.steps.iter().flat_map(|step| &step.regions);
        if !implementation.takes_sparse()
            && let Some(sparse) = regions.find(|region| region.is_sparse())
        {
            let why = format!("it takes no sparse {}", sparse.role);
            party_run.take((Answer::Unsupported(why), Vec::new()));
        }
        party_runs.push(party_run);
        let party_run = party_runs.last_mut();
        all.extend(party_run.map(|party_run| Asked {
            context,
            party_run,
            before: &[],
            first: 0,
        }));
    }
    let _turn = implementation.turn();
    for whom in implementation.kinds() {
        let open = whom == Whom::Spare;
        let those = all
            .iter_mut()
            .map(|asked| (asked.party_run.is_apart() == open, asked));
        let those = those.filter(|(of_kind, asked)| *of_kind && asked.party_run.answer().is_none());
        // What is written astray harms the next call, of which something is promised.
        let (astray, mut those): (Vec<_>, Vec<_>) = those
            .map(|(_, asked)| asked)
            .partition(|asked| open && !asked.party_run.is_open());
        for one in astray {
            ask(implementation, Whom::Alone, &mut [one]);
        }
        ask(implementation, whom, &mut those);
    }
}

/// Asks again, of new processes that are asked nothing else, each schedule of one of its own.
/// What was asked last comes first: what an earlier call did to the process is not there then.
/// What gave no answer has a process for itself: it is not known which call of a batch it was.
pub(crate) fn ask_again<'a, 'r>(
    implementation: &Implementation,
    cases: impl DoubleEndedIterator<Item = Asked<'a, 'r>>,
) {
    let mut all: Vec<_> = cases.rev().collect();
    for asked in &mut all {
        asked.party_run.answers.clear();
        asked.party_run.last_words.clear();
    }
    let failed = |asked: &&mut Asked<'_, '_>| {
        let mut before = asked.before.iter();
        before.any(|answer| matches!(answer, Answer::Failed { .. }))
    };
    let (failed, mut others): (Vec<_>, Vec<_>) = all.iter_mut().partition(failed);
    for one in failed {
        ask(implementation, Whom::Alone, &mut [one]);
    }
    ask(implementation, Whom::Alone, &mut others);
}

/// Asks for all once more, in their order, of one new process.
pub(crate) fn ask_in_turn<'a, 'r>(
    implementation: &Implementation,
    cases: impl Iterator<Item = Asked<'a, 'r>>,
) where
    'a: 'r,
{
    let mut all: Vec<_> = cases.collect();
    ask(
        implementation,
        Whom::Alone,
        &mut all.iter_mut().collect::<Vec<_>>(),
    );
}

fn ask(implementation: &Implementation, whom: Whom, all: &mut [&mut Asked<'_, '_>]) {
    let mut left = all;
    while !left.is_empty() {
        let mut bytes = 0;
        let small = left.iter().take_while(|asked| {
            bytes += asked.context.bytes();
            bytes <= AT_ONCE
        });
        let (part, rest) = left.split_at_mut(small.count().max(1));
        ask_part(implementation, whom, part);
        left = rest;
    }
}

/// Whether both are the same but for the schedule.
fn is_same(one: &Answer, other: &Answer) -> bool {
    match (one, other) {
        (Answer::Ran(one), Answer::Ran(other)) => {
            one.memory == other.memory
                && one.oob_accesses == other.oob_accesses
                && one.inputs_changed == other.inputs_changed
        }
        (Answer::Hung(_), Answer::Hung(_)) => true,
        (one, other) => one == other,
    }
}

fn ask_part(implementation: &Implementation, whom: Whom, part: &mut [&mut Asked<'_, '_>]) {
    let target = implementation.target();
    let rounds = part.iter().map(|one| one.context.orders(target).len());
    for round in 0..rounds.max().unwrap_or(0) {
        let mut asked: Vec<(Schedule, &mut Asked<'_, '_>)> = Vec::new();
        for one in part.iter_mut() {
            let number = one.schedule(round);
            let Some(schedule) = one.context.orders(target).get(number).copied() else {
                continue;
            };
            let answers = &one.party_run.answers;
            let left_again = answers.iter().any(|answer| one.is_known(number, answer));
            match one.before.get(number).filter(|_| left_again) {
                _ if answers.len() > round || one.party_run.has_ended() => {}
                Some(known) => one.party_run.answers.push(known.clone()),
                None => asked.push((schedule, one)),
            }
        }
        let (one_step, more): (Vec<_>, Vec<_>) = asked
            .into_iter()
            .partition(|(_, one)| one.context.steps.len() == 1);
        for (schedule, one) in more {
            let begun = Instant::now();
            let answered_with = steps(implementation, whom, &one.context, schedule);
            one.party_run.took += begun.elapsed();
            one.party_run.take(answered_with);
        }
        let questions = one_step.iter().map(|(schedule, one)| {
            let context = one.context;
            (context.ask(target, *schedule), context.steps[0].clone())
        });
        let mut asks: Vec<_> = questions.collect();
        let all = implementation.answer_all(whom, &mut asks);
        for (((schedule, one), (answered, took, twice)), (_, memory)) in
            one_step.into_iter().zip(all).zip(asks)
        {
            one.party_run.failed_twice = twice && matches!(answered, Answered::Failed(_));
            let mut ran = Ran {
                memory,
                schedule,
                ..Ran::default()
            };
            let answered_with = answer_of(take(&mut ran, answered).map(|()| ran));
            one.party_run.took += took;
            one.party_run.take(answered_with);
        }
        for one in part.iter_mut().filter(|_| round == 0) {
            let answer = one.party_run.answers.first();
            if answer.is_some_and(|answer| one.is_known(one.first, answer)) {
                one.party_run.answers = one.before.to_vec();
            }
        }
    }
}

/// An answer, and the last lines of standard error of the process that gave none.
pub(crate) type AnswerAndStderr = (Answer, Vec<String>);

/// Takes in what came of a step.
///
/// # Errors
/// The answer to the case, where that ends it.
fn take(ran: &mut Ran, answered: Answered) -> Result<(), AnswerAndStderr> {
    let schedule = ran.schedule;
    let failed = |place, why| Answer::Failed {
        place,
        schedule,
        why,
    };
    let ends = match answered {
        Answered::Done { out_of_bounds } => {
            let count = &mut ran.oob_accesses.count;
            *count = count.saturating_add(out_of_bounds);
            return Ok(());
        }
        Answered::Rejected { clause: None, why } => Answer::Declined { clause: None, why },
        Answered::Rejected {
            clause: Some(id),
            why,
        } => match ptodiff_register::find(&id) {
            Some(entry) => Answer::Declined {
                clause: Some(Clause(entry.id)),
                why,
            },
            None => failed(
                Place::Protocol,
                format!("it rejects by {id}, which is no clause"),
            ),
        },
        Answered::Hangs => Answer::Hung(schedule),
        Answered::Unsupported { why } => Answer::Unsupported(why),
        Answered::Failed(failure) => {
            let place = place(&failure.trouble);
            let why = match reason(&failure.stderr) {
                // It may say what the signal does not.
                Some(said) if place == Place::Crash => format!("{}: {said}", failure.trouble),
                _ => failure.trouble.to_string(),
            };
            return Err((failed(place, why), failure.stderr));
        }
    };
    Err((ends, Vec::new()))
}

/// The one of the last `lines` of standard error that says why the process ended: what a
/// sanitizer found, behind which it explains itself, or the last.
fn reason(lines: &[String]) -> Option<&String> {
    let is_summed_up = |line: &&String| {
        let kind = line.contains("SUMMARY: ") || line.contains("ERROR: ");
        kind && line.contains("Sanitizer: ") && !line.contains("undefined-behavior")
    };
    // Its sum has no more than the place. It may have gone on for long.
    let near = &lines[lines.len().saturating_sub(5)..];
    let is_undefined = |line: &&String| line.contains(": runtime error: ");
    let summed_up = lines.iter().rfind(is_summed_up);
    let found = summed_up.or_else(|| near.iter().rfind(is_undefined));
    found.or_else(|| lines.iter().rfind(|line| !line.trim().is_empty()))
}

fn answer_of(ran: Result<Ran, AnswerAndStderr>) -> AnswerAndStderr {
    ran.map_or_else(|ends| ends, |ran| (Answer::Ran(ran), Vec::new()))
}

/// Asks for the steps of a case one after another.
fn steps(
    implementation: &Implementation,
    whom: Whom,
    context: &RunContext<'_>,
    schedule: Schedule,
) -> AnswerAndStderr {
    let mut in_turn = implementation.in_turn(whom);
    let ask = context.ask(implementation.target(), schedule);
    let issue = |ran: &mut Ran| {
        let answered = in_turn.answer(&ask, &mut ran.memory);
        take(ran, answered)
    };
    answer_of(each_step(ask.call, context.steps, schedule, issue))
}

const fn place(trouble: &Trouble) -> Place {
    match trouble {
        Trouble::Crash(_) | Trouble::Half { .. } => Place::Crash,
        Trouble::Time { .. } => Place::Timeout,
        Trouble::Memory { .. } => Place::Memory,
        Trouble::Garbage(_) | Trouble::Flood(_) | Trouble::Late { .. } => Place::Protocol,
        // No record has the machine's: the run ends.
        Trouble::NoStart { .. } | Trouble::Machine(_) => Place::Start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sanitizer_says_why_and_what_went_well_before_does_not() {
        let reason = |text: &str| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            reason(&lines).cloned().unwrap_or_default()
        };
        let undefined = "a.cpp:3:9: runtime error: load of null";
        let sum = "SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior a.cpp:3:9 in";
        let overflow = "==1==ERROR: AddressSanitizer: stack-overflow on address 0x1";
        let later = "1\n2\n3\n4\nAssertion `r' failed.\n";
        assert_eq!(reason(&format!("{undefined}\n{sum}\n")), undefined);
        assert_eq!(reason(&format!("{undefined}\n\n 00 00\n ^")), undefined);
        assert_eq!(reason(&format!("{overflow}\n #0 main\n{later}")), overflow);
        let last = "Assertion `r' failed.";
        assert_eq!(reason(&format!("{undefined}\n{sum}\n{later}\n ")), last);
    }
}
