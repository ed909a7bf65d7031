//! Which readings matter for a case: under which other choice a target
//! answers differently.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use ptodiff_contract::{Enforced, Permit, Permits};
use ptodiff_isa::{
    Call, Coalesce, How, Layout, Memory, Model, Readings, Role, Schedule, Target,
    reading::{GAPS, Gap},
};
use ptodiff_judge::Answer;
use ptodiff_record::ReadingUse;

use crate::execute;

/// The parameters that matter for `call` on `models`, with `readings` in force.
pub(crate) fn that_matter(
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
    models: &[&dyn Model],
) -> Vec<ReadingUse> {
    GAPS.iter()
        .filter_map(|gap| use_of(gap, call, steps, readings, models))
        .collect()
}

fn use_of(
    gap: &Gap,
    call: &Call,
    steps: &[Memory],
    readings: &Readings,
    models: &[&dyn Model],
) -> Option<ReadingUse> {
    let concerned: Vec<&dyn Model> = models
        .iter()
        .copied()
        .filter(|m| may_matter(gap, call, steps, m.target()))
        .collect();
    if concerned.is_empty() {
        return None;
    }
    let choice = readings.choice(gap.name)?;
    let mut differs_under = BTreeMap::new();
    for other in gap.choices.iter().filter(|c| **c != choice) {
        let mut changed = *readings;
        changed.set(gap.name, other).ok()?;
        let targets: Vec<Target> = concerned
            .iter()
            .filter(|m| account(**m, call, steps, readings) != account(**m, call, steps, &changed))
            .map(|m| m.target())
            .collect();
        if !targets.is_empty() {
            differs_under.insert((*other).to_owned(), targets);
        }
    }
    (!differs_under.is_empty()).then(|| ReadingUse {
        gap: gap.name.to_owned(),
        clauses: gap.clauses.iter().map(ToString::to_string).collect(),
        choice: choice.to_owned(),
        differs_under,
        verdict_under: BTreeMap::new(),
    })
}

/// Whether the gap can touch this call on this target at all: saves running
/// what cannot differ.
fn may_matter(gap: &Gap, call: &Call, steps: &[Memory], target: Target) -> bool {
    match gap.name {
        "cpu-form" => target == Target::Cpu && matches!(call, Call::Mscatter(_)),
        "negative-index" => target != Target::Cpu && has_negative_index(call, steps),
        "nz-elem-order" => {
            target == Target::A2a3
                && matches!(call, Call::Mscatter(c) if c.table.layout == Layout::NZ && c.mode == Coalesce::Elem)
        }
        name => match call {
            Call::Mscatter(_) | Call::Mgather(_) => false,
            Call::MscatterFirst(_) => name.starts_with("first-"),
            Call::MgatherL1(_) => name == "scope" || name.starts_with("l1-"),
            Call::TscatterIndex(_) => name == "scope" || name.starts_with("tscatter-"),
            Call::TscatterMask(_) => name == "scope" || name.starts_with("mask-"),
            Call::Tgatherb(_) => name.starts_with("tgatherb-"),
        },
    }
}

fn has_negative_index(call: &Call, steps: &[Memory]) -> bool {
    let Some(dtype) = call.operand(Role::Index).map(|operand| operand.dtype()) else {
        return false;
    };
    let sign = dtype.size().saturating_sub(1);
    dtype.is_signed_integer()
        && steps.iter().filter_map(|s| s.get(Role::Index)).any(|r| {
            r.body()
                .chunks_exact(dtype.size())
                .any(|i| i[sign] & 0x80 != 0)
        })
}

/// What a target makes of a call, as far as a reading can change it.
#[derive(PartialEq)]
enum Account {
    Refused,
    Undefined,
    /// Holds these bytes; what it may hold, as a digest.
    Ran(Vec<u8>, Option<u64>),
    Hung,
    Fault,
}

fn account(model: &dyn Model, call: &Call, steps: &[Memory], readings: &Readings) -> Account {
    match execute::check(model, call, readings) {
        Err(_) => return Account::Fault,
        Ok(refusals) if !refusals.is_empty() => return Account::Refused,
        Ok(_) => {}
    }
    let target = model.target();
    let by_caller = |b: &ptodiff_contract::Broken| b.enforced == Enforced::ByCaller;
    let all: Vec<&Memory> = steps.iter().collect();
    if ptodiff_contract::legality(call, target, readings)
        .iter()
        .any(by_caller)
        || !ptodiff_contract::data_duties(call, &all, target, readings).is_empty()
    {
        return Account::Undefined;
    }
    let how = How {
        schedule: Schedule::InOrder,
        readings: *readings,
    };
    match execute::execute(model, call, steps, &how) {
        Answer::Ran(ran) => {
            let output = ran.memory.get(call.output());
            let bytes = output.map(|r| r.bytes().to_vec()).unwrap_or_default();
            let promised = ptodiff_contract::permits(call, &all, target, readings);
            Account::Ran(bytes, promised.ok().map(|permits| digest(&permits)))
        }
        Answer::Hung(_) => Account::Hung,
        Answer::Refused(_) | Answer::Fault(_) => Account::Fault,
    }
}

/// What `permits` lets each slot hold, whatever the clauses and however the
/// runs are cut.
fn digest(permits: &Permits) -> u64 {
    let mut hasher = DefaultHasher::new();
    let pool = |at: usize, len: usize| &permits.pool[at..at + len];
    for operand in &permits.operands {
        (operand.role, operand.guards_free.is_some()).hash(&mut hasher);
        let size = operand.dtype.size();
        for run in &operand.runs {
            for inside in (0..run.len).step_by(size) {
                (run.offset + inside, run.or_kept.is_some()).hash(&mut hasher);
                match run.permit {
                    Permit::Exactly { at } => pool(at + inside, size).hash(&mut hasher),
                    Permit::OneOf { at, count } => {
                        let candidates = (0..count).map(|n| pool(at + n * run.len + inside, size));
                        candidates.for_each(|candidate| candidate.hash(&mut hasher));
                    }
                    Permit::Between { low, high } => {
                        ("from", pool(low, size), pool(high, size)).hash(&mut hasher);
                    }
                    Permit::Anything => "anything".hash(&mut hasher),
                }
            }
        }
    }
    permits.strays.is_some().hash(&mut hasher);
    hasher.finish()
}
