//! A target that ran, or tried to, against what the contract says of the call
//! and of what it leaves.

use std::ptr;

use ptodiff_contract::Enforced;

use crate::outcome::{in_shape, judge_accesses, judge_memory, misshapen, open_by};
use crate::sheet::Sheet;
use crate::side::{Ground, Side, Told};
use crate::tally::Tally;
use crate::target::{broken, constraints, list, missing, told};
use crate::unseen::unseen;
use crate::{Answer, Failing, Finding, Outcome, Place, Ran, TargetVerdict, Unjudged};

/// The verdict on a side that is owed everything, ran to its end each time and
/// left the same that it may leave; none where there is more to say. Nearly all
/// are such sides.
pub(crate) fn at_a_glance(
    telling: Told,
    ground: &Ground<'_>,
    side: &Side<'_>,
    room: &mut Vec<u8>,
) -> Option<TargetVerdict> {
    let expect = side.expect;
    let more_expected = !expect.rejected.is_empty()
        || !expect.undefined.is_empty()
        || !expect.hangs.is_empty()
        || !expect.unmet.is_empty()
        || expect.outcomes.iter().any(|o| *o != Outcome::Result);
    let owed = side.legality.is_empty() && side.preconditions.is_empty() && side.hangs.is_none();
    if more_expected || !owed {
        return None;
    }
    let permits = side.permits?;
    let first = side.answers.first()?.ran()?;
    for answer in side.answers {
        let ran = answer.ran()?;
        let same = ptr::eq(ran, first) || ran.memory == first.memory;
        let oob_access = permits.oob_accesses.is_none() && ran.oob_accesses.count > 0;
        if !same || oob_access || !ran.inputs_changed.is_empty() {
            return None;
        }
    }
    if !in_shape(ground.before, &first.memory) {
        return None;
    }
    let (after, output) = (Some(&first.memory), ground.call.output());
    let sheet = Sheet::new(permits, ground.before, after, output, room).ok()?;
    (sheet.kept && sheet.promised > 0).then(|| TargetVerdict::Conforms {
        compared: sheet.promised,
        unseen: unseen(telling, &sheet, side.answers.iter().filter_map(Answer::ran)),
    })
}

/// Judges what ran under one schedule at least.
pub(crate) fn judge_run(
    telling: Told,
    ground: &Ground<'_>,
    side: &Side<'_>,
    tally: &mut Tally<'_>,
    room: &mut Vec<u8>,
) -> TargetVerdict {
    let expect = side.expect;
    if let Some(clause) = expect.rejected.first() {
        let text = format!("runs; expected to reject by {}", list(expect.rejected));
        tally.push(told(Place::Expectation, Some(*clause), text));
    }
    let preconditions = broken(side, Enforced::ByCaller);
    let (mut hung, mut misshaped) = (0, false);
    for answer in side.answers {
        match answer {
            Answer::Rejected(_) | Answer::Declined { .. } | Answer::Unsupported(_) => {}
            // Nobody waits for ever to see that it never returns.
            Answer::Failed {
                kind: Failing::Time,
                ..
            } if side.hangs.is_some() => hung += 1,
            Answer::Failed {
                kind,
                schedule,
                why,
            } => {
                if preconditions.is_empty() || !excusable(*kind) {
                    tally.push(Finding {
                        schedule: Some(*schedule),
                        ..told(place(*kind), None, why.clone())
                    });
                }
            }
            Answer::Hung(schedule) => {
                hung += 1;
                // A call that breaks a precondition may do anything, waiting included.
                if side.hangs.is_none() && constraints(side).next().is_none() {
                    tally.push(Finding {
                        schedule: Some(*schedule),
                        ..told(Place::Hang, None, "never returns".to_owned())
                    });
                }
            }
            Answer::Fault(why) => tally.push(told(Place::Fault, None, why.clone())),
            Answer::Ran(ran) if in_shape(ground.before, &ran.memory) => {}
            Answer::Ran(ran) => {
                misshaped = true;
                tally.push(Finding {
                    schedule: Some(ran.schedule),
                    ..told(Place::Shape, None, misshapen(ground.before, &ran.memory))
                });
            }
        }
    }
    let checks = constraints(side).filter(|b| b.enforced == Enforced::ByCheck);
    for missed in checks {
        let text = format!("runs what a check must reject: {}", missed.why);
        tally.push(told(Place::Rejection, Some(missed.clause), text));
    }
    let missing = missing(expect.undefined, &preconditions);
    if let Some(clause) = missing.first() {
        let but = match &preconditions[..] {
            [] => String::new(),
            preconditions => format!(", but of {}", list(preconditions)),
        };
        let text = format!("breaks no precondition of {}{but}", list(&missing));
        tally.push(told(Place::Expectation, Some(*clause), text));
    }
    if !expect.hangs.is_empty() && !expect.hangs.iter().any(|c| side.hangs == Some(*c)) {
        let text = format!("does not hang by {}", list(expect.hangs));
        tally.push(told(
            Place::Expectation,
            expect.hangs.first().copied(),
            text,
        ));
    }
    if !preconditions.is_empty() || !broken(side, Enforced::ByCheck).is_empty() {
        return TargetVerdict::Undefined(preconditions);
    }
    if let Some(clause) = side.hangs {
        if hung < side.answers.len() {
            let text = "returns where it must never return".to_owned();
            tally.push(told(Place::Hang, Some(clause), text));
        }
        return TargetVerdict::Hangs(clause);
    }
    let Some(permits) = side.permits else {
        return TargetVerdict::Unjudged(Unjudged::NoPermits);
    };
    let ran = side.answers.iter().filter_map(Answer::ran);
    let shaped = ran.filter(|ran| !misshaped || in_shape(ground.before, &ran.memory));
    let first = shaped.clone().next();
    let after = first.map(|ran| &ran.memory);
    let sheet = match Sheet::new(permits, ground.before, after, ground.call.output(), room) {
        Ok(sheet) => sheet,
        Err(why) => return TargetVerdict::Unjudged(Unjudged::MalformedPermits(why)),
    };
    let mut clean = first.filter(|_| sheet.kept);
    for ran in shaped.clone() {
        // Most schedules end alike: the same bytes need no second look.
        let looked_at = |seen: &Ran| ptr::eq(seen, ran) || seen.memory == ran.memory;
        if !clean.is_some_and(looked_at) {
            judge_memory(ground, sheet, ran, tally);
            clean = tally.is_empty().then_some(ran);
        }
        judge_accesses(sheet, ran, tally);
    }
    let compared = sheet.promised;
    if compared == 0 {
        let open = open_by(ground, sheet);
        if open.is_empty() {
            return TargetVerdict::Unjudged(Unjudged::NothingCompared);
        }
        return TargetVerdict::Undefined(open);
    }
    TargetVerdict::Conforms {
        compared,
        unseen: unseen(telling, &sheet, shaped),
    }
}

/// Whether a call that breaks a precondition may end so: it may do anything to an
/// implementation's code, but not to its shell.
const fn excusable(kind: Failing) -> bool {
    match kind {
        Failing::Crash | Failing::Time | Failing::Memory => true,
        Failing::Protocol | Failing::Start => false,
    }
}

const fn place(kind: Failing) -> Place {
    match kind {
        Failing::Crash => Place::Crash,
        Failing::Time => Place::Timeout,
        Failing::Memory => Place::Memory,
        Failing::Protocol => Place::Protocol,
        Failing::Start => Place::Start,
    }
}

#[cfg(test)]
mod tests;
