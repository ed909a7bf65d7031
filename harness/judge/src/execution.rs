//! A target that ran, or tried to, against what the contract says of the call
//! and of what it leaves.

use ptodiff_contract::{Enforced, Permits};

use crate::clauses::{broken, constraints, list, missing, open_by, promised};
use crate::finding::finding;
use crate::input::{CaseContext, PartyInput};
use crate::outcome::{in_shape, judge_accesses, judge_memory, misshapen};
use crate::tally::Tally;
use crate::{Answer, Finding, Place, TargetVerdict, Unjudged};

/// Judges what ran under one schedule at least.
pub(crate) fn judge_run(
    context: &CaseContext<'_>,
    input: &PartyInput<'_>,
    tally: &mut Tally<'_>,
) -> TargetVerdict {
    let verdict = verdict(context, input, tally);
    let by = match &verdict {
        TargetVerdict::Undefined(clauses) => &clauses[..],
        _ => &[],
    };
    let missing = missing(&input.expect.undefined, by);
    if let Some(clause) = missing.first() {
        let text = match by {
            [] => format!(
                "not all of it is undefined; expected to be so by {}",
                list(&missing)
            ),
            by => format!("is undefined by {}, not by {}", list(by), list(&missing)),
        };
        tally.push(finding(Place::Expectation, Some(*clause), text));
    }
    verdict
}

/// What [`judge_run`] says, whether or not the case expects it.
fn verdict(
    context: &CaseContext<'_>,
    input: &PartyInput<'_>,
    tally: &mut Tally<'_>,
) -> TargetVerdict {
    let expect = input.expect;
    let preconditions = broken(input, Enforced::ByCaller);
    // Of what failed each time nobody knows what its checks did.
    let is_failure = |answer| preconditions.is_empty() && matches!(answer, &Answer::Failed { .. });
    let failed = input.answers.iter().all(is_failure);
    let never_returns = |answer| matches!(answer, &Answer::Hung(_));
    let (does, on) = match input.answers.iter().all(never_returns) {
        true => ("hangs", "hangs on"),
        false => ("runs", "runs"),
    };
    if let Some(clause) = expect.rejected.first().filter(|_| !failed) {
        let text = format!("{does}; expected to reject by {}", list(&expect.rejected));
        tally.push(finding(Place::Expectation, Some(*clause), text));
    }
    let (mut hung, mut misshaped) = (0, false);
    for answer in input.answers {
        match answer {
            // A timeout is how it is seen that it never returns.
            Answer::Failed {
                place: Place::Timeout,
                ..
            } if input.hangs.is_some() => hung += 1,
            Answer::Rejected(_)
            | Answer::Declined { .. }
            | Answer::Unsupported(_)
            | Answer::Failed { .. } => {}
            Answer::Hung(schedule) => {
                hung += 1;
                // A call that breaks a precondition may do anything, waiting included.
                if input.hangs.is_none() && constraints(input).next().is_none() {
                    tally.push(Finding {
                        schedule: Some(*schedule),
                        ..finding(Place::Hang, None, "never returns".to_owned())
                    });
                }
            }
            Answer::Fault(why) => tally.push(finding(Place::Fault, None, why.clone())),
            Answer::Ran(ran) if in_shape(context.before, &ran.memory) => {}
            Answer::Ran(ran) => {
                misshaped = true;
                tally.push(Finding {
                    schedule: Some(ran.schedule),
                    ..finding(Place::Shape, None, misshapen(context.before, &ran.memory))
                });
            }
        }
    }
    let checks = constraints(input).filter(|b| b.enforced == Enforced::ByCheck && !failed);
    for missed in checks {
        // Where many calls are judged in few words none says why.
        let why = Some(&missed.why).filter(|why| !why.is_empty());
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        let text = format!("{on} what a check must reject{why}");
        tally.push(finding(Place::Rejection, Some(missed.clause), text));
    }
    let is_open = !preconditions.is_empty() || !broken(input, Enforced::ByCheck).is_empty();
    let hangs = input.hangs.filter(|_| !is_open);
    let missing = missing(&expect.hangs, hangs.as_slice());
    if let Some(clause) = missing.first() {
        let by = list(&missing);
        let text = match (hangs, &preconditions[..]) {
            (Some(other), _) => format!("hangs by {}, not by {by}", other.0),
            (None, []) => format!("does not hang by {by}"),
            (None, open) => format!("is undefined by {}; expected to hang by {by}", list(open)),
        };
        tally.push(finding(Place::Expectation, Some(*clause), text));
    }
    if is_open {
        return TargetVerdict::Undefined(preconditions);
    }
    if let Some(clause) = input.hangs {
        if hung < input.answers.len() {
            let text = "returns where it must never return".to_owned();
            tally.push(finding(Place::Hang, Some(clause), text));
        }
        return TargetVerdict::Hangs(clause);
    }
    let Some(permits) = input.permits else {
        return TargetVerdict::Unjudged(Unjudged::NoPermits);
    };
    let mut answers = input.answers.iter();
    if let Some(clause) = input.strays()
        && answers.any(|answer| has_hit(context, permits, answer))
    {
        return TargetVerdict::Undefined(vec![clause]);
    }
    let ran = input.answers.iter().filter_map(Answer::ran);
    let shaped = ran.filter(|ran| !misshaped || in_shape(context.before, &ran.memory));
    for ran in shaped {
        judge_memory(context, permits, ran, tally);
        judge_accesses(permits, ran, tally);
    }
    let output = context.call.output();
    let compared = promised(permits, context.before, output);
    if compared == 0 {
        let open = open_by(permits, output);
        if open.is_empty() {
            return TargetVerdict::Unjudged(Unjudged::NothingCompared);
        }
        return TargetVerdict::Undefined(open);
    }
    TargetVerdict::Conforms { compared }
}

/// Whether a write that went astray shows to have hit what the call, or its process, needs.
fn has_hit(context: &CaseContext<'_>, permits: &Permits, answer: &Answer) -> bool {
    let Answer::Ran(ran) = answer else {
        return matches!(answer, Answer::Failed { .. });
    };
    let regions = context.before.regions.iter().zip(&ran.memory.regions);
    let mut operands = permits.operands.iter().zip(regions);
    !ran.inputs_changed.is_empty()
        || operands.any(|(of, (before, after))| of.guards_free.is_none() && before != after)
}

/// That an implementation gave no answer, where that is no answer to the call.
pub(crate) fn failure(input: &PartyInput<'_>, answer: &Answer) -> Option<Finding> {
    let Answer::Failed {
        place,
        schedule,
        why,
    } = answer
    else {
        return None;
    };
    let excused = match place {
        Place::Timeout if input.hangs.is_some() => true,
        // A call that breaks a precondition, or writes astray, may do anything to an
        // implementation's code, but not to its shell.
        Place::Crash | Place::Timeout | Place::Memory => {
            !broken(input, Enforced::ByCaller).is_empty() || input.strays().is_some()
        }
        _ => false,
    };
    // Which call is asked for does not matter to what does not start.
    let due = constraints(input).find(|b| b.enforced == Enforced::ByCheck);
    let due = due.map(|b| b.clause).or(input.hangs);
    let due = due.filter(|_| *place != Place::Start);
    (!excused).then(|| Finding {
        schedule: Some(*schedule),
        ..finding(*place, due, why.clone())
    })
}
