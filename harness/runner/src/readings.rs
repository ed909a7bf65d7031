//! Which readings matter for a case: under which other choice a target
//! answers differently.

use std::collections::BTreeMap;

use ptodiff_contract::Enforced;
use ptodiff_isa::{
    Call, Coalesce, DType, How, Layout, Memory, Model, Readings, Role, Schedule, Target,
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
        _ => true,
    }
}

fn has_negative_index(call: &Call, steps: &[Memory]) -> bool {
    call.index_tile().dtype == DType::Int32
        && steps
            .iter()
            .filter_map(|s| s.get(Role::Index))
            .any(|r| r.body().chunks_exact(4).any(|i| i[3] & 0x80 != 0))
}

/// What a target makes of a call, as far as a reading can change it.
#[derive(PartialEq)]
enum Account {
    Refused,
    Undefined,
    Ran(Vec<u8>),
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
    let output = match call {
        Call::Mscatter(_) => Role::Table,
        Call::Mgather(_) => Role::Destination,
    };
    match execute::execute(model, call, steps, &how) {
        Answer::Ran(ran) => Account::Ran(
            ran.memory
                .get(output)
                .map(|r| r.bytes().to_vec())
                .unwrap_or_default(),
        ),
        Answer::Refused(_) | Answer::Fault(_) => Account::Fault,
    }
}
