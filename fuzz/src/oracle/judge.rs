//! The judge never contradicts itself, sees what is spoilt, and takes what is permitted.

use std::mem::discriminant;
use std::slice;

use arbitrary::Unstructured;
use ptodiff_case::Case;
use ptodiff_contract::{Permit, Permits, Promise, Question, Verbosity};
use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_generate::stimulus;
use ptodiff_isa::{End, How, Log, Memory, Model, Party, Region, Schedule};
use ptodiff_judge::{
    Answer, CaseContext, CaseVerdict, Expect, PairVerdict, PartyInput, Ran, TargetVerdict,
};
use ptodiff_runner::models;

use super::Finding;
use crate::input::{self, Input, Recipe};

/// Judges all parties.
pub type Judge<'a> = &'a dyn Fn(&CaseContext<'_>, &[PartyInput<'_>]) -> CaseVerdict;

/// One that takes part: what it was promised, and what it did.
struct Member {
    party: Party,
    promise: Promise,
    answers: Vec<Answer>,
    /// Whether it violates its contract, where that is known before it is judged.
    violates: Option<bool>,
}

/// Holds `judge` to account on what the models do with the case that `bytes` stand for,
/// and on what else they might have done, which the bytes behind it say.
///
/// # Errors
/// Where it contradicts itself, or what is known of a member.
pub fn consistent(bytes: &[u8], judge: Judge<'_>) -> Finding {
    let mut left = Unstructured::new(bytes);
    let Input { case, schedule } = input::take(&mut left, &Recipe::UNCHANGED);
    let choices = &mut Bytes::new(&mut left);
    // The first call of several: the judge sees no more of the others.
    let before = &stimulus(&case, 0).steps[0];
    let models = models().into_iter();
    let taking_part = models.filter(|model| case.targets.contains(&model.target()));
    let members = taking_part.map(|model| member(&case, model, before, schedule, choices));
    let members: Vec<Member> = members.collect();
    let inputs: Vec<PartyInput<'_>> = members
        .iter()
        .map(|m| PartyInput::of(&m.party, &m.promise, &m.answers, Expect::NOTHING))
        .collect();
    let context = CaseContext {
        call: &case.call,
        before,
        steps: std::slice::from_ref(before),
        brief: false,
        readings: &case.readings,
    };
    let verdict = judge(&context, &inputs);
    if judge(&context, &inputs) != verdict {
        return Err("the same case has two verdicts".to_owned());
    }
    for (n, (member, input)) in members.iter().zip(&inputs).enumerate() {
        let alone = judge(&context, slice::from_ref(input)).parties.pop();
        let together = verdict.parties.get(n);
        let Some((party, found)) = together.filter(|together| Some(*together) == alone.as_ref())
        else {
            return Err(format!("judged {together:?}, alone {alone:?}"));
        };
        let violates = matches!(found, TargetVerdict::Violates { .. });
        if member.violates.is_some_and(|known| known != violates) {
            let answers = &member.answers;
            return Err(format!("{party} did {answers:?} and {found:?}"));
        }
    }
    let turned: Vec<PartyInput<'_>> = inputs.into_iter().rev().collect();
    let turned = judge(&context, &turned).pairs;
    let kind = |(_, of_pair): &_| discriminant::<PairVerdict>(of_pair);
    let (there, back) = (verdict.pairs.iter(), turned.iter().rev());
    if there.map(kind).ne(back.map(kind)) {
        let there = verdict.pairs;
        return Err(format!("{there:?}, the other way round {turned:?}"));
    }
    Ok(())
}

/// What `model` does, or might have done: in place of it, or under another schedule.
fn member(
    case: &Case,
    model: &dyn Model,
    before: &Memory,
    schedule: Schedule,
    choices: &mut Bytes<'_, '_>,
) -> Member {
    let target = model.target();
    let question = Question {
        call: &case.call,
        target,
        readings: &case.readings[target],
        verbosity: Verbosity::Brief,
    };
    let promise = Promise::of(&question, slice::from_ref(before));
    // One that returns where it must hang keeps no permits.
    let returns = promise.hangs().is_none();
    let permits = promise.permits().filter(|_| returns);
    let mut answers = vec![answer(case, model, before, schedule)];
    let mut violates = Some(false);
    if !choices.one_in(4) {
        let ran = answers[0].ran().cloned().unwrap_or_else(|| Ran {
            memory: before.clone(),
            schedule,
            ..Ran::default()
        });
        let other = other(ran, permits, before, choices);
        if choices.one_in(2) {
            answers.clear();
        }
        answers.push(other.0);
        violates = other.1;
    }
    violates = violates.filter(|_| permits.is_some());
    Member {
        party: Party::of(target),
        promise,
        answers,
        violates,
    }
}

fn answer(case: &Case, model: &dyn Model, before: &Memory, schedule: Schedule) -> Answer {
    let readings = case.readings[model.target()];
    let rejections = model.check(&case.call, &readings);
    if !rejections.is_empty() {
        return Answer::Rejected(rejections);
    }
    let (mut memory, mut log) = (before.clone(), Log::default());
    let how = How { schedule, readings };
    match model.execute(&case.call, &mut memory, &how, &mut log) {
        Ok(End::Finished) => Answer::Ran(Ran {
            memory,
            oob_accesses: log.oob_accesses,
            inputs_changed: Vec::new(),
            schedule,
        }),
        Ok(End::Hung) => Answer::Hung(schedule),
        Err(fault) => Answer::Fault(fault.0),
    }
}

/// Another answer than `ran`, which is permitted; whether it violates the contract, where
/// that is known.
fn other(
    mut ran: Ran,
    permits: Option<&Permits>,
    before: &Memory,
    choices: &mut Bytes<'_, '_>,
) -> (Answer, Option<bool>) {
    let violates = match choices.below(5) {
        0..3 => spoil(&mut ran.memory, permits, choices),
        3 => store(&mut ran.memory, permits, before, choices),
        _ => {
            let none = [
                Answer::Rejected(Vec::new()),
                Answer::Hung(ran.schedule),
                Answer::Fault(String::new()),
            ];
            return (none[choices.below(3) as usize].clone(), Some(true));
        }
    };
    (Answer::Ran(ran), violates)
}

/// Flips a bit, or takes the last byte of a region away.
fn spoil(
    memory: &mut Memory,
    permits: Option<&Permits>,
    choices: &mut Bytes<'_, '_>,
) -> Option<bool> {
    let number = choices.below(memory.regions.len() as u64) as usize;
    let region = memory.regions.get_mut(number)?;
    let (_, shorter) = region.bytes().split_last()?;
    let body = region.body_range();
    if choices.one_in(4) {
        let body = body.start.min(shorter.len())..body.end.min(shorter.len());
        *region = Region::new(region.role, shorter.to_vec(), body);
        return Some(true);
    }
    let at = choices.below(region.bytes().len() as u64) as usize;
    region.bytes_mut()[at] ^= 1 << choices.below(8);
    let operands = &permits?.operands;
    let operand = operands.get(number)?;
    // What a write that goes astray may have hit leaves the call undefined.
    if operand.guards_free.is_none() && operands.iter().any(|of| of.guards_free.is_some()) {
        return Some(false);
    }
    let must_stay = match body.contains(&at) {
        true => operand.run_at(at - body.start).is_none_or(|run| {
            matches!(run.permit, Permit::Exactly { .. }) && run.or_kept.is_none()
        }),
        false => operand.guards_free.is_none(),
    };
    must_stay.then_some(true)
}

/// Puts other values in the place of those that `permits` leave a choice of.
fn store(
    memory: &mut Memory,
    permits: Option<&Permits>,
    before: &Memory,
    choices: &mut Bytes<'_, '_>,
) -> Option<bool> {
    let Permits { operands, pool, .. } = permits?;
    let regions = before.regions.iter().zip(&mut memory.regions);
    for (operand, (before, region)) in operands.iter().zip(regions) {
        let size = operand.dtype.size();
        for run in &operand.runs {
            let all = run.offset..run.offset + run.len;
            let (was, slots) = (&before.body()[all.clone()], &mut region.body_mut()[all]);
            match run.permit {
                _ if run.or_kept.is_some() && choices.one_in(2) => slots.copy_from_slice(was),
                Permit::Exactly { .. } => {}
                Permit::OneOf { at, count } => {
                    // Another candidate in each slot, beginning anywhere.
                    let first = choices.below(count as u64) as usize;
                    for (number, slot) in slots.chunks_mut(size).enumerate() {
                        let at = at + (first + number) % count * run.len + number * size;
                        slot.copy_from_slice(&pool[at..at + size]);
                    }
                }
                Permit::Between {
                    low, high, more, ..
                } => {
                    let at = choices.pick(&[low, high, high + more * size]);
                    slots.copy_from_slice(&pool[at..at + size]);
                }
                Permit::Anything => slots.fill(choices.below(256) as u8),
            }
        }
    }
    Some(false)
}
