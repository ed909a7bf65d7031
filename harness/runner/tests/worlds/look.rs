//! What is wrong with what a model leaves of one small call, by two accounts
//! that know nothing of each other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ptodiff_contract::{Promise, Question, Verbosity};
use ptodiff_enumerate::{
    Out, Reachable, Values, enumerate,
    world::{Ends, World},
};
use ptodiff_isa::*;
use ptodiff_judge::{Answer, CaseContext, Expect, PartyInput, Ran, TargetVerdict, judge_target};
use ptodiff_runner::schedules;

use crate::enumerated::same::number;

/// What is wrong with what a model did, in one line, by either account.
#[derive(Debug)]
pub(crate) struct Found {
    /// By the brute force.
    pub(crate) by_reach: Option<String>,
    /// By the judge.
    pub(crate) by_judge: Option<String>,
}

/// A world in one line.
pub(crate) fn about(world: &World<'_>) -> String {
    let index = world.memory.get(Role::Index).map(Region::body);
    let World {
        call,
        target,
        readings,
        ends,
        ..
    } = world;
    format!("{target} {ends:?} {call:?} {readings:?} {index:?}")
}

/// Looks at what `model` leaves of `world` under each schedule that matters to it.
pub(crate) fn look(model: &dyn Model, world: &World<'_>) -> Found {
    let answers = answers(model, world);
    let out = enumerate(&world.call, &[world.memory], world.target, world.readings);
    let open = |reachable: &Reachable| reachable.slots.iter().all(|v| *v == Values::Anything);
    let all_open = matches!(&out, Out::Of(reachable) if open(reachable));
    Found {
        by_reach: by_reach(world, &out, &answers),
        by_judge: by_judge(world, all_open, &answers),
    }
}

/// What the model does, once a schedule.
fn answers(model: &dyn Model, world: &World<'_>) -> Vec<Answer> {
    let rejections = model.check(&world.call, world.readings);
    if !rejections.is_empty() {
        return vec![Answer::Rejected(rejections)];
    }
    // In order, reversed and shuffled; the other targets have one order.
    let orders = if world.target == Target::A5 { 3 } else { 1 };
    let answer = |schedule| {
        let how = How {
            schedule,
            readings: *world.readings,
        };
        let (mut memory, mut log) = (world.memory.clone(), Log::default());
        let run = || model.execute(&world.call, &mut memory, &how, &mut log);
        match catch_unwind(AssertUnwindSafe(run)) {
            Err(_) => Answer::Fault("it panics".to_owned()),
            Ok(Err(fault)) => Answer::Fault(fault.0),
            Ok(Ok(End::Hung)) => Answer::Hung(schedule),
            Ok(Ok(End::Finished)) => Answer::Ran(Ran {
                memory,
                oob_accesses: log.oob_accesses,
                inputs_changed: Vec::new(),
                schedule,
            }),
        }
    };
    schedules(orders).into_iter().map(answer).collect()
}

/// By the brute force. Of a call whose data breaks a precondition only that it ends.
fn by_reach(world: &World<'_>, out: &Out, answers: &[Answer]) -> Option<String> {
    if world.ends == Ends::Illegal {
        return None;
    }
    let reachable = match (world.ends, out) {
        (Ends::Settled, Out::Of(reachable)) => Some(reachable),
        (Ends::Undefined, Out::Undefined(_)) => None,
        _ => return Some(format!("not what it was built for: {out:?}")),
    };
    answers.iter().find_map(|answer| match answer {
        Answer::Ran(ran) => astray(world.memory, ran, reachable?),
        other => Some(format!("{other:?}")),
    })
}

/// The first place that holds what no order leaves there.
fn astray(before: &Memory, ran: &Ran, reachable: &Reachable) -> Option<String> {
    let schedule = ran.schedule;
    if before.regions.len() != ran.memory.regions.len() {
        return Some(format!("{schedule:?}: other operands"));
    }
    // Reads may go outside where an index leads there, writes nowhere.
    let OobAccesses { first, count } = &ran.oob_accesses;
    if first.iter().any(|oob_access| oob_access.write) || *count > 0 && !reachable.outside {
        return Some(format!("{schedule:?}: {:?}", ran.oob_accesses));
    }
    let mut pairs = before.regions.iter().zip(&ran.memory.regions);
    pairs.find_map(|(was, is)| {
        let slots = match &reachable.scratch {
            _ if was.role == reachable.role => Some(&reachable.slots),
            Some(scratch) if was.role == Role::Scratch => Some(scratch),
            _ => None,
        };
        let why = differs(was, is, slots.map(|slots| (&slots[..], reachable.size)))?;
        Some(format!("{schedule:?}: {}: {why}", was.role))
    })
}

/// The same of one operand; without slots, each of so many bytes, it is only read.
fn differs(was: &Region, is: &Region, slots: Option<(&[Values], usize)>) -> Option<String> {
    let body = was.body_range();
    let shape = |r: &Region| (r.role, r.body_range(), r.bytes().len());
    if shape(was) != shape(is) {
        return Some("another shape".to_owned());
    }
    let [old, new] = [was, is].map(Region::bytes);
    if old[..body.start] != new[..body.start] || old[body.end..] != new[body.end..] {
        return Some("a guard zone changed".to_owned());
    }
    let Some((slots, size)) = slots else {
        return (was.body() != is.body()).then(|| "an input changed".to_owned());
    };
    if slots.len() * size != was.body().len() {
        return Some(format!("{} slots reached", slots.len()));
    }
    let bodies = was.body().chunks(size).zip(is.body().chunks(size));
    let mut all = slots.iter().zip(bodies).enumerate();
    all.find_map(|(at, (values, (old, new)))| {
        let fits = match values {
            Values::Kept => old == new,
            Values::These(all) => all.contains(&number(new)),
            Values::Anything => true,
        };
        (!fits).then(|| format!("slot {at} was {old:?} and is {new:?}: {values:?}"))
    })
}

/// By the judge and the contract. Where all slots are open the judge has
/// nothing to compare, and says so.
fn by_judge(world: &World<'_>, all_open: bool, answers: &[Answer]) -> Option<String> {
    let question = Question {
        call: &world.call,
        target: world.target,
        readings: world.readings,
        verbosity: Verbosity::Brief,
    };
    let promise = Promise::of(&question, std::slice::from_ref(world.memory));
    let party = Party::of(world.target);
    let input = PartyInput::of(&party, &promise, answers, Expect::NOTHING);
    let context = CaseContext {
        call: &world.call,
        before: world.memory,
        steps: std::slice::from_ref(world.memory),
        brief: true,
        readings: &ptodiff_isa::TargetReadings::default(),
    };
    let verdict = judge_target(&context, &input);
    let (legal, keeps) = (
        promise.legality().is_empty(),
        promise.preconditions().is_empty(),
    );
    let well = match (world.ends, &verdict) {
        (Ends::Illegal, TargetVerdict::RejectedAsDocumented { .. }) => !legal,
        (Ends::Undefined, TargetVerdict::Undefined(_)) => legal && !keeps,
        (Ends::Settled, TargetVerdict::Undefined(_)) => legal && keeps && all_open,
        (Ends::Settled, TargetVerdict::Conforms { .. }) => legal && keeps && !all_open,
        _ => false,
    };
    (!well).then(|| format!("{verdict:?}"))
}
